"""Players by the token in their phone, and as the desk lists them."""

from __future__ import annotations

import hashlib

from tournaments.models import Event, Player


def hash_of(token: str) -> str:
    """What is stored of a secret token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def player_by_token(token: str) -> Player | None:
    """The player whose phone holds this token; None when it is void, for example because another phone took over."""
    if not token:
        return None
    return Player.objects.filter(token_hash=hash_of(token)).select_related("event").first()


def player_at(event: Event, table: int) -> Player | None:
    """Who sits at this table."""
    return Player.objects.filter(event=event, table=table).first()
