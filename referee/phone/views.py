"""Pages for joining with a phone, and the player's main page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from referee.live.sockets import messages as protocol
from referee.phone import join_tokens, new_phone_requests, new_player_limit
from referee.phone.forms import HIGHEST_TABLE, LONGEST_NAME, CodeForm, SeatForm
from referee.phone.join_list import find_listed, find_near, finds_members, get_join_list
from referee.security import failure_throttle
from referee.security.player_tokens import COOKIE, leave_seat, put_seat, read_seat
from tournaments.errors import Refused
from tournaments.events.queries.events import desk_address, event_by_code, rooms_of
from tournaments.members.queries.event_members import get_member_name
from tournaments.members.services.event_players import join_as_member
from tournaments.models import Event, Player, Room
from tournaments.now import utc_now
from tournaments.players.queries.players import player_by_token
from tournaments.players.queries.retention import person_data
from tournaments.players.services import players, seats

Step = dict[str, object]
"""The question that joining asks next: its template `step`, and what that needs."""

# Listed for preloading in templates/phone/slip.html, so that a phone fetches all modules at once.
MODULES = (
    *(
        f"common/{name}.js"
        for name in ("board", "board_words", "clock", "reconnecting_socket", "reference", "text", "tiles")
    ),
    *(f"phone/{name}.js" for name in ("appeals", "celebration", "countdown", "draft", "http_polling", "letter_tiles")),
    *(f"phone/{name}.js" for name in ("page_refresh", "page_text", "queue", "screen", "send_button", "share_card")),
    *(f"phone/{name}.js" for name in ("slip_check", "slip_form", "state", "unsent", "wake_lock", "word_entry")),
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
    """Seat a phone: the player finds their name on the list, or says that it is not there."""
    form = CodeForm({"code": code})
    event = _event_with_code(request, form) if form.is_valid() else None
    if event is None:
        return _page(request, "phone/join.html", {"form": form, "seat": get_seated_player(request)}, bad=True)
    on_card = {name: request.GET.get(name) for name in ("table", "seat_code", "room", "name")}
    seat_form = SeatForm(request.POST) if request.method == "POST" else SeatForm(initial=on_card)
    step: Step = {}
    if seat_form.is_bound and seat_form.is_valid():
        answer = _take_seat(request, event, seat_form)
        if isinstance(answer, HttpResponse):
            return answer
        step = answer
    if not step:
        step = _first_step(request, event, seat_form)
    seat = get_seated_player(request)
    here = seat if seat is not None and seat.event_id == event.pk else None
    rooms = rooms_of(event)
    context = {"form": seat_form, "event": event, "seat": here, "ticket": join_tokens.issue_ticket(), **step}
    context["may_be_new"] = not event.listed_only and not event.seat_codes
    context["finds_members"] = finds_members(event)
    if len(rooms) > 1:
        context |= {"rooms": rooms, "room": _find_room(rooms, str(seat_form["room"].value() or ""))}
    return _page(request, f"phone/join_{context['step']}.html", context, bad=seat_form.is_bound)


def _first_step(request: HttpRequest, event: Event, form: SeatForm) -> Step:
    """Return the question to ask: who are you (the list), is this your table, or what is your name."""
    table = str(form["table"].value() or "")
    listed = find_listed(event, int(table)) if table.isdecimal() and int(table) <= HIGHEST_TABLE else None
    if listed is not None and not form["name"].value():
        return {"step": "table", "listed": listed}
    if form.is_bound or "new" in request.GET:
        return {"step": "name"}
    question = request.GET.get("q", "")[:LONGEST_NAME]
    join_list = get_join_list(event, question)
    if not join_list.players and not join_list.is_partial and not question:
        return {"step": "name"}
    return {"step": "list", "question": question, "list": join_list}


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
        "room": desk_address(player.event, player.room),
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


def _take_seat(request: HttpRequest, event: Event, form: SeatForm) -> HttpResponse | Step:
    """Seat the phone, or return the question to ask first; without one the reason of the refusal is in the form."""
    name, table, member = (form.cleaned_data[field] for field in ("name", "table", "member"))
    is_typed = name and table is None and member is None
    if is_typed and not form.cleaned_data["is_new"] and (near := find_near(event, name)):
        return {"step": "near", "near": near}
    meant = name or (get_member_name(member) if member is not None else "")
    token = join_tokens.token_for(form.cleaned_data["ticket"], event, meant, table)
    held = frozenset({token, read_seat(request.COOKIES) or token})
    check_admission = seats.make_admission_check(event=event, code=form.cleaned_data["seat_code"], tokens=held)

    def admit(player: Player | None) -> None:
        check_admission(player)
        if player is None:
            new_player_limit.count_new_player(event, failure_throttle.address_of(request))

    try:
        join = partial(players.join_event, name=name, table=table)
        if member is not None and table is None:
            join = partial(join_as_member, member=member)
        join(
            event=event,
            nickname=form.cleaned_data["nickname"] or None,
            now=utc_now(),
            token=token,
            admit=admit,
            room=_requested_room(event, str(form.cleaned_data["room"] or "")),
        )
    except seats.TableHasPhone as refusal:
        form.add_error(None, refusal.sentence)
        if form.cleaned_data["asks_judge"]:
            new_phone_requests.ask_judge(refusal.player)
        return {"step": "phone", "player": refusal.player}
    except Refused as refusal:
        if isinstance(refusal, seats.WrongSeatCode):
            failure_throttle.count_failed_request(request)
        form.add_error(None, refusal.sentence)
        return {}
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
