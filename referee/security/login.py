"""Log-in by a link that works once, without a password."""

from __future__ import annotations

import secrets

from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest

from tournaments.now import utc_now
from tournaments.staff.services import login_links


def make_link_token(user: User) -> str:
    """Return the token of a new login link for a user; the page `enter` takes it."""
    token = secrets.token_urlsafe(24)
    login_links.make_login_link(user=user, now=utc_now(), token=token)
    return token


def is_open_link(token: str) -> bool:
    """Return True if a login link can still be used; asking does not use it up."""
    return login_links.open_login_link(token=token, now=utc_now()).exists()


def use_login_token(request: HttpRequest, token: str) -> User | None:
    """Use up a login link and log its user in; None if the link is used, expired or unknown."""
    user = login_links.use_login_link(token=token, now=utc_now())
    if user is not None:
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return user
