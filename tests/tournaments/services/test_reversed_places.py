"""Places written the other way round: the desk asks once in an event whether they count, and judges again."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User

from engine.archive import read_archive
from engine.replay import verify
from tests.tournaments.night import Night, begin
from tournaments import lexicons
from tournaments.enums import DrawMode, EndReason
from tournaments.errors import AlreadyDone, Refused
from tournaments.position import profile_of
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import desk_view
from tournaments.selectors.groups import Group
from tournaments.services import drawing, ending, events, rules

pytestmark = pytest.mark.django_db

WORTH = 8
"""CESTA down from the square above the E of CARTE; across it would run over the edge."""


def reversed_turn(judge: User, profile: str) -> Night:
    """A turn that is judged: table 1 writes the reference of CESTA the other way round, 2 as it is, 3 without the true
    score, 17 on paper like table 1."""
    night = begin(judge, profile=profile, draw_mode=DrawMode.TYPED)
    across, down, wrong = ("8H", "L7", "7L") if profile != "ca-manual" else ("H8", "12G", "G12")
    announce(night, "ACEIRST")
    night.phone(1, "CARTE", across, 18)
    night.close()
    night.place(word="CARTE", ref=across)
    play(night, down, wrong)
    return night


def announce(night: Night, rack: str) -> None:
    drawing.type_rack(game=night.refresh(), text=rack, now=night.later(), by=night.judge)
    night.announce()


def play(night: Night, down: str, wrong: str) -> None:
    announce(night, "CSTAIIR")
    night.phone(1, "CESTA", wrong, WORTH)
    night.phone(2, "CESTA", down, WORTH)
    night.phone(3, "CESTA", wrong, WORTH + 1)
    night.paper(f"17 {wrong} CESTA {WORTH}")
    night.close()


def asked(night: Night) -> Group | None:
    return desk_view(night.refresh(), night.room, night.later()).reversed


def points(night: Night) -> list[int]:
    return [night.verdict(table).points for table in (1, 2, 3, 17)]


def settle(night: Night, *, count: bool) -> None:
    rules.settle_reversed_places(game=night.refresh(), count=count, by=night.judge, now=night.later())


@pytest.mark.parametrize("profile", ["it-box", "ca-manual"])
def test_the_desk_asks_and_counts_such_places_for_the_whole_event(judge: User, profile: str) -> None:
    night = reversed_turn(judge, profile)
    assert points(night) == [0, WORTH, 0, 0]
    group = asked(night)
    assert group is not None
    assert (group.word, group.declared, group.count) == ("CESTA", WORTH, 2)
    assert group.meant == ("L7" if profile == "it-box" else "12G")
    settle(night, count=True)
    assert points(night) == [WORTH, WORTH, 0, WORTH]
    verdict = night.verdict(1)
    assert (verdict.result, verdict.reason, verdict.penalty) == ("rescued", "rescued_by_score", 0)
    assert asked(night) is None
    with pytest.raises(AlreadyDone):
        settle(night, count=False)
    night.place()
    ending.end_game(game=night.refresh(), why=EndReason.JUDGE, by=judge, now=night.later())
    archive = read_archive(json.dumps(export_game(night.refresh())))
    assert verify(archive, lexicons.graph_of(lexicons.of_game(night.game))) == []
    following = events.add_game(event=night.event, by=judge, now=night.later(), seed=bytes(32))
    assert profile_of(following).wrong_reference == "reversed"


def test_what_is_kept_as_it_is_written_is_not_asked_again_in_the_event(judge: User) -> None:
    night = reversed_turn(judge, "it-box")
    settle(night, count=False)
    assert points(night) == [0, WORTH, 0, 0]
    assert asked(night) is None
    night.place()
    ending.end_game(game=night.refresh(), why=EndReason.JUDGE, by=judge, now=night.later())
    night.game = events.add_game(event=night.event, by=judge, now=night.later(), seed=bytes(range(32)))
    announce(night, "ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    night.close()
    night.place()
    play(night, "L7", "7L")
    assert (points(night), asked(night)) == ([0, WORTH, 0, 0], None)


def test_rules_that_say_what_such_a_place_is_worth_are_no_question(judge: User) -> None:
    """The Catalan clubs: a play with wrong data is worth nothing. Club rules: rescued for five points."""
    night = reversed_turn(judge, "club")
    assert (points(night), asked(night)) == ([WORTH - 5, WORTH, 0, WORTH - 5], None)
    with pytest.raises(Refused, match="no question"):
        settle(night, count=True)
