"""The pages of a game at the judge's desk."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from referee.desk.access import Desk, at_desk, looked_again
from referee.desk.actions import ACTIONS, perform
from referee.desk.console import console_context
from referee.desk.ledger import ledger_context
from referee.desk.notices import with_notices
from referee.desk.playing import playing_context
from referee.desk.posted import way_back
from referee.desk.typings import asked_with, typings_context
from referee.desk.typist import typist_context
from referee.desk.veil import plays_along
from referee.joining import join_card
from tournaments.enums import Role
from tournaments.errors import AlreadyDone, Refused
from tournaments.now import utc_now
from tournaments.selectors.desk import desk_view, tops
from tournaments.selectors.events import rooms_of
from tournaments.selectors.moves_seen import may_see_moves
from tournaments.selectors.phases import turn_in
from tournaments.selectors.players import player_lines, unknown_without_slips

MANY_UNKNOWN = 30


@require_GET
@at_desk
def console(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The desk itself."""
    return render(request, "desk/console.html", _context(request, desk))


@require_GET
@at_desk
def console_main(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The part of the desk that changes, for a page that was told that something has changed."""
    return _main(request, desk)


@require_POST
@at_desk
def act(request: HttpRequest, desk: Desk, action: str) -> HttpResponse:
    """Do one action and show what came of it. What another click has done already changes nothing, and is told."""
    if action not in ACTIONS:
        raise Http404
    sentence = refused = already = None
    try:
        sentence = perform(desk, action, request.POST, utc_now())
    except AlreadyDone as done:
        already = done.sentence
    except Refused as error:
        refused = error.sentence
    if request.accepts("application/json") and not request.accepts("text/html"):
        return JsonResponse({"ok": refused is None, "sentence": refused or sentence or already or ""})
    if refused:
        messages.error(request, refused)
    elif sentence:
        messages.success(request, sentence)
    elif already:
        messages.info(request, already)
    if getattr(request, "htmx", False):
        desk.game.refresh_from_db()
        return with_notices(request, _main(request, desk, confirmed="seen" in request.POST))
    return redirect(way_back(request, f"/desk/{desk.code}/"))


@require_GET
@at_desk
def peek(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The tops before the clock has closed, for a judge who asks for them by a key; not in a room that follows, where
    the script knows more than the room."""
    turn = turn_in(desk.game, desk.room)
    if turn is None or not desk.room.is_drawing:
        raise Http404
    if not may_see_moves(turn=turn, room=desk.room, user=desk.user, now=utc_now()):
        raise Http404
    return render(request, "desk/_tops.html", {"event": desk.event, "tops": tops(turn), "top": turn.top})


@require_GET
@at_desk
def players(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Who plays, and how players join."""
    lines = player_lines(desk.event, desk.game, None if desk.room.is_drawing else desk.room)
    context = {
        "event": desk.event,
        "lines": lines,
        "rooms": rooms_of(desk.event) if desk.has_rooms else [],
        "listed": sum(not line.player.self_joined for line in lines),
        "unknown": unknown_without_slips(desk.event).count(),
        "many_unknown": MANY_UNKNOWN,
        "page": "players",
        **_join_card(request, desk),
    }
    return render(request, "desk/players.html", context)


@require_GET
@at_desk
def log(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Every turn so far: racks, rejected racks, tops, master moves; with `?ledger=1` whether the ledger holds."""
    view = desk_view(desk.game, desk.room, utc_now(), veiled=desk.is_veiled)
    ledger = ledger_context(desk.game) if "ledger" in request.GET else {}
    context = {"event": desk.event, "view": view, "page": "log", "may_verify": not desk.is_veiled}
    return render(request, "desk/log.html", {**context, **ledger})


def _main(request: HttpRequest, desk: Desk, *, confirmed: bool = False) -> HttpResponse:
    """The changing part; `confirmed` takes the preview away that was confirmed."""
    context = _context(request, desk) | {"confirmed": confirmed}
    return render(request, str(context["main_template"]), context)


def _context(request: HttpRequest, desk: Desk) -> dict[str, object]:
    """What may be seen: for a typist, and for a judge who plays along, nothing is even read that the hall does not
    know."""
    desk = looked_again(desk)
    also = {"plays_along": plays_along(desk.veil), **_join_card(request, desk)}
    if desk.is_veiled:
        return playing_context(desk, utc_now()) | also
    shown = typist_context if desk.role is Role.TYPIST else console_context
    return asked_with({**shown(desk, utc_now()), **typings_context(desk), **also})


def _join_card(request: HttpRequest, desk: Desk) -> dict[str, object]:
    return join_card(request, desk.event, desk.room if desk.has_rooms else None)
