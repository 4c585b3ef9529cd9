"""Pages of solo practice. The view contains no information about later turns."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine.bounded_input import parse_whole_number
from engine.prepared.script import profile_of, variant_of
from engine.rules.rules_text import clock_text
from referee.practice.forms import SlipForm
from referee.practice.squares import lines_of, rack_of
from referee.security import failure_throttle
from referee.security.token_bucket import Rate, Throttle, ip_prefix
from tournaments.errors import AlreadyDone, Refused
from tournaments.lexicons.names import rules_name
from tournaments.models import Practice, PracticeLink
from tournaments.now import utc_now
from tournaments.prepared.queries.practice import practice_by_key, practice_view
from tournaments.prepared.scripts import script_of
from tournaments.prepared.services import solo_practice

PRACTICE_LIFETIME = timedelta(days=30)
_KEY_BYTES = 16
_begin_limit = Throttle(Rate(per_second=1, burst=60))


@require_safe
def practice_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the instructions, or the game."""
    link = _link(token)
    practice = _practice(request, link)
    if practice is None:
        return _welcome(request, link)
    return _play(request, link, practice, SlipForm())


@require_POST
def begin_game(request: HttpRequest, token: str) -> HttpResponse:
    """Start a new game in this browser; an earlier one is abandoned."""
    link, key = _link(token), secrets.token_urlsafe(_KEY_BYTES)
    if _begin_limit.take(ip_prefix(failure_throttle.address_of(request))) > 0:
        messages.error(request, _("Many games were begun from this network: wait a few seconds and try again."))
        return redirect("practice:show", token)
    try:
        solo_practice.begin_practice(link=link, name=request.POST.get("name", ""), key=key, now=utc_now())
    except Refused as refused:
        messages.error(request, refused.sentence)
        return redirect("practice:show", token)
    response = redirect("practice:show", token)
    response.set_cookie(
        _cookie(link),
        key,
        max_age=PRACTICE_LIFETIME,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
        path="/practice/",
    )
    return response


@require_POST
def next_turn(request: HttpRequest, token: str) -> HttpResponse:
    """Show the next rack and start its clock."""
    link = _link(token)
    practice = _practice(request, link)
    seen = parse_whole_number(request.POST.get("turn", ""))
    if practice is not None and seen is not None:
        _perform(request, lambda: solo_practice.start_next_turn(practice=practice, seen=seen, now=utc_now()))
    return redirect("practice:show", token)


@require_POST
def slip(request: HttpRequest, token: str) -> HttpResponse:
    """Submit a slip; the time of receipt decides."""
    now = utc_now()
    link = _link(token)
    practice, form = _practice(request, link), SlipForm(request.POST)
    if practice is None:
        return redirect("practice:show", token)
    if not form.is_valid():
        return _play(request, link, practice, form)
    _perform(request, lambda: solo_practice.submit_practice_slip(practice=practice, **form.cleaned_data, now=now))
    return redirect("practice:show", token)


def _perform(request: HttpRequest, act: Callable[[], object]) -> None:
    try:
        act()
    except AlreadyDone:
        pass  # a double click, or the time was up: the page shows what there is
    except Refused as refused:
        messages.error(request, refused.sentence)


def _link(token: str) -> PracticeLink:
    return get_object_or_404(PracticeLink.objects.select_related("prepared"), token=token)


def _cookie(link: PracticeLink) -> str:
    return f"practice-{link.pk}"


def _practice(request: HttpRequest, link: PracticeLink) -> Practice | None:
    return practice_by_key(link, request.COOKIES.get(_cookie(link), ""))


def _welcome(request: HttpRequest, link: PracticeLink) -> HttpResponse:
    script = script_of(link.prepared)
    context = {
        "link": link,
        "title": link.prepared.title,
        "rules": rules_name(profile_of(script), variant_of(script)),
        "time": clock_text(script["rhythm_s"]),
        "field": len(script["field"]["players"]) if "field" in script else 0,
        "open": _is_open(link),
    }
    return _page(render(request, "practice/welcome.html", context))


def _play(request: HttpRequest, link: PracticeLink, practice: Practice, form: SlipForm) -> HttpResponse:
    if not _is_open(link):
        return _welcome(request, link)
    now = utc_now()
    view = practice_view(solo_practice.close_expired_turn(practice=practice, now=now))
    columns, lines = lines_of(view.board, view.profile.notation, view.new)
    left = max(timedelta(0), view.deadline - now) if view.deadline else timedelta(0)
    context = {
        "link": link,
        "title": link.prepared.title,
        "view": view,
        "columns": columns,
        "lines": lines,
        "rack": rack_of(view.rack, view.board),
        "last": view.turns[-1] if view.turns else None,
        "left_ms": int(left.total_seconds() * 1000),
        "calls": ",".join(str(call) for call in view.calls),
        "ends_at": view.deadline,
        "form": form,
        "field": any(row.label for row in view.ranking),
    }
    return _page(render(request, "practice/play.html", context, status=422 if form.is_bound and form.errors else 200))


def _is_open(link: PracticeLink) -> bool:
    try:
        solo_practice.require_open_link(link)
    except Refused:
        return False
    return True


def _page(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response
