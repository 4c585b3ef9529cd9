"""Reversed references: the desk asks once in an event whether they count, and judges again."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from referee.views.desk import get_desk_view
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.enums import DrawMode, EndReason
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import events, rule_changes
from tournaments.judging.queries.slip_groups import SlipGroup
from tournaments.lexicons import word_lists
from tournaments.play.position import profile_of
from tournaments.play.services import draw_rack, game_end
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db

WORTH = 8
"""CESTA down from the square above the E of CARTE; across it would run over the edge."""


def reversed_turn(judge: User, profile: str) -> ClubGame:
    """A turn that is judged: table 1 writes the reference of CESTA the other way round, 2 as it is, 3 without the true
    score, 17 on paper like table 1."""
    club_game = create_club_game(judge, profile=profile, draw_mode=DrawMode.TYPED)
    across, down, wrong = ("8H", "L7", "7L") if profile != "ca-manual" else ("H8", "12G", "G12")
    announce(club_game, "ACEIRST")
    club_game.phone(1, "CARTE", across, 18)
    club_game.close()
    club_game.place(word="CARTE", ref=across)
    play(club_game, down, wrong)
    return club_game


def announce(club_game: ClubGame, rack: str) -> None:
    draw_rack.type_rack(game=club_game.refresh(), text=rack, now=club_game.later(), by=club_game.judge)
    club_game.announce()


def play(club_game: ClubGame, down: str, wrong: str) -> None:
    announce(club_game, "CSTAIIR")
    club_game.phone(1, "CESTA", wrong, WORTH)
    club_game.phone(2, "CESTA", down, WORTH)
    club_game.phone(3, "CESTA", wrong, WORTH + 1)
    club_game.paper(f"17 {wrong} CESTA {WORTH}")
    club_game.close()


def asked(club_game: ClubGame) -> SlipGroup | None:
    return get_desk_view(club_game.refresh(), club_game.room, club_game.later()).reversed


def points(club_game: ClubGame) -> list[int]:
    return [club_game.verdict(table).points for table in (1, 2, 3, 17)]


def settle(club_game: ClubGame, *, count: bool) -> None:
    rule_changes.settle_reversed_places(
        game=club_game.refresh(), count=count, by=club_game.judge, now=club_game.later()
    )


@pytest.mark.parametrize("profile", ["it-box", "ca-manual"])
def test_the_desk_asks_and_counts_such_places_for_the_whole_event(judge: User, profile: str) -> None:
    club_game = reversed_turn(judge, profile)
    assert points(club_game) == [0, WORTH, 0, 0]
    group = asked(club_game)
    assert group is not None
    assert (group.word, group.declared, group.count) == ("CESTA", WORTH, 2)
    assert group.meant == ("L7" if profile == "it-box" else "12G")
    settle(club_game, count=True)
    assert points(club_game) == [WORTH, WORTH, 0, WORTH]
    verdict = club_game.verdict(1)
    assert (verdict.result, verdict.reason, verdict.penalty) == ("rescued", "rescued_by_score", 0)
    assert asked(club_game) is None
    with pytest.raises(AlreadyDone):
        settle(club_game, count=False)
    club_game.place()
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=judge, now=club_game.later())
    archive = read_archive(json.dumps(export_game(club_game.refresh())))
    assert verify(archive, word_lists.graph_of(word_lists.word_list_of_game(club_game.game))) == []
    following = events.add_game(event=club_game.event, by=judge, now=club_game.later(), seed=bytes(32))
    assert profile_of(following).wrong_reference == "reversed"


def test_what_is_kept_as_it_is_written_is_not_asked_again_in_the_event(judge: User) -> None:
    club_game = reversed_turn(judge, "it-box")
    settle(club_game, count=False)
    assert points(club_game) == [0, WORTH, 0, 0]
    assert asked(club_game) is None
    club_game.place()
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=judge, now=club_game.later())
    club_game.game = events.add_game(event=club_game.event, by=judge, now=club_game.later(), seed=bytes(range(32)))
    announce(club_game, "ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.close()
    club_game.place()
    play(club_game, "L7", "7L")
    assert (points(club_game), asked(club_game)) == ([0, WORTH, 0, 0], None)


def test_rules_that_say_what_such_a_place_is_worth_are_no_question(judge: User) -> None:
    """The Catalan clubs: a play with wrong data is worth nothing. Club rules: rescued for five points."""
    club_game = reversed_turn(judge, "club")
    assert (points(club_game), asked(club_game)) == ([WORTH - 5, WORTH, 0, WORTH - 5], None)
    with pytest.raises(Refused, match="no such question"):
        settle(club_game, count=True)
