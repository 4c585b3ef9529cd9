"""A player's own sheet of a game, turn by turn: slip, verdict, top, and points lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Max

from engine.standings.game import percent
from tournaments.judging.verdicts import VerdictReader
from tournaments.models import Entry, Game, Player, Room, Turn, Verdict
from tournaments.play.queries.phases import list_shown_turns
from tournaments.results.queries.analysis import PlayerLine, player_line
from tournaments.results.queries.standings_history import get_standings_after


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """A turn of the sheet.

    `word`, `ref` and `declared` are as handed in, empty without a slip; `sentence` is the verdict in the active
    language. `loss`: points below the top; `total`: the player's total after this turn.
    """

    number: int
    rack: str
    word: str
    ref: str
    declared: int | None
    result: str
    sentence: str
    points: int
    penalty: int
    bonus: int
    warnings: int
    top: int
    loss: int
    master: str
    master_ref: str
    total: int


@dataclass(frozen=True, slots=True)
class PlayerSheetView:
    """A game of a player. `rank` (among `players`) is that after the last of these turns; None before the first."""

    game: int
    table: int
    name: str
    club: str
    turns: tuple[OwnTurn, ...]
    total: int
    tops: int
    negative: int
    percent: Decimal
    rank: int | None
    players: int
    line: PlayerLine


def get_player_sheet(
    game: Game, player: Player, room: Room | None = None, *, last: int | None = None
) -> PlayerSheetView | None:
    """The sheet with the turns shown in `room` (None: in all rooms), up to turn `last`.

    None for a player who does not play this game.
    """
    if not Entry.objects.filter(game=game, player=player).exists():
        return None
    known = _known(game, player, last)
    line = player_line(game, player.table, room, last=known)
    turns = _turns(game, player, line.turns)
    lines = get_standings_after(game, room, turns=len(line.turns))
    total, tops = sum(turn.points for turn in turns), line.tops[-1] if line.tops else 0
    return PlayerSheetView(
        game=game.number,
        table=player.table,
        name=player.shown_name,
        club=player.club,
        turns=turns,
        total=total,
        tops=tops,
        negative=total - tops,
        percent=percent(total, tops),
        rank=next((each.rank for each in lines if each.table == player.table), None),
        players=sum(line.rank is not None for line in lines),
        line=line,
    )


def _known(game: Game, player: Player, last: int | None) -> int:
    """Number of the last turn shown in the player's own room, at most `last`."""
    room = Room.objects.get(entries__game=game, entries__player=player)
    shown: int = list_shown_turns(game, room).aggregate(last=Max("number"))["last"] or 0
    return shown if last is None else min(shown, last)


def _turns(game: Game, player: Player, numbers: Sequence[int]) -> tuple[OwnTurn, ...]:
    rows = Verdict.objects.filter(turn__game=game, player=player, turn__number__in=numbers)
    reader, total, turns = VerdictReader(game), 0, []
    for row in rows.select_related("turn", "slip").defer("turn__tops", "turn__board").order_by("turn__number"):
        total += row.points
        turns.append(_turn(row, row.turn, reader, total))
    return tuple(turns)


def _turn(row: Verdict, turn: Turn, reader: VerdictReader, total: int) -> OwnTurn:
    slip = row.slip
    return OwnTurn(
        number=turn.number,
        rack=turn.rack,
        word=slip.word if slip else "",
        ref=slip.place_text if slip else "",
        declared=slip.declared if slip else None,
        result=row.result,
        sentence=reader.sentence(row),
        points=row.points,
        penalty=row.penalty,
        bonus=row.bonus,
        warnings=len(row.warnings),
        top=turn.top or 0,
        loss=max(0, (turn.top or 0) - row.points),
        master=turn.master_word,
        master_ref=turn.master_ref,
        total=total,
    )
