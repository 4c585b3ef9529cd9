"""View of one phone beyond the public view: the player's own slip, verdict and rank."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from engine.standings.game import Standing
from tournaments.events.queries.events import get_drawing_room
from tournaments.judging.queries.appeals import NO_APPEAL, AppealLimit, OwnAppeal, get_appeal_limit, own_appeals
from tournaments.judging.queries.differences import PointsDifference
from tournaments.judging.queries.rejudged_turns import changes_of
from tournaments.judging.verdicts import VerdictReader
from tournaments.models import Entry, Game, Room, Slip, Turn, TurnClock, Verdict, players_in
from tournaments.play.queries.phases import get_room_turn, is_over_in, list_shown_turns
from tournaments.results.queries.event_results import event_places
from tournaments.results.queries.results import standings_of


@dataclass(frozen=True, slots=True)
class OwnSlip:
    """The newest slip that a player submitted in this turn."""

    client_id: UUID
    source: str
    version: int
    word: str
    ref: str
    direction: str
    declared: int | None
    received_at: datetime
    in_time: bool
    hook: str = ""


@dataclass(frozen=True, slots=True)
class OwnVerdict:
    """A player's result in the last turn shown. `sentence` is in the active language."""

    turn: int
    top: int
    word: str
    ref: str
    declared: int | None
    result: str
    reason: str
    points: int
    move_score: int | None
    warnings: list[str]
    penalty: int
    bonus: int
    decided_by: str
    decision_reason: str
    sentence: str
    appeal_until: AppealLimit = NO_APPEAL
    hook: str = ""
    solo: bool = False


@dataclass(frozen=True, slots=True)
class BestMove:
    """A player's best move of the game: tile text and points."""

    word: str
    points: int


@dataclass(frozen=True, slots=True)
class PersonalView:
    """Everything that one player may know beyond the public view.

    `turn` is the turn that their room is at, and `slip` their slip in it until its move is shown; `first_turn` is their
    first turn. `verdict`, `rank` (among the players of the room) and the totals belong to the last turn shown there;
    `event_rank`, over all games and rooms, is set once a second game has a turn on the board. `appeals` are their own;
    `changes` are the changes of their points in turns that were already on the board. `disqualified_from` is the first
    turn that does not count for a disqualified player, `last_turn` the last one of a player who has left. `best` is
    known once the game is over.
    """

    player_id: int
    table: int
    name: str
    first_turn: int
    turn: int
    slip: OwnSlip | None
    verdict: OwnVerdict | None
    rank: int | None
    total: int
    negative: int
    percent: Decimal
    event_rank: int | None = None
    event_players: int = 0
    appeals: Sequence[OwnAppeal] = ()
    changes: Sequence[PointsDifference] = ()
    disqualified_from: int | None = None
    last_turn: int | None = None
    solos: int = 0
    best: BestMove | None = None


def get_personal_view(game: Game, player_id: int) -> PersonalView | None:
    """Return the view of one player; None if they have no place in this game."""
    room = Room.objects.filter(entries__game=game, entries__player=player_id).first()
    return None if room is None else _views(game, room, [player_id]).get(player_id)


def get_personal_views(
    game: Game, room: Room | None = None, only: Collection[int] | None = None
) -> dict[int, PersonalView]:
    """Return the views of all players of a room (by default the event's first one), by player, or of those in `only`.

    The number of queries does not depend on the number of players.
    """
    return _views(game, room or get_drawing_room(game.event), only)


def _views(game: Game, room: Room, only: Collection[int] | None) -> dict[int, PersonalView]:
    turn, placed = get_room_turn(game, room), list_shown_turns(game, room).order_by("-number").first()
    whose = Q(player__in=players_in(game, room))
    if only is not None:
        whose &= Q(player__in=list(only))
    is_shown = turn is None or TurnClock.objects.filter(turn=turn, room=room, shown_at__isnull=False).exists()
    slips = _own_slips(turn, whose) if turn is not None and not is_shown else {}
    verdicts = _own_verdicts(game, placed, whose, room) if placed is not None else {}
    places = {line.table: line for line in standings_of(game, room)} if placed is not None else {}
    overall = event_places(game.event) if game.number > 1 else []
    event_ranks = {place.table: place.rank for place in overall}
    number = turn.number if turn is not None else 0
    entries = Entry.objects.filter(whose, game=game).select_related("player")
    appeals = own_appeals(game, players_in(game, room) if only is None else only) if placed is not None else {}
    changes = _changes(game, placed, entries)
    best = _best_moves(game, room, whose) if placed is not None and is_over_in(game, room) else {}
    return {
        entry.player_id: _view(
            entry,
            number,
            slips.get(entry.player_id),
            verdicts.get(entry.player_id),
            places.get(entry.player.table),
            (event_ranks.get(entry.player.table), sum(place.rank is not None for place in overall)),
            appeals.get(entry.player_id, ()),
            changes.get(entry.player.table, ()),
            best.get(entry.player_id),
        )
        for entry in entries
    }


def _view(
    entry: Entry,
    turn: int,
    slip: OwnSlip | None,
    verdict: OwnVerdict | None,
    place: Standing | None,
    overall: tuple[int | None, int],
    appeals: Sequence[OwnAppeal],
    changes: Sequence[PointsDifference],
    best: BestMove | None,
) -> PersonalView:
    return PersonalView(
        player_id=entry.player_id,
        table=entry.player.table,
        name=entry.player.name,
        first_turn=entry.first_turn,
        turn=turn,
        slip=slip,
        verdict=verdict,
        rank=place.rank if place else None,
        total=place.total if place else 0,
        negative=place.negative if place else 0,
        percent=place.percent if place else Decimal("0.0"),
        event_rank=overall[0],
        event_players=overall[1],
        appeals=appeals,
        changes=changes,
        disqualified_from=entry.disqualified_from,
        last_turn=entry.last_turn,
        solos=place.solos if place else 0,
        best=best,
    )


def _best_moves(game: Game, room: Room, whose: Q) -> dict[int, BestMove]:
    """Return each player's move with the most points, the earliest one of equals, among the turns shown."""
    best_first = Window(RowNumber(), partition_by="player", order_by=[F("points").desc(), F("turn__number").asc()])
    scored = Verdict.objects.filter(whose, turn__in=list_shown_turns(game, room), points__gt=0).exclude(move_word="")
    rows = scored.annotate(place=best_first).filter(place=1).values_list("player", "move_word", "points")
    return {player: BestMove(word, points) for player, word, points in rows}


def _changes(game: Game, placed: Turn | None, entries: QuerySet[Entry]) -> Mapping[int, Sequence[PointsDifference]]:
    """Return the changes by table, of the turns that the room has been shown."""
    if placed is None:
        return {}
    changes = changes_of(game, [entry.player.table for entry in entries])
    return {table: [one for one in mine if one.turn <= placed.number] for table, mine in changes.items()}


def _own_slips(turn: Turn, whose: Q) -> dict[int, OwnSlip]:
    slips = Slip.objects.filter(whose, turn=turn).order_by("received_at", "version")
    return {
        slip.player_id: OwnSlip(
            client_id=slip.client_id,
            source=slip.source,
            version=slip.version,
            word=slip.word,
            ref=slip.ref,
            direction=slip.direction,
            declared=slip.declared,
            received_at=slip.received_at,
            in_time=slip.in_time,
            hook=slip.hook,
        )
        for slip in slips
    }


def _own_verdicts(game: Game, placed: Turn, whose: Q, room: Room) -> dict[int, OwnVerdict]:
    rows = Verdict.objects.filter(whose, turn=placed).select_related("slip", "player")
    reader, limit = VerdictReader(game), get_appeal_limit(game, placed, room)
    return {
        row.player_id: OwnVerdict(
            turn=placed.number,
            top=placed.top or 0,
            word=row.slip.word if row.slip else "",
            ref=row.slip.ref if row.slip else "",
            hook=row.slip.hook if row.slip else "",
            declared=row.slip.declared if row.slip else None,
            result=row.result,
            reason=row.reason,
            points=row.points,
            move_score=row.move_score,
            warnings=list(row.warnings),
            penalty=row.penalty,
            bonus=row.bonus,
            decided_by=row.decided_by,
            decision_reason=row.decision_reason,
            sentence=reader.sentence(row),
            appeal_until=limit if row.slip is not None else NO_APPEAL,
            solo=placed.solo is not None and row.player.table == placed.solo,
        )
        for row in rows
    }
