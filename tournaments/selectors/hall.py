"""What the hall may know: phones and wall alike. What is secret in a phase is not even read."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from engine.board import EMPTY, Board
from engine.clock import remaining
from engine.coords import SIZE
from engine.edition import Edition
from engine.tiles import Tiles
from tournaments.enums import DrawMode
from tournaments.models import Entry, Game, Room, Turn, TurnClock, Verdict
from tournaments.position import after, board_before, edition_of, formula_of, profile_of
from tournaments.selectors.event_results import EventPlace, event_places
from tournaments.selectors.events import first_room
from tournaments.selectors.live import Counts, counts
from tournaments.selectors.phases import RACK_IS_PUBLIC, Phase, clock_in, clock_of, phase_from
from tournaments.selectors.results import StandingRow, standings_rows

MOST_NAMED = 6
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
    """Everything that phones and wall may know, and nothing else. Squares count from 0, times are aware.

    `event_places` are those over all games, between two games. `board` is what lies there now, `new` what the last move
    laid; `tiles_left` are the tiles that are not on it; `stock`, where the formula has one, are those of which each
    player may take one in this turn.
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


@dataclass(frozen=True, slots=True)
class _Stage:
    """What is read first: the game without its seed, the turn without its rack and tops."""

    game: Game
    room: Room
    turn: Turn | None
    clock: TurnClock | None
    placed: Turn | None
    phase: Phase


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
    return HallView(
        event_name=fresh.event.name,
        event_code=fresh.event.code,
        game_number=fresh.number,
        seq=fresh.seq,
        phase=stage.phase,
        turn=stage.turn.number if stage.turn else 0,
        notation=profile.notation.value,
        edition=fresh.edition,
        language=fresh.event.language,
        values=_values(edition),
        board=board.rows,
        new=new,
        rack=rack,
        rack_size=profile.rack_size,
        stock=_stock(stage, board, rack),
        clock_s=fresh.rhythm_s,
        calls=list(profile.calls_s),
        started_at=in_play.started_at if in_play else None,
        deadline=in_play.deadline if in_play else None,
        remaining_ms=_remaining_ms(stage, now),
        players=count.players,
        slips_in=count.slips_in,
        last=_last(stage.placed) if stage.placed else None,
        tiles_left=edition.total - board.tiles.total,
        commitment=fresh.commitment if fresh.draw_mode == DrawMode.SEEDED else "",
        hall_word=fresh.hall_word,
        seed=_seed(stage),
        end_why=fresh.end_why,
        standings=standings_rows(fresh) if stage.placed else [],
        event_places=event_places(fresh.event) if _is_between_games(stage) else [],
    )


def _is_between_games(stage: _Stage) -> bool:
    return stage.game.number > 1 and stage.phase in (Phase.LOBBY, Phase.FINISHED)


def _stage(game: Game, room: Room | None, now: datetime) -> _Stage:
    fresh = Game.objects.defer("seed", "typed_rejected", "end_bag", "end_kept").select_related("event").get(pk=game.pk)
    turns = Turn.objects.filter(game=fresh).order_by("-number")
    turn = turns.only("game_id", "number", "placed_at").first()
    if turn is not None:
        turn.game = fresh
    placed = turns.filter(placed_at__isnull=False).defer("tops", "rack", "kept", "rejected").first()
    if placed is not None:
        placed.game = fresh
    room = room or first_room(fresh.event)
    clock = clock_in(turn, room) if turn is not None else None
    return _Stage(fresh, room, turn, clock, placed, phase_from(fresh, turn, clock, now))


def _counts(stage: _Stage) -> Counts:
    """Who plays the turn and has handed in; before the rack is announced everybody who has not left."""
    if stage.turn is not None and stage.phase in RACK_IS_PUBLIC:
        return counts(stage.turn, stage.room)
    present = Entry.objects.filter(game=stage.game, last_turn=None, player__room=stage.room)
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


def _last(placed: Turn) -> Last:
    verdicts = Verdict.objects.filter(turn=placed, result__in=("valid", "rescued"), move_word=placed.master_word)
    finders = verdicts.filter(move_ref=placed.master_ref) if placed.master_word else verdicts.none()
    names = finders.order_by("player__table").values_list("player__name", flat=True)
    named = list(names[: MOST_NAMED + 1])
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
    verdicts = Verdict.objects.filter(turn=placed, player__table=placed.solo)
    return verdicts.values_list("player__name", flat=True).first() or ""
