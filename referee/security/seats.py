"""A player's seat: a random token in a signed cookie of his phone, its SHA-256 in the database.

128 random bits need no slow hash: nobody can try them out (stack: security anchors).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponseBase

from tournaments.selectors.players import hash_of

COOKIE = "seat"
LASTS = timedelta(days=30)
_TOKEN_BYTES = 16


def new_token() -> str:
    """A fresh token of 128 random bits, for `services.players.join`."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def cookie_of(token: str) -> str:
    """The cookie with which a program, not a browser, speaks for the player of this token."""
    return f"{COOKIE}={_signer().sign(token)}"


def put_seat(response: HttpResponseBase, request: HttpRequest, token: str) -> None:
    """Give the phone that sent `request` its seat. Scripts cannot read it; over https it never leaves by http."""
    response.set_cookie(
        COOKIE,
        _signer().sign(token),
        max_age=LASTS,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def leave_seat(response: HttpResponseBase) -> None:
    """Make the phone forget its seat."""
    response.delete_cookie(COOKIE, samesite="Lax")


def read_seat(cookies: Mapping[str, str]) -> str | None:
    """The token in the cookies of a request or a handshake; None without one, or when it is not ours or too old."""
    signed = cookies.get(COOKIE)
    if not signed:
        return None
    try:
        return _signer().unsign(signed, max_age=LASTS)
    except BadSignature:
        return None


def read_seat_hash(cookies: Mapping[str, str]) -> str | None:
    """The hash by which `tournaments` knows the player of these cookies; None without a seat."""
    token = read_seat(cookies)
    return None if token is None else hash_of(token)


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="multiplo.seat")
