"""Events: the list, a new one, and the way in."""

from __future__ import annotations

import secrets

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from referee.desk.access import for_organisers
from referee.desk.forms import NewEventForm
from referee.desk.game_form import GameForm
from referee.desk.rules_form import RulesForm, demand_same_rules, rules_chosen
from referee.security import attempts
from referee.security.login import is_open_link, let_in
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.selectors.events import events_of
from tournaments.selectors.staff import may_organise
from tournaments.services.events import create_event


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """A link that lets somebody in once: the one that `serve` prints, or a director has made for a colleague.

    Only the button on its page uses it up: messengers and mail programs fetch addresses to show a preview.
    """
    if request.method != "POST" and is_open_link(token):
        return render(request, "desk/enter.html")
    user = let_in(request, token) if request.method == "POST" else None
    if user is None and not request.user.is_authenticated:
        attempts.note_bad_link(request)
        return redirect("desk:locked")
    return redirect("desk:events")


@require_GET
@login_required
def event_list(request: HttpRequest) -> HttpResponse:
    """The user's events, the newest first; who has only one and makes none is led to its desk."""
    assert isinstance(request.user, User)  # noqa: S101  login_required let nobody else pass
    events, organises = events_of(request.user), may_organise(request.user)
    if not organises and events.count() == 1:
        return redirect("desk:console", events[0].code)
    return render(request, "desk/events.html", {"events": events, "organises": organises})


@require_http_methods(["GET", "POST"])
@for_organisers
def new_event(request: HttpRequest) -> HttpResponse:
    """A new event; with the defaults it takes two clicks."""
    today, rules_form = timezone.localdate(), rules_chosen(request.POST)
    if "show_rules" in request.POST:
        written = request.POST.dict()
        form, game_form = NewEventForm(initial=written, today=today), GameForm(initial=written, rules=rules_form.plain)
        return _form_page(request, form, game_form, rules_form)
    form = NewEventForm(request.POST or None, request.FILES or None, today=today)
    game_form = GameForm(request.POST or None, rules=rules_form.plain)
    if request.method == "POST" and form.is_valid() and game_form.is_valid() and rules_form.sound:
        try:
            demand_same_rules(request.POST)
            return redirect("desk:console", _create(form, game_form, rules_form, request))
        except Refused as refused:
            form.add_error(None, str(refused))
    elif not rules_form.sound:
        form.add_error(None, _("A single rule cannot be set so; it is marked among the rules."))
    return _form_page(request, form, game_form, rules_form)


def _form_page(request: HttpRequest, form: NewEventForm, game_form: GameForm, rules_form: RulesForm) -> HttpResponse:
    return render(request, "desk/new.html", {"form": form, "game_form": game_form, "rules_form": rules_form})


def _create(form: NewEventForm, game_form: GameForm, rules_form: RulesForm, request: HttpRequest) -> str:
    assert isinstance(request.user, User)  # noqa: S101  login_required let nobody else pass
    wanted = form.cleaned_data
    game = create_event(
        name=wanted["name"],
        date=wanted["date"],
        place=wanted["place"],
        language=wanted["language"],
        edition=wanted["edition"],
        profile=wanted["profile"],
        switches=rules_form.overrides | game_form.switches,
        draw_mode=wanted["draw_mode"],
        players=form.players,
        by=request.user,
        now=utc_now(),
        seed=secrets.token_bytes(32),
        lexicon=wanted["lexicon"] or None,
        second_lexicon=wanted["second_lexicon"] or None,
        formula=game_form.formula_code,
        rhythm_s=game_form.rhythm_s,
    )
    return game.event.code
