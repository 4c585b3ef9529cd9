"""What a single phone may know beyond the hall's view: its own slip, its own verdict, its own place."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from engine.standings import Standing
from tournaments.models import Entry, Game, Slip, Turn, Verdict
from tournaments.selectors.event_results import event_places
from tournaments.selectors.phases import current_turn
from tournaments.selectors.results import standings_of
from tournaments.verdicts import Reader


@dataclass(frozen=True, slots=True)
class OwnSlip:
    """The newest slip that a player handed in this turn."""

    client_id: UUID
    source: str
    version: int
    word: str
    ref: str
    direction: str
    declared: int | None
    received_at: datetime
    in_time: bool


@dataclass(frozen=True, slots=True)
class OwnVerdict:
    """What a player got in the last turn placed. `sentence` is in the active language."""

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


@dataclass(frozen=True, slots=True)
class PersonalView:
    """`turn` is the current one, `slip` the player's in it until it is placed; `first_turn` the first in which he has
    one. `verdict`, `rank` and the totals are those of the last turn placed; `event_rank`, over all games, is there once
    a second one has a turn on the board."""

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


def personal_view(game: Game, player_id: int) -> PersonalView | None:
    """The view of one player; None when he has no place in this game."""
    return _views(game, player_id).get(player_id)


def personal_views(game: Game) -> dict[int, PersonalView]:
    """The views of all players at once, by player; as many queries as for one."""
    return _views(game, None)


def _views(game: Game, only: int | None) -> dict[int, PersonalView]:
    turn = current_turn(game)
    placed = Turn.objects.filter(game=game, placed_at__isnull=False).order_by("-number").first()
    slips = _own_slips(turn, only) if turn is not None and turn.placed_at is None else {}
    verdicts = _own_verdicts(game, placed, only) if placed is not None else {}
    places = {line.table: line for line in standings_of(game)} if placed is not None else {}
    overall = event_places(game.event) if game.number > 1 else []
    event_ranks = {place.table: place.rank for place in overall}
    number = turn.number if turn is not None else 0
    entries = Entry.objects.filter(game=game).select_related("player")
    if only is not None:
        entries = entries.filter(player=only)
    return {
        entry.player_id: _view(
            entry,
            number,
            slips.get(entry.player_id),
            verdicts.get(entry.player_id),
            places.get(entry.player.table),
            (event_ranks.get(entry.player.table), len(overall)),
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
    )


def _own_slips(turn: Turn, only: int | None) -> dict[int, OwnSlip]:
    slips = Slip.objects.filter(turn=turn).order_by("version")
    if only is not None:
        slips = slips.filter(player=only)
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
        )
        for slip in slips
    }


def _own_verdicts(game: Game, placed: Turn, only: int | None) -> dict[int, OwnVerdict]:
    rows = Verdict.objects.filter(turn=placed).select_related("slip")
    if only is not None:
        rows = rows.filter(player=only)
    reader = Reader(game)
    return {
        row.player_id: OwnVerdict(
            turn=placed.number,
            top=placed.top or 0,
            word=row.slip.word if row.slip else "",
            ref=row.slip.ref if row.slip else "",
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
        )
        for row in rows
    }
