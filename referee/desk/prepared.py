"""Prepared games at the judge's desk: ordered, played in an event, opened, printed, saved, practised, thrown away."""

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

from engine.bounded_input import whole_number
from engine.draw import SEED_BYTES
from referee.desk.access import Desk, at_desk, for_organisers
from referee.desk.game_form import GameForm
from referee.desk.prepared_form import BringForm, PrepareForm
from referee.joining import base_of
from referee.pdf.catalogue import DOCUMENTS
from tournaments.enums import MakingState
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Event, PracticeLink, PreparedGame
from tournaments.now import utc_now
from tournaments.scripts import script_of
from tournaments.selectors.events import events_directed_by
from tournaments.selectors.playing_along import plays_by_script
from tournaments.selectors.replayed import field_standings
from tournaments.services import following, practising, preparing

P = ParamSpec("P")
LIST = "desk:prepared"
SHEET, CALLS, ENVELOPE = "prepared", "prepared-calls", "prepared-envelope"


def of_judge(
    view: Callable[Concatenate[HttpRequest, User, PreparedGame, P], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """Find a prepared game of the user; for anybody else it does not exist. A refusal leads back with its sentence."""

    @wraps(view)
    @for_organisers
    def with_game(request: HttpRequest, pk: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        user = _user(request)
        prepared = get_object_or_404(PreparedGame, pk=pk, by=user)
        try:
            _demand_not_played(user, prepared)
            response = view(request, user, prepared, *args, **kwargs)
        except AlreadyDone:
            response = redirect(LIST)
        except Refused as refused:
            messages.error(request, refused.sentence)
            response = redirect(LIST)
        return response

    return with_game


def _demand_not_played(user: User, prepared: PreparedGame) -> None:
    """Who plays along in a game does not open what it follows."""
    if plays_by_script(user, prepared):
        raise Refused(_("You play along in a game that follows this one: it stays sealed for you until that is over."))


@require_http_methods(["GET", "POST"])
@for_organisers
def prepared_games(request: HttpRequest) -> HttpResponse:
    """The judge's prepared games; a POST orders one."""
    posted = request.POST if request.method == "POST" else None
    form = PrepareForm(posted)
    game_form = GameForm(posted, rules=form.rules)
    if posted is not None and form.is_valid() and game_form.is_valid():
        try:
            order, secret = form.order(game_form), secrets.token_bytes(SEED_BYTES)
            preparing.ask(
                title=form.cleaned_data["title"], order=order, by=_user(request), now=utc_now(), secret=secret
            )
            return redirect(LIST)
        except Refused as refused:
            form.add_error(None, refused.sentence)
    return _list_page(request, form, game_form, BringForm())


@require_POST
@for_organisers
def bring(request: HttpRequest) -> HttpResponse:
    """A prepared game, or an archive to replay, out of a file."""
    form = BringForm(request.POST, request.FILES)
    if form.is_valid():
        given = form.cleaned_data
        try:
            preparing.bring(
                text=given["file"],
                title=given["title"],
                lexicon=given["lexicon"] or None,
                by=_user(request),
                now=utc_now(),
            )
            return redirect(LIST)
        except Refused as refused:
            form.add_error(None, refused.sentence)
    order = PrepareForm()
    return _list_page(request, order, GameForm(rules=order.rules), form)


@require_POST
@of_judge
def play(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """The game of an event follows the script."""
    event = get_object_or_404(events_directed_by(user), code=request.POST.get("event", ""))
    following.play(prepared=prepared, event=event, by=user, now=utc_now())
    return redirect("desk:console", event.code)


@require_http_methods(["GET", "POST"])
@of_judge
def inside(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """The whole script; only a POST breaks the seal, and that is noted."""
    if request.method == "GET" and not _is_opened(prepared):
        return render(request, "desk/prepared_seal.html", {"prepared": prepared})
    if request.method == "POST":
        prepared = preparing.opened(prepared=prepared, act="opened", by=user, now=utc_now())
        return redirect("desk:prepared-inside", prepared.pk)
    context = {"prepared": prepared, "script": script_of(prepared), "may_choose": _may_choose(prepared)}
    return render(request, "desk/prepared_inside.html", context)


@require_POST
@of_judge
def choose_master(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """Another master move in a turn of the script, for whoever has opened it."""
    if not _is_opened(prepared):
        return redirect("desk:prepared-inside", prepared.pk)
    turn = whole_number(request.POST.get("turn", ""))
    if turn is None:
        raise Http404
    try:
        preparing.choose_master(
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
@of_judge
def sheet(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """The sealed sheet as PDF, or the call sheets."""
    printed = preparing.opened(prepared=prepared, act="printed", by=user, now=utc_now())
    asked = request.POST.get("document")
    wanted = DOCUMENTS[CALLS if asked == CALLS else SHEET]
    content = wanted.make(script_of(printed), language=get_language() or "it")
    return _file(content, "application/pdf", f"{wanted.name}-{printed.pk}.pdf")


@require_GET
@of_judge
def envelope(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """The label for what is kept sealed: it tells no more than the fingerprint, so nothing is opened by it."""
    if prepared.script is None:
        raise Refused(_("This game is still in the making: wait until it is ready."))
    content = DOCUMENTS[ENVELOPE].make(script_of(prepared), language=get_language() or "it")
    return _file(content, "application/pdf", f"{ENVELOPE}-{prepared.pk}.pdf")


@require_POST
@of_judge
def save(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """The file of the game, with all its secrets."""
    saved = preparing.opened(prepared=prepared, act="saved", by=user, now=utc_now())
    text = json.dumps(saved.script, ensure_ascii=False, indent=1)
    return _file(text.encode(), "application/json; charset=utf-8", f"prepared-{saved.pk}.json")


@require_POST
@of_judge
def practice(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """A link for people who play the game alone; `close` takes it back."""
    if "close" in request.POST:
        for link in PracticeLink.objects.filter(prepared=prepared):
            practising.close_link(link=link, now=utc_now())
        return redirect(LIST)
    practising.make_link(prepared=prepared, by=user, now=utc_now())
    return redirect(LIST)


@require_POST
@of_judge
def throw_away(request: HttpRequest, user: User, prepared: PreparedGame) -> HttpResponse:
    """Delete it."""
    preparing.throw_away(prepared=prepared)
    return redirect(LIST)


@require_POST
@at_desk
def practise_game(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A link to the game of this event that is over."""
    try:
        link = practising.link_for_game(game=desk.game, by=desk.user, now=utc_now())
        sentence = _("Whoever opens this address plays the game alone: %(link)s")
        messages.success(request, sentence % {"link": _address(request, link)})
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("desk:console", desk.code)


@require_GET
@at_desk
def field(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The new players of a replayed game among those who played it before."""
    found = field_standings(desk.game)
    if found is None:
        raise Http404
    numbers = range(1, found.turns + 1)
    context = {"event": desk.event, "field": found, "numbers": numbers, "page": "standings"}
    return render(request, "desk/field.html", context)


def _list_page(request: HttpRequest, form: PrepareForm, game_form: GameForm, bring_form: BringForm) -> HttpResponse:
    user = _user(request)
    games = list(PreparedGame.objects.filter(by=user).defer("script").prefetch_related("games__event"))
    open_links = PracticeLink.objects.filter(closed_at=None, prepared__by=user)
    links = {link.prepared_id: _address(request, link) for link in open_links}
    context = {
        "games": [(game, links.get(game.pk, "")) for game in games],
        "events": _events(user),
        "waiting": any(game.state == MakingState.MAKING for game in games),
        "form": form,
        "game_form": game_form,
        "bring_form": bring_form,
    }
    if getattr(request, "htmx", False):
        return render(request, "desk/_prepared_games.html", context)
    status = 422 if any(each.is_bound and each.errors for each in (form, game_form, bring_form)) else 200
    return render(request, "desk/prepared.html", context, status=status)


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


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101  login_required let nobody else pass
    return request.user
