"""What phones and wall may know in each phase, with secrets that could leak."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.leaks import leaked
from tests.tournaments.night import FOUR, SEED, Night, begin
from tournaments.enums import DrawMode
from tournaments.models import Turn
from tournaments.selectors.hall import HallView, hall_view
from tournaments.services import clocks, ending, rooms
from tournaments.services.players import NewPlayer


def view(night: Night) -> HallView:
    return hall_view(night.game, night.room, night.now)


def text_of(night: Night) -> str:
    return json.dumps(dataclasses.asdict(view(night)), default=str)


def test_before_the_first_rack_the_commitment_is_there_and_nothing_else(night: Night) -> None:
    lobby = view(night)
    assert (lobby.phase, lobby.turn, lobby.rack, lobby.last, lobby.standings) == ("lobby", 0, None, None, [])
    assert (lobby.commitment, lobby.seed) == (night.game.commitment, None)
    assert (lobby.players, lobby.slips_in, lobby.tiles_left) == (4, 0, 120)
    assert (lobby.notation, lobby.clock_s, lobby.calls) == ("8H", 180, [60, 30, 5])
    assert (lobby.values["Q"], lobby.values["J"]) == (10, 0)


def test_a_drawn_rack_is_secret_until_it_is_announced(night: Night) -> None:
    night.draw()
    night.force_rack("ACEIRST")
    drawn = view(night)
    assert (drawn.phase, drawn.turn, drawn.rack, drawn.tiles_left) == ("drawn", 1, None, 120)
    assert "ACEIRST" not in text_of(night)
    night.announce()
    running = view(night)
    assert (running.phase, running.rack) == ("running", "ACEIRST")
    assert (running.started_at, running.deadline) == (night.clock.started_at, night.clock.deadline)


def test_slips_verdicts_and_top_are_secret_until_the_move_is_placed(night: Night) -> None:
    night.begin_turn("ACEIRST")
    tops = night.turn.tops
    assert tops is not None
    secrets = {tops[0]["word"], "CARTE", "TRISCEA", night.player(1).token_hash or "x" * 64, SEED.hex()}
    night.phone(1, "CARTE", "8H", 18)
    night.phone(2, "TRISCEA", "8H", 76)
    for _phase in ("running", "closed"):
        assert view(night).slips_in == 2
        assert not leaked(text_of(night), secrets)
        if night.clock.closed_at is None:
            night.close()
    night.place()
    placed = view(night)
    assert placed.last is not None
    assert (placed.last.word, placed.last.ref, placed.last.score, placed.last.top) == (
        "CARTE",
        "8H",
        18,
        night.turn.top,
    )
    assert (placed.last.players, placed.last.finders, placed.last.solo) == (["Anna Rossi"], 1, "")
    first = placed.standings[0]
    assert (first.rank, first.name, first.total) == (1, "Anna Rossi", 18)
    assert "TRISCEA" not in text_of(night)


def test_secrets_are_not_even_read(night: Night) -> None:
    """No query of the hall asks for the columns that are secret in its phase."""
    night.draw()
    for secret in ("tops", "rack", "seed"):
        assert not _asks_for(night, secret)
    night.announce()
    night.phone(1, "CARTE", "8H", 18)
    night.close()
    assert _asks_for(night, "rack")
    for secret in ("tops", "seed", "points", "word"):
        assert not _asks_for(night, secret)


def _asks_for(night: Night, column: str) -> bool:
    with CaptureQueriesContext(connection) as captured:
        view(night)
    return any(f'"{column}"' in query["sql"].split(" FROM ")[0] for query in captured.captured_queries)


def test_the_new_squares_of_the_board_are_those_of_the_last_move(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    night.close()
    assert view(night).board == ["." * 15] * 15
    night.place()
    placed = view(night)
    assert placed.board[7] == ".......CARTE..."
    assert placed.new == [[7, col] for col in range(7, 12)]
    assert placed.tiles_left == 115
    night.draw()
    assert view(night).new == placed.new


def test_a_halted_clock_says_what_is_left(night: Night) -> None:
    night.begin_turn()
    clocks.pause(turn=night.turn, room=night.room, now=night.later(60), by=night.judge)
    night.later(1000)
    paused = view(night)
    assert (paused.phase, paused.remaining_ms) == ("paused", 120_000)


def test_a_clock_that_ran_out_is_closed_even_before_anybody_closes_it(night: Night) -> None:
    night.begin_turn()
    night.later(181)
    assert view(night).phase == "running"
    night.later(0.001)
    assert view(night).phase == "closed"


def test_the_seed_is_public_when_the_game_is_over(night: Night) -> None:
    night.begin_turn()
    night.close()
    night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    over = view(night)
    assert (over.phase, over.seed, over.end_why) == ("finished", SEED.hex(), "judge")
    assert over.last is not None


def test_a_bag_has_neither_commitment_nor_seed(judge: User) -> None:
    night = begin(judge, draw_mode=DrawMode.TYPED)
    assert (view(night).commitment, view(night).seed) == ("", None)


def test_each_room_sees_its_own_clock_and_players(night: Night) -> None:
    upstairs = rooms.add_room(event=night.event, name="Upstairs", offset_s=None, by=night.judge, now=night.later())
    night.begin_turn()
    there = hall_view(night.game, upstairs, night.now)
    assert (there.phase, there.rack, there.players, there.room) == ("lobby", None, 0, "Upstairs")
    assert hall_view(night.game, None, night.now) == view(night)


def test_every_visible_act_counts_the_state_on(night: Night) -> None:
    seen = [view(night).seq]
    acts: list[Callable[[], object]] = [night.draw, night.announce, night.close, night.place, night.undo, night.place]
    for act in acts:
        act()
        seen.append(view(night).seq)
    assert seen == sorted(set(seen))


def test_queries_do_not_grow_with_players_or_turns(judge: User) -> None:
    def queries(players: tuple[NewPlayer, ...], turns: int) -> int:
        night = begin(judge, players=players)
        for _ in range(turns):
            night.begin_turn()
            night.close()
            night.place()
        with CaptureQueriesContext(connection) as captured:
            view(night)
        return len(captured)

    assert queries(FOUR[:1], 1) == queries(FOUR, 3) <= 21
    assert Turn.objects.count() == 4
