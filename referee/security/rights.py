"""Who may what at the desk, as one table. A page or an action that is not named here is open to nobody.

The director runs the event, a judge the game, a typist brings in paper and people, and whoever logs in as the wall
sees what everybody in the hall sees. A role never depends on the room somebody works in.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from django.contrib.auth.models import User

from referee.security.throttle import ip_prefix
from tournaments.enums import Role

Roles = frozenset[Role]
NOBODY: Roles = frozenset()
DIRECTOR: Roles = frozenset({Role.DIRECTOR})
JUDGES: Roles = DIRECTOR | {Role.JUDGE}
STAFF: Roles = JUDGES | {Role.TYPIST}
LOOK, CHANGE = "look", "change"
_log = logging.getLogger("multiplo.access")

# Pages of an event, by the names in referee/desk/urls.py: who may look (GET), and who may change (POST). What `act` and
# `preview` do has a table of its own.
PAGES: Mapping[str, Mapping[str, Roles]] = {
    "console": {LOOK: STAFF},
    "main": {LOOK: STAFF},
    "act": {CHANGE: STAFF},
    "preview": {CHANGE: JUDGES},
    "backup": {LOOK: STAFF},
    "health": {LOOK: STAFF},
    "typings": {LOOK: STAFF},
    "group": {LOOK: JUDGES},
    "clear-groups": {LOOK: JUDGES},
    "echo": {LOOK: STAFF},
    "paper": {CHANGE: STAFF},
    "peek": {LOOK: JUDGES},
    "players": {LOOK: STAFF},
    "arrivals": {LOOK: STAFF},
    "table-plan": {LOOK: STAFF},
    "player-file": {LOOK: STAFF, CHANGE: STAFF},
    "rounds": {LOOK: STAFF},
    "results": {LOOK: JUDGES},
    "rooms": {LOOK: STAFF},
    "rehearsal": {LOOK: DIRECTOR},
    "rehearsal-phones": {LOOK: DIRECTOR},
    "seat-codes": {LOOK: STAFF},
    "standings": {LOOK: STAFF},
    "standings-csv": {LOOK: JUDGES},
    "analysis": {LOOK: STAFF},
    "public-page": {LOOK: DIRECTOR, CHANGE: DIRECTOR},
    "field": {LOOK: JUDGES},
    "practise-game": {CHANGE: JUDGES},
    "log": {LOOK: JUDGES},
    "appeals": {LOOK: STAFF},
    "appeals-open": {LOOK: JUDGES},
    "again": {LOOK: JUDGES},
    "differences": {LOOK: JUDGES},
    "words": {LOOK: JUDGES},
    "calls": {LOOK: JUDGES},
    "spoken": {LOOK: STAFF},
    "rules": {LOOK: STAFF, CHANGE: DIRECTOR},
    "archive": {LOOK: JUDGES},
    "privacy": {LOOK: DIRECTOR, CHANGE: DIRECTOR},
    "person": {LOOK: JUDGES},
    # Of single documents referee/pdf/catalogue.py says more.
    "documents": {LOOK: JUDGES},
    "document-preview": {LOOK: JUDGES},
    "document": {LOOK: JUDGES},
    "document-look": {LOOK: JUDGES},
    "document-page": {LOOK: JUDGES},
    "staff": {LOOK: DIRECTOR},
    "staff-add": {CHANGE: DIRECTOR},
    "staff-link": {CHANGE: DIRECTOR},
    "staff-password": {CHANGE: DIRECTOR},
    "staff-role": {CHANGE: DIRECTOR},
    "staff-revoke": {CHANGE: DIRECTOR},
}

# What buttons and keys do (referee/desk/actions.py).
ACTIONS: Mapping[str, Roles] = {
    "draw": JUDGES,
    "type-rack": JUDGES,
    "take-back-rack": JUDGES,
    "hall-word": JUDGES,
    "announce": JUDGES,
    "show": JUDGES,
    "pause": JUDGES,
    "resume": JUDGES,
    "more-time": JUDGES,
    "close": JUDGES,
    "paper": STAFF,
    "rule-word": JUDGES,
    "revoke-word": JUDGES,
    "agree-words": JUDGES,
    "decide": JUDGES,
    "revoke-decision": JUDGES,
    "accept-group": JUDGES,
    "accept-clear": JUDGES,
    "check-slip": JUDGES,
    "set-judging": DIRECTOR,
    "paper-appeal": STAFF,
    "reject-appeal": JUDGES,
    "uphold-appeal": JUDGES,
    "again-word": JUDGES,
    "again-slip": JUDGES,
    "again-warning": JUDGES,
    "set-appeals": DIRECTOR,
    "give-warning": JUDGES,
    "take-warning-back": JUDGES,
    "change-rules": DIRECTOR,
    "reversed-places": DIRECTOR,
    "place": JUDGES,
    "undo": JUDGES,
    "end": DIRECTOR,
    "next-game": DIRECTOR,
    "give-back": JUDGES,
    "replay": JUDGES,
    "go-on": JUDGES,
    "add-players": STAFF,
    "rename-player": STAFF,
    "remove-player": JUDGES,
    "remove-unknown": JUDGES,
    "player-leaves": STAFF,
    "player-comes-back": STAFF,
    "disqualify-player": JUDGES,
    "reinstate-player": JUDGES,
    "set-up-game": DIRECTOR,
    "plan-round": DIRECTOR,
    "player-here": STAFF,
    "player-expected": STAFF,
    "player-absent": STAFF,
    "rest-absent": JUDGES,
    "walk-in": STAFF,
    "assign-tables": JUDGES,
    "swap-tables": JUDGES,
    "add-room": DIRECTOR,
    "change-room": DIRECTOR,
    "remove-room": DIRECTOR,
    "withdraw-room": DIRECTOR,
    "move-player": JUDGES,
    "free-phone": STAFF,
    "new-seat-code": JUDGES,
    "set-seat-codes": DIRECTOR,
    "set-listed-only": DIRECTOR,
    "set-teams": DIRECTOR,
    "set-handicap": DIRECTOR,
    "make-document": JUDGES,
    "another-desk": STAFF,
    "play-along": JUDGES,
    "play-no-more": JUDGES,
    "slip-is-final": JUDGES,
    "settle-typing": JUDGES,
    "set-double-typing": DIRECTOR,
}

# What others than the director may do only to their own work.
OWN_ONLY = frozenset({"undo"})

# Pages of no event: "anybody", whoever is logged in ("user"), or whoever runs events ("organiser").
ANYBODY, USER, ORGANISER = "anybody", "user", "organiser"
OUTSIDE: Mapping[str, str] = {
    "events": USER,
    "locked": ANYBODY,
    "log-out": ANYBODY,
    "account": USER,
    "new": ORGANISER,
    "rehearsal-open": ORGANISER,
    "rules-of-profile": ORGANISER,
    "prepared": ORGANISER,
    "prepared-bring": ORGANISER,
    "prepared-inside": ORGANISER,
    "prepared-play": ORGANISER,
    "prepared-choose": ORGANISER,
    "prepared-sheet": ORGANISER,
    "prepared-envelope": ORGANISER,
    "prepared-save": ORGANISER,
    "prepared-practice": ORGANISER,
    "prepared-throw-away": ORGANISER,
}

# Who may listen to the socket of the desk; what comes over it is public but for the tables that are missing.
DESK_SOCKET: Roles = STAFF


def may_open(role: str, page: str, method: str, action: str | None = None) -> bool:
    """Whether a role may do with a page of an event what the request asks for."""
    allowed = PAGES.get(page, {}).get(LOOK if method in ("GET", "HEAD") else CHANGE, NOBODY)
    return role in allowed and (action is None or may_do(role, action))


def may_do(role: str, action: str) -> bool:
    """Whether a role may do an action at the desk, be it only to its own work (OWN_ONLY)."""
    return role in ACTIONS.get(action, NOBODY)


def note_refused(user: User, role: str, what: str, code: str, address: str | None) -> None:
    """Put into the log that somebody tried what his role does not allow."""
    _log.warning(
        "refused: %s (%s) tried %s in event %s, from %s", user.get_username(), role, what, code, ip_prefix(address)
    )
