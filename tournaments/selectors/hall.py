"""What the hall may know: phones and wall alike. What is secret in a phase is not even read."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db.models import Count

from engine.board import EMPTY, Board
from engine.clock import remaining
from engine.coords import SIZE
from engine.draw_acts import DrawAct
from engine.edition import Edition
from engine.ledger import short
from engine.tiles import Tiles
from tournaments.enums import DrawMode
from tournaments.models import Entry, Game, Room, Turn, TurnClock, Verdict, players_in
from tournaments.position import after, board_before, edition_of, formula_of, profile_of
from tournaments.selectors.event_results import EventPlace, event_places
from tournaments.selectors.ledger import seen_by_the_hall
from tournaments.selectors.live import Counts, counts
from tournaments.selectors.phases import RACK_IS_PUBLIC, Phase, clock_in, clock_of, phase_from, shown_in, turns_in
from tournaments.selectors.results import StandingRow, standings_rows, turns_shown

MOST_NAMED = 6
MOST_MERGED = 20
_GAMES_KEPT = 64
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Last:
    """The last move placed; `word` is empty when nothing could be laid.

    `finders` is how many had this move, `players` names the first of them by table, `solo` who alone found the top.
    """

    turn: int
    word: str
    ref: str
    score: int
    top: int
    solo: str
    finders: int
    players: list[str]


@dataclass(frozen=True, slots=True)
class HallView:
    """Everything that phones and wall of a room may know, and nothing else. Squares count from 0, times are aware.

    `room` is its name where the event has several, else empty. `standings` are those of the room; `merged` the first
    lines of those of all rooms together, after `merged_turns` turns that every room has been shown.
    `event_places` are those over all games, between two games. `board` is what lies there now, `new` what the last move
    laid; `tiles_left` are the tiles that are not on it; `stock`, where the formula has one, are those of which each
    player may take one in this turn. `ledger_head` is the beginning of the hash of the ledger's entry `ledger_entry`,
    the newest act that the hall heard of; it stands still while slips come in. `earlier_draws` are seeds that were
    public when the game was taken up again with the present one; `draw_acts` is what was done with the draw since.
    `hooks`: crossing letters may stand in place of a reference.
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
    last: Last | None
    tiles_left: int
    commitment: str
    hall_word: str
    seed: str | None
    end_why: str
    standings: list[StandingRow]
    event_places: list[EventPlace] = field(default_factory=list)
    room: str = ""
    merged: list[StandingRow] = field(default_factory=list)
    merged_turns: int = 0
    ledger_head: str = ""
    ledger_entry: int = 0
    earlier_draws: list[dict[str, Any]] = field(default_factory=list)
    draw_acts: list[DrawAct] = field(default_factory=list)
    hooks: bool = False


@dataclass(frozen=True, slots=True)
class _Stage:
    """What is read first: the game without its seed, the turn without its rack and tops. `placed` is the last turn that
    the room has been shown; `seq` is that of the game and of the room together."""

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
        """Whether nothing of the script is ahead of the room: seeds that were shown elsewhere tell of all of it."""
        return self.room.is_drawing or self.phase is Phase.FINISHED


def hall_view(game: Game, room: Room | None, now: datetime) -> HallView:
    """The public state of a game in a room (the event's first one when None) at this moment.

    A dozen queries, however many players there are.
    """
    stage = _stage(game, room, now)
    fresh, profile, edition = stage.game, profile_of(stage.game), edition_of(stage.game)
    board, new = _board(stage.placed, edition)
    rack = _rack(stage)
    in_play = stage.clock if stage.phase in (Phase.RUNNING, Phase.PAUSED, Phase.CLOSED) else None
    count = _counts(stage)
    seen = seen_by_the_hall(fresh)
    merged, merged_turns = _merged(fresh.event.code, fresh.pk, fresh.seq) if stage.has_rooms else ([], 0)
    return HallView(
        event_name=fresh.event.name,
        event_code=fresh.event.code,
        game_number=fresh.number,
        seq=stage.seq,
        phase=stage.phase,
        turn=_number(stage),
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
        stock=_stock(stage, board, rack),
        clock_s=fresh.rhythm_s,
        calls=list(profile.calls_s),
        started_at=in_play.started_at if in_play else None,
        deadline=in_play.deadline if in_play else None,
        remaining_ms=_remaining_ms(stage, now),
        players=count.players,
        slips_in=count.slips_in,
        last=_last(stage),
        tiles_left=edition.total - board.tiles.total,
        commitment=fresh.commitment if fresh.draw_mode == DrawMode.SEEDED else "",
        ledger_head=short(seen.hash),
        ledger_entry=seen.entry,
        earlier_draws=fresh.earlier_draws if stage.knows_script else [],
        draw_acts=[act for act in seen.acts if stage.knows_script or act.turn <= _number(stage)],
        hall_word=fresh.hall_word,
        seed=_seed(stage),
        end_why=fresh.end_why if stage.phase is Phase.FINISHED else "",
        standings=standings_rows(fresh, stage.room) if stage.placed else [],
        event_places=event_places(fresh.event) if _is_between_games(stage) else [],
        room=stage.room.name if stage.has_rooms else "",
        merged=merged,
        merged_turns=merged_turns,
    )


@lru_cache(maxsize=_GAMES_KEPT)
def _merged(event_code: str, game_id: int, seq: int) -> tuple[list[StandingRow], int]:
    """The first lines of all rooms together, and after how many turns: the same in sixty rooms, so read once.

    Whatever changes them is seen by everybody and counts `seq` on; the code tells games of different databases apart.
    """
    game = Game.objects.select_related("event").get(pk=game_id)
    return standings_rows(game, most=MOST_MERGED), turns_shown(game)


def _number(stage: _Stage) -> int:
    return stage.turn.number if stage.turn else 0


def _is_between_games(stage: _Stage) -> bool:
    return stage.game.number > 1 and stage.phase in (Phase.LOBBY, Phase.FINISHED)


def _stage(game: Game, room: Room | None, now: datetime) -> _Stage:
    games = Game.objects.defer("seed", "typed_rejected", "end_bag", "end_kept").select_related("event")
    fresh = games.annotate(rooms=Count("event__rooms")).get(pk=game.pk)
    rooms = Room.objects.filter(event=fresh.event_id)
    here = rooms.get(number=Room.DRAWING) if room is None else rooms.get(pk=room.pk)
    turn = turns_in(fresh, here).order_by("-number").only("game_id", "number", "placed_at").first()
    if turn is not None:
        turn.game = fresh
    shown = shown_in(fresh, here).order_by("-number")
    placed = shown.defer("tops", "rack", "kept", "rejected").first()
    if placed is not None:
        placed.game = fresh
    clock = clock_in(turn, here) if turn is not None else None
    phase = phase_from(fresh, here, turn, clock, now)
    return _Stage(fresh, here, fresh.rooms > 1, fresh.seq + here.seq, turn, clock, placed, phase)


def _counts(stage: _Stage) -> Counts:
    """Who plays the turn and has handed in; before the rack is announced everybody who has not left."""
    if stage.turn is not None and stage.phase in RACK_IS_PUBLIC:
        return counts(stage.turn, stage.room)
    present = Entry.objects.filter(game=stage.game, last_turn=None, room=stage.room)
    return Counts(slips_in=0, players=present.count())


def _board(placed: Turn | None, edition: Edition) -> tuple[Board, list[list[int]]]:
    """The board after the last placed turn, and the squares that its move covered."""
    if placed is None:
        return Board.empty(edition), []
    before, lies = board_before(placed), after(placed).board
    new = [at for at, code in enumerate(lies.squares) if code != EMPTY and before.squares[at] == EMPTY]
    return lies, [list(divmod(at, SIZE)) for at in new]


def _values(edition: Edition) -> dict[str, int]:
    """Points by face, letters that exist by blank only included."""
    return {face: edition.values[letter] for letter, face in enumerate(edition.letters)}


def _rack(stage: _Stage) -> str | None:
    if stage.turn is None or stage.phase not in RACK_IS_PUBLIC:
        return None
    return Turn.objects.values_list("rack", flat=True).get(pk=stage.turn.pk)


def _stock(stage: _Stage, board: Board, rack: str | None) -> str | None:
    """What each player may take one tile of in this turn; None where the formula has no such thing."""
    if rack is None or stage.phase not in (Phase.RUNNING, Phase.PAUSED, Phase.CLOSED):
        return None
    stock = formula_of(stage.game).stock(board, Tiles.parse(board.edition, rack))
    return None if stock is None else stock.text


def _remaining_ms(stage: _Stage, now: datetime) -> int | None:
    """What a halted clock shows; a running one is counted down from the deadline by whoever shows it."""
    if stage.phase is not Phase.PAUSED or stage.clock is None:
        return None
    return remaining(clock_of(stage.clock), now) // _MILLISECOND


def _seed(stage: _Stage) -> str | None:
    """The seed once the game is over, so that everybody can draw the racks again."""
    if stage.phase is not Phase.FINISHED or stage.game.draw_mode != DrawMode.SEEDED:
        return None
    return bytes(Game.objects.values_list("seed", flat=True).get(pk=stage.game.pk)).hex()


def _last(stage: _Stage) -> Last | None:
    """The last move that the room has been shown, with those of its players who had it."""
    placed = stage.placed
    if placed is None:
        return None
    here = Verdict.objects.filter(turn=placed, player__in=players_in(stage.game, stage.room))
    verdicts = here.filter(result__in=("valid", "rescued"), move_word=placed.master_word)
    finders = verdicts.filter(move_ref=placed.master_ref) if placed.master_word else verdicts.none()
    named = [
        row.player.shown_name for row in finders.select_related("player").order_by("player__table")[: MOST_NAMED + 1]
    ]
    return Last(
        turn=placed.number,
        word=placed.master_word,
        ref=placed.master_ref,
        score=placed.master_score or 0,
        top=placed.top or 0,
        solo=_solo(placed),
        finders=len(named) if len(named) <= MOST_NAMED else finders.count(),
        players=named[:MOST_NAMED],
    )


def _solo(placed: Turn) -> str:
    if placed.solo is None:
        return ""
    row = Verdict.objects.filter(turn=placed, player__table=placed.solo).select_related("player").first()
    return "" if row is None else row.player.shown_name
