"""Pages for joining with a phone, and the player's main page."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from referee.live.sockets import messages as protocol
from referee.phone import join_tokens, new_player_limit
from referee.phone.forms import CodeForm, SeatForm
from referee.security import failure_throttle
from referee.security.player_tokens import COOKIE, leave_seat, put_seat, read_seat
from tournaments.errors import Refused
from tournaments.events.queries.events import event_by_code, rooms_of
from tournaments.models import Event, Player, Room
from tournaments.now import utc_now
from tournaments.players.queries.players import player_by_token
from tournaments.players.queries.retention import person_data
from tournaments.players.services import players, seats

# Listed for preloading in templates/phone/slip.html, so that a phone fetches all modules at once.
MODULES = (
    *(
        f"common/{name}.js"
        for name in ("board", "board_words", "clock", "reconnecting_socket", "reference", "text", "tiles")
    ),
    *(f"phone/{name}.js" for name in ("appeals", "countdown", "draft", "http_polling", "letter_tiles", "page_refresh")),
    *(f"phone/{name}.js" for name in ("queue", "screen", "send_button", "slip_check", "slip_form", "state")),
    *(f"phone/{name}.js" for name in ("wake_lock", "word_entry")),
)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Redirect an event code to its event."""
    form = CodeForm(request.POST) if request.method == "POST" else CodeForm()
    if request.method == "POST" and form.is_valid():
        event = _event_with_code(request, form)
        if event is not None:
            return redirect("phone:join_event", code=event.code)
    return _page(request, "phone/join.html", {"form": form, "seat": get_seated_player(request)}, bad=form.is_bound)


@require_http_methods(["GET", "HEAD", "POST"])
def join_event(request: HttpRequest, code: str) -> HttpResponse:
    """Seat a phone by name or table number."""
    form = CodeForm({"code": code})
    event = _event_with_code(request, form) if form.is_valid() else None
    if event is None:
        return _page(request, "phone/join.html", {"form": form, "seat": get_seated_player(request)}, bad=True)
    on_card = {name: request.GET.get(name) for name in ("table", "seat_code", "room")}
    seat_form = SeatForm(request.POST) if request.method == "POST" else SeatForm(initial=on_card)
    if seat_form.is_bound and seat_form.is_valid():
        answer = _take_seat(request, event, seat_form)
        if answer is not None:
            return answer
    seat = get_seated_player(request)
    here = seat if seat is not None and seat.event_id == event.pk else None
    rooms = rooms_of(event)
    context = {"form": seat_form, "event": event, "seat": here, "ticket": join_tokens.issue_ticket()}
    if len(rooms) > 1:
        context |= {"rooms": rooms, "room": _find_room(rooms, str(seat_form["room"].value() or ""))}
    return _page(request, "phone/join_event.html", context, bad=seat_form.is_bound)


@gzip_page
@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """Show the player's page; redirect a phone without a seat."""
    player = get_seated_player(request)
    if player is None:
        return redirect_to_join(request)
    context = {
        "player": player,
        "event": player.event,
        "join_url": f"{reverse('phone:join_event', args=[player.event.code])}?table={player.table}",
        "modules": MODULES,
        "version": protocol.VERSION,
    }
    return _page(request, "phone/slip.html", context)


@require_safe
def my_data(request: HttpRequest) -> HttpResponse:
    """Return all stored data of the player as a file."""
    player = get_seated_player(request)
    if player is None:
        return redirect_to_join(request)
    response = JsonResponse(person_data(player), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{player.event.code}-{player.table}.json"'
    response["Cache-Control"] = "no-store"
    return response


def _event_with_code(request: HttpRequest, form: CodeForm) -> Event | None:
    """Return the event of a valid code form; count a wrong code and add it to the form's errors."""
    event = event_by_code(form.cleaned_data["code"])
    if event is None:
        failure_throttle.count_failed_request(request)
        form.add_error("code", _("No game has this code: look at the wall and type it again."))
    return event


def _take_seat(request: HttpRequest, event: Event, form: SeatForm) -> HttpResponse | None:
    """Seat the phone; None if refused, with the reason in the form."""
    name, table = form.cleaned_data["name"], form.cleaned_data["table"]
    token = join_tokens.token_for(form.cleaned_data["ticket"], event, name, table)
    held = frozenset({token, read_seat(request.COOKIES) or token})
    check_admission = seats.make_admission_check(event=event, code=form.cleaned_data["seat_code"], tokens=held)

    def admit(player: Player | None) -> None:
        check_admission(player)
        if player is None:
            new_player_limit.count_new_player(event, failure_throttle.address_of(request))

    try:
        players.join_event(
            event=event,
            name=name,
            table=table,
            nickname=form.cleaned_data["nickname"] or None,
            now=utc_now(),
            token=token,
            admit=admit,
            room=_requested_room(event, str(form.cleaned_data["room"] or "")),
        )
    except Refused as refusal:
        if isinstance(refusal, seats.WrongSeatCode):
            failure_throttle.count_failed_request(request)
        form.add_error(None, refusal.sentence)
        return None
    response = redirect("phone:play")
    put_seat(response, request, token)
    return response


def _requested_room(event: Event, number: str) -> Room | None:
    return _find_room(rooms_of(event), number) if number else None


def _find_room(rooms: Sequence[Room], number: str) -> Room | None:
    """Return the room with this number; None if the number is wrong or there is only one room."""
    return next((room for room in rooms if len(rooms) > 1 and str(room.number) == number), None)


def get_seated_player(request: HttpRequest) -> Player | None:
    """Return the player of this phone; None without a valid seat."""
    token = read_seat(request.COOKIES)
    return None if token is None else player_by_token(token)


def redirect_to_join(request: HttpRequest) -> HttpResponse:
    """Redirect to joining; remove a seat that is no longer valid."""
    response = redirect("phone:join")
    if COOKIE in request.COOKIES:
        messages.info(request, _("This phone is not in the game any more: join again with the code on the wall."))
        leave_seat(response)
    return response


def _page(request: HttpRequest, template: str, context: dict[str, object], *, bad: bool = False) -> HttpResponse:
    """Render a page that the browser may cache for going back, but shared caches may not store."""
    response = render(request, template, context, status=422 if bad else 200)
    _forbid_shared_caching(response)
    return response


def _forbid_shared_caching(response: HttpResponseBase) -> None:
    response["Cache-Control"] = "private, no-cache"
