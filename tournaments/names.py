"""How editions and rules are called on pages and sheets, in the active language."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

from engine.edition import load_edition
from engine.rules.profile import Profile

# The names stand in TOML files of the engine, where gettext does not look; here it finds them.
_NAMES = (
    gettext_noop("Italian, 120 tiles"),
    gettext_noop("Catalan, 100 tiles"),
    gettext_noop("Italian box"),
    gettext_noop("Club"),
)


def edition_name(code: str) -> str:
    """The name of an edition."""
    return gettext(load_edition(code).name)


def profile_name(profile: Profile) -> str:
    """The name of a set of rules."""
    return gettext(profile.title)
