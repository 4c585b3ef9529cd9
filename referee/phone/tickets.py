"""One click too many on "Take my seat" must not make the phone take its own seat away.

The page carries the token that the seat will have; both clicks bring the same one, and the second changes nothing.
"""

from __future__ import annotations

from django.core.signing import BadSignature, TimestampSigner

from referee.security.seats import new_token
from tournaments.models import Event, Player
from tournaments.selectors.players import player_by_token
from tournaments.services.nicknames import is_called

LASTS_S = 12 * 3600


def issue() -> str:
    """A signed ticket with a fresh token in it, for a form."""
    return _signer().sign(new_token())


def token_for(ticket: str, event: Event, name: str, table: int | None) -> str:
    """The token in a ticket; a fresh one when the ticket is invented, too old, or has seated somebody else already."""
    try:
        token = _signer().unsign(ticket, max_age=LASTS_S)
    except BadSignature:
        return new_token()
    seated = player_by_token(token)
    return token if seated is None or _is_meant(seated, event, name, table) else new_token()


def _is_meant(player: Player, event: Event, name: str, table: int | None) -> bool:
    same_name = not name or is_called(player, name)
    return player.event_id == event.pk and same_name and table in (None, player.table)


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="multiplo.ticket")
