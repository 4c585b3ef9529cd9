"""A game that was played through the services proves itself from its archive alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.archive import Archive, read_archive
from engine.edition import load_edition
from engine.replay import verify
from tests.tournaments.night import FOUR, Night, begin, chance, hand_in_something, play_turn
from tournaments import lexicons
from tournaments.enums import DrawMode, GameState, Ruling
from tournaments.models import Turn
from tournaments.position import what_is_left
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import tops
from tournaments.services import clocks, drawing, ending, heartbeats, players, rulings
from tournaments.services.players import NewPlayer


def archive_of(night: Night) -> Archive:
    """The archive as somebody else gets it: through a file."""
    return read_archive(json.dumps(export_game(night.refresh())))


def differences(night: Night) -> list[Any]:
    return verify(archive_of(night), lexicons.graph_of(lexicons.of_game(night.game)))


@pytest.mark.parametrize("profile", ["it-box", "club"])
def test_a_whole_game_has_no_difference(judge: User, profile: str) -> None:
    night, rng = begin(judge, profile=profile), chance(7)
    while play_turn(night, rng):
        pass
    assert night.refresh().state == GameState.FINISHED
    assert differences(night) == []
    assert archive_of(night)["draw"]["seed"] == bytes(range(32)).hex()


def test_an_eventful_game_has_no_difference(night: Night) -> None:
    """Pauses, added time, a late slip, a late-comer, words ruled on, a decision of the judge, an undo, a hall word."""
    rng = chance(3)
    play_turn(night, rng)
    night.begin_turn()
    players.add_players(event=night.event, players=[NewPlayer(9, "Elio Late")], now=night.later(), by=night.judge)
    clocks.pause(turn=night.turn, room=night.room, now=night.later(), by=night.judge)
    night.phone(1, "CASA", "8H", 10)
    clocks.resume(turn=night.turn, room=night.room, now=night.later(30), by=night.judge)
    clocks.add_time(turn=night.turn, room=night.room, seconds=30, now=night.later(), by=night.judge)
    deadline = night.clock.deadline
    assert deadline is not None
    night.phone(2, "CASA", "8H", 10, after=(deadline - night.now).total_seconds() + 1.5)
    assert clocks.close_due(now=night.later())
    night.place()
    night.undo()
    night.place()
    night.begin_turn()
    hand_in_something(night, rng)
    night.close()
    night.rule(tops(night.turn)[0].word, Ruling.STRUCK)
    night.rule("ZZZ", Ruling.ACCEPTED)
    group = night.verdict(1).group
    rulings.decide_group(
        turn=night.turn, group=group, points=3, reason="unclear writing", by=night.judge, now=night.later()
    )
    night.place()
    night.begin_turn()
    rulings.revoke_word(turn=night.turn, word="ZZZ", by=night.judge, now=night.later())
    hand_in_something(night, rng)
    night.close()
    night.place()
    assert differences(night) == []
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    assert differences(night) == []
    assert [len(turn["slips"]) for turn in archive_of(night)["turns"]] == [4, 4, 5, 5]


@pytest.mark.parametrize("phase", ["lobby", "drawn", "running", "closed", "placed"])
def test_an_archive_of_a_game_that_goes_on_has_no_difference_and_no_seed(night: Night, phase: str) -> None:
    acts = [night.draw, night.announce, lambda: night.phone(1, "CASA", "8H", 3), night.close, night.place]
    for act in acts[: {"lobby": 0, "drawn": 1, "running": 3, "closed": 4, "placed": 5}[phase]]:
        act()
    assert differences(night) == []
    archive = archive_of(night)
    assert (archive["draw"]["seed"], archive["end"]) == (None, None)


def test_a_game_typed_from_a_bag_has_no_difference(judge: User) -> None:
    night, rng = begin(judge, draw_mode=DrawMode.TYPED), chance(11)
    for _ in range(6):
        left = what_is_left(night.refresh())
        for _attempt in range(20):
            kinds = left.bag.kinds() if not night.game.typed_rejected else left.pool.kinds()
            number = 7 - (left.kept.total if not night.game.typed_rejected else 0)
            typed = left.bag.of_kinds(load_edition("it"), rng.sample(kinds, number)).text
            try:
                drawing.type_rack(game=night.refresh(), text=typed, now=night.later(), by=judge)
                break
            except ValueError:
                continue
        night.announce()
        hand_in_something(night, rng)
        night.close()
        night.place()
    assert Turn.objects.filter(game=night.game).exclude(rejected=[]).exists()
    assert differences(night) == []


def test_time_given_back_after_a_crash_leaves_an_archive_without_difference(night: Night) -> None:
    night.begin_turn()
    heartbeats.beat(now=night.now)
    night.later(200)
    heartbeats.wake(now=night.now)
    clocks.close_due(now=night.now)
    night.phone(1, "CASA", "8H", 3)
    heartbeats.answer(give_back=True, now=night.later(), by=night.judge)
    assert clocks.close_due(now=night.later(300))
    night.place()
    assert night.verdict(1, 1).slip is not None
    assert differences(night) == []


def test_the_number_of_queries_does_not_grow(judge: User) -> None:
    def queries(night: Night) -> int:
        with CaptureQueriesContext(connection) as captured:
            export_game(night.game)
        return len(captured)

    small, large = begin(judge, players=FOUR[:1]), begin(judge)
    small.begin_turn()
    small.close()
    small.place()
    rng = chance(1)
    for _ in range(3):
        play_turn(large, rng)
    assert queries(small) == queries(large)


def test_a_slip_that_was_one_of_several_says_so_and_is_judged_again_alike(night: Night) -> None:
    night.begin_turn()
    night.paper("1 8H CASA 10", several=True)
    night.paper("2 8H CASA 10")
    night.close()
    night.place()
    slips = {slip["table"]: slip for slip in archive_of(night)["turns"][0]["slips"]}
    assert slips[1].get("several") is True
    assert slips[1]["verdict"]["reason"] == "several_slips"
    assert "several" not in slips[2]
    assert differences(night) == []
