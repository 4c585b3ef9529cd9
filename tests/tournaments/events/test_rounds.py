"""Rounds: named and planned before they are played; the game to come is played otherwise."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engine.variants.variant import load_variant
from tests.tournaments.club_game import ClubGame, play_turn, seeded_random
from tournaments.enums import EndReason
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.rounds import numbers_to_plan, round_lines
from tournaments.events.services import events, rounds
from tournaments.events.services.round_setup import RoundSetup
from tournaments.lexicons.names import setup_name, variant_name
from tournaments.models import Game, LedgerEntry, Round, Turn
from tournaments.play.position import profile_of, variant_of
from tournaments.results.queries.event_results import StandingsChoice, event_view, read_choice

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 7, 11, tzinfo=UTC)


def plan(club_game: ClubGame, number: int, name: str = "", starts_at: datetime | None = None) -> Round | None:
    return rounds.plan_round(
        event=club_game.event, number=number, name=name, starts_at=starts_at, by=club_game.judge, now=club_game.later()
    )


def set_up(club_game: ClubGame, **wanted: object) -> Game:
    return rounds.change_game_setup(game=club_game.refresh(), by=club_game.judge, now=club_game.later(), **wanted)  # type: ignore[arg-type]


def next_game(club_game: ClubGame, **wanted: object) -> Game:
    club_game.game = events.add_game(
        event=club_game.event,
        by=club_game.judge,
        now=club_game.later(),
        seed=bytes(32),
        **wanted,  # type: ignore[arg-type]
    )
    return club_game.game


def test_rounds_are_planned_before_they_are_played(club_game: ClubGame) -> None:
    plan(club_game, 1, "Morning")
    plan(club_game, 2, "Afternoon", NOON)
    first, second = round_lines(club_game.event)
    assert (first.name, first.state, first.players) == ("Morning", "ready", 4)
    assert (second.name, second.starts_at, second.is_planned) == ("Afternoon", NOON, True)
    assert numbers_to_plan([first, second]) == 3
    assert LedgerEntry.objects.latest("n").data == {
        **{"round": 2, "name": "Afternoon", "starts_at": "2026-03-07T11:00:00+00:00"}
    }


def test_a_round_without_name_and_time_is_not_planned_any_more(club_game: ClubGame) -> None:
    plan(club_game, 2, "Afternoon")
    with pytest.raises(AlreadyDone):
        plan(club_game, 2, "Afternoon")
    assert plan(club_game, 2) is None
    assert len(round_lines(club_game.event)) == 1
    with pytest.raises(AlreadyDone):
        plan(club_game, 3)


@pytest.mark.parametrize("number", [0, 51])
def test_rounds_have_numbers_within_reason(club_game: ClubGame, number: int) -> None:
    with pytest.raises(Refused, match="rounds 1 to 50"):
        plan(club_game, number, "x")


def test_the_next_game_has_another_number_of_turns(club_game: ClubGame) -> None:
    set_up(club_game, turns=1)
    play_turn(club_game, seeded_random(3))
    assert club_game.draw() is None
    assert club_game.refresh().end_why == EndReason.TURNS
    same = next_game(club_game)
    assert profile_of(same).max_turns == 1
    set_up(club_game, turns=None)
    assert profile_of(club_game.refresh()).max_turns is None
    assert round_lines(club_game.event)[0].most_turns == 1


def test_the_next_game_is_played_by_other_rules_variant_and_time(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(3))
    club_game.end()
    game = next_game(club_game, variant="7of8", turn_seconds=60, profile="fisf", turns=20)
    rules = profile_of(game)
    assert (game.variant, game.turn_seconds, game.profile) == ("7of8", 60, "fisf")
    assert (rules.rack_size, rules.clock_s, rules.max_turns, rules.wrong_reference) == (8, 60, 20, "rescue")
    with pytest.raises(Refused, match="no rule profile “nobody”"):
        rounds.change_game_setup(game=game, profile="nobody", by=club_game.judge, now=club_game.later())


def test_a_game_is_set_up_anew_until_its_first_rack_is_announced(club_game: ClubGame) -> None:
    club_game.draw()
    game = set_up(club_game, variant="joker", turns=15)
    assert (game.variant, profile_of(game).max_turns) == ("joker", 15)
    assert not Turn.objects.filter(game=game).exists()
    told = LedgerEntry.objects.latest("n")
    assert (told.kind, told.data["put_back"], told.data["max_turns"]) == ("rules", 1, 15)
    with pytest.raises(AlreadyDone, match="already set up this way"):
        set_up(club_game, turns=15)
    club_game.draw()
    club_game.announce()
    with pytest.raises(Refused, match="its rules stay as they are"):
        set_up(club_game, turns=10)


def test_standings_are_shown_after_each_round(club_game: ClubGame) -> None:
    rng = seeded_random(5)
    for number in range(1, 4):
        play_turn(club_game, rng)
        if number < 3:
            club_game.end()
            next_game(club_game)
    totals = {}
    for after in (1, 2, 3):
        view = event_view(club_game.event, StandingsChoice(after=after))
        assert view is not None
        assert view.games == tuple(range(1, after + 1))
        totals[after] = {row.line.table: row.line.total for row in view.rows}
    of_second = event_view(club_game.event, StandingsChoice(2))
    assert of_second is not None
    second = {row.line.table: row.line.total for row in of_second.rows}
    assert totals[2] == {table: totals[1][table] + second[table] for table in second}
    whole = event_view(club_game.event, StandingsChoice())
    assert whole is not None
    assert {row.line.table: row.line.total for row in whole.rows} == totals[3]
    assert event_view(club_game.event, StandingsChoice(after=4)) is None


@pytest.mark.parametrize(
    "choice",
    [StandingsChoice(after=2), StandingsChoice(None, "team", 3, 2), StandingsChoice(2, "club"), StandingsChoice()],
)
def test_a_choice_of_standings_is_read_as_it_is_written(choice: StandingsChoice) -> None:
    assert read_choice(choice.text) == choice


@pytest.mark.parametrize("text", ["to.all", "toevent.all", "to0.all", "tox.all", "to2", "to2.height"])
def test_what_is_no_choice_is_none(text: str) -> None:
    assert read_choice(text) is None


def test_a_planned_game_is_played_as_planned(club_game: ClubGame) -> None:
    setup = RoundSetup("7of8-joker", 90, "club", {"max_turns": 3})
    plan_setup(club_game, 2, setup)
    [_played, line] = round_lines(club_game.event)
    assert line.most_turns == 3
    assert line.setup.endswith(f" · Variant: {variant_name(load_variant('7of8-joker'))} · 1:30 a turn")
    with pytest.raises(AlreadyDone):
        plan_setup(club_game, 2, setup)
    plan(club_game, 2, "Afternoon")  # name and start alone leave the setup as it is
    assert LedgerEntry.objects.latest("n").data["variant"] == "7of8-joker"
    play_turn(club_game, seeded_random(3))
    club_game.end()
    game = next_game(club_game)
    rules = profile_of(game)
    assert (game.variant, game.turn_seconds, game.profile) == ("7of8-joker", 90, "club")
    assert (rules.max_turns, rules.rack_size, rules.clock_s) == (3, 8, 90)
    assert line.setup == round_lines(club_game.event)[1].setup == setup_name(rules, variant_of(game), 90)


def test_what_the_director_chooses_at_the_start_overrides_the_plan(club_game: ClubGame) -> None:
    plan_setup(club_game, 2, RoundSetup("joker", 90, "", {"max_turns": 3}))
    play_turn(club_game, seeded_random(3))
    club_game.end()
    game = next_game(club_game, variant="normal", turns=None)
    assert (game.variant, game.turn_seconds, profile_of(game).max_turns) == ("normal", 90, None)


def test_a_plan_that_cannot_be_played_or_is_of_a_game_that_exists_is_refused(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="no variant"):
        plan_setup(club_game, 2, RoundSetup("chess"))
    with pytest.raises(Refused, match="Game 1 is there already"):
        plan_setup(club_game, 1, RoundSetup("joker"))
    assert not Round.objects.exists()


def plan_setup(club_game: ClubGame, number: int, setup: RoundSetup) -> Round | None:
    return rounds.plan_round(
        event=club_game.event,
        number=number,
        name="",
        starts_at=None,
        setup=setup,
        by=club_game.judge,
        now=club_game.later(),
    )
