"""The page on which a director lets colleagues in: accounts, roles, links with a QR code, passwords."""

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
from django.views.decorators.http import require_GET, require_POST

from engine.bounded_input import whole_number
from referee.desk.access import Desk, at_desk
from referee.joining import base_of, qr_svg
from referee.security.login import make_link_token
from tournaments.enums import Role
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Membership
from tournaments.now import utc_now
from tournaments.selectors.staff import colleagues_of, may_speak_for, name_of, staff_of
from tournaments.services import staff as services

Act = Callable[[HttpRequest, Desk], HttpResponse]


def _or_refused(act: Act) -> Act:
    """Lead back to the page with the sentence when the service refuses; a double click shows what there is."""

    @wraps(act)
    def tried(request: HttpRequest, desk: Desk) -> HttpResponse:
        try:
            return act(request, desk)
        except AlreadyDone:
            pass
        except Refused as refused:
            messages.error(request, refused.sentence)
        return _back(desk)

    return tried


@require_GET
@at_desk
def staff(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Who works at this event, who is there, and the forms."""
    return _page(request, desk)


@sensitive_post_parameters("password")
@require_POST
@at_desk
@_or_refused
def add(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A new colleague, or one of another event. Without a password a link is shown at once."""
    post, role = request.POST, request.POST.get("role", "")
    if known := post.get("known", ""):
        services.add_colleague(event=desk.event, username=known, role=role, by=desk.user, now=utc_now())
        return _back(desk)
    password = post.get("password", "")
    place = services.invite(
        event=desk.event,
        name=post.get("name", ""),
        role=role,
        by=desk.user,
        now=utc_now(),
        username=post.get("username", ""),
        password=password,
    )
    if not password:
        return _page(request, desk, link_for=place.user)
    sentence = _("%(name)s logs in with the user name %(username)s and the password that you have typed.")
    messages.success(request, sentence % {"name": name_of(place.user), "username": place.user.get_username()})
    return _back(desk)


@require_POST
@at_desk
@_or_refused
def link(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A fresh link for a colleague's device."""
    user = _place(request, desk).user
    if not may_speak_for(desk.user, user):
        raise Refused(
            _("%(name)s has work of other people in this account too, and logs in alone.") % {"name": name_of(user)}
        )
    return _page(request, desk, link_for=user)


@sensitive_post_parameters("password")
@require_POST
@at_desk
@_or_refused
def password(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Another password for a colleague who forgot his."""
    user = _place(request, desk).user
    services.set_password(user=user, password=request.POST.get("password", ""), by=desk.user)
    messages.success(request, _("%(name)s has the new password now.") % {"name": name_of(user)})
    return _back(desk)


@require_POST
@at_desk
@_or_refused
def role(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Another role."""
    wanted = request.POST.get("role", "")
    services.change_role(place=_place(request, desk), role=wanted, by=desk.user, now=utc_now())
    return _back(desk)


@require_POST
@at_desk
@_or_refused
def revoke(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Let somebody in no more."""
    services.revoke(place=_place(request, desk), by=desk.user, now=utc_now())
    return _back(desk)


def _place(request: HttpRequest, desk: Desk) -> Membership:
    number = whole_number(request.POST.get("place", ""), digits=11)
    return get_object_or_404(Membership.objects.select_related("user", "event"), pk=number or 0, event=desk.event)


def _back(desk: Desk) -> HttpResponse:
    return redirect("desk:staff", desk.code)


def _page(request: HttpRequest, desk: Desk, link_for: User | None = None) -> HttpResponse:
    """The page; with a fresh link in it, which is shown this once."""
    context: dict[str, object] = {
        "event": desk.event,
        "lines": staff_of(desk.event, desk.user, utc_now()),
        "colleagues": colleagues_of(desk.user, desk.event),
        "roles": Role.choices,
        "page": "staff",
    }
    if link_for is not None:
        base = base_of(request)
        address = base + reverse("enter", args=[make_link_token(link_for)])
        context |= {"link": address, "link_qr": qr_svg(address), "link_name": name_of(link_for)}
    return render(request, "desk/staff.html", context)
