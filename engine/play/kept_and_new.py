"""Rack of a turn as players see it come about: the letters kept from the turn before, and the newly drawn ones."""

from __future__ import annotations

from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles


def split_rack(edition: Edition, kept: str, rack: str, *, is_new: bool) -> tuple[str, str]:
    """Return (kept, new) letters of a rack in tile text; nothing is kept of a rack that was drawn as a whole.

    `is_new`: a rack was rejected before, or all letters are put back in each turn, so the kept ones went into the bag.
    """
    before, whole = Tiles.parse(edition, kept), Tiles.parse(edition, rack)
    if is_new or not kept or not whole.holds(before):
        return "", rack
    return before.text, (whole - before).text
