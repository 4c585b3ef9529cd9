"""Rounds of an event: played, current and planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from tournaments.enums import GameState
from tournaments.lexicons.names import profile_name, variant_name
from tournaments.models import Event, Game, Round
from tournaments.play.position import profile_of, variant_of


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round. `state` is that of its game, "planned" without one.

    `most_turns` is None when the game runs to the end of the tiles; `players` counts the players entered in the game.
    Unset fields of a planned round are empty.
    """

    number: int
    name: str
    starts_at: datetime | None
    state: str
    started_at: datetime | None = None
    finished_at: datetime | None = None
    variant: str = ""
    rules: str = ""
    turn_seconds: int = 0
    most_turns: int | None = None
    turns: int = 0
    players: int = 0

    @property
    def is_planned(self) -> bool:
        """Return True when the round has no game yet."""
        return self.state == PLANNED

    @property
    def is_over(self) -> bool:
        """Return True when the game of the round is finished."""
        return self.state == GameState.FINISHED


PLANNED = "planned"


def round_lines(event: Event) -> list[RoundLine]:
    """Every round in its order, in two queries."""
    planned = {each.number: each for each in Round.objects.filter(event=event)}
    placed = Count("turns", filter=Q(turns__placed_at__isnull=False), distinct=True)
    games = Game.objects.filter(event=event).select_related("event").order_by("number")
    listed = list(games.annotate(placed=placed, places=Count("entries", distinct=True)))
    there = {game.number for game in listed}
    lines = [_played(game, planned.get(game.number)) for game in listed]
    ahead = [each for number, each in planned.items() if number not in there]
    return [*lines, *(RoundLine(each.number, each.name, each.starts_at, PLANNED) for each in ahead)]


def numbers_to_plan(lines: Sequence[RoundLine]) -> int:
    """The number of the next round that could be planned."""
    return max((line.number for line in lines), default=0) + 1


def _played(game: Game, planned: Round | None) -> RoundLine:
    rules = profile_of(game)
    return RoundLine(
        number=game.number,
        name=planned.name if planned else "",
        starts_at=planned.starts_at if planned else None,
        state=str(game.state),
        started_at=game.started_at,
        finished_at=game.finished_at,
        variant=variant_name(variant_of(game)),
        rules=profile_name(rules),
        turn_seconds=game.turn_seconds,
        most_turns=rules.max_turns,
        turns=game.placed,  # type: ignore[attr-defined]  # annotated above
        players=game.places,  # type: ignore[attr-defined]
    )
