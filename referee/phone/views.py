"""Joining with a phone, and the page that a player has in front of him."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from referee.live import messages as protocol
from referee.phone import newcomers, tickets
from referee.phone.forms import CodeForm, SeatForm
from referee.security import gate
from referee.security.seats import COOKIE, leave_seat, put_seat, read_seat
from tournaments.errors import Refused
from tournaments.models import Event, Player, Room
from tournaments.now import utc_now
from tournaments.selectors.events import event_by_code, rooms_of
from tournaments.selectors.keeping import person_data
from tournaments.selectors.players import player_by_token
from tournaments.services import players, seats

# Named here so that a phone fetches them at once instead of one after the other (templates/phone/play.html).
MODULES = (
    *(f"common/{name}.js" for name in ("board", "clock", "link", "reference", "text", "tiles", "words")),
    *(f"phone/{name}.js" for name in ("alive", "appeals", "check", "compose", "countdown", "draft", "letters", "poll")),
    *(f"phone/{name}.js" for name in ("queue", "renewal", "screen", "sending", "slipform", "state")),
)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """The code on the wall leads to its event."""
    form = CodeForm(request.POST) if request.method == "POST" else CodeForm()
    if request.method == "POST" and form.is_valid():
        event = _event_with_code(request, form)
        if event is not None:
            return redirect("phone:join_event", code=event.code)
    return _page(request, "phone/join.html", {"form": form, "seat": seated(request)}, bad=form.is_bound)


@require_http_methods(["GET", "HEAD", "POST"])
def join_event(request: HttpRequest, code: str) -> HttpResponse:
    """Name or table number, and the phone has its seat."""
    form = CodeForm({"code": code})
    event = _event_with_code(request, form) if form.is_valid() else None
    if event is None:
        return _page(request, "phone/join.html", {"form": form, "seat": seated(request)}, bad=True)
    on_card = {name: request.GET.get(name) for name in ("table", "seat_code", "room")}
    seat_form = SeatForm(request.POST) if request.method == "POST" else SeatForm(initial=on_card)
    if seat_form.is_bound and seat_form.is_valid():
        answer = _take_seat(request, event, seat_form)
        if answer is not None:
            return answer
    seat = seated(request)
    here = seat if seat is not None and seat.event_id == event.pk else None
    rooms = rooms_of(event)
    context = {"form": seat_form, "event": event, "seat": here, "ticket": tickets.issue()}
    if len(rooms) > 1:
        context |= {"rooms": rooms, "room": _chosen(rooms, str(seat_form["room"].value() or ""))}
    return _page(request, "phone/join_event.html", context, bad=seat_form.is_bound)


@gzip_page
@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """The table; without a seat the way to one."""
    player = seated(request)
    if player is None:
        return without_seat(request)
    context = {
        "player": player,
        "event": player.event,
        "join_url": f"{reverse('phone:join_event', args=[player.event.code])}?table={player.table}",
        "modules": MODULES,
        "version": protocol.VERSION,
    }
    return _page(request, "phone/play.html", context)


@require_safe
def my_data(request: HttpRequest) -> HttpResponse:
    """Everything that is stored about whoever holds this phone, as a file."""
    player = seated(request)
    if player is None:
        return without_seat(request)
    response = JsonResponse(person_data(player), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{player.event.code}-{player.table}.json"'
    response["Cache-Control"] = "no-store"
    return response


def _event_with_code(request: HttpRequest, form: CodeForm) -> Event | None:
    """The event of a valid code form; a wrong code is counted and becomes an error of the form."""
    event = event_by_code(form.cleaned_data["code"])
    if event is None:
        gate.failed_request(request)
        form.add_error("code", _("No game has this code: look at the wall and type it again."))
    return event


def _take_seat(request: HttpRequest, event: Event, form: SeatForm) -> HttpResponse | None:
    """Seat the phone; None when that is refused, with the reason in the form."""
    name, table = form.cleaned_data["name"], form.cleaned_data["table"]
    token = tickets.token_for(form.cleaned_data["ticket"], event, name, table)
    held = frozenset({token, read_seat(request.COOKIES) or token})
    doorman = seats.doorman(event=event, code=form.cleaned_data["seat_code"], tokens=held)

    def admit(player: Player | None) -> None:
        doorman(player)
        if player is None:
            newcomers.require_room(event, gate.address_of(request))

    try:
        players.join(
            event=event,
            name=name,
            table=table,
            nickname=form.cleaned_data["nickname"] or None,
            now=utc_now(),
            token=token,
            admit=admit,
            room=_wished(event, str(form.cleaned_data["room"] or "")),
        )
    except Refused as refusal:
        if isinstance(refusal, seats.WrongSeatCode):
            gate.failed_request(request)
        form.add_error(None, refusal.sentence)
        return None
    response = redirect("phone:play")
    put_seat(response, request, token)
    return response


def _wished(event: Event, number: str) -> Room | None:
    return _chosen(rooms_of(event), number) if number else None


def _chosen(rooms: Sequence[Room], number: str) -> Room | None:
    """The room of a QR code or of the list; None when nothing is chosen, or there is no choice."""
    return next((room for room in rooms if len(rooms) > 1 and str(room.number) == number), None)


def seated(request: HttpRequest) -> Player | None:
    """Whose phone this is; None without a seat, or with one that is void."""
    token = read_seat(request.COOKIES)
    return None if token is None else player_by_token(token)


def without_seat(request: HttpRequest) -> HttpResponse:
    """The way to a seat."""
    response = redirect("phone:join")
    if COOKIE in request.COOKIES:
        messages.info(request, _("This phone has no seat any more: join again with the code on the wall."))
        leave_seat(response)
    return response


def _page(request: HttpRequest, template: str, context: dict[str, object], *, bad: bool = False) -> HttpResponse:
    """A page that a phone may show again when one goes back, but never from a store that others share."""
    response = render(request, template, context, status=422 if bad else 200)
    _never_shared(response)
    return response


def _never_shared(response: HttpResponseBase) -> None:
    response["Cache-Control"] = "private, no-cache"
