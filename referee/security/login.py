"""Log-in by a link that works once, without a password."""

from __future__ import annotations

import secrets

from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest

from tournaments.now import utc_now
from tournaments.services import access


def make_link_token(user: User) -> str:
    """The token of a fresh login link for a user; the page `enter` takes it."""
    token = secrets.token_urlsafe(24)
    access.make_login_link(user=user, now=utc_now(), token=token)
    return token


def is_open_link(token: str) -> bool:
    """Whether a login link can still be used; looking does not use it up."""
    return access.open_login_link(token=token, now=utc_now()).exists()


def let_in(request: HttpRequest, token: str) -> User | None:
    """Use a login link up and open a session for its user; None when it is used, too old or invented."""
    user = access.use_login_link(token=token, now=utc_now())
    if user is not None:
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return user
