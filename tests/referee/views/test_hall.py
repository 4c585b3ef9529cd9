"""The public view in each phase, with secrets that could leak."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.views.hall import Highlight, PublicView, get_public_view
from tests.leaks import leaked
from tests.tournaments.club_game import FOUR_PLAYERS, SEED, ClubGame, create_club_game
from tournaments.enums import DrawMode
from tournaments.events.services import rooms
from tournaments.models import Turn
from tournaments.play.services import clocks, game_end
from tournaments.players.services.players import NewPlayer


def view(club_game: ClubGame) -> PublicView:
    return get_public_view(club_game.game, club_game.room, club_game.now)


def text_of(club_game: ClubGame) -> str:
    return json.dumps(dataclasses.asdict(view(club_game)), default=str)


def test_before_the_first_rack_the_commitment_is_there_and_nothing_else(club_game: ClubGame) -> None:
    lobby = view(club_game)
    assert (lobby.phase, lobby.turn, lobby.rack, lobby.last, lobby.standings) == ("lobby", 0, None, None, [])
    assert (lobby.commitment, lobby.seed) == (club_game.game.commitment, None)
    assert (lobby.players, lobby.slips_in, lobby.tiles_left) == (4, 0, 120)
    assert (lobby.notation, lobby.clock_s, lobby.calls) == ("8H", 180, [60, 30, 5])
    assert (lobby.values["Q"], lobby.values["J"]) == (10, 0)


def test_a_drawn_rack_is_secret_until_it_is_announced(club_game: ClubGame) -> None:
    club_game.draw()
    club_game.force_rack("ACEIRST")
    drawn = view(club_game)
    assert (drawn.phase, drawn.turn, drawn.rack, drawn.tiles_left) == ("drawn", 1, None, 120)
    assert "ACEIRST" not in text_of(club_game)
    club_game.announce()
    running = view(club_game)
    assert (running.phase, running.rack) == ("running", "ACEIRST")
    assert (running.started_at, running.deadline) == (club_game.clock.started_at, club_game.clock.deadline)


def test_slips_verdicts_and_top_are_secret_until_the_move_is_placed(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    tops = club_game.turn.tops
    assert tops is not None
    secrets = {tops[0]["word"], "CARTE", "TRISCEA", club_game.player(1).token_hash or "x" * 64, SEED.hex()}
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.phone(2, "TRISCEA", "8H", 76)
    for _phase in ("running", "closed"):
        assert view(club_game).slips_in == 2
        assert not leaked(text_of(club_game), secrets)
        if club_game.clock.closed_at is None:
            club_game.close()
    club_game.place()
    placed = view(club_game)
    assert placed.last is not None
    assert (placed.last.word, placed.last.ref, placed.last.score, placed.last.top) == (
        "CARTE",
        "8H",
        18,
        club_game.turn.top,
    )
    assert (placed.last.players, placed.last.finders, placed.last.solo) == (["Anna Rossi"], 1, "")
    first = placed.standings[0]
    assert (first.rank, first.name, first.total) == (1, "Anna Rossi", 18)
    assert "TRISCEA" not in text_of(club_game)


def test_secrets_are_not_even_read(club_game: ClubGame) -> None:
    """Check that no query of the public view reads the columns that are secret in its phase."""
    club_game.draw()
    for secret in ("tops", "rack", "seed"):
        assert not _asks_for(club_game, secret)
    club_game.announce()
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.close()
    assert _asks_for(club_game, "rack")
    for secret in ("tops", "seed", "points", "word"):
        assert not _asks_for(club_game, secret)


def _asks_for(club_game: ClubGame, column: str) -> bool:
    with CaptureQueriesContext(connection) as captured:
        view(club_game)
    return any(f'"{column}"' in query["sql"].split(" FROM ")[0] for query in captured.captured_queries)


def test_the_new_squares_of_the_board_are_those_of_the_last_move(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.close()
    assert view(club_game).board == ["." * 15] * 15
    club_game.place()
    placed = view(club_game)
    assert placed.board[7] == ".......CARTE..."
    assert placed.new == [[7, col] for col in range(7, 12)]
    assert placed.tiles_left == 115
    club_game.draw()
    assert view(club_game).new == placed.new


def test_a_halted_clock_says_what_is_left(club_game: ClubGame) -> None:
    club_game.begin_turn()
    clocks.pause_clock(turn=club_game.turn, room=club_game.room, now=club_game.later(60), by=club_game.judge)
    club_game.later(1000)
    paused = view(club_game)
    assert (paused.phase, paused.remaining_ms) == ("paused", 120_000)


def test_a_clock_that_ran_out_is_closed_even_before_anybody_closes_it(club_game: ClubGame) -> None:
    club_game.begin_turn()
    club_game.later(181)
    assert view(club_game).phase == "running"
    club_game.later(0.001)
    assert view(club_game).phase == "closed"


def test_the_seed_is_public_when_the_game_is_over(club_game: ClubGame) -> None:
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    over = view(club_game)
    assert (over.phase, over.seed, over.end_why) == ("finished", SEED.hex(), "judge")
    assert over.last is not None


def test_the_best_word_and_the_solos_are_named_when_the_game_is_over(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    [best, *_] = club_game.turn.tops or []
    club_game.phone(1, best["word"], best["ref"], best["score"])
    club_game.phone(2, "CARTE", "8H", 18)
    club_game.close()
    club_game.place()
    assert view(club_game).highlights == []
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    word, score = best["word"], best["score"]
    solo = Highlight(word, score, club_game.player(1).shown_name)
    assert view(club_game).highlights == [Highlight(word, score), solo]


def test_a_bag_has_neither_commitment_nor_seed(judge: User) -> None:
    club_game = create_club_game(judge, draw_mode=DrawMode.TYPED)
    assert (view(club_game).commitment, view(club_game).seed) == ("", None)


def test_each_room_sees_its_own_clock_and_players(club_game: ClubGame) -> None:
    upstairs = rooms.add_room(
        event=club_game.event, name="Upstairs", offset_s=None, by=club_game.judge, now=club_game.later()
    )
    club_game.begin_turn()
    there = get_public_view(club_game.game, upstairs, club_game.now)
    assert (there.phase, there.rack, there.players, there.room) == ("lobby", None, 0, "Upstairs")
    assert get_public_view(club_game.game, None, club_game.now) == view(club_game)


def test_every_visible_act_counts_the_state_on(club_game: ClubGame) -> None:
    seen = [view(club_game).seq]
    acts: list[Callable[[], object]] = [
        club_game.draw,
        club_game.announce,
        club_game.close,
        club_game.place,
        club_game.undo,
        club_game.place,
    ]
    for act in acts:
        act()
        seen.append(view(club_game).seq)
    assert seen == sorted(set(seen))


def test_queries_do_not_grow_with_players_or_turns(judge: User) -> None:
    def queries(players: tuple[NewPlayer, ...], turns: int) -> int:
        club_game = create_club_game(judge, players=players)
        for _ in range(turns):
            club_game.begin_turn()
            club_game.close()
            club_game.place()
        with CaptureQueriesContext(connection) as captured:
            view(club_game)
        return len(captured)

    assert queries(FOUR_PLAYERS[:1], 1) == queries(FOUR_PLAYERS, 3) <= 21
    assert Turn.objects.count() == 4
