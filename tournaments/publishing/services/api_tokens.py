"""Creation and revocation of tokens of the API."""

from __future__ import annotations

from datetime import date, datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.errors import AlreadyDone, Refused
from tournaments.models import ApiToken
from tournaments.players.queries.players import hash_of

MOST_TOKENS = 50


def create_token(*, name: str, token: str, by: User, now: datetime) -> ApiToken:
    """Let `token` read by the API. Only its hash is stored."""
    name = " ".join(name.split())
    if not name:
        raise Refused(_("Write what the token is for, such as the club's site."))
    if len(name) > 100:
        raise Refused(_("The name of a token has at most 100 characters: shorten it."))
    if ApiToken.objects.filter(revoked_at=None).count() >= MOST_TOKENS:
        raise Refused(_("There are %d tokens: revoke one that is not used any more.") % MOST_TOKENS)
    return ApiToken.objects.create(name=name, token_hash=hash_of(token), created_at=now, created_by=by)


def revoke_token(*, pk: int, now: datetime) -> ApiToken:
    """Make a token void for good."""
    token = ApiToken.objects.filter(pk=pk).first()
    if token is None:
        raise Refused(_("There is no such token: load the page again."))
    if not ApiToken.objects.filter(pk=pk, revoked_at=None).update(revoked_at=now):
        raise AlreadyDone(_("This token is revoked already."))
    return token


def record_use(*, pk: int, today: date) -> None:
    """Store the day on which a token was last used."""
    ApiToken.objects.filter(pk=pk).update(last_used_on=today)
