"""Names, clubs and series in the order of the language of whoever reads the list."""

from __future__ import annotations

from django.utils.translation import get_language

from engine.standings.collation import SortKey, sort_key
from engine.standings.person_names import surname_key
from tournaments.models import Player


def alphabetic_key(text: str) -> SortKey:
    """The key for `sorted` in the active language; databases sort by code points, or as their own server does."""
    return sort_key(text, get_language() or "")


def surname_order_key(player: Player) -> tuple[SortKey, SortKey]:
    """The key that sorts players by surname, then by first name, in the active language."""
    return surname_key(player.name, get_language() or "", player.stated_surname)
