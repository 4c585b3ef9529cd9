"""Player tokens: a random token in a signed cookie on the phone, its SHA-256 in the database.

A token has 128 random bits, so a fast hash suffices: it cannot be found by trying.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponseBase

from tournaments.players.queries.players import hash_of

COOKIE = "seat"
SEAT_LIFETIME = timedelta(days=30)
_TOKEN_BYTES = 16


def new_token() -> str:
    """Return a new token of 128 random bits, for `tournaments.players.services.players.join`."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def cookie_of(token: str) -> str:
    """Return the cookie with which a program, not a browser, acts for the player of this token."""
    return f"{COOKIE}={_signer().sign(token)}"


def put_seat(response: HttpResponseBase, request: HttpRequest, token: str) -> None:
    """Set the cookie with the token on the phone that sent `request`. It is HttpOnly, and Secure over https."""
    response.set_cookie(
        COOKIE,
        _signer().sign(token),
        max_age=SEAT_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def leave_seat(response: HttpResponseBase) -> None:
    """Delete the cookie from the phone."""
    response.delete_cookie(COOKIE, samesite="Lax")


def read_seat(cookies: Mapping[str, str]) -> str | None:
    """Return the token in the cookies of a request or handshake; None if there is none, or it is forged or expired."""
    signed = cookies.get(COOKIE)
    if not signed:
        return None
    try:
        return _signer().unsign(signed, max_age=SEAT_LIFETIME)
    except BadSignature:
        return None


def read_seat_hash(cookies: Mapping[str, str]) -> str | None:
    """Return the hash by which `tournaments` identifies the player of these cookies; None without a token."""
    token = read_seat(cookies)
    return None if token is None else hash_of(token)


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="multiplo.seat")
