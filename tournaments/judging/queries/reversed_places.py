"""Reversed references, such as 6F for F6, on which the rules are silent: the desk asks once in an event."""

from __future__ import annotations

from collections.abc import Iterable

from engine.rules.profile import OUR_DEFAULT
from tournaments.judging.queries.slip_groups import SlipGroup
from tournaments.models import Game, LedgerEntry
from tournaments.play.position import profile_of

SETTLED = "reversed_places"
"""Key of the director's answer (`count` or `keep`) in a ledger entry of kind `options`."""


def find_open_reversed_group(game: Game, groups: Iterable[SlipGroup]) -> SlipGroup | None:
    """The first group with zero points for a reversed reference, if the rules leave its value open.

    None once the director has decided for the event.
    """
    found = next((group for group in groups if group.meant), None)
    return found if found is not None and is_open(game) and not is_settled(game) else None


def is_open(game: Game) -> bool:
    """Return whether reversed references get zero points only by our default."""
    profile = profile_of(game)
    return profile.wrong_reference == "zero" and profile.source_of("wrong_reference") == OUR_DEFAULT


def is_settled(game: Game) -> bool:
    """Return whether the director has answered in this event."""
    answers = LedgerEntry.objects.filter(game__event=game.event_id, kind="options", data__has_key=SETTLED)
    return answers.exists()
