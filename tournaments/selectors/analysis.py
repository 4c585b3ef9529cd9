"""What a game was like, for whoever looks at it rather than reads: counted in the database, however many play.

Of a room it is about its players and the turns that it has been shown, of all rooms together about everybody and the
turns that all have been shown. Nobody is named in it. What a single player got is in `player_line`, for him alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from engine.analysis import (
    Bin,
    Played,
    TurnFacts,
    TurnFigures,
    figures_of,
    heat_of,
    percents_of,
    running,
)
from tournaments.models import Game, Room, Turn
from tournaments.position import edition_of, profile_of
from tournaments.selectors.results import Stand, results_at, stand_of
from tournaments.selectors.tallies import Tally, tallies_of

_GAMES_KEPT = 64


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """`turns` in their order; `totals` are the players by percent of the tops; `heat` counts by row and column how
    often a player laid a tile there. `notation` is how its edge is written."""

    turns: tuple[TurnFigures, ...]
    totals: tuple[Bin, ...]
    heat: tuple[tuple[int, ...], ...]
    notation: str
    players: int


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """How a player went along beside the top and the mean of all, turn by turn: totals after each."""

    turns: tuple[int, ...]
    own: tuple[int, ...]
    tops: tuple[int, ...]
    means: tuple[int, ...]


def analysis_of(game: Game, room: Room | None = None, *, last: int | None = None) -> GameAnalysis:
    """The analysis of a game in a room, or in all of them; up to turn `last` where one is named.

    Counted once until a turn is shown, taken back or judged again; a handful of queries at any size.
    """
    return _analysis_at(stand_of(game, room), last)


def player_line(game: Game, table: int, room: Room | None = None, *, last: int | None = None) -> PlayerLine:
    """A player's way through the turns that count; without turns for a table that does not play."""
    stand = stand_of(game, room)
    return line_between(stand, table, _analysis_at(stand, last))


def line_between(stand: Stand, table: int, analysis: GameAnalysis) -> PlayerLine:
    """The same for whoever has both already."""
    numbers = [turn.number for turn in analysis.turns]
    own = {result.turn: result.points for result in results_at(stand).by_table.get(table, ())}
    means = {turn.number: turn.mean or 0 for turn in analysis.turns}
    total = [sum(means[number] for number in numbers[: at + 1]) for at in range(len(numbers))]
    return PlayerLine(
        turns=tuple(numbers),
        own=running(own, numbers),
        tops=running({turn.number: turn.top for turn in analysis.turns}, numbers),
        means=tuple(round(value) for value in total),
    )


@lru_cache(maxsize=_GAMES_KEPT)
def _analysis_at(stand: Stand, last: int | None) -> GameAnalysis:
    game = Game.objects.get(pk=stand.game_id)
    rows = _turns(stand, last)
    tallies, nobody = tallies_of(stand, rows), Tally()
    facts = [_facts(turn, tallies.get(turn.pk, nobody)) for turn in rows]
    notation = profile_of(game).notation
    turns = tuple(figures_of(turn) for turn in facts)
    return GameAnalysis(
        turns=turns,
        totals=percents_of(_percents(stand, turns)),
        heat=heat_of(facts, edition_of(game), notation),
        notation=notation.value,
        players=max((turn.players for turn in turns), default=0),
    )


def _turns(stand: Stand, last: int | None) -> list[Turn]:
    if stand.last_shown is None:
        return []
    shown = Turn.objects.get(pk=stand.last_shown[0]).number
    played = Turn.objects.filter(game=stand.game_id, number__lte=shown if last is None else min(shown, last))
    return list(played.order_by("number").defer("tops", "kept", "rejected"))


def _facts(turn: Turn, tally: Tally) -> TurnFacts:
    word, ref, master = turn.master_word, turn.master_ref, None
    if turn.master_score is not None:
        with_it = next((it.players for it in tally.moves if (it.word, it.ref) == (word, ref)), 0)
        master = Played(word, ref, turn.master_score, with_it)
    return TurnFacts(turn.number, turn.rack, turn.board, turn.top or 0, master, tally.points, tally.moves)


def _percents(stand: Stand, turns: Sequence[TurnFigures]) -> list[Decimal]:
    """What percent of the tops each player has after these turns."""
    tops = sum(turn.top for turn in turns)
    numbers = {turn.number for turn in turns}
    if not tops:
        return []
    totals = [
        sum(result.points for result in played if result.turn in numbers)
        for played in results_at(stand).by_table.values()
    ]
    return [Decimal(100 * total) / tops for total in totals]
