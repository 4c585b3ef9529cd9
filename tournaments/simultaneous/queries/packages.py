"""The package of a simultaneous game, as the hub gives it to the clubs."""

from __future__ import annotations

import secrets
from typing import cast

from engine.archive.schema import format_timestamp
from engine.simultaneous.package import FORMAT, VERSION, ClubKeys, Package, seal_club
from engine.simultaneous.sealing import SealedGame
from tournaments.models import Simultaneous


def package_of(simultaneous: Simultaneous, hub: str) -> Package:
    """Return the package for all invited clubs. `hub` is the address to which the clubs return their games."""
    package: Package = {
        "format": FORMAT,
        "version": VERSION,
        "id": simultaneous.package_id,
        "title": simultaneous.title,
        "note": simultaneous.note,
        "opens_at": format_timestamp(simultaneous.opens_at),
        "closes_at": format_timestamp(simultaneous.closes_at),
        "embargo_until": format_timestamp(simultaneous.embargo_until),
        "hub": hub,
        "games": cast(list[SealedGame], simultaneous.games),
        "clubs": [],
    }
    sealed = [
        seal_club(
            package,
            ClubKeys(club.number, club.name, simultaneous.content_key, club.return_key),
            club.start_code,
            secrets.token_bytes,
        )
        for club in simultaneous.clubs.all()
    ]
    return {**package, "clubs": sealed}
