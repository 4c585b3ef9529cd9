"""Decorators of the views of the desk; they declare a page and refuse requests that the declaration does not allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial, wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import reswap

from referee.desk.desk import Desk
from referee.desk.notices import with_notices
from referee.desk.registry import READING_METHODS, Access, declare_general_page, declare_page, may_open
from referee.desk.spoiler_guard import explain_refusal, get_playing_judge, get_spoiler_guard
from referee.security import failure_throttle, permissions
from referee.security.log_lines import mark_logged
from referee.security.permissions import NOBODY, Roles
from tournaments.consistent_read import consistent_read
from tournaments.enums import Role
from tournaments.events.queries.events import parse_desk_address, rooms_of
from tournaments.models import Event, Membership
from tournaments.now import utc_now
from tournaments.staff.queries import may_organise, owns_installation
from tournaments.staff.services.staff import record_presence

P = ParamSpec("P")
View = Callable[..., HttpResponseBase]


def desk_context(request: HttpRequest) -> dict[str, object]:
    """Context processor for the templates of a desk: the desk's code, its room if there are several, the token of its
    wall, and `plays_along` for a judge who plays along."""
    desk: Desk | None = getattr(request, "desk", None)
    if desk is None:
        return {}
    room = desk.room if desk.has_rooms else None
    wall = desk.room.wall_token or desk.event.wall_token
    return {
        "desk_code": desk.code,
        "desk_room": room,
        "desk_wall": wall,
        "plays_along": get_playing_judge(desk.spoiler_guard),
    }


def desk_page(
    name: str,
    *,
    get: Roles = NOBODY,
    post: Roles = NOBODY,
    spoiler: bool,
    prepare: Callable[[], object] | None = None,
) -> Callable[[Callable[Concatenate[HttpRequest, Desk, P], HttpResponseBase]], View]:
    """Declare a view as the page of an event with this name; see `referee.desk.registry.DeskPage`.

    The view gets the desk that the address names. For GET it reads from one state of the database and cannot write;
    `prepare` is called first and may. For a user who does not belong to the event, the page does not exist; a member
    whose role does not allow the request gets a sentence that says so, and the attempt is logged.
    """
    page = declare_page(name, get=get, post=post, spoiler=spoiler)

    def declare(view: Callable[Concatenate[HttpRequest, Desk, P], HttpResponseBase]) -> View:
        @wraps(view)
        @login_required
        def with_desk(request: HttpRequest, code: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            action = str(kwargs["action"]) if kwargs.get("action") else None
            desk = _find_desk(request, code)
            if not may_open(desk.role, name, request.method or "", action):
                return _refuse_role(request, desk, f"{name} {action or ''}".strip())
            refusal = explain_refusal(desk.spoiler_guard, desk.room, name, action)
            if refusal is not None:
                return _refuse_spoiler(request, desk, refusal)
            if prepare is not None:
                prepare()
            with consistent_read() if request.method in READING_METHODS else nullcontext():
                response = view(request, desk, *args, **kwargs)
            response["Cache-Control"] = "no-store"
            return response

        return _name_page(require_http_methods(page.methods)(with_desk), name)

    return declare


def general_page(name: str, *, access: Access) -> Callable[[View], View]:
    """Declare a view as the page with this name that belongs to no event."""
    declare_general_page(name, access)

    def declare(view: View) -> View:
        guards: Mapping[Access, Callable[[View], View]] = {
            Access.ANYBODY: lambda open_view: open_view,
            Access.USER: login_required,
            Access.ORGANISER: partial(_require, name, may_organise, _director_sentence),
            Access.OWNER: partial(_require, name, owns_installation, _owner_sentence),
        }
        return _name_page(guards[access](view), name)

    return declare


def page_path(route: str, view: View) -> URLPattern:
    """Return the URL pattern of a declared page, under the name it is declared with."""
    name = getattr(view, "page_name", None)
    if name is None:
        raise ImproperlyConfigured(f"The view at {route} declares no page.")
    return path(route, view, name=name)


def user_of(request: HttpRequest) -> User:
    """Return the user of a page that needs a login."""
    assert isinstance(request.user, User)  # noqa: S101  login_required lets nobody else pass
    return request.user


def _find_desk(request: HttpRequest, code: str) -> Desk:
    """Return the desk that the address names, and put it and the role into the request for the templates."""
    user = user_of(request)
    event_code, number = parse_desk_address(code)
    event = get_object_or_404(Event, code=event_code, memberships__user=user)
    rooms = {room.number: room for room in rooms_of(event)}
    if number not in rooms:
        raise Http404
    membership = Membership.objects.get(event=event, user=user)
    role = Role(membership.role)
    request.desk_role = role  # type: ignore[attr-defined]  # for referee/templatetags/desk.py
    game = event.games.latest("number")
    guard = get_spoiler_guard(membership, game, user, utc_now())
    desk = Desk(event, game, rooms[number], user, role, has_rooms=len(rooms) > 1, spoiler_guard=guard)
    request.desk = desk  # type: ignore[attr-defined]  # for desk_context
    record_presence(place=membership, now=utc_now())
    return desk


def _director_sentence() -> str:
    return _("Only the director of an event may open this page: ask the director, or go back to your events.")


def _owner_sentence() -> str:
    return _("Only the account that starts Multiplo, and administrators, may open this page: go back to your events.")


def _require(name: str, is_allowed: Callable[[User], bool], sentence: Callable[[], str], view: View) -> View:
    """Let only users pass to whom the page is allowed; for others, show a refusal and log the attempt."""

    @wraps(view)
    @login_required
    def for_allowed(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        user = user_of(request)
        if not is_allowed(user):
            permissions.note_refused(user, "no director", name, "-", failure_throttle.address_of(request))
            page = render(request, "desk/staff/not_allowed.html", {"sentence": sentence()}, status=403)
            return mark_logged(page)
        response = view(request, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    return for_allowed


def _name_page(view: View, name: str) -> View:
    view.page_name = name  # type: ignore[attr-defined]  # outer decorators copy it (functools.wraps)
    return view


def _refuse_role(request: HttpRequest, desk: Desk, what: str) -> HttpResponseBase:
    """Lead a log-in of the wall to the wall; show others a sentence, and log the attempt."""
    if desk.role is Role.WALL and request.method in ("GET", "HEAD"):
        return redirect("wall:show", desk.room.wall_token or desk.event.wall_token)
    permissions.note_refused(desk.user, desk.role, what, desk.code, failure_throttle.address_of(request))
    sentence = _("Your role in this event is “%(role)s”, which may not do this: ask the director.") % {
        "role": desk.role.label
    }
    return mark_logged(_refuse(request, desk, sentence))


def refresh_desk(desk: Desk) -> Desk:
    """Return the desk after an action, which may have hidden or revealed the turn."""
    membership = Membership.objects.get(event=desk.event, user=desk.user)
    return replace(desk, spoiler_guard=get_spoiler_guard(membership, desk.game, desk.user, utc_now()))


def _refuse_spoiler(request: HttpRequest, desk: Desk, sentence: str) -> HttpResponseBase:
    """Answer with the refusal in the form that was asked for; it replaces a requested part of a page."""
    if request.accepts("application/json") and not request.accepts("text/html"):
        return JsonResponse({"ok": False, "sentence": sentence})
    if not getattr(request, "htmx", False):
        return _refuse(request, desk, sentence)
    if request.method == "GET":
        return HttpResponse(format_html('<p class="notice">{}</p>', sentence), headers={"Cache-Control": "no-store"})
    messages.error(request, sentence)
    return with_notices(request, reswap(HttpResponse(), "none"))


def _refuse(request: HttpRequest, desk: Desk, sentence: str) -> HttpResponseBase:
    """Answer with a page, an htmx notice or JSON, as requested."""
    if request.accepts("application/json") and not request.accepts("text/html"):
        return JsonResponse({"ok": False, "sentence": sentence}, status=403)
    if getattr(request, "htmx", False):
        messages.error(request, sentence)
        return with_notices(request, HttpResponse(status=403))
    return render(request, "desk/staff/not_allowed.html", {"event": desk.event, "sentence": sentence}, status=403)
