"""Rounds of an event: played, current and planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from engine.rules.profile import Profile, load_profile
from engine.variants.time_control import apply_time_control
from engine.variants.variant import NORMAL, Variant, load_variant
from tournaments.enums import GameState
from tournaments.lexicons.names import setup_name
from tournaments.models import Event, Game, Round
from tournaments.play.position import profile_of, variant_of


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round. `state` is that of its game, "planned" without one.

    `most_turns` is None when the game runs to the end of the tiles; `players` counts the players entered in the game.
    Unset fields of a planned round are empty: they are as in the game before. `setup` describes how the game is played;
    `changed` are the codes of the single rules that are planned otherwise.
    """

    number: int
    name: str
    starts_at: datetime | None
    state: str
    started_at: datetime | None = None
    finished_at: datetime | None = None
    setup: str = ""
    most_turns: int | None = None
    changed: Sequence[str] = ()
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
    return [*lines, *(_planned(each) for each in ahead)]


def numbers_to_plan(lines: Sequence[RoundLine]) -> int:
    """The number of the next round that could be planned."""
    return max((line.number for line in lines), default=0) + 1


def _planned(planned: Round) -> RoundLine:
    variant = load_variant(planned.variant) if planned.variant else None
    rules = _rules_of(planned, variant or load_variant(NORMAL)) if planned.profile else None
    return RoundLine(
        number=planned.number,
        name=planned.name,
        starts_at=planned.starts_at,
        state=PLANNED,
        setup=setup_name(rules, variant, planned.turn_seconds),
        most_turns=planned.switches.get("max_turns"),
        changed=[name for name in planned.switches if name != "max_turns"],
    )


def _rules_of(planned: Round, variant: Variant) -> Profile:
    rules = variant.apply_to(load_profile(planned.profile))
    if planned.turn_seconds is not None:
        rules = apply_time_control(rules, planned.turn_seconds)
    return rules.with_switches(**planned.switches)


def _played(game: Game, planned: Round | None) -> RoundLine:
    rules = profile_of(game)
    return RoundLine(
        number=game.number,
        name=planned.name if planned else "",
        starts_at=planned.starts_at if planned else None,
        state=str(game.state),
        started_at=game.started_at,
        finished_at=game.finished_at,
        setup=setup_name(rules, variant_of(game), game.turn_seconds),
        most_turns=rules.max_turns,
        turns=game.placed,  # type: ignore[attr-defined]  # annotated above
        players=game.places,  # type: ignore[attr-defined]
    )
