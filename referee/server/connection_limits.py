"""Limits for slow or oversized HTTP requests, and the count of unfinished requests of each address.

uvicorn waits without limit for the rest of a request, so a client that opens hundreds of connections and sends nothing
would use up the server's connections. `referee.server.uvicorn_overrides` applies these limits.
"""

from __future__ import annotations

from collections import Counter

HEAD_S = 10.0
BODY_S = 60.0
UNREAD_S = 30.0
LARGEST_HEAD = 32_768  # bytes
LARGEST_BODY = 65_536  # bytes, of players' requests: a form, a slip
LARGEST_UPLOAD = 32 * 1024 * 1024  # bytes, at the desk: player lists, prepared games, archives
MOST_HALF_OPEN = 1000  # unfinished first requests of one address; all players of an event may share one address
_half_open: Counter[str] = Counter()


def add_half_open(address: str) -> bool:
    """Count a connection without a complete request. False if its address has too many."""
    _half_open[address] += 1
    return _half_open[address] <= MOST_HALF_OPEN


def remove_half_open(address: str) -> None:
    """Stop counting a connection."""
    _half_open[address] -= 1
    if not _half_open[address]:
        del _half_open[address]


def largest_body(path: bytes) -> int:
    """Return the largest allowed request body in bytes."""
    return LARGEST_UPLOAD if path.startswith(b"/desk/") else LARGEST_BODY
