"""Rounds: named and planned before they are played; the game to come is played otherwise."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.tournaments.night import Night, chance, play_turn
from tournaments.enums import EndReason
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Game, LedgerEntry, Round, Turn
from tournaments.position import profile_of
from tournaments.selectors.event_results import Choice, event_view, read_choice
from tournaments.selectors.rounds import numbers_to_plan, round_lines, round_names
from tournaments.services import ending, events, rounds

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 7, 11, tzinfo=UTC)


def plan(night: Night, number: int, name: str = "", starts_at: datetime | None = None) -> Round | None:
    return rounds.plan_round(
        event=night.event, number=number, name=name, starts_at=starts_at, by=night.judge, now=night.later()
    )


def set_up(night: Night, **wanted: object) -> Game:
    return rounds.set_up(game=night.refresh(), by=night.judge, now=night.later(), **wanted)  # type: ignore[arg-type]


def end(night: Night) -> None:
    ending.end_game(game=night.refresh(), why=EndReason.JUDGE, by=night.judge, now=night.later())


def next_game(night: Night, **wanted: object) -> Game:
    night.game = events.add_game(
        event=night.event,
        by=night.judge,
        now=night.later(),
        seed=bytes(32),
        **wanted,  # type: ignore[arg-type]
    )
    return night.game


def test_rounds_are_planned_before_they_are_played(night: Night) -> None:
    plan(night, 1, "Morning")
    plan(night, 2, "Afternoon", NOON)
    first, second = round_lines(night.event)
    assert (first.name, first.state, first.players) == ("Morning", "ready", 4)
    assert (second.name, second.starts_at, second.is_planned) == ("Afternoon", NOON, True)
    assert numbers_to_plan([first, second]) == 3
    assert round_names(night.event) == {1: "Morning", 2: "Afternoon"}
    assert LedgerEntry.objects.latest("n").data == {
        **{"round": 2, "name": "Afternoon", "starts_at": "2026-03-07T11:00:00+00:00"}
    }


def test_a_round_without_name_and_time_is_not_planned_any_more(night: Night) -> None:
    plan(night, 2, "Afternoon")
    with pytest.raises(AlreadyDone):
        plan(night, 2, "Afternoon")
    assert plan(night, 2) is None
    assert len(round_lines(night.event)) == 1
    with pytest.raises(AlreadyDone):
        plan(night, 3)


@pytest.mark.parametrize("number", [0, 51])
def test_rounds_have_numbers_within_reason(night: Night, number: int) -> None:
    with pytest.raises(Refused, match="rounds 1 to 50"):
        plan(night, number, "x")


def test_the_next_game_has_another_number_of_turns(night: Night) -> None:
    set_up(night, turns=1)
    play_turn(night, chance(3))
    assert night.draw() is None
    assert night.refresh().end_why == EndReason.TURNS
    same = next_game(night)
    assert profile_of(same).max_turns == 1
    set_up(night, turns=None)
    assert profile_of(night.refresh()).max_turns is None
    assert round_lines(night.event)[0].most_turns == 1


def test_the_next_game_is_played_by_other_rules_formula_and_time(night: Night) -> None:
    play_turn(night, chance(3))
    end(night)
    game = next_game(night, formula="7of8", rhythm_s=60, profile="fisf", turns=20)
    rules = profile_of(game)
    assert (game.formula, game.rhythm_s, game.profile) == ("7of8", 60, "fisf")
    assert (rules.rack_size, rules.clock_s, rules.max_turns, rules.wrong_reference) == (8, 60, 20, "rescue")
    with pytest.raises(Refused, match="no rule profile “nobody”"):
        rounds.set_up(game=game, profile="nobody", by=night.judge, now=night.later())


def test_a_game_is_set_up_anew_until_its_first_rack_is_announced(night: Night) -> None:
    night.draw()
    game = set_up(night, formula="joker", turns=15)
    assert (game.formula, profile_of(game).max_turns) == ("joker", 15)
    assert not Turn.objects.filter(game=game).exists()
    told = LedgerEntry.objects.latest("n")
    assert (told.kind, told.data["put_back"], told.data["max_turns"]) == ("rules", 1, 15)
    with pytest.raises(AlreadyDone, match="set up so already"):
        set_up(night, turns=15)
    night.draw()
    night.announce()
    with pytest.raises(Refused, match="its rules stay as they are"):
        set_up(night, turns=10)


def test_standings_are_shown_after_each_round(night: Night) -> None:
    rng = chance(5)
    for number in range(1, 4):
        play_turn(night, rng)
        if number < 3:
            end(night)
            next_game(night)
    totals = {}
    for after in (1, 2, 3):
        view = event_view(night.event, Choice(after=after))
        assert view is not None
        assert view.games == tuple(range(1, after + 1))
        totals[after] = {row.line.table: row.line.total for row in view.rows}
    of_second = event_view(night.event, Choice(2))
    assert of_second is not None
    second = {row.line.table: row.line.total for row in of_second.rows}
    assert totals[2] == {table: totals[1][table] + second[table] for table in second}
    whole = event_view(night.event, Choice())
    assert whole is not None
    assert {row.line.table: row.line.total for row in whole.rows} == totals[3]
    assert event_view(night.event, Choice(after=4)) is None


@pytest.mark.parametrize("choice", [Choice(after=2), Choice(None, "team", 3, 2), Choice(2, "club"), Choice()])
def test_a_choice_of_standings_is_read_as_it_is_written(choice: Choice) -> None:
    assert read_choice(choice.text) == choice


@pytest.mark.parametrize("text", ["to.all", "toevent.all", "to0.all", "tox.all", "to2", "to2.height"])
def test_what_is_no_choice_is_none(text: str) -> None:
    assert read_choice(text) is None
