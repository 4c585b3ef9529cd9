"""Signed tickets that make joining idempotent.

The form contains the token of the future seat, so a second click sends the same token and changes nothing.
"""

from __future__ import annotations

from django.core.signing import BadSignature, TimestampSigner

from referee.security.player_tokens import new_token
from tournaments.models import Event, Player
from tournaments.players.queries.players import player_by_token
from tournaments.players.services.nicknames import is_called

TICKET_LIFETIME_S = 12 * 3600


def issue_ticket() -> str:
    """Return a signed ticket with a new token."""
    return _signer().sign(new_token())


def token_for(ticket: str, event: Event, name: str, table: int | None) -> str:
    """Return the token in a ticket; a new one if the ticket is invalid, expired or used by another player."""
    try:
        token = _signer().unsign(ticket, max_age=TICKET_LIFETIME_S)
    except BadSignature:
        return new_token()
    seated = player_by_token(token)
    return token if seated is None or _is_meant(seated, event, name, table) else new_token()


def _is_meant(player: Player, event: Event, name: str, table: int | None) -> bool:
    same_name = not name or is_called(player, name)
    return player.event_id == event.pk and same_name and table in (None, player.table)


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="multiplo.ticket")
