"""Simulation of a whole game with automatic players, through the same services as a live game.

All randomness comes from one generator passed by the caller, and time is computed, not read: the same seed gives the
same game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from uuid import UUID

from django.contrib.auth.models import User

from engine.board.coordinates import Notation
from engine.board.move import Move
from engine.tiles.edition import BLANK_BIT, Edition
from tournaments.enums import SlipSource
from tournaments.judging.services.closed_rooms import judge_closed_rooms
from tournaments.lexicons.word_lists import get_solver
from tournaments.models import Game, Player, Room, Turn
from tournaments.play.position import board_before, edition_of, profile_of, rack_of
from tournaments.play.services import clocks, draw_rack, placement, slips
from tournaments.slip_content import SlipContent

NO_SLIP, WRONG_SCORE, WRONG_WORD, WRONG_PLACE, LATE, NO_MARK = 0.02, 0.04, 0.03, 0.02, 0.01, 0.3
PAUSE_BETWEEN_TURNS = timedelta(seconds=40)
PAPER_INTERVAL = 5
CONTENTS = 60


@dataclass(frozen=True, slots=True)
class SimulatedPlayer:
    """A simulated player. `strength` in 0..1 is how near to the top score their moves usually are."""

    player: Player
    strength: float
    on_paper: bool


@dataclass(frozen=True, slots=True)
class WrittenSlip:
    """A slip of a simulated player, and the seconds after the announcement at which it is sent."""

    word: str
    ref: str
    declared: int
    seconds: float


def make_simulated_players(players: Sequence[Player], rng: Random) -> list[SimulatedPlayer]:
    """Players of several strengths; every fifth writes on paper."""
    return [
        SimulatedPlayer(player, rng.betavariate(3, 2), number % PAPER_INTERVAL == 0)
        for number, player in enumerate(players, 1)
    ]


def play_game(
    *,
    game: Game,
    room: Room,
    by: User | None,
    rng: Random,
    start: datetime,
    progress: Callable[[Turn], None] = lambda turn: None,
    players: Sequence[SimulatedPlayer] | None = None,
) -> Game:
    """Play from the first draw to the end by the rule; without `players` their strengths are random."""
    players = players or make_simulated_players(list(Player.objects.filter(event=game.event)), rng)
    now = start
    while (turn := draw_rack.draw_turn(game=game, now=now, by=by)) is not None:
        now = _play_turn(turn, room, players, by, rng, now + timedelta(seconds=5))
        progress(turn)
    game.refresh_from_db()
    return game


def _play_turn(
    turn: Turn, room: Room, players: Sequence[SimulatedPlayer], by: User | None, rng: Random, now: datetime
) -> datetime:
    """Announce, collect slips, close, place; returns when the next rack is drawn."""
    clocks.announce_turn(turn=turn, room=room, now=now, by=by)
    moves = get_solver(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
    notation = profile_of(turn.game).notation
    written = [
        (each, slip)
        for each in players
        if moves and (slip := write_slip(each.strength, moves, edition_of(turn.game), notation, rng))
    ]
    closing = now + timedelta(seconds=turn.game.turn_seconds + 2)
    _phones_send(turn, [pair for pair in written if not pair[0].on_paper], rng, now)
    on_paper = [pair for pair in written if pair[0].on_paper]
    _judge_types(turn, [pair for pair in on_paper if _is_in_time(pair[1])], by, closing - timedelta(seconds=2))
    clocks.close_due_clocks(now=closing)
    judge_closed_rooms(now=closing)
    _judge_types(turn, [pair for pair in on_paper if not _is_in_time(pair[1])], by, closing)
    placement.place_move(turn=turn, by=by, now=closing + timedelta(seconds=20))
    return closing + PAUSE_BETWEEN_TURNS


def write_slip(
    strength: float, moves: Sequence[Move], edition: Edition, notation: Notation, rng: Random
) -> WrittenSlip | None:
    """Write the slip of a player of this strength, with typical mistakes; None for no slip."""
    if rng.random() < NO_SLIP:
        return None
    spread = 1 + (1 - strength) ** 2 * 120
    move = moves[min(int(rng.expovariate(1 / spread)), len(moves) - 1)]
    codes = list(move.word)
    if rng.random() < NO_MARK:
        codes = [code & ~BLANK_BIT for code in codes]
    if rng.random() < WRONG_WORD:
        codes[rng.randrange(len(codes))] = rng.randrange(len(edition.letters))
    reference = move.reference
    if rng.random() < WRONG_PLACE:
        reference = reference._replace(direction=reference.direction.other)
    declared = move.score + (rng.choice((-2, -1, 1, 2, 10)) if rng.random() < WRONG_SCORE else 0)
    seconds = 184.0 if rng.random() < LATE else min(179.5, rng.triangular(20, 180, 165))
    ref = Move(reference, move.word, move.score).reference_text(notation)
    return WrittenSlip(edition.word_text(tuple(codes)), ref, max(0, declared), seconds)


def plausible_slips(turn: Turn, rng: Random, most: int = CONTENTS) -> list[tuple[str, str, int]]:
    """Up to `most` different slips (word, reference, score) as people write them in this turn, wrong ones included."""
    moves = get_solver(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    different: set[tuple[str, str, int]] = set()
    for _attempt in range(20 * most if moves else 0):
        slip = write_slip(rng.random(), moves, edition, notation, rng)
        if slip is not None:
            different.add((slip.word, slip.ref, slip.declared))
        if len(different) == most:
            break
    return sorted(different)


def _phones_send(
    turn: Turn, written: Sequence[tuple[SimulatedPlayer, WrittenSlip]], rng: Random, announced: datetime
) -> None:
    incoming = []
    for each, slip in sorted(written, key=lambda pair: pair[1].seconds):
        received = announced + timedelta(seconds=slip.seconds * turn.game.turn_seconds / 180)
        in_time = received <= announced + timedelta(seconds=turn.game.turn_seconds + 1)
        incoming.append(
            slips.IncomingSlip(
                player_id=each.player.pk,
                turn_id=turn.pk,
                client_id=UUID(int=rng.getrandbits(128)),
                source=SlipSource.PHONE,
                content=SlipContent(slip.word, slip.ref, slip.declared),
                received_at=received,
                sent_at=None,
                in_time=in_time,
            )
        )
    slips.submit_batch([slip for slip in incoming if slip.in_time], now=announced)
    slips.submit_batch([slip for slip in incoming if not slip.in_time], now=announced)


def _judge_types(
    turn: Turn, written: Sequence[tuple[SimulatedPlayer, WrittenSlip]], by: User | None, now: datetime
) -> None:
    for each, slip in written:
        line = f"{each.player.table} {slip.ref} {slip.word} {slip.declared}"
        slips.submit_paper_line(game=turn.game, line=line, in_time=_is_in_time(slip), now=now, by=by)


def _is_in_time(slip: WrittenSlip) -> bool:
    return slip.seconds < 180
