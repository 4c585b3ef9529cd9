"""A member's own page and the turns to play again. The secret address is the only key, so nothing is cached."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine.bounded_input import parse_whole_number
from referee.members.forms import TrySlipForm
from referee.members.history_page import history_context
from referee.practice.squares import lines_of, rack_of
from referee.public.addresses import event_paths
from referee.security import failure_throttle
from tournaments.errors import AlreadyDone, Refused
from tournaments.members.queries.private_pages import find_member_by_token
from tournaments.models import Exercise, Member
from tournaments.now import utc_now
from tournaments.play.position import profile_of
from tournaments.seasons.services.summaries import refresh_summaries
from tournaments.training.queries.exercise_view import view_exercise
from tournaments.training.queries.lost_turns import LostTurn, find_lost_turn
from tournaments.training.services import exercises


@require_safe
def member_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the history of the member and the turns to play again."""
    member = _find_member(request, token)
    refresh_summaries()
    today = timezone.localdate(utc_now())
    context = history_context(member, today=today, with_all="all" in request.GET, links=event_paths())
    return _private(render(request, "members/page.html", {**context, "token": token}))


@require_safe
def turn_page(request: HttpRequest, token: str, turn: int) -> HttpResponse:
    """Show a turn: before the try, while its clock runs, or with the result."""
    member = _find_member(request, token)
    return _show_turn(request, token, _find_turn(member, turn), TrySlipForm())


@require_POST
def start_turn(request: HttpRequest, token: str, turn: int) -> HttpResponse:
    """Start the clock of a try."""
    member = _find_member(request, token)
    lost = _find_turn(member, turn)
    seconds = parse_whole_number(request.POST.get("seconds", "")) or 0
    try:
        exercises.start_try(member=member, lost=lost, seconds=seconds, now=utc_now())
    except AlreadyDone:
        pass  # a double click: the page shows the clock that runs
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("members:turn", token, turn)


@require_POST
def submit_slip(request: HttpRequest, token: str, turn: int) -> HttpResponse:
    """Submit the slip of a try; the time of receipt decides."""
    now = utc_now()
    member = _find_member(request, token)
    lost, form = _find_turn(member, turn), TrySlipForm(request.POST)
    if lost.exercise is None:
        return redirect("members:turn", token, turn)
    if not form.is_valid():
        return _show_turn(request, token, lost, form)
    try:
        exercises.submit_try(exercise=lost.exercise, **form.cleaned_data, now=now)
    except AlreadyDone:
        pass  # a double click, or the time was up: the page shows the result
    except Refused as refused:
        messages.error(request, refused.sentence)
        return _show_turn(request, token, lost, form)
    return redirect("members:turn", token, turn)


def _show_turn(request: HttpRequest, token: str, lost: LostTurn, form: TrySlipForm) -> HttpResponse:
    now = utc_now()
    exercise = _close_expired(request, lost.exercise, now)
    view = view_exercise(lost, exercise)
    columns, lines = lines_of(view.board, profile_of(lost.turn.game).notation, view.new)
    left = max(timedelta(0), view.deadline - now) if view.deadline else timedelta(0)
    context = {
        "token": token,
        "title": lost.turn.game.event.name,
        "lost": lost,
        "view": view,
        "exercise": exercise,
        "columns": columns,
        "lines": lines,
        "rack": rack_of(lost.turn.rack, view.board),
        "times": exercises.get_times(lost.turn.game),
        "left_ms": int(left.total_seconds() * 1000),
        "calls": ",".join(str(call) for call in profile_of(lost.turn.game).calls_s),
        "form": form,
        "today": timezone.localdate(now),
    }
    status = 422 if form.is_bound and form.errors else 200
    return _private(render(request, "members/turn.html", context, status=status))


def _close_expired(request: HttpRequest, exercise: Exercise | None, now: datetime) -> Exercise | None:
    """End a try whose time is up; a try that nobody can judge any more stays, with the reason on the page."""
    if exercise is None:
        return None
    try:
        return exercises.close_expired_try(exercise=exercise, now=now)
    except Refused as refused:
        messages.error(request, refused.sentence)
        return exercise


def _find_member(request: HttpRequest, token: str) -> Member:
    """Return the member with this address; otherwise count the request as a wrong one and answer 404."""
    member = find_member_by_token(token)
    if member is None:
        failure_throttle.count_failed_request(request)
        raise Http404(_("There is no page at this address: ask the club for the current one."))
    return member


def _find_turn(member: Member, turn: int) -> LostTurn:
    lost = find_lost_turn(member, turn)
    if lost is None:
        raise Http404(_("This turn cannot be played again."))
    return lost


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
