"""Public view of a game: everything that phones and wall may know. What is secret in a phase is not queried."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from engine.archive.ledger import format_short_hash
from engine.board.board import EMPTY, Board
from engine.board.coordinates import SIZE
from engine.draw.ledger_acts import DrawAct
from engine.play.clock import remaining_time
from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles
from referee.views.last_moves import LastMove, read_last_moves
from tournaments.enums import DrawMode
from tournaments.events.queries.events import get_drawing_room
from tournaments.ledger.queries import ShownHead, get_shown_heads
from tournaments.models import Game, Player, Room, Turn
from tournaments.play.position import board_before, draw_position_after, edition_of, profile_of, variant_of
from tournaments.play.queries.phases import Phase, list_shown_turns, to_engine_clock
from tournaments.play.queries.room_states import (
    RoomState,
    SlipCounts,
    count_slips_in,
    read_racks,
    read_room_states,
)
from tournaments.results.queries.event_results import EventPlace, event_places
from tournaments.results.queries.results import StandingRow, last_turn_shown, standings_rows, standings_rows_in
from tournaments.results.queries.standings_state import settles_at, state_of_standings

PHASES_WITH_SEASON = frozenset({Phase.LOBBY, Phase.DRAWN, Phase.PLACED, Phase.FINISHED})
MOST_MERGED = 20
MOST_SOLOS = 3
_GAMES_KEPT = 64
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Highlight:
    """A move to remember at the end of a game; `name` is the player who alone found it, else empty."""

    word: str
    score: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class PublicView:
    """Everything that phones and wall of a room may know. Squares count from 0; times are aware.

    `room` is its name if the event has several, else empty. `standings` are those of the room; `merged` the first
    lines of the standings of all rooms, after `merged_turns` turns that every room has been shown. `provisional`:
    the game is over, but its standings are not final; they are at `settles_at` if no appeal is made. `event_places`
    are the standings over all games, between two games. `board` is the present board, `new` the squares of the last
    move; `tiles_left` are the tiles that are not on it. `stock`, in variants that have one, holds the tiles of
    which each player may take one in this turn. `ledger_head` is the beginning of the hash of the ledger entry
    `ledger_entry`, the newest entry that is public; it does not change while slips come in. `earlier_draws` are
    seeds that were public when the game went on with the present one; `draw_acts` are the acts on the draw since.
    `hooks`: crossing letters may replace a reference. `highlights`, once the game is over: the move with the most
    points, then the solos. `season_on_wall`: the wall may show the season in this phase. `closes_at`: the moment at
    which a running clock is closed. `game_id` and `turn_id` are database keys, which are sent to nobody.
    """

    event_name: str
    event_code: str
    game_number: int
    seq: int
    phase: Phase
    turn: int
    notation: str
    edition: str
    language: str
    values: dict[str, int]
    board: list[str]
    new: list[list[int]]
    rack: str | None
    rack_size: int
    open_dictionary: bool
    stock: str | None
    clock_s: int
    calls: list[int]
    started_at: datetime | None
    deadline: datetime | None
    remaining_ms: int | None
    players: int
    slips_in: int
    last: LastMove | None
    tiles_left: int
    commitment: str
    hall_word: str
    seed: str | None
    end_why: str
    standings: list[StandingRow]
    provisional: bool = False
    settles_at: datetime | None = None
    event_places: list[EventPlace] = field(default_factory=list)
    room: str = ""
    merged: list[StandingRow] = field(default_factory=list)
    merged_turns: int = 0
    ledger_head: str = ""
    ledger_entry: int = 0
    earlier_draws: list[dict[str, Any]] = field(default_factory=list)
    draw_acts: list[DrawAct] = field(default_factory=list)
    hooks: bool = False
    highlights: list[Highlight] = field(default_factory=list)
    season_on_wall: bool = False
    closes_at: datetime | None = None
    game_id: int = 0
    turn_id: int | None = None


@dataclass(frozen=True, slots=True)
class _Shared:
    """Data that the views of several rooms of a game share, and rows of all rooms that were read together."""

    heads: Mapping[int, ShownHead]
    merged: list[StandingRow]
    merged_turns: int
    event_places: list[EventPlace]
    racks: Mapping[int, str]
    counts: Mapping[int, SlipCounts]
    last_moves: Mapping[int, LastMove]
    standings: Mapping[int, list[StandingRow]]
    boards: dict[int, tuple[Board, list[list[int]]]]


def get_public_view(game: Game, room: Room | None, now: datetime) -> PublicView:
    """Return the public view of a game in a room (by default the event's first one) at this moment."""
    views = read_public_views(game.pk, [(room or get_drawing_room(game.event)).pk], now)
    if not views:
        raise Room.DoesNotExist
    return next(iter(views.values()))


def read_public_views(game_id: int, room_ids: Collection[int], now: datetime) -> dict[int, PublicView]:
    """Read the public views of a game in these rooms, by room, as far as they exist. Raises Game.DoesNotExist.

    Until the game is over, the number of queries depends neither on the rooms nor on the players. Read inside
    `consistent_read`, all views are of one state of the database.
    """
    states = read_room_states(game_id, room_ids, now)
    if not states:
        return {}
    shared = _read_shared(states)
    return {state.room.pk: _view(state, shared, now) for state in states}


def _read_shared(states: Sequence[RoomState]) -> _Shared:
    game, shown = states[0].game, {state.room.pk: state.placed for state in states if state.placed is not None}
    merged, merged_turns = _merged(game.event.code, game.pk, game.seq) if states[0].has_rooms else ([], 0)
    return _Shared(
        heads=get_shown_heads(game, [state.room for state in states]),
        merged=merged,
        merged_turns=merged_turns,
        event_places=event_places(game.event) if any(_is_between_games(state) for state in states) else [],
        racks=read_racks(states),
        counts=count_slips_in(states),
        last_moves=read_last_moves(states),
        standings=standings_rows_in(game, shown) if shown else {},
        boards={},
    )


def _view(state: RoomState, shared: _Shared, now: datetime) -> PublicView:
    game, profile, edition = state.game, profile_of(state.game), edition_of(state.game)
    board, new = _board(state.placed, edition, shared)
    rack = shared.racks.get(state.turn.pk) if state.turn is not None and state.is_announced else None
    in_play = state.clock if state.phase in (Phase.RUNNING, Phase.PAUSED, Phase.CLOSED) else None
    provisional = state.phase is Phase.FINISHED and not state_of_standings([game], state.room, now).is_final
    count, head = shared.counts[state.room.pk], shared.heads[state.room.pk]
    return PublicView(
        event_name=game.event.name,
        event_code=game.event.code,
        game_number=game.number,
        seq=state.seq,
        phase=state.phase,
        turn=state.number,
        notation=profile.notation.value,
        hooks=profile.takes_hooks,
        edition=game.edition,
        language=game.event.language,
        values=_values(edition),
        board=board.rows,
        new=new,
        rack=rack,
        rack_size=profile.rack_size,
        open_dictionary=profile.open_dictionary,
        stock=_stock(state, board, rack),
        clock_s=game.turn_seconds,
        calls=list(profile.calls_s),
        started_at=in_play.started_at if in_play else None,
        deadline=in_play.deadline if in_play else None,
        closes_at=to_engine_clock(in_play).closes_at if in_play and state.phase is Phase.RUNNING else None,
        remaining_ms=_remaining_ms(state, now),
        players=count.players,
        slips_in=count.slips_in,
        last=shared.last_moves.get(state.room.pk),
        tiles_left=edition.total - board.tiles.total,
        commitment=game.commitment if game.draw_mode == DrawMode.SEEDED else "",
        ledger_head=format_short_hash(head.hash),
        ledger_entry=head.entry,
        earlier_draws=game.earlier_draws if state.knows_script else [],
        draw_acts=[act for act in head.acts if state.knows_script or act.turn <= state.number],
        hall_word=game.hall_word,
        seed=_seed(state),
        end_why=game.end_why if state.phase is Phase.FINISHED else "",
        standings=shared.standings.get(state.room.pk, []),
        provisional=provisional,
        settles_at=settles_at(game, state.room, now) if provisional else None,
        event_places=shared.event_places if _is_between_games(state) else [],
        room=state.room.name if state.has_rooms else "",
        merged=shared.merged,
        merged_turns=shared.merged_turns,
        highlights=_highlights(state),
        season_on_wall=game.event.season_on_wall and state.phase in PHASES_WITH_SEASON,
        game_id=game.pk,
        turn_id=None if state.turn is None else state.turn.pk,
    )


@lru_cache(maxsize=_GAMES_KEPT)
def _merged(event_code: str, game_id: int, seq: int) -> tuple[list[StandingRow], int]:
    """Return the first lines of the standings of all rooms, and the number of turns they cover.

    All rooms share them, so they are cached. Each change of them is public and increases `seq`; the code tells games of
    different databases apart.
    """
    game = Game.objects.select_related("event").get(pk=game_id)
    return standings_rows(game, most=MOST_MERGED), last_turn_shown(game)


def _is_between_games(state: RoomState) -> bool:
    return state.game.number > 1 and state.phase in (Phase.LOBBY, Phase.FINISHED)


def _board(placed: Turn | None, edition: Edition, shared: _Shared) -> tuple[Board, list[list[int]]]:
    """Return the board after the last placed turn, and the squares of its move; made once for all rooms."""
    if placed is None:
        return Board.empty(edition), []
    if placed.pk not in shared.boards:
        before, lies = board_before(placed), draw_position_after(placed).board
        new = [at for at, code in enumerate(lies.squares) if code != EMPTY and before.squares[at] == EMPTY]
        shared.boards[placed.pk] = lies, [list(divmod(at, SIZE)) for at in new]
    return shared.boards[placed.pk]


def _values(edition: Edition) -> dict[str, int]:
    """Return points by face, including letters that exist only as blanks."""
    return {face: edition.values[letter] for letter, face in enumerate(edition.letters)}


def _stock(state: RoomState, board: Board, rack: str | None) -> str | None:
    """Return the tiles of which each player may take one in this turn; None in variants without a stock."""
    if rack is None or state.phase not in (Phase.RUNNING, Phase.PAUSED, Phase.CLOSED):
        return None
    stock = variant_of(state.game).stock(board, Tiles.parse(board.edition, rack))
    return None if stock is None else stock.text


def _remaining_ms(state: RoomState, now: datetime) -> int | None:
    """Return the remaining time of a paused clock; clients count a running one down from its deadline."""
    if state.phase is not Phase.PAUSED or state.clock is None:
        return None
    return remaining_time(to_engine_clock(state.clock), now) // _MILLISECOND


def _seed(state: RoomState) -> str | None:
    """Return the seed once the game is over, so that anybody can draw the racks again."""
    if state.phase is not Phase.FINISHED or state.game.draw_mode != DrawMode.SEEDED:
        return None
    return bytes(Game.objects.values_list("seed", flat=True).get(pk=state.game.pk)).hex()


def _highlights(state: RoomState) -> list[Highlight]:
    """Return the best move on the board and the first solos of a game that is over."""
    if state.phase is not Phase.FINISHED:
        return []
    moves = list_shown_turns(state.game, state.room).exclude(master_word="").only("master_word", "master_score", "solo")
    best = moves.order_by("-master_score", "number").first()
    solos = list(moves.filter(solo__isnull=False).order_by("number")[:MOST_SOLOS])
    there = Player.objects.filter(event=state.game.event_id, table__in=[turn.solo for turn in solos])
    names: dict[int | None, str] = {player.table: player.shown_name for player in there}
    found = [Highlight(turn.master_word, turn.master_score or 0, names.get(turn.solo, "")) for turn in solos]
    return found if best is None else [Highlight(best.master_word, best.master_score or 0), *found]
