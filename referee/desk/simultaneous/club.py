"""Pages of a club that plays a simultaneous game."""

from __future__ import annotations

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from referee.desk.access import general_page, user_of
from referee.desk.registry import Access
from referee.desk.simultaneous.forms import OpenPackageForm
from referee.outgoing.hub_request import fetch_package, send_return
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import OpenedPackage
from tournaments.now import utc_now
from tournaments.simultaneous.queries.opened import opened_games
from tournaments.simultaneous.services import club


@require_http_methods(["GET", "POST"])
@general_page("simultaneous-open", access=Access.ORGANISER)
def open_package(request: HttpRequest) -> HttpResponse:
    """Open a package with the start code of the club."""
    form = OpenPackageForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        cleaned = form.cleaned_data
        try:
            package = club.read_sealed_package(cleaned["file"] or fetch_package(cleaned["link"].strip()))
            opened = club.open_sealed_package(
                package=package,
                code=cleaned["code"],
                language=(get_language() or "en"),
                by=user_of(request),
                now=utc_now(),
            )
            return redirect("desk:simultaneous-played", opened.pk)
        except Refused as refused:
            form.add_error(None, refused.sentence)
    status = 422 if form.is_bound else 200
    return render(request, "desk/simultaneous/open_package.html", {"form": form, "page": "simultaneous"}, status=status)


@require_http_methods(["GET"])
@general_page("simultaneous-played", access=Access.ORGANISER)
def opened_package(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an opened package: its games, and how to return them."""
    opened = _opened(request, pk)
    now = utc_now()
    context = {
        "page": "simultaneous",
        "opened": opened,
        "games": opened_games(opened),
        "is_closed": now > opened.closes_at,
        "is_embargo": now < opened.embargo_until,
    }
    return render(request, "desk/simultaneous/opened_package.html", context)


@require_POST
@general_page("simultaneous-next", access=Access.ORGANISER)
def next_game(request: HttpRequest, pk: int) -> HttpResponse:
    """Begin the next game of the package."""
    opened = _opened(request, pk)
    try:
        game = club.start_next_game(opened=opened, by=user_of(request), now=utc_now())
        return redirect("desk:console", game.event.code)
    except Refused as refused:
        messages.error(request, refused.sentence)
        return redirect("desk:simultaneous-played", pk)


@require_POST
@general_page("simultaneous-send", access=Access.ORGANISER)
def return_result(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the return to the hub, or give it as a file (`file`)."""
    opened, now = _opened(request, pk), utc_now()
    try:
        content = json.dumps(club.make_club_return(opened=opened, now=now)).encode()
        if "file" in request.POST:
            club.record_answer(opened=opened, answer=_("Saved as a file."), now=now)
            name = f"{slugify(f'{opened.title} {opened.club_name}') or 'return'}-return.json"
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            return HttpResponse(content, content_type="application/json", headers=headers)
        answer = send_return(opened.hub, content)
        club.record_answer(opened=opened, answer=answer, now=now)
        messages.success(request, answer)
    except AlreadyDone as done:
        messages.success(request, done.sentence)
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("desk:simultaneous-played", pk)


def _opened(request: HttpRequest, pk: int) -> OpenedPackage:
    return get_object_or_404(OpenedPackage.objects.select_related("event"), pk=pk, by=user_of(request))
