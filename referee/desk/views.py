"""The pages of a game at the judge's desk."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import trigger_client_event

from referee.desk.access import Desk, at_desk
from referee.desk.actions import ACTIONS
from referee.desk.console import console_context
from referee.joining import join_card
from tournaments.errors import AlreadyDone, Refused
from tournaments.now import utc_now
from tournaments.selectors.desk import desk_view, tops
from tournaments.selectors.phases import current_turn
from tournaments.selectors.players import player_lines
from tournaments.services import slips


@require_GET
@at_desk
def console(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The desk itself."""
    return render(request, "desk/console.html", console_context(desk, utc_now()) | join_card(request, desk.event))


@require_GET
@at_desk
def console_main(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The part of the desk that changes, for a page that was told that something has changed."""
    return _main(request, desk)


@require_POST
@at_desk
def act(request: HttpRequest, desk: Desk, action: str) -> HttpResponse:
    """Do one action and show what came of it; a second click on something done already changes nothing."""
    if action not in ACTIONS:
        raise Http404
    sentence = refused = None
    try:
        sentence = ACTIONS[action](desk, request.POST, utc_now())
    except AlreadyDone:
        pass  # a double click: show what there is
    except Refused as error:
        refused = error.sentence
    if request.accepts("application/json") and not request.accepts("text/html"):
        return JsonResponse({"ok": refused is None, "sentence": refused or sentence or ""})
    if refused:
        messages.error(request, refused)
    elif sentence:
        messages.success(request, sentence)
    if getattr(request, "htmx", False):
        desk.game.refresh_from_db()
        return with_notices(request, _main(request, desk, confirmed="seen" in request.POST))
    return redirect(_back(request, desk))


@require_GET
@at_desk
def echo(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Say in plain words how a line for a paper slip is read, before it counts."""
    line = request.GET.get("line", "").strip()
    if not line:
        return JsonResponse({"ok": False, "sentence": _("Table, reference, word, score – then Enter.")})
    try:
        return JsonResponse({"ok": True, "sentence": slips.read_paper(game=desk.game, line=line).sentence})
    except Refused as refused:
        return JsonResponse({"ok": False, "sentence": str(refused)})


@require_GET
@at_desk
def peek(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The tops before the clock has closed, for a judge who asks for them by a key."""
    turn = current_turn(desk.game)
    if turn is None:
        raise Http404
    return render(request, "desk/_tops.html", {"event": desk.event, "tops": tops(turn), "top": turn.top})


@require_GET
@at_desk
def players(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Who plays, and how players join."""
    lines = player_lines(desk.event, desk.game)
    context = {"event": desk.event, "lines": lines, "page": "players"} | join_card(request, desk.event)
    return render(request, "desk/players.html", context)


@require_GET
@at_desk
def log(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Every turn so far: racks, rejected racks, tops, master moves."""
    view = desk_view(desk.game, desk.room, utc_now())
    return render(request, "desk/log.html", {"event": desk.event, "view": view, "page": "log"})


def with_notices(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The page outside of what is swapped draws these (static/desk/desk.js)."""
    notices = [{"kind": message.tags, "text": str(message)} for message in messages.get_messages(request)]
    return trigger_client_event(response, "notices", {"notices": notices})


def _main(request: HttpRequest, desk: Desk, *, confirmed: bool = False) -> HttpResponse:
    """The changing part; `confirmed` takes the preview away that was confirmed."""
    context = console_context(desk, utc_now()) | join_card(request, desk.event) | {"confirmed": confirmed}
    return render(request, "desk/_main.html", context)


def _back(request: HttpRequest, desk: Desk) -> str:
    """The page of this site that the form stood on, else the console."""
    came_from = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(came_from, allowed_hosts={request.get_host()}):
        return came_from
    return f"/desk/{desk.event.code}/"
