"""Who may sit at which desk: the table of `referee.security.rights`, asked before every view of the desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django_htmx.http import reswap

from referee.desk.notices import with_notices
from referee.desk.veil import plays_along, veil_over, why_hidden
from referee.security import gate, rights
from referee.security.log_lines import logged
from tournaments.enums import Role
from tournaments.models import Event, Game, Membership, Room
from tournaments.now import utc_now
from tournaments.selectors.events import desk_of, read_desk, rooms_of
from tournaments.selectors.playing_along import Veil
from tournaments.selectors.staff import may_organise
from tournaments.services.staff import seen

P = ParamSpec("P")
View = Callable[..., HttpResponseBase]


@dataclass(frozen=True, slots=True)
class Desk:
    """What a request at the desk of a room is about; `has_rooms`: the event has others, too. `veil`: what is hidden
    from a judge who plays along, None for others."""

    event: Event
    game: Game
    room: Room
    user: User
    role: Role
    has_rooms: bool = False
    veil: Veil | None = None

    @property
    def is_veiled(self) -> bool:
        """Whether the turn must not be known to whoever asks."""
        return self.veil is not None and self.veil.is_down

    @property
    def code(self) -> str:
        """How addresses name this desk."""
        return desk_of(self.event, self.room)


def which_desk(request: HttpRequest) -> dict[str, object]:
    """For all templates of a desk (a context processor): `desk_code` for its addresses, `desk_room` where there are
    several, what opens its wall, and `plays_along` for a judge who
    does."""
    desk: Desk | None = getattr(request, "desk", None)
    if desk is None:
        return {}
    room = desk.room if desk.has_rooms else None
    wall = desk.room.wall_token or desk.event.wall_token
    return {
        "desk_code": desk.code,
        "desk_room": room,
        "desk_wall": wall,
        "plays_along": plays_along(desk.veil),
    }


def at_desk(view: Callable[Concatenate[HttpRequest, Desk, P], HttpResponseBase]) -> View:
    """Find the event by its code for a user who belongs to it and whose role may open this page.

    For anybody else the event does not exist; a colleague whose role may not is told so, and the log too.
    """

    @wraps(view)
    @login_required
    def with_desk(request: HttpRequest, code: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        user = request.user
        assert isinstance(user, User)  # noqa: S101  login_required let nobody else pass
        event_code, number = read_desk(code)
        event = get_object_or_404(Event, code=event_code, memberships__user=user)
        rooms = {room.number: room for room in rooms_of(event)}
        if number not in rooms:
            raise Http404
        place = Membership.objects.get(event=event, user=user)
        role = Role(place.role)
        request.desk_role = role  # type: ignore[attr-defined]  # for the templates (templatetags/desk.py)
        game = event.games.latest("number")
        veil = veil_over(place, game, user, utc_now())
        desk = Desk(event, game, rooms[number], user, role, has_rooms=len(rooms) > 1, veil=veil)
        request.desk = desk  # type: ignore[attr-defined]  # for the templates (which_desk)
        seen(place=place, now=utc_now())
        page, action = _page_of(request), kwargs.get("action")
        if not rights.may_open(role, page, request.method or "", str(action) if action else None):
            return _turned_away(request, desk, f"{page} {action or ''}".strip())
        hidden = why_hidden(veil, desk.room, page, str(action) if action else None)
        if hidden is not None:
            return _hidden(request, desk, hidden)
        response = view(request, desk, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    return with_desk


def for_organisers(view: View) -> View:
    """A page of no event, for who runs events; a judge, a typist or a wall of somebody else's event does not."""

    @wraps(view)
    @login_required
    def for_organiser(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        user = request.user
        assert isinstance(user, User)  # noqa: S101  login_required let nobody else pass
        if not may_organise(user):
            rights.note_refused(user, "no director", _page_of(request), "-", gate.address_of(request))
            sentence = _("Only who directs an event may open this page; ask the director, or go back to your events.")
            return logged(render(request, "desk/not_allowed.html", {"sentence": sentence}, status=403))
        response = view(request, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    return for_organiser


def _page_of(request: HttpRequest) -> str:
    return (request.resolver_match.url_name if request.resolver_match else None) or ""


def _turned_away(request: HttpRequest, desk: Desk, what: str) -> HttpResponseBase:
    """The wall is where a log-in of the wall belongs; others get a sentence that says who may."""
    if desk.role is Role.WALL and request.method in ("GET", "HEAD"):
        return redirect("wall:show", desk.room.wall_token or desk.event.wall_token)
    rights.note_refused(desk.user, desk.role, what, desk.code, gate.address_of(request))
    sentence = _("Your role in this event is “%(role)s”, which may not do this: ask the director.") % {
        "role": desk.role.label
    }
    return logged(_refused(request, desk, sentence))


def looked_again(desk: Desk) -> Desk:
    """The desk after an act, which may hide or open something."""
    place = Membership.objects.get(event=desk.event, user=desk.user)
    return replace(desk, veil=veil_over(place, desk.game, desk.user, utc_now()))


def _hidden(request: HttpRequest, desk: Desk, sentence: str) -> HttpResponseBase:
    """As the desk says any refusal; where a part of a page was asked for, the sentence stands in its place."""
    if request.accepts("application/json") and not request.accepts("text/html"):
        return JsonResponse({"ok": False, "sentence": sentence})
    if not getattr(request, "htmx", False):
        return _refused(request, desk, sentence)
    if request.method == "GET":
        return HttpResponse(format_html('<p class="notice">{}</p>', sentence), headers={"Cache-Control": "no-store"})
    messages.error(request, sentence)
    return with_notices(request, reswap(HttpResponse(), "none"))


def _refused(request: HttpRequest, desk: Desk, sentence: str) -> HttpResponseBase:
    """A page, a part of one, or JSON, as it was asked for."""
    if request.accepts("application/json") and not request.accepts("text/html"):
        return JsonResponse({"ok": False, "sentence": sentence}, status=403)
    if getattr(request, "htmx", False):
        messages.error(request, sentence)
        return with_notices(request, HttpResponse(status=403))
    return render(request, "desk/not_allowed.html", {"event": desk.event, "sentence": sentence}, status=403)
