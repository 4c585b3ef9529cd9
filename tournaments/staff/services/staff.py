"""Staff of an event: accounts, roles and passwords. For login links see `tournaments.staff.services.login_links`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import chain, count

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.enums import Role
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import current_game
from tournaments.models import Event, LoginLink, Membership
from tournaments.play.services.game_lock import append_to_ledger, lock_game
from tournaments.staff.queries import FIRST_JUDGE, colleagues_of, may_speak_for, name_of

LONGEST_NAME = 100
MOST_STAFF = 200
_A_MINUTE = timedelta(minutes=1)


def invite_colleague(
    *, event: Event, name: str, role: str, by: User, now: datetime, username: str = "", password: str = ""
) -> Membership:
    """Create an account with a role in the event; without a password it is opened by a login link."""
    called = validators.short_text(name, longest=LONGEST_NAME, what=_("name"))
    if not called:
        raise Refused(_("Type the name of your colleague."))
    wanted = _role(role)
    with lock_game(current_game(event)):
        _require_unknown(event, called)
        user = User(username=_username(username, called), first_name=called)
        _take_password(user, password)
        user.save()
        return _create_membership(event, user, wanted, by, now)


def add_colleague(*, event: Event, username: str, role: str, by: User, now: datetime) -> Membership:
    """Give a role to a user from another event of this director."""
    wanted = _role(role)
    with lock_game(current_game(event)):
        user = colleagues_of(by, event).filter(username=username).first()
        if user is None:
            raise Refused(_("Nobody of this user name has worked with you; make a new account instead."))
        return _create_membership(event, user, wanted, by, now)


def change_role(*, place: Membership, role: str, by: User, now: datetime) -> Membership:
    """Change the role of a user, from their next request on."""
    wanted = _role(role)
    with lock_game(current_game(place.event)):
        _require_not_owner(place)
        if place.role == wanted:
            raise AlreadyDone(_("That is the role already."))
        place.role = wanted
        place.save(update_fields=["role"])
        _record_staff_change(place, "role", by, now)
    return place


def revoke_role(*, place: Membership, by: User, now: datetime) -> None:
    """Remove a user from an event: void their links and close their desks. An account without any event is disabled."""
    with lock_game(current_game(place.event)):
        _require_not_owner(place)
        if place.user_id == by.pk:
            raise Refused(_("You cannot take away your own role: another director has to do that."))
        LoginLink.objects.filter(user=place.user, used_at=None).delete()
        _record_staff_change(place, "revoked", by, now)
        user = place.user
        place.delete()
        if not Membership.objects.filter(user=user).exists() and not user.is_superuser:
            User.objects.filter(pk=user.pk).update(is_active=False)


def set_password(*, user: User, password: str, by: User) -> None:
    """Set the password of an account: the director's own, or that of a user for whom the director may act."""
    if user.pk != by.pk and not may_speak_for(by, user):
        raise Refused(
            _("%(name)s also works for other people with this account, so only %(name)s can set its password.")
            % {"name": name_of(user)}
        )
    if not password:
        raise Refused(_("Type the new password."))
    _take_password(user, password)
    user.save(update_fields=["password"])


def record_presence(*, place: Membership, now: datetime) -> None:
    """Record that a user is at the desk, at most once a minute."""
    if place.seen_at is None or now - place.seen_at >= _A_MINUTE:
        with suppress(DatabaseError):  # on a full disk the desk can still be read
            Membership.objects.filter(pk=place.pk).update(seen_at=now)


def _role(written: str) -> Role:
    if written not in Role.values:
        raise Refused(_("Choose a role: director, judge, typist or wall."))
    return Role(written)


def _require_unknown(event: Event, name: str) -> None:
    places = Membership.objects.filter(event=event).select_related("user")
    known = {name_of(place.user).casefold() for place in places}
    if len(known) >= MOST_STAFF:
        raise Refused(_("An event has at most %(most)d colleagues at its desks.") % {"most": MOST_STAFF})
    if name.casefold() in known:
        raise Refused(_("%(name)s is on the list already: make a new link there.") % {"name": name})


def _username(wanted: str, name: str) -> str:
    """The typed user name if it is free, else one made from the name."""
    typed = wanted.strip()
    if typed:
        try:
            User._meta.get_field("username").run_validators(typed)
        except ValidationError:
            raise Refused(_("A user name has letters, digits and @ . + - _ only, at most 150.")) from None
        if typed.casefold() == FIRST_JUDGE or User.objects.filter(username__iexact=typed).exists():
            raise Refused(_("The user name %(name)s is taken: choose another one.") % {"name": typed})
        return typed
    stem = slugify(name) or "staff"
    like_it = User.objects.filter(username__istartswith=stem).values_list("username", flat=True)
    taken = {FIRST_JUDGE, *(known.casefold() for known in like_it)}
    return next(free for free in chain([stem], (f"{stem}-{number}" for number in count(2))) if free not in taken)


def _take_password(user: User, password: str) -> None:
    if not password:
        user.set_unusable_password()
        return
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None
    user.set_password(password)


def _create_membership(event: Event, user: User, role: Role, by: User, now: datetime) -> Membership:
    try:
        with transaction.atomic():
            place = Membership.objects.create(event=event, user=user, role=role)
    except IntegrityError:
        raise AlreadyDone(_("%(name)s has a role in this event already.") % {"name": name_of(user)}) from None
    _record_staff_change(place, "added", by, now)
    return place


def _require_not_owner(place: Membership) -> None:
    if place.user.get_username() == FIRST_JUDGE:
        raise Refused(_("This is the account of whoever starts the program; it stays director."))
    others = Membership.objects.filter(event=place.event, role=Role.DIRECTOR).exclude(pk=place.pk)
    if place.role == Role.DIRECTOR and not others.exists():
        raise Refused(_("The event needs a director: give another colleague this role first."))


def _record_staff_change(place: Membership, what: str, by: User, now: datetime) -> None:
    """Record the change in the ledger and notify the user's open desks, which check their permissions again."""
    facts: Mapping[str, object] = {"who": place.user.get_username(), "what": what, "role": str(place.role)}
    append_to_ledger(game=current_game(place.event), kind="staff", by=by, now=now, data=facts)
    signals.send_staff_changed(place)
