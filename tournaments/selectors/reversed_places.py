"""Places written the other way round, 6F for F6, where the rules are silent: the desk asks once in an event."""

from __future__ import annotations

from collections.abc import Iterable

from engine.rules.profile import OUR_DEFAULT
from tournaments.models import Game, LedgerEntry
from tournaments.position import profile_of
from tournaments.selectors.groups import Group

SETTLED = "reversed_places"
"""What the entry of kind `options` is called that holds the answer of the director: `count` or `keep`."""


def reversed_in_question(game: Game, groups: Iterable[Group]) -> Group | None:
    """The first group that gets nothing because its place is written the other way round, where the rules leave open
    what that is worth and nobody has decided it for the event."""
    found = next((group for group in groups if group.meant), None)
    return found if found is not None and is_open(game) and not is_settled(game) else None


def is_open(game: Game) -> bool:
    """Whether such places get nothing by our own default."""
    profile = profile_of(game)
    return profile.wrong_reference == "zero" and profile.source_of("wrong_reference") == OUR_DEFAULT


def is_settled(game: Game) -> bool:
    """Whether the director has answered in this event."""
    answers = LedgerEntry.objects.filter(game__event=game.event_id, kind="options", data__has_key=SETTLED)
    return answers.exists()
