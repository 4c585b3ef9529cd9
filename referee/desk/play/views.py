"""The pages of a game in play."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django_htmx.http import HttpResponseClientRedirect

from referee.desk.access import desk_page, refresh_desk
from referee.desk.actions import perform
from referee.desk.colleague_acts import explain_refusal
from referee.desk.desk import Desk
from referee.desk.events.rounds import rounds_page
from referee.desk.form_values import get_return_url
from referee.desk.notices import with_notices
from referee.desk.play.arrivals import arrivals_context
from referee.desk.play.console import console_context
from referee.desk.play.playing_judge import playing_context
from referee.desk.play.typing_conflicts import add_conflict_question, conflicts_context
from referee.desk.play.typist import typist_context
from referee.desk.registry import ACTIONS
from referee.desk.spoiler_guard import get_playing_judge
from referee.phone.join_address import join_card
from referee.security.permissions import JUDGES, STAFF
from referee.views.desk import list_tops
from tournaments.enums import Role
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import rooms_of
from tournaments.members.queries.linked_players import get_member_links
from tournaments.models import Member, Room
from tournaments.now import utc_now
from tournaments.play.queries.phases import get_room_turn
from tournaments.play.queries.spoiler_policy import may_see_moves
from tournaments.players.queries.players import find_player_line, player_lines, unknown_without_slips
from tournaments.players.queries.reversible_acts import list_undo_offers

MANY_UNKNOWN = 30


@desk_page("console", get=STAFF, spoiler=False)
def console(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the console."""
    return render(request, "desk/play/console.html", _context(request, desk))


@desk_page("main", get=STAFF, spoiler=False)
def console_main(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Render the part of the console that changes, after a page was notified of a change."""
    return _main(request, desk)


def _to_page(request: HttpRequest, address: str) -> HttpResponse:
    """Send the browser to another page, also when htmx has asked for a part of this one."""
    return HttpResponseClientRedirect(address) if getattr(request, "htmx", False) else redirect(address)


@desk_page("act", post=STAFF, spoiler=False)
def act(request: HttpRequest, desk: Desk, action: str) -> HttpResponse:
    """Do one action and show the result. A repeated click changes nothing and gets a sentence that says so."""
    if action not in ACTIONS:
        raise Http404
    sentence = refused = already = None
    try:
        sentence = perform(desk, action, request.POST, utc_now())
    except AlreadyDone as done:
        already = explain_refusal(desk, done)
    except Refused as error:
        refused = explain_refusal(desk, error)
    if request.accepts("application/json") and not request.accepts("text/html"):
        return JsonResponse({"ok": refused is None, "sentence": refused or sentence or already or ""})
    for level, text in ((messages.ERROR, refused), (messages.SUCCESS, sentence), (messages.INFO, already)):
        if text:
            messages.add_message(request, level, text)
    if refused and (page := _page_with_typed_values(request, desk, action)):
        return page
    if not Room.objects.filter(pk=desk.room.pk).exists():  # the action has removed the room
        return _to_page(request, f"/desk/{desk.event.code}/")
    if getattr(request, "htmx", False):
        desk.game.refresh_from_db()
        return with_notices(request, _main(request, desk, confirmed="seen" in request.POST))
    return redirect(get_return_url(request, f"/desk/{desk.code}/"))


def _page_with_typed_values(request: HttpRequest, desk: Desk, action: str) -> HttpResponse | None:
    """Return the page of a refused form with all that was typed; None for an action that needs no typing."""
    if request.POST.get("lines"):
        return _players_page(request, desk)
    return rounds_page(request, desk, request.POST) if action == "plan-round" else None


@desk_page("peek", get=JUDGES, spoiler=True)
def early_tops(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the tops before the clock has closed, for a judge who asks for them by a key.

    A room that follows does not get them, since the script is ahead of it.
    """
    turn = get_room_turn(desk.game, desk.room)
    if turn is None or not desk.room.is_drawing:
        raise Http404
    if not may_see_moves(turn=turn, room=desk.room, user=desk.user, now=utc_now()):
        raise Http404
    return render(request, "desk/play/_tops.html", {"event": desk.event, "tops": list_tops(turn), "top": turn.top})


@desk_page("players", get=STAFF, spoiler=False)
def players(request: HttpRequest, desk: Desk) -> HttpResponse:
    """List the players, with the instructions to join."""
    return _players_page(request, desk)


@desk_page("player", get=STAFF, spoiler=False)
def player_changes(request: HttpRequest, desk: Desk, table: int) -> HttpResponse:
    """The part of the players' page with what can be changed about one of them; fetched when it is opened."""
    line = find_player_line(desk.event, desk.game, table, None if desk.room.is_drawing else desk.room)
    if line is None:
        raise Http404
    context = {
        "event": desk.event,
        "line": line,
        "links": get_member_links(desk.event).get(line.player.pk, ()),
        "rooms": rooms_of(desk.event) if desk.has_rooms else [],
    }
    return render(request, "desk/players/_player_changes.html", context)


def _players_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    lines = player_lines(desk.event, desk.game, None if desk.room.is_drawing else desk.room)
    links = get_member_links(desk.event)
    context = {
        "event": desk.event,
        "lines": [(line, links.get(line.player.pk, ())) for line in lines],
        "rooms": rooms_of(desk.event) if desk.has_rooms else [],
        "has_members": Member.objects.exists(),
        "listed": sum(not line.player.self_joined for line in lines),
        "unknown": unknown_without_slips(desk.event).count(),
        "many_unknown": MANY_UNKNOWN,
        "typed": request.POST.get("lines", ""),
        "undo_offers": list_undo_offers(desk.event, utc_now()),
        "page": "players",
        **_join_card(request, desk),
    }
    return render(request, "desk/players/players.html", context)


def _main(request: HttpRequest, desk: Desk, *, confirmed: bool = False) -> HttpResponse:
    """Render the part that changes; `confirmed` removes the preview of the confirmed action."""
    context = _context(request, desk) | {"confirmed": confirmed}
    return render(request, str(context["main_template"]), context)


def _context(request: HttpRequest, desk: Desk) -> dict[str, object]:
    """Return the context of the console. For a typist, and for a judge who plays along, only public data is queried."""
    desk = refresh_desk(desk)
    extra = {
        "plays_along": get_playing_judge(desk.spoiler_guard),
        **_join_card(request, desk),
        **arrivals_context(desk, utc_now()),
    }
    if desk.is_turn_hidden:
        return playing_context(desk, utc_now()) | extra
    build_context = typist_context if desk.role is Role.TYPIST else console_context
    return add_conflict_question({**build_context(desk, utc_now()), **conflicts_context(desk), **extra})


def _join_card(request: HttpRequest, desk: Desk) -> dict[str, object]:
    return join_card(request, desk.event, desk.room if desk.has_rooms else None)
