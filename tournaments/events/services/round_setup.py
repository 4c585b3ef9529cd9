"""The setup of a planned round: variant, time, rules; and the rules of the game that takes it over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tournaments.events.services.game_rules import GameRules, TurnsWanted, rules_of_next_game
from tournaments.models import Event, Game, Round


@dataclass(frozen=True, slots=True)
class RoundSetup:
    """Rules, variant and time of a planned round; an empty field keeps those of the game before."""

    variant: str = ""
    turn_seconds: int | None = None
    profile: str = ""
    switches: Mapping[str, object] = field(default_factory=dict)


EMPTY_SETUP = RoundSetup()


def setup_of(planned: Round) -> RoundSetup:
    """Return how the game of a planned round is played."""
    return RoundSetup(planned.variant, planned.turn_seconds, planned.profile, planned.switches)


def setup_of_next_game(event: Event, number: int) -> RoundSetup:
    """Return the setup that is planned for the game of this number, an empty one if nothing is planned."""
    return setup_of(Round.objects.filter(event=event, number=number).first() or Round())


def rules_as_planned(
    last: Game,
    setup: RoundSetup,
    *,
    variant: str | None = None,
    turn_seconds: int | None = None,
    profile: str | None = None,
    turns: TurnsWanted = "same",
) -> GameRules:
    """Get the rules of the game after `last` as planned; what the caller names overrides the plan.

    Switches that are planned with a profile do not apply to another one.
    """
    switches = dict(setup.switches) if profile in (None, setup.profile) else {}
    if turns != "same":
        switches.pop("max_turns", None)
    return rules_of_next_game(
        last,
        variant=variant or setup.variant or None,
        turn_seconds=turn_seconds or setup.turn_seconds,
        profile=profile or setup.profile or None,
        turns=turns,
        switches=switches,
    )
