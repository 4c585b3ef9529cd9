"""The list of events, the form for a new one, and login links."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.desk.access import general_page, user_of
from referee.desk.backups.upgrade_report import find_upgrade
from referee.desk.events.forms import NewEventForm
from referee.desk.events.game_form import GameForm
from referee.desk.events.new_roster import NewRoster, read_new_roster
from referee.desk.events.presets import OWN, apply_preset
from referee.desk.events.rules_form import RulesForm, read_chosen_rules, require_same_rules
from referee.desk.members.event_members import changes_list, member_list_context, read_members
from referee.desk.players.roster_preview import preview_context
from referee.desk.registry import Access
from referee.desk.seasons.season_rows import teaser_of
from referee.security import login_throttle
from referee.security.login import is_open_link, use_login_token
from tournaments.errors import Refused
from tournaments.events.queries.events import events_of
from tournaments.events.services.events import NewEvent
from tournaments.lexicons.list_builds import ListBuild, get_build
from tournaments.members.services.event_players import create_event_with_members
from tournaments.now import utc_now
from tournaments.results.queries.event_cards import list_event_cards
from tournaments.seasons.services.summaries import try_refresh_summaries
from tournaments.staff.queries import may_organise

MOST_CARDS, MOST_WINNERS = 24, 12
TOUR_COOKIE, YEAR_S = "tour", 365 * 24 * 3600


@require_http_methods(["GET", "HEAD", "POST"])
def open_login_link(request: HttpRequest, token: str) -> HttpResponse:
    """Log in by a link that works once: printed by `serve`, or made by a director for a colleague.

    Only the button on its page uses it up, since messengers and mail programs fetch addresses to show a preview.
    """
    if request.method != "POST" and is_open_link(token):
        return render(request, "desk/staff/enter.html")
    user = use_login_token(request, token) if request.method == "POST" else None
    if user is None and not request.user.is_authenticated:
        login_throttle.note_bad_link(request)
        return redirect("desk:locked")
    return redirect("desk:events")


@require_GET
@general_page("events", access=Access.USER)
def event_list(request: HttpRequest) -> HttpResponse:
    """List the user's events, newest first; redirect a user with only one, who may create none, to its desk."""
    user = user_of(request)
    events, organises = events_of(user), may_organise(user)
    if not organises and events.count() == 1:
        return redirect("desk:console", events[0].code)
    shown_all = "all" in request.GET
    cards = list_event_cards(events if shown_all else events[:MOST_CARDS], with_winners=MOST_WINNERS)
    today = timezone.localdate()
    if organises:
        try_refresh_summaries()
    context = {
        "ahead": [card for card in reversed(cards) if card.is_ahead(today)],
        "past": [card for card in cards if not card.is_ahead(today)],
        "others": 0 if shown_all else max(0, events.count() - MOST_CARDS),
        "organises": organises,
        "season": teaser_of(today) if organises and not shown_all else None,
        "today": today,
        "upgrade": find_upgrade(user_of(request)),
        "page": "events",
        "build": _unfinished_build() if organises else None,
        "has_demo": settings.EMBEDDED,  # the process that plays a demo is the one that stops it
        "shows_tour": TOUR_COOKIE not in request.COOKIES,
    }
    return render(request, "desk/events/events.html", context)


@require_POST
@general_page("tour-skip", access=Access.ORGANISER)
def skip_tour(request: HttpRequest) -> HttpResponse:
    """Do not show the first steps in this browser any more."""
    response = redirect("desk:events")
    response.set_cookie(
        TOUR_COOKIE, "skipped", max_age=YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure()
    )
    return response


@require_http_methods(["GET", "POST"])
@general_page("new", access=Access.ORGANISER)
@gzip_page
def new_event(request: HttpRequest) -> HttpResponse:
    """Create an event; the defaults make it two clicks. A file of players is shown before it counts."""
    user = user_of(request)
    posted = apply_preset(request.POST)
    today, rules_form = timezone.localdate(), read_chosen_rules(posted)
    roster = read_new_roster(request)
    if changes_list(request.POST) or not {"show_rules", "check_file", "leave_file"}.isdisjoint(request.POST):
        initial = request.POST.dict() | ({"preset": OWN} if "show_rules" in request.POST else {})
        form = NewEventForm(initial=initial, today=today, user=user)
        return _form_page(request, form, GameForm(initial=initial, rules=rules_form.plain), rules_form, roster)
    chosen = {"preset": request.GET["preset"]} if "preset" in request.GET else None
    form = NewEventForm(posted or None, initial=chosen, today=today, user=user)
    game_form = GameForm(posted or None, rules=rules_form.plain)
    is_complete = form.is_valid() and game_form.is_valid() and rules_form.sound
    if request.method == "POST" and is_complete and roster.is_confirmed:
        try:
            require_same_rules(posted)
            return redirect("desk:console", _create(form, game_form, rules_form, roster, request))
        except Refused as refused:
            form.add_error(None, str(refused))
    elif not rules_form.sound:
        form.add_error(None, _("One of the rules has a value that is not possible; it is marked below."))
    return _form_page(request, form, game_form, rules_form, roster)


def _form_page(
    request: HttpRequest, form: NewEventForm, game_form: GameForm, rules_form: RulesForm, roster: NewRoster
) -> HttpResponse:
    context = {
        "form": form,
        "game_form": game_form,
        "rules_form": rules_form,
        "shows_rules": "show_rules" in request.POST,
        "roster": roster,
        "build": _unfinished_build(),
        "language": (get_language() or "it")[:2],
        **member_list_context(None, request.POST),
    }
    return render(request, "desk/events/new_event.html", context | preview_context(roster.preview))


def _unfinished_build() -> ListBuild | None:
    build = get_build(utc_now())
    return None if build is None or build.is_done else build


def _create(
    form: NewEventForm, game_form: GameForm, rules_form: RulesForm, roster: NewRoster, request: HttpRequest
) -> str:
    cleaned = form.cleaned_data
    game = create_event_with_members(
        NewEvent(
            name=cleaned["name"],
            date=cleaned["date"],
            place=cleaned["place"],
            language=cleaned["language"],
            edition=cleaned["edition"],
            profile=cleaned["profile"],
            switches=rules_form.overrides | game_form.switches,
            draw_mode=cleaned["draw_mode"],
            lexicon=cleaned["lexicon"] or None,
            second_lexicon=cleaned["second_lexicon"] or None,
            variant=game_form.variant_code,
            turn_seconds=game_form.turn_seconds,
        ),
        players=cleaned["lines"] if roster.preview is None else roster.preview.sheet.new_players,
        members=read_members(request.POST),
        by=user_of(request),
        now=utc_now(),
        seed=secrets.token_bytes(32),
    )
    return game.event.code
