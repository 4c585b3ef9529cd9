"""Single-use login links, for the person who starts the program and for invited users."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from tournaments.models import LoginLink
from tournaments.players.queries.players import hash_of
from tournaments.staff.queries import FIRST_JUDGE

LINK_LIFE = timedelta(hours=1)


def make_login_link(*, user: User, now: datetime, token: str) -> LoginLink:
    """Let `token` open the desk for this user, once and within an hour. Only its hash is stored."""
    with transaction.atomic():
        LoginLink.objects.filter(expires_at__lt=now).delete()
        return LoginLink.objects.create(token_hash=hash_of(token), user=user, expires_at=now + LINK_LIFE)


def use_login_link(*, token: str, now: datetime) -> User | None:
    """Use a link and return its user; None when it is unknown, used or too old. A link works only once."""
    links = open_login_link(token=token, now=now)
    link = links.select_related("user").first()
    return link.user if link is not None and links.update(used_at=now) == 1 else None


def revoke_login_links(*, user: User) -> None:
    """Void the links of a user that are not used yet."""
    LoginLink.objects.filter(user=user, used_at=None).delete()


def open_login_link(*, token: str, now: datetime) -> QuerySet[LoginLink]:
    """The valid link with this token; empty when it is unknown, used or too old."""
    return LoginLink.objects.filter(token_hash=hash_of(token), used_at=None, expires_at__gt=now, user__is_active=True)


def first_judge() -> User:
    """Get the account of the person who started the program, or create it without a password."""
    with transaction.atomic():
        judge, is_new = User.objects.get_or_create(username=FIRST_JUDGE)
        if is_new:
            judge.set_unusable_password()
            judge.save(update_fields=["password"])
    return judge
