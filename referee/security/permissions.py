"""The roles at the desk, in the groups that pages and actions name (referee/desk/registry.py).

The director runs the event, a judge runs the game, a typist enters paper slips and people, and a log-in of the wall
sees what is public. A role does not depend on a room.
"""

from __future__ import annotations

import logging

from django.contrib.auth.models import User

from referee.security.token_bucket import ip_prefix
from tournaments.enums import Role

Roles = frozenset[Role]
NOBODY: Roles = frozenset()
DIRECTOR: Roles = frozenset({Role.DIRECTOR})
JUDGES: Roles = DIRECTOR | {Role.JUDGE}
STAFF: Roles = JUDGES | {Role.TYPIST}
DESK_SOCKET: Roles = STAFF
"""The roles that may listen to the socket of the desk; it carries public data and the tables without a slip."""

_log = logging.getLogger("multiplo.access")


def note_refused(user: User, role: str, what: str, code: str, address: str | None) -> None:
    """Log an attempt to do something that the role of the user does not allow."""
    _log.warning(
        "refused: %s (%s) tried %s in event %s, from %s", user.get_username(), role, what, code, ip_prefix(address)
    )
