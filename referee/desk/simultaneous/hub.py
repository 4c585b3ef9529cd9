"""Pages of the organiser of a simultaneous game."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.desk.access import View, general_page, user_of
from referee.desk.registry import Access
from referee.desk.simultaneous.forms import SimultaneousForm, TimesForm
from referee.pdf.handouts.start_codes import start_codes_pdf
from referee.phone.join_address import base_of
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import ClubReturn, InvitedClub, Simultaneous, SimultaneousGame
from tournaments.now import utc_now
from tournaments.prepared.scripts import script_of
from tournaments.simultaneous.queries.clubs import list_clubs, list_returns, list_unproven, may_be_playing
from tournaments.simultaneous.queries.packages import package_of
from tournaments.simultaneous.services import hub, returns

P = ParamSpec("P")
SimultaneousView = Callable[Concatenate[HttpRequest, Simultaneous, P], HttpResponseBase]


def simultaneous_page(name: str) -> Callable[[SimultaneousView[P]], View]:
    """Declare a view as a page about one simultaneous game of the user; for other users it does not exist."""

    def declare(view: SimultaneousView[P]) -> View:
        @general_page(name, access=Access.ORGANISER)
        @wraps(view)
        def with_simultaneous(request: HttpRequest, pk: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            simultaneous = get_object_or_404(Simultaneous.objects.defer("games"), pk=pk, by=user_of(request))
            return view(request, simultaneous, *args, **kwargs)

        return with_simultaneous

    return declare


@require_GET
@general_page("simultaneous-games", access=Access.ORGANISER)
def simultaneous_games(request: HttpRequest) -> HttpResponse:
    """List the simultaneous games that the user organises, and those that the club plays."""
    user = user_of(request)
    context = {
        "page": "simultaneous",
        "organised": Simultaneous.objects.filter(by=user).only("title", "opens_at", "closes_at", "embargo_until"),
        "opened": user.opened_packages.select_related("event"),
    }
    return render(request, "desk/simultaneous/simultaneous_games.html", context)


@require_http_methods(["GET", "POST"])
@general_page("simultaneous-new", access=Access.ORGANISER)
def new_simultaneous(request: HttpRequest) -> HttpResponse:
    """Create a simultaneous game of prepared games."""
    user = user_of(request)
    form = SimultaneousForm(request.POST if request.method == "POST" else None, by=user)
    if form.is_valid():
        cleaned = form.cleaned_data
        try:
            made = hub.create_simultaneous(
                title=cleaned["title"],
                note=cleaned["note"],
                games=list(cleaned["games"]),
                clubs=cleaned["clubs"],
                times=form.times,
                by=user,
                now=utc_now(),
            )
            return redirect("desk:simultaneous", made.pk)
        except Refused as refused:
            form.add_error(None, refused.sentence)
    status = 422 if form.is_bound else 200
    context = {"form": form, "page": "simultaneous", "games": form["games"].field.queryset.count()}  # type: ignore[attr-defined]
    return render(request, "desk/simultaneous/new_simultaneous.html", context, status=status)


@require_http_methods(["GET", "POST"])
@simultaneous_page("simultaneous")
def simultaneous(request: HttpRequest, simultaneous: Simultaneous) -> HttpResponse:
    """Show the clubs and their returns; a POST changes the times."""
    form = TimesForm(request.POST if request.method == "POST" else None, initial=TimesForm.initial_of(simultaneous))
    if form.is_valid():
        try:
            hub.change_times(simultaneous=simultaneous, times=form.times)
            messages.success(request, _("The times are changed. Clubs that open the package from now on get them."))
            return redirect("desk:simultaneous", simultaneous.pk)
        except Refused as refused:
            form.add_error(None, refused.sentence)
    clubs = list_clubs(simultaneous)
    received = [each for each in clubs if each.counted]
    context = {
        "page": "simultaneous",
        "simultaneous": simultaneous,
        "form": form,
        "clubs": clubs,
        "received": len(received),
        "waiting": sum(bool(each.counted and each.counted.state == "waiting") for each in clubs),
        "held": sum(len(each.held) for each in clubs),
        "unproven": list_unproven(simultaneous),
        "games": simultaneous.prepared_games.select_related("prepared").defer("prepared__script"),
        "public": _public_address(request, simultaneous),
        "is_published": utc_now() >= simultaneous.embargo_until,
    }
    status = 422 if form.is_bound else 200
    return render(request, "desk/simultaneous/simultaneous.html", context, status=status)


@require_POST
@simultaneous_page("simultaneous-invite")
def invite(request: HttpRequest, simultaneous: Simultaneous) -> HttpResponse:
    """Invite more clubs."""
    try:
        n = hub.invite_clubs(simultaneous=simultaneous, clubs=request.POST.get("clubs", ""))
        messages.success(request, ngettext("%(n)d club was added.", "%(n)d clubs were added.", n) % {"n": n})
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("desk:simultaneous", simultaneous.pk)


@require_POST
@simultaneous_page("simultaneous-delete")
def delete(request: HttpRequest, simultaneous: Simultaneous) -> HttpResponse:
    """Delete a simultaneous game with its returns."""
    try:
        hub.delete_simultaneous(simultaneous=simultaneous, now=utc_now())
    except Refused as refused:
        messages.error(request, refused.sentence)
        return redirect("desk:simultaneous", simultaneous.pk)
    return redirect("desk:simultaneous-games")


@require_GET
@simultaneous_page("simultaneous-package")
def package(request: HttpRequest, simultaneous: Simultaneous) -> HttpResponse:
    """Send the sealed package for all clubs as a file."""
    text = json.dumps(package_of(simultaneous, _return_address(request, simultaneous)))
    return _file(text.encode(), "application/json", f"{_name(simultaneous)}-package.json")


@require_GET
@simultaneous_page("simultaneous-codes")
def codes(request: HttpRequest, simultaneous: Simultaneous) -> HttpResponse:
    """Send the sheet with a start code for each club, to be cut."""
    address = _public_address(request, simultaneous)
    content = start_codes_pdf(simultaneous, address, language=get_language() or "en")
    return _file(content, "application/pdf", f"{_name(simultaneous)}-codes.pdf")


@require_http_methods(["GET", "POST"])
@simultaneous_page("simultaneous-club")
def club(request: HttpRequest, simultaneous: Simultaneous, number: int) -> HttpResponse:
    """Show the returns of a club; a POST lets one count or withdraws it."""
    invited = get_object_or_404(InvitedClub, simultaneous=simultaneous, number=number)
    if request.method == "POST":
        returned = get_object_or_404(ClubReturn, pk=request.POST.get("return") or 0, club=invited)
        try:
            returns.decide(returned=returned, counts="count" in request.POST, by=user_of(request), now=utc_now())
        except AlreadyDone:
            pass
        except Refused as refused:
            messages.error(request, refused.sentence)
        return redirect("desk:simultaneous-club", simultaneous.pk, number)
    now = utc_now()
    context = {
        "page": "simultaneous",
        "simultaneous": simultaneous,
        "invited": invited,
        "returns": list_returns(invited, now),
        "is_hidden": may_be_playing(simultaneous, now),
    }
    return render(request, "desk/simultaneous/club.html", context)


@require_GET
@simultaneous_page("simultaneous-return")
def returned_file(request: HttpRequest, simultaneous: Simultaneous, returned: int) -> HttpResponse:
    """Send a file as it was returned, once no club can be playing."""
    found = get_object_or_404(ClubReturn, simultaneous=simultaneous, pk=returned)
    if may_be_playing(simultaneous, utc_now()):
        messages.error(request, _("The file shows the whole game: it can be read once the time window has closed."))
        return redirect("desk:simultaneous", simultaneous.pk)
    return _file(returns.content_of(found), "application/json", f"{_name(simultaneous)}-return-{found.pk}.json")


@require_http_methods(["GET", "POST"])
@simultaneous_page("simultaneous-comments")
def comments(request: HttpRequest, simultaneous: Simultaneous, number: int) -> HttpResponse:
    """Write the commentator's texts for a game, once no club can be playing."""
    game = get_object_or_404(
        SimultaneousGame.objects.select_related("prepared"), simultaneous=simultaneous, number=number
    )
    if may_be_playing(simultaneous, utc_now()):
        messages.error(
            request, _("Comments can be written once the time window has closed: the page shows every turn.")
        )
        return redirect("desk:simultaneous", simultaneous.pk)
    script = script_of(game.prepared)
    if request.method == "POST":
        texts = {turn["number"]: request.POST.get(f"turn-{turn['number']}", "") for turn in script["turns"]}
        try:
            hub.write_comments(game=game, comments=texts)
            messages.success(request, _("The comments are stored."))
            return redirect("desk:simultaneous-comments", simultaneous.pk, number)
        except Refused as refused:
            messages.error(request, refused.sentence)
            game.comments = {str(turn): text for turn, text in texts.items()}
    turns = [(turn, game.comments.get(str(turn["number"]), "")) for turn in script["turns"]]
    context = {"page": "simultaneous", "simultaneous": simultaneous, "game": game, "turns": turns}
    return render(request, "desk/simultaneous/comments.html", context)


def _public_address(request: HttpRequest, simultaneous: Simultaneous) -> str:
    return base_of(request) + reverse("simultaneous:show", args=[simultaneous.token])


def _return_address(request: HttpRequest, simultaneous: Simultaneous) -> str:
    return base_of(request) + reverse("simultaneous:return", args=[simultaneous.token])


def _name(simultaneous: Simultaneous) -> str:
    return slugify(simultaneous.title) or f"simultaneous-{simultaneous.pk}"


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)
