"""The pages of somebody who plays alone. What comes before its time is not in the view that they are made from."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine.bounded_input import whole_number
from engine.rules.wording import clock_text
from engine.script import formula_of, profile_of
from referee.practice.forms import SlipForm
from referee.practice.squares import lines_of, rack_of
from referee.security import gate
from referee.security.throttle import Rate, Throttle, ip_prefix
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Practice, PracticeLink
from tournaments.names import rules_name
from tournaments.now import utc_now
from tournaments.scripts import script_of
from tournaments.selectors.practice import practice_by_key, practice_view
from tournaments.services import practising

LASTS = timedelta(days=30)
_KEY_BYTES = 16
_beginnings = Throttle(Rate(per_second=1, burst=60))


@require_safe
def show(request: HttpRequest, token: str) -> HttpResponse:
    """How it goes, or the game as it stands."""
    link = _link(token)
    practice = _practice(request, link)
    if practice is None:
        return _welcome(request, link)
    return _play(request, link, practice, SlipForm())


@require_POST
def begin(request: HttpRequest, token: str) -> HttpResponse:
    """A new game for this browser; the one that it had is left."""
    link, key = _link(token), secrets.token_urlsafe(_KEY_BYTES)
    if _beginnings.take(ip_prefix(gate.address_of(request))) > 0:
        messages.error(request, _("Many games were begun from this network: wait a few seconds and try again."))
        return redirect("practice:show", token)
    try:
        practising.begin(link=link, name=request.POST.get("name", ""), key=key, now=utc_now())
    except Refused as refused:
        messages.error(request, refused.sentence)
        return redirect("practice:show", token)
    response = redirect("practice:show", token)
    response.set_cookie(
        _cookie(link), key, max_age=LASTS, httponly=True, samesite="Lax", secure=request.is_secure(), path="/practice/"
    )
    return response


@require_POST
def next_turn(request: HttpRequest, token: str) -> HttpResponse:
    """The next rack; its clock runs from now."""
    link = _link(token)
    practice = _practice(request, link)
    seen = whole_number(request.POST.get("turn", ""))
    if practice is not None and seen is not None:
        _do(request, lambda: practising.next_turn(practice=practice, seen=seen, now=utc_now()))
    return redirect("practice:show", token)


@require_POST
def slip(request: HttpRequest, token: str) -> HttpResponse:
    """Hand in a slip; the moment of receipt decides."""
    now = utc_now()
    link = _link(token)
    practice, form = _practice(request, link), SlipForm(request.POST)
    if practice is None:
        return redirect("practice:show", token)
    if not form.is_valid():
        return _play(request, link, practice, form)
    _do(request, lambda: practising.hand_in(practice=practice, **form.cleaned_data, now=now))
    return redirect("practice:show", token)


def _do(request: HttpRequest, act: Callable[[], object]) -> None:
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
        "rules": rules_name(profile_of(script), formula_of(script)),
        "time": clock_text(script["rhythm_s"]),
        "field": len(script["field"]["players"]) if "field" in script else 0,
        "open": _is_open(link),
    }
    return _page(render(request, "practice/welcome.html", context))


def _play(request: HttpRequest, link: PracticeLink, practice: Practice, form: SlipForm) -> HttpResponse:
    if not _is_open(link):
        return _welcome(request, link)
    now = utc_now()
    view = practice_view(practising.settle(practice=practice, now=now))
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
        practising.demand_open(link)
    except Refused:
        return False
    return True


def _page(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response
