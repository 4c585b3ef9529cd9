"""Pages of prepared games: order, play in an event, open, print, save, practise, delete."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from engine.bounded_input import parse_whole_number
from engine.draw.reproducible import SEED_BYTES
from referee.desk.access import View, desk_page, general_page, user_of
from referee.desk.desk import Desk
from referee.desk.events.game_form import GameForm
from referee.desk.prepared.forms import ImportGameForm, PrepareForm
from referee.desk.registry import Access
from referee.pdf.catalogue import DOCUMENTS
from referee.phone.join_address import base_of
from referee.security.permissions import JUDGES
from tournaments.enums import PreparationState, ScriptKind
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import events_directed_by
from tournaments.models import Event, PracticeLink, PreparedGame
from tournaments.now import utc_now
from tournaments.play.queries.playing_judge import is_playing_script
from tournaments.prepared.queries.replayed_game import field_standings
from tournaments.prepared.scripts import script_of
from tournaments.prepared.services import prepared_games as prepared_games_services
from tournaments.prepared.services import scripted_game, solo_practice

P = ParamSpec("P")
PreparedGameView = Callable[Concatenate[HttpRequest, User, PreparedGame, P], HttpResponseBase]
LIST_URL = "desk:prepared"
SHEET, CALLS, ENVELOPE = "prepared", "prepared-calls", "prepared-envelope"


def prepared_game_page(name: str) -> Callable[[PreparedGameView[P]], View]:
    """Declare a view as a page about one prepared game of the user; for other users the game does not exist.

    A refusal redirects to the list of prepared games and shows the sentence there.
    """

    def declare(view: PreparedGameView[P]) -> View:
        @general_page(name, access=Access.ORGANISER)
        @wraps(view)
        def with_game(request: HttpRequest, pk: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            user = user_of(request)
            prepared = get_object_or_404(PreparedGame.objects.exclude(kind=ScriptKind.SEALED), pk=pk, by=user)
            try:
                _require_not_playing(user, prepared)
                return view(request, user, prepared, *args, **kwargs)
            except AlreadyDone:
                return redirect(LIST_URL)
            except Refused as refused:
                messages.error(request, refused.sentence)
                return redirect(LIST_URL)

        return with_game

    return declare


def _require_not_playing(user: User, prepared: PreparedGame) -> None:
    """Refuse to open a prepared game whose script the user's present game follows."""
    if is_playing_script(user, prepared):
        raise Refused(_("You play along in a game that follows this one: it stays sealed for you until that is over."))


@require_http_methods(["GET", "POST"])
@general_page("prepared", access=Access.ORGANISER)
def prepared_games(request: HttpRequest) -> HttpResponse:
    """List the user's prepared games; a POST orders one."""
    posted = request.POST if request.method == "POST" else None
    form = PrepareForm(posted)
    game_form = GameForm(posted, rules=form.rules)
    if posted is not None and form.is_valid() and game_form.is_valid():
        try:
            order, secret = form.order(game_form), secrets.token_bytes(SEED_BYTES)
            prepared_games_services.order_game(
                title=form.cleaned_data["title"], order=order, by=user_of(request), now=utc_now(), secret=secret
            )
            return redirect(LIST_URL)
        except Refused as refused:
            form.add_error(None, refused.sentence)
    return _list_page(request, form, game_form, ImportGameForm())


@require_POST
@general_page("prepared-bring", access=Access.ORGANISER)
def import_game(request: HttpRequest) -> HttpResponse:
    """Import a prepared game, or an archive to replay, from a file."""
    form = ImportGameForm(request.POST, request.FILES)
    if form.is_valid():
        cleaned = form.cleaned_data
        try:
            prepared_games_services.import_game(
                text=cleaned["file"],
                title=cleaned["title"],
                lexicon=cleaned["lexicon"] or None,
                by=user_of(request),
                now=utc_now(),
            )
            return redirect(LIST_URL)
        except Refused as refused:
            form.add_error(None, refused.sentence)
    order = PrepareForm()
    return _list_page(request, order, GameForm(rules=order.rules), form)


@require_POST
@prepared_game_page("prepared-play")
def play_prepared_game(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """Make the game of an event follow the script."""
    event = get_object_or_404(events_directed_by(user), code=request.POST.get("event", ""))
    scripted_game.follow_script(prepared=prepared, event=event, by=user, now=utc_now())
    return redirect("desk:console", event.code)


@require_http_methods(["GET", "POST"])
@prepared_game_page("prepared-inside")
def script_page(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """Show the whole script; only a POST breaks the seal, which is recorded."""
    if request.method == "GET" and not _is_opened(prepared):
        return render(request, "desk/prepared/prepared_seal.html", {"prepared": prepared})
    if request.method == "POST":
        prepared = prepared_games_services.record_access(prepared=prepared, act="opened", by=user, now=utc_now())
        return redirect("desk:prepared-inside", prepared.pk)
    context = {"prepared": prepared, "script": script_of(prepared), "may_choose": _may_choose(prepared)}
    return render(request, "desk/prepared/prepared_contents.html", context)


@require_POST
@prepared_game_page("prepared-choose")
def choose_master(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """Choose another master move in a turn of an opened script."""
    if not _is_opened(prepared):
        return redirect("desk:prepared-inside", prepared.pk)
    turn = parse_whole_number(request.POST.get("turn", ""))
    if turn is None:
        raise Http404
    try:
        prepared_games_services.choose_master_move(
            prepared=prepared,
            turn=turn,
            word=request.POST.get("word", ""),
            ref=request.POST.get("ref", ""),
            why=request.POST.get("why", ""),
            by=user,
            now=utc_now(),
        )
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("desk:prepared-inside", prepared.pk)


@require_POST
@prepared_game_page("prepared-sheet")
def sheet(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """Send the sealed sheet, or the call sheets, as PDF."""
    printed = prepared_games_services.record_access(prepared=prepared, act="printed", by=user, now=utc_now())
    kind = request.POST.get("document")
    printable = DOCUMENTS[CALLS if kind == CALLS else SHEET]
    content = printable.make(script_of(printed), language=get_language() or "it")
    return _file(content, "application/pdf", f"{printable.name}-{printed.pk}.pdf")


@require_GET
@prepared_game_page("prepared-envelope")
def envelope(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """Send the label for the envelope; it shows only the fingerprint, so sending it does not break the seal."""
    if prepared.script is None:
        raise Refused(_("This game is still being prepared: wait until it is ready."))
    content = DOCUMENTS[ENVELOPE].make(script_of(prepared), language=get_language() or "it")
    return _file(content, "application/pdf", f"{ENVELOPE}-{prepared.pk}.pdf")


@require_POST
@prepared_game_page("prepared-save")
def download_game(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """Send the file of the game, with its secrets."""
    saved = prepared_games_services.record_access(prepared=prepared, act="saved", by=user, now=utc_now())
    text = json.dumps(saved.script, ensure_ascii=False, indent=1)
    return _file(text.encode(), "application/json; charset=utf-8", f"prepared-{saved.pk}.json")


@require_POST
@prepared_game_page("prepared-practice")
def practice_link(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """Create a link to practise the game alone; `close` withdraws it."""
    if "close" in request.POST:
        for link in PracticeLink.objects.filter(prepared=prepared):
            solo_practice.close_link(link=link, now=utc_now())
        return redirect(LIST_URL)
    solo_practice.make_link(prepared=prepared, by=user, now=utc_now())
    return redirect(LIST_URL)


@require_POST
@prepared_game_page("prepared-throw-away")
def delete_game(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """Delete a prepared game."""
    prepared_games_services.delete_game(prepared=prepared)
    return redirect(LIST_URL)


@desk_page("practise-game", post=JUDGES, spoiler=True)
def practise_game(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Create a link to practise the finished game of this event."""
    try:
        link = solo_practice.link_for_game(game=desk.game, by=desk.user, now=utc_now())
        sentence = _("Anyone who opens this address plays the game alone: %(link)s")
        messages.success(request, sentence % {"link": _address(request, link)})
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("desk:console", desk.code)


@desk_page("field", get=JUDGES, spoiler=True)
def choose_players(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Choose the players of a replayed game among those of the original."""
    standings = field_standings(desk.game)
    if standings is None:
        raise Http404
    numbers = range(1, standings.turns + 1)
    context = {"event": desk.event, "field": standings, "numbers": numbers, "page": "standings"}
    return render(request, "desk/results/original_field.html", context)


def _list_page(
    request: HttpRequest, form: PrepareForm, game_form: GameForm, bring_form: ImportGameForm
) -> HttpResponse:
    user = user_of(request)
    games = list(
        PreparedGame.objects.filter(by=user)
        .exclude(kind=ScriptKind.SEALED)
        .defer("script")
        .prefetch_related("games__event")
    )
    open_links = PracticeLink.objects.filter(closed_at=None, prepared__by=user)
    links = {link.prepared_id: _address(request, link) for link in open_links}
    context = {
        "games": [(game, links.get(game.pk, "")) for game in games],
        "events": _events(user),
        "waiting": any(game.state == PreparationState.MAKING for game in games),
        "form": form,
        "game_form": game_form,
        "bring_form": bring_form,
    }
    if getattr(request, "htmx", False):
        return render(request, "desk/prepared/_prepared_games.html", context)
    status = 422 if any(each.is_bound and each.errors for each in (form, game_form, bring_form)) else 200
    return render(request, "desk/prepared/prepared.html", context, status=status)


def _events(user: User) -> list[Event]:
    return list(events_directed_by(user)[:30])


def _is_opened(prepared: PreparedGame) -> bool:
    return any(act["kind"] == "opened" for act in prepared.acts)


def _may_choose(prepared: PreparedGame) -> bool:
    return prepared.kind == "prepared" and not prepared.games.exists()


def _address(request: HttpRequest, link: PracticeLink) -> str:
    base = base_of(request)
    return f"{base}{reverse('practice:show', args=[link.token])}"


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)
