"""What a player has of a game for himself, turn by turn: his slip, its verdict, the top, what he left behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Max

from engine.standings import percent
from tournaments.models import Entry, Game, Player, Room, Turn, Verdict
from tournaments.selectors.analysis import PlayerLine, player_line
from tournaments.selectors.phases import shown_in
from tournaments.selectors.standings_then import standings_then
from tournaments.verdicts import Reader


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """`word`, `ref` and `declared` as they were handed in, empty without a slip; `sentence` in the active language.
    `loss` is what the top had more; `total` that after this turn."""

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
class OwnSheet:
    """A game of a player. `rank` among `players` is that after the last of these turns; None before the first."""

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


def own_sheet(game: Game, player: Player, room: Room | None = None, *, last: int | None = None) -> OwnSheet | None:
    """The sheet with the turns that the player's room has been shown, or of all rooms when `room` is None, up to turn
    `last`; None for somebody who does not play this game."""
    if not Entry.objects.filter(game=game, player=player).exists():
        return None
    known = _known(game, player, last)
    line = player_line(game, player.table, room, last=known)
    turns = _turns(game, player, line.turns)
    lines = standings_then(game, room, turns=len(line.turns))
    total, tops = sum(turn.points for turn in turns), line.tops[-1] if line.tops else 0
    return OwnSheet(
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
    """The last turn that the player's own room has been shown, at most `last`: he never knows more than his room."""
    room = Room.objects.get(entries__game=game, entries__player=player)
    shown: int = shown_in(game, room).aggregate(last=Max("number"))["last"] or 0
    return shown if last is None else min(shown, last)


def _turns(game: Game, player: Player, numbers: Sequence[int]) -> tuple[OwnTurn, ...]:
    rows = Verdict.objects.filter(turn__game=game, player=player, turn__number__in=numbers)
    reader, total, turns = Reader(game), 0, []
    for row in rows.select_related("turn", "slip").defer("turn__tops", "turn__board").order_by("turn__number"):
        total += row.points
        turns.append(_turn(row, row.turn, reader, total))
    return tuple(turns)


def _turn(row: Verdict, turn: Turn, reader: Reader, total: int) -> OwnTurn:
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
