"""A game that was played through the services proves itself from its archive alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.archive.replay import verify
from engine.archive.schema import Archive, read_archive
from engine.tiles.edition import load_edition
from referee.views.desk import list_tops
from tests.examples import representative
from tests.tournaments.club_game import (
    FOUR_PLAYERS,
    ClubGame,
    close_due,
    create_club_game,
    play_turn,
    seeded_random,
    submit_random_slips,
)
from tournaments.backups.services import heartbeats
from tournaments.enums import DrawMode, GameState, Ruling
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import word_lists
from tournaments.models import Member, PlayerMember, Turn
from tournaments.play.position import get_draw_position
from tournaments.play.services import clocks, draw_rack, game_end
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game


def archive_of(club_game: ClubGame) -> Archive:
    """The archive as somebody else gets it: through a file."""
    return read_archive(json.dumps(export_game(club_game.refresh())))


def differences(club_game: ClubGame) -> list[Any]:
    return verify(archive_of(club_game), word_lists.graph_of(word_lists.word_list_of_game(club_game.game)))


@pytest.mark.endurance
@pytest.mark.parametrize("profile", representative(["it-box", "club"]))
def test_a_whole_game_has_no_difference(judge: User, profile: str) -> None:
    club_game, rng = create_club_game(judge, profile=profile), seeded_random(7)
    while play_turn(club_game, rng):
        pass
    assert club_game.refresh().state == GameState.FINISHED
    assert differences(club_game) == []
    assert archive_of(club_game)["draw"]["seed"] == bytes(range(32)).hex()


def test_an_eventful_game_has_no_difference(club_game: ClubGame) -> None:
    """Pauses, added time, a late slip, a late-comer, words ruled on, a decision of the judge, an undo, a hall word."""
    rng = seeded_random(3)
    play_turn(club_game, rng)
    club_game.begin_turn()
    players.add_players(
        event=club_game.event, players=[NewPlayer(9, "Elio Late")], now=club_game.later(), by=club_game.judge
    )
    clocks.pause_clock(turn=club_game.turn, room=club_game.room, now=club_game.later(), by=club_game.judge)
    club_game.phone(1, "CASA", "8H", 10)
    clocks.resume_clock(turn=club_game.turn, room=club_game.room, now=club_game.later(30), by=club_game.judge)
    clocks.add_time(turn=club_game.turn, room=club_game.room, seconds=30, now=club_game.later(), by=club_game.judge)
    deadline = club_game.clock.deadline
    assert deadline is not None
    club_game.phone(2, "CASA", "8H", 10, after=(deadline - club_game.now).total_seconds() + 1.5)
    assert close_due(club_game.later())
    club_game.place()
    club_game.undo()
    club_game.place()
    club_game.begin_turn()
    submit_random_slips(club_game, rng)
    club_game.close()
    club_game.rule(list_tops(club_game.turn)[0].word, Ruling.STRUCK)
    club_game.rule("ZZZ", Ruling.ACCEPTED)
    group = club_game.verdict(1).group
    rulings.decide_groups(
        turn=club_game.turn,
        groups=[group],
        points=3,
        request=RulingRequest(reason="unclear writing", by=club_game.judge, now=club_game.later()),
    )
    club_game.place()
    club_game.begin_turn()
    rulings.revoke_word(
        turn=club_game.turn, word="ZZZ", request=RulingRequest(by=club_game.judge, now=club_game.later())
    )
    submit_random_slips(club_game, rng)
    club_game.close()
    club_game.place()
    assert differences(club_game) == []
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    assert differences(club_game) == []
    assert [len(turn["slips"]) for turn in archive_of(club_game)["turns"]] == [4, 4, 5, 5]


@pytest.mark.parametrize("phase", ["lobby", "drawn", "running", "closed", "placed"])
def test_an_archive_of_a_game_that_goes_on_has_no_difference_and_no_seed(club_game: ClubGame, phase: str) -> None:
    acts = [
        club_game.draw,
        club_game.announce,
        lambda: club_game.phone(1, "CASA", "8H", 3),
        club_game.close,
        club_game.place,
    ]
    for act in acts[: {"lobby": 0, "drawn": 1, "running": 3, "closed": 4, "placed": 5}[phase]]:
        act()
    assert differences(club_game) == []
    archive = archive_of(club_game)
    assert (archive["draw"]["seed"], archive["end"]) == (None, None)


def test_an_archive_names_members_by_number_and_that_of_the_hall_only_those_who_agreed(club_game: ClubGame) -> None:
    anna, bruno, carla = (
        Member.objects.create(first_name=first, surname=last, may_be_published=first == "Bruno")
        for first, last in (("Anna", "Rossi"), ("Bruno", "Verdi"), ("Carla", "Neri"))
    )
    duplicate = Member.objects.create(first_name="Karla", surname="Neri", merged_into=carla)
    for table, member in ((1, anna), (1, bruno), (3, duplicate)):
        PlayerMember.objects.create(player=club_game.player(table), member=member)
    play_turn(club_game, seeded_random(2))

    def numbers(archive: Archive) -> list[tuple[int | None, int | None]]:
        return [(entry.get("member"), entry.get("partner")) for entry in archive["players"]]

    assert numbers(archive_of(club_game)) == [(anna.pk, bruno.pk), (None, None), (carla.pk, None), (None, None)]
    assert differences(club_game) == []
    hall = read_archive(json.dumps(export_game(club_game.refresh(), for_hall=True)))
    assert numbers(hall) == [(bruno.pk, None), (None, None), (None, None), (None, None)]


def test_a_game_typed_from_a_bag_has_no_difference(judge: User) -> None:
    club_game, rng = create_club_game(judge, draw_mode=DrawMode.TYPED), seeded_random(11)
    for _ in range(6):
        left = get_draw_position(club_game.refresh())
        for _attempt in range(20):
            kinds = left.bag.kinds() if not club_game.game.typed_rejected else left.pool.kinds()
            number = 7 - (left.kept.total if not club_game.game.typed_rejected else 0)
            typed = left.bag.of_kinds(load_edition("it"), rng.sample(kinds, number)).text
            try:
                draw_rack.type_rack(game=club_game.refresh(), text=typed, now=club_game.later(), by=judge)
                break
            except ValueError:
                continue
        club_game.announce()
        submit_random_slips(club_game, rng)
        club_game.close()
        club_game.place()
    assert Turn.objects.filter(game=club_game.game).exclude(rejected=[]).exists()
    assert differences(club_game) == []


def test_time_given_back_after_a_crash_leaves_an_archive_without_difference(club_game: ClubGame) -> None:
    club_game.begin_turn()
    heartbeats.record_heartbeat(now=club_game.now)
    club_game.later(200)
    heartbeats.record_start(now=club_game.now)
    close_due(club_game.now)
    club_game.phone(1, "CASA", "8H", 3)
    heartbeats.settle_lost_time(give_back=True, now=club_game.later(), by=club_game.judge)
    assert close_due(club_game.later(300))
    club_game.place()
    assert club_game.verdict(1, 1).slip is not None
    assert differences(club_game) == []


def test_the_number_of_queries_does_not_grow(judge: User) -> None:
    def queries(club_game: ClubGame) -> int:
        with CaptureQueriesContext(connection) as captured:
            export_game(club_game.game)
        return len(captured)

    small, large = create_club_game(judge, players=FOUR_PLAYERS[:1]), create_club_game(judge)
    small.begin_turn()
    small.close()
    small.place()
    rng = seeded_random(1)
    for _ in range(3):
        play_turn(large, rng)
    assert queries(small) == queries(large)


def test_a_slip_that_was_one_of_several_says_so_and_is_judged_again_alike(club_game: ClubGame) -> None:
    club_game.begin_turn()
    club_game.paper("1 8H CASA 10", several=True)
    club_game.paper("2 8H CASA 10")
    club_game.close()
    club_game.place()
    slips = {slip["table"]: slip for slip in archive_of(club_game)["turns"][0]["slips"]}
    assert slips[1].get("several") is True
    assert slips[1]["verdict"]["reason"] == "several_slips"
    assert "several" not in slips[2]
    assert differences(club_game) == []
