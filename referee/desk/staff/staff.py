"""The staff page: accounts, roles, login links with a QR code, passwords."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from engine.bounded_input import parse_whole_number
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.staff.link_card import link_card
from referee.security.permissions import DIRECTOR
from tournaments.enums import Role
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Membership
from tournaments.now import utc_now
from tournaments.staff.queries import colleagues_of, may_speak_for, name_of, staff_of
from tournaments.staff.services import staff as services
from tournaments.staff.services.login_links import revoke_login_links

StaffAction = Callable[[HttpRequest, Desk], HttpResponse]


def _show_refusal(act: StaffAction) -> StaffAction:
    """Redirect to the page with the sentence when the service refuses; ignore a repeated click."""

    @wraps(act)
    def with_refusal(request: HttpRequest, desk: Desk) -> HttpResponse:
        try:
            return act(request, desk)
        except AlreadyDone:
            pass
        except Refused as refused:
            messages.error(request, refused.sentence)
        return _redirect_to_staff(desk)

    return with_refusal


@desk_page("staff", get=DIRECTOR, spoiler=False)
def staff(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the staff of the event, who is present, and the forms."""
    return _page(request, desk)


@sensitive_post_parameters("password")
@desk_page("staff-add", post=DIRECTOR, spoiler=False)
@_show_refusal
def add_member(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Add a new colleague, or one from another event. Without a password, a login link is shown once."""
    post, role = request.POST, request.POST.get("role", "")
    if username := post.get("known", ""):
        services.add_colleague(event=desk.event, username=username, role=role, by=desk.user, now=utc_now())
        return _redirect_to_staff(desk)
    password = post.get("password", "")
    membership = services.invite_colleague(
        event=desk.event,
        name=post.get("name", ""),
        role=role,
        by=desk.user,
        now=utc_now(),
        username=post.get("username", ""),
        password=password,
    )
    if not password:
        return _page(request, desk, link_for=membership.user)
    sentence = _("%(name)s can now log in with the user name %(username)s and the password that you typed.")
    messages.success(request, sentence % {"name": name_of(membership.user), "username": membership.user.get_username()})
    return _redirect_to_staff(desk)


@desk_page("staff-link", post=DIRECTOR, spoiler=False)
@_show_refusal
def renew_link(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Create a new login link for a colleague."""
    user = _find_membership(request, desk).user
    _require_may_speak_for(desk, user)
    return _page(request, desk, link_for=user)


@desk_page("staff-unlink", post=DIRECTOR, spoiler=False)
@_show_refusal
def revoke_link(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Void the login links of a colleague that nobody has used yet."""
    user = _find_membership(request, desk).user
    _require_may_speak_for(desk, user)
    revoke_login_links(user=user)
    messages.success(request, _("The link no longer works."))
    return _redirect_to_staff(desk)


@sensitive_post_parameters("password")
@desk_page("staff-password", post=DIRECTOR, spoiler=False)
@_show_refusal
def password(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Set a new password for a colleague."""
    user = _find_membership(request, desk).user
    services.set_password(user=user, password=request.POST.get("password", ""), by=desk.user)
    messages.success(request, _("%(name)s now has the new password.") % {"name": name_of(user)})
    return _redirect_to_staff(desk)


@desk_page("staff-role", post=DIRECTOR, spoiler=False)
@_show_refusal
def role(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Change the role of a colleague."""
    new_role = request.POST.get("role", "")
    services.change_role(place=_find_membership(request, desk), role=new_role, by=desk.user, now=utc_now())
    return _redirect_to_staff(desk)


@desk_page("staff-revoke", post=DIRECTOR, spoiler=False)
@_show_refusal
def revoke_access(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Remove a colleague from the event."""
    services.revoke_role(place=_find_membership(request, desk), by=desk.user, now=utc_now())
    return _redirect_to_staff(desk)


def _find_membership(request: HttpRequest, desk: Desk) -> Membership:
    number = parse_whole_number(request.POST.get("place", ""), digits=11)
    return get_object_or_404(Membership.objects.select_related("user", "event"), pk=number or 0, event=desk.event)


def _require_may_speak_for(desk: Desk, user: User) -> None:
    if user.pk != desk.user.pk and not may_speak_for(desk.user, user):
        raise Refused(
            _("%(name)s also works for other people with this account, so only %(name)s can set its password.")
            % {"name": name_of(user)}
        )


def _redirect_to_staff(desk: Desk) -> HttpResponse:
    return redirect("desk:staff", desk.code)


def _page(request: HttpRequest, desk: Desk, link_for: User | None = None) -> HttpResponse:
    """Render the page; a new login link in it is shown only this once."""
    context: dict[str, object] = {
        "event": desk.event,
        "lines": staff_of(desk.event, desk.user, utc_now()),
        "colleagues": colleagues_of(desk.user, desk.event),
        "roles": Role.choices,
        "page": "staff",
    }
    if link_for is not None:
        place = Membership.objects.get(event=desk.event, user=link_for)
        context |= link_card(request, link_for, reverse("desk:staff-unlink", args=[desk.code])) | {"place": place.pk}
    return render(request, "desk/staff/staff.html", context)
