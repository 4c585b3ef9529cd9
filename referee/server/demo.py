"""Demonstration event: eight players, before the first rack."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.enums import DrawMode
from tournaments.events.services.events import NewEvent, create_event
from tournaments.models import Game
from tournaments.players.services.players import NewPlayer

_PLAYERS = (
    ("Anna Ferri", "Torino"),
    ("Bruno Galli", "Torino"),
    ("Carla Monti", "Genova"),
    ("Dario Serra", "Genova"),
    ("Elena Villa", "Milano"),
    ("Fabio Costa", "Milano"),
    ("Giulia Riva", "Torino"),
    ("Ivo Marini", "Genova"),
)


def create_demo(*, by: User, now: datetime, language: str) -> Game:
    """Create an Italian box game with this account as director."""
    return create_event(
        NewEvent(
            name=_("A club night to try out"),
            date=now.date(),
            place="",
            language=language,
            edition="it",
            profile="it-box",
            draw_mode=DrawMode.SEEDED,
        ),
        players=[NewPlayer(table, name, club) for table, (name, club) in enumerate(_PLAYERS, start=1)],
        by=by,
        now=now,
        seed=secrets.token_bytes(32),
    )
