"""Public view of a game: everything that phones and wall may know. What is secret in a phase is not queried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db.models import Count, Min, QuerySet, Value
from django.db.models.functions import Concat

from engine.archive.ledger import format_short_hash
from engine.board.board import EMPTY, Board
from engine.board.coordinates import SIZE
from engine.draw.ledger_acts import DrawAct
from engine.play.clock import remaining_time
from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles
from tournaments.enums import DrawMode
from tournaments.ledger.queries import get_shown_head
from tournaments.models import Entry, Game, Player, Room, Turn, TurnClock, Verdict, players_in
from tournaments.play.position import board_before, draw_position_after, edition_of, profile_of, variant_of
from tournaments.play.queries.live import SlipCounts, count_slips
from tournaments.play.queries.phases import (
    PHASES_WITH_PUBLIC_RACK,
    Phase,
    derive_phase,
    get_clock,
    list_shown_turns,
    to_engine_clock,
    turns_in,
)
from tournaments.results.queries.event_results import EventPlace, event_places
from tournaments.results.queries.results import StandingRow, last_turn_shown, standings_rows
from tournaments.results.queries.standings_state import settles_at, state_of_standings

PHASES_WITH_SEASON = frozenset({Phase.LOBBY, Phase.DRAWN, Phase.PLACED, Phase.FINISHED})
MOST_NAMED = 6
MOST_MERGED = 20
MOST_SOLOS = 3
_GAMES_KEPT = 64
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class NextBest:
    """The best move of a turn below the top that a player of the room had."""

    word: str
    ref: str
    score: int


@dataclass(frozen=True, slots=True)
class LastMove:
    """The last placed move; `word` is empty if nothing could be played.

    `finders` is the number of players who had this move, `players` names the first of them by table, and `solo` is the
    player who alone found the top. `top_word` and `top_ref` are one of the best moves, the placed one if it is,
    `top_finders` the number of players with any of them, and `next_best` the best move below them that a player had.
    """

    turn: int
    word: str
    ref: str
    score: int
    top: int
    solo: str
    finders: int
    players: list[str]
    top_word: str = ""
    top_ref: str = ""
    top_finders: int = 0
    next_best: NextBest | None = None

    @property
    def unnamed(self) -> int:
        """Number of players with this move beyond the named ones."""
        return self.finders - len(self.players)


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
    points, then the solos. `season_on_wall`: the wall may show the season in this phase.
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


@dataclass(frozen=True, slots=True)
class _RoomState:
    """The rows that all parts of the view need: the game without its seed, the turn without its rack and tops.

    `placed` is the last turn that the room has been shown; `seq` combines those of the game and of the room.
    """

    game: Game
    room: Room
    has_rooms: bool
    seq: int
    turn: Turn | None
    clock: TurnClock | None
    placed: Turn | None
    phase: Phase

    @property
    def knows_script(self) -> bool:
        """True if the room has been shown the whole script. A seed shown elsewhere would reveal all of it."""
        return self.room.is_drawing or self.phase is Phase.FINISHED


def get_public_view(game: Game, room: Room | None, now: datetime) -> PublicView:
    """Return the public view of a game in a room (by default the event's first one) at this moment.

    The number of queries is about twelve, regardless of the number of players.
    """
    state = _read_room_state(game, room, now)
    fresh, profile, edition = state.game, profile_of(state.game), edition_of(state.game)
    board, new = _board(state.placed, edition)
    rack = _rack(state)
    in_play = state.clock if state.phase in (Phase.RUNNING, Phase.PAUSED, Phase.CLOSED) else None
    count = _counts(state)
    shown_head = get_shown_head(fresh, state.room)
    provisional = state.phase is Phase.FINISHED and not state_of_standings([fresh], state.room, now).is_final
    merged, merged_turns = _merged(fresh.event.code, fresh.pk, fresh.seq) if state.has_rooms else ([], 0)
    return PublicView(
        event_name=fresh.event.name,
        event_code=fresh.event.code,
        game_number=fresh.number,
        seq=state.seq,
        phase=state.phase,
        turn=_number(state),
        notation=profile.notation.value,
        hooks=profile.takes_hooks,
        edition=fresh.edition,
        language=fresh.event.language,
        values=_values(edition),
        board=board.rows,
        new=new,
        rack=rack,
        rack_size=profile.rack_size,
        open_dictionary=profile.open_dictionary,
        stock=_stock(state, board, rack),
        clock_s=fresh.turn_seconds,
        calls=list(profile.calls_s),
        started_at=in_play.started_at if in_play else None,
        deadline=in_play.deadline if in_play else None,
        remaining_ms=_remaining_ms(state, now),
        players=count.players,
        slips_in=count.slips_in,
        last=_last(state),
        tiles_left=edition.total - board.tiles.total,
        commitment=fresh.commitment if fresh.draw_mode == DrawMode.SEEDED else "",
        ledger_head=format_short_hash(shown_head.hash),
        ledger_entry=shown_head.entry,
        earlier_draws=fresh.earlier_draws if state.knows_script else [],
        draw_acts=[act for act in shown_head.acts if state.knows_script or act.turn <= _number(state)],
        hall_word=fresh.hall_word,
        seed=_seed(state),
        end_why=fresh.end_why if state.phase is Phase.FINISHED else "",
        standings=standings_rows(fresh, state.room) if state.placed else [],
        provisional=provisional,
        settles_at=settles_at(fresh, state.room, now) if provisional else None,
        event_places=event_places(fresh.event) if _is_between_games(state) else [],
        room=state.room.name if state.has_rooms else "",
        merged=merged,
        merged_turns=merged_turns,
        highlights=_highlights(state),
        season_on_wall=fresh.event.season_on_wall and state.phase in PHASES_WITH_SEASON,
    )


@lru_cache(maxsize=_GAMES_KEPT)
def _merged(event_code: str, game_id: int, seq: int) -> tuple[list[StandingRow], int]:
    """Return the first lines of the standings of all rooms, and the number of turns they cover.

    All rooms share them, so they are cached. Each change of them is public and increases `seq`; the code tells games of
    different databases apart.
    """
    game = Game.objects.select_related("event").get(pk=game_id)
    return standings_rows(game, most=MOST_MERGED), last_turn_shown(game)


def _number(state: _RoomState) -> int:
    return state.turn.number if state.turn else 0


def _is_between_games(state: _RoomState) -> bool:
    return state.game.number > 1 and state.phase in (Phase.LOBBY, Phase.FINISHED)


def _read_room_state(game: Game, room: Room | None, now: datetime) -> _RoomState:
    games = Game.objects.defer("seed", "typed_rejected", "end_bag", "end_kept").select_related("event")
    fresh = games.annotate(rooms=Count("event__rooms")).get(pk=game.pk)
    rooms = Room.objects.filter(event=fresh.event_id)
    here = rooms.get(number=Room.DRAWING) if room is None else rooms.get(pk=room.pk)
    turn = turns_in(fresh, here).order_by("-number").only("game_id", "number", "placed_at").first()
    if turn is not None:
        turn.game = fresh
    shown = list_shown_turns(fresh, here).order_by("-number")
    placed = shown.defer("tops", "rack", "kept", "rejected").first()
    if placed is not None:
        placed.game = fresh
    clock = get_clock(turn, here) if turn is not None else None
    phase = derive_phase(fresh, here, turn, clock, now)
    return _RoomState(fresh, here, fresh.rooms > 1, fresh.seq + here.seq, turn, clock, placed, phase)


def _counts(state: _RoomState) -> SlipCounts:
    """Return the numbers of players in the turn and of slips; before the announcement, all who have not left."""
    if state.turn is not None and state.phase in PHASES_WITH_PUBLIC_RACK:
        return count_slips(state.turn, state.room)
    present = Entry.objects.filter(game=state.game, last_turn=None, room=state.room)
    return SlipCounts(slips_in=0, players=present.count())


def _board(placed: Turn | None, edition: Edition) -> tuple[Board, list[list[int]]]:
    """Return the board after the last placed turn, and the squares of its move."""
    if placed is None:
        return Board.empty(edition), []
    before, lies = board_before(placed), draw_position_after(placed).board
    new = [at for at, code in enumerate(lies.squares) if code != EMPTY and before.squares[at] == EMPTY]
    return lies, [list(divmod(at, SIZE)) for at in new]


def _values(edition: Edition) -> dict[str, int]:
    """Return points by face, including letters that exist only as blanks."""
    return {face: edition.values[letter] for letter, face in enumerate(edition.letters)}


def _rack(state: _RoomState) -> str | None:
    if state.turn is None or state.phase not in PHASES_WITH_PUBLIC_RACK:
        return None
    return Turn.objects.values_list("rack", flat=True).get(pk=state.turn.pk)


def _stock(state: _RoomState, board: Board, rack: str | None) -> str | None:
    """Return the tiles of which each player may take one in this turn; None in variants without a stock."""
    if rack is None or state.phase not in (Phase.RUNNING, Phase.PAUSED, Phase.CLOSED):
        return None
    stock = variant_of(state.game).stock(board, Tiles.parse(board.edition, rack))
    return None if stock is None else stock.text


def _remaining_ms(state: _RoomState, now: datetime) -> int | None:
    """Return the remaining time of a paused clock; clients count a running one down from its deadline."""
    if state.phase is not Phase.PAUSED or state.clock is None:
        return None
    return remaining_time(to_engine_clock(state.clock), now) // _MILLISECOND


def _seed(state: _RoomState) -> str | None:
    """Return the seed once the game is over, so that anybody can draw the racks again."""
    if state.phase is not Phase.FINISHED or state.game.draw_mode != DrawMode.SEEDED:
        return None
    return bytes(Game.objects.values_list("seed", flat=True).get(pk=state.game.pk)).hex()


def _last(state: _RoomState) -> LastMove | None:
    """Return the last move that the room has been shown, with the players of the room who had it."""
    placed = state.placed
    if placed is None:
        return None
    here = Verdict.objects.filter(turn=placed, player__in=players_in(state.game, state.room))
    verdicts = here.filter(result__in=("valid", "rescued"), move_word=placed.master_word)
    finders = verdicts.filter(move_ref=placed.master_ref) if placed.master_word else verdicts.none()
    named = [
        row.player.shown_name for row in finders.select_related("player").order_by("player__table")[: MOST_NAMED + 1]
    ]
    top, (top_finders, next_best) = _top_move(placed), _count_best(here, placed.top or 0)
    return LastMove(
        turn=placed.number,
        word=placed.master_word,
        ref=placed.master_ref,
        score=placed.master_score or 0,
        top=placed.top or 0,
        solo=_solo(placed),
        finders=len(named) if len(named) <= MOST_NAMED else finders.count(),
        players=named[:MOST_NAMED],
        top_word=top["word"],
        top_ref=top["ref"],
        top_finders=top_finders,
        next_best=next_best,
    )


def _top_move(placed: Turn) -> Mapping[str, str]:
    """Return the placed move if it is a best one, else the first of the best moves."""
    if placed.master_word and placed.master_score == placed.top:
        return {"word": placed.master_word, "ref": placed.master_ref}
    tops = Turn.objects.values_list("tops", flat=True).get(pk=placed.pk)
    return next(iter(tops or ()), {"word": "", "ref": ""})


def _count_best(verdicts: QuerySet[Verdict], top: int) -> tuple[int, NextBest | None]:
    """Return how many players had a best move, and the best move below, the first of the alphabet."""
    found = verdicts.filter(result__in=("valid", "rescued"), move_score__isnull=False, move_score__lte=top)
    move = Min(Concat("move_word", Value(" "), "move_ref"))
    by_score = found.values("move_score").annotate(n=Count("pk"), move=move).order_by("-move_score")[:2]
    best = {row["move_score"] or 0: row for row in by_score}
    finders = best.pop(top)["n"] if top in best else 0
    if not best:
        return finders, None
    below = max(best)
    word, _space, ref = best[below]["move"].rpartition(" ")
    return finders, NextBest(word, ref, below)


def _highlights(state: _RoomState) -> list[Highlight]:
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


def _solo(placed: Turn) -> str:
    if placed.solo is None:
        return ""
    row = Verdict.objects.filter(turn=placed, player__table=placed.solo).select_related("player").first()
    return "" if row is None else row.player.shown_name
