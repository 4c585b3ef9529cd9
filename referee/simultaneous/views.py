"""Public pages of a simultaneous game. Nothing of the games is shown before the end of the embargo."""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import urlencode

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from engine.bounded_input import parse_whole_number
from engine.simultaneous.ranking import CommonRanking
from referee.pdf.drawing.letterhead import use_letterhead
from referee.pdf.sheets.booklet import booklet_pdf
from referee.phone.join_address import base_of
from referee.security import failure_throttle
from referee.security.token_bucket import Rate, Throttle, ip_prefix
from tournaments.documents.queries import LetterheadView
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Simultaneous
from tournaments.now import utc_now
from tournaments.prepared.services.prepared_games import LARGEST_FILE
from tournaments.publishing.queries.club import get_club
from tournaments.simultaneous.queries.packages import package_of
from tournaments.simultaneous.queries.published import (
    booklet_games,
    club_page,
    find_simultaneous,
    ranking_of,
    ranking_page,
)
from tournaments.simultaneous.services.returns import receive_return

BOOKLET_KEPT_S = 3600
_return_limit = Throttle(Rate(per_second=1, burst=60))


@require_safe
def results(request: HttpRequest, token: str) -> HttpResponse:
    """Show the overall ranking, or that of a `category`; before the end of the embargo the times and what to do."""
    simultaneous = _find(token)
    ranking = ranking_of(simultaneous, utc_now())
    if ranking is None:
        return _page(request, "simultaneous/waiting.html", simultaneous, {"is_over": _is_published(simultaneous)})
    category = request.GET.get("category", "")
    shown = ranking_page(ranking, category, parse_whole_number(request.GET.get("page", "")) or 1)
    links = [(number, "?" + urlencode({"category": category, "page": number})) for number in range(1, shown.pages + 1)]
    context = {"shown": shown, "tab": "people", "links": links if len(links) > 1 else []}
    return _page(request, "simultaneous/people.html", simultaneous, context)


@require_safe
def clubs(request: HttpRequest, token: str) -> HttpResponse:
    """Show the ranking of the clubs."""
    simultaneous, ranking = _published(token)
    return _page(request, "simultaneous/clubs.html", simultaneous, {"lines": ranking["clubs"], "tab": "clubs"})


@require_safe
def club(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """Show the players of a club."""
    simultaneous, ranking = _published(token)
    shown = club_page(ranking, number)
    if shown is None:
        raise Http404
    games = list(range(1, len(ranking["turns"]) + 1))
    return _page(request, "simultaneous/club.html", simultaneous, {"shown": shown, "games": games, "tab": "clubs"})


@require_safe
def booklet(request: HttpRequest, token: str) -> HttpResponse:
    """Send the booklet in the language that is asked for, or that of the browser."""
    simultaneous, ranking = _published(token)
    asked = request.GET.get("language", "")
    language = asked if asked in dict(settings.LANGUAGES) else get_language() or settings.LANGUAGE_CODE
    content = _booklet(simultaneous, ranking, language)
    name = slugify(simultaneous.title) or "booklet"
    headers = {"Content-Disposition": f'inline; filename="{name}-{language}.pdf"'}
    return HttpResponse(content, content_type="application/pdf", headers=headers)


def _booklet(simultaneous: Simultaneous, ranking: CommonRanking, language: str) -> bytes:
    """Return the booklet, which is made once for a ranking, its comments and a language."""
    comments = list(simultaneous.prepared_games.values_list("comments", flat=True))
    made_of = repr((simultaneous.pk, simultaneous.title, simultaneous.ranked_at, comments, language))
    key = f"booklet:{sha256(made_of.encode()).hexdigest()}"
    kept: bytes | None = cache.get(key)
    if kept is not None:
        return kept
    with use_letterhead(LetterheadView(logo=bytes(get_club().logo))):
        content = booklet_pdf(simultaneous, ranking, booklet_games(simultaneous, ranking), language=language)
    cache.set(key, content, BOOKLET_KEPT_S)
    return content


@require_safe
def package(request: HttpRequest, token: str) -> HttpResponse:
    """Send the sealed package, which opens with a start code only."""
    simultaneous = _find(token)
    address = base_of(request) + reverse("simultaneous:return", args=[token])
    name = slugify(simultaneous.title) or "simultaneous"
    headers = {"Content-Disposition": f'attachment; filename="{name}-package.json"', "Cache-Control": "no-store"}
    return JsonResponse(package_of(simultaneous, address), headers=headers)


@csrf_exempt  # the seals of the file prove its origin, and no session is used
@require_http_methods(["GET", "HEAD", "POST"])
def return_file(request: HttpRequest, token: str) -> HttpResponse:
    """Take the return of a club, as a form or as the body of a request for JSON."""
    simultaneous = _find(token)
    if request.method != "POST":
        return _page(request, "simultaneous/return.html", simultaneous, {})
    is_kept, is_taken = False, False
    try:
        receipt = receive_return(simultaneous=simultaneous, content=_read_upload(request), now=utc_now())
        sentence, is_kept, is_taken = receipt.sentence, True, receipt.is_taken
    except AlreadyDone as done:
        sentence, is_kept, is_taken = done.sentence, True, True
    except Refused as refused:
        sentence = refused.sentence
    status = 200 if is_kept else 422
    if _wants_json(request):
        return JsonResponse({"sentence": sentence, "kept": is_kept, "taken": is_taken}, status=status)
    context = {"sentence": sentence, "is_taken": is_taken}
    return _page(request, "simultaneous/return.html", simultaneous, context, status)


def _read_upload(request: HttpRequest) -> bytes:
    if _return_limit.take(ip_prefix(failure_throttle.address_of(request))) > 0:
        raise Refused(_("Many files came from this network: wait a minute and send it again."))
    if _wants_json(request):
        content = request.read(LARGEST_FILE + 1)
    else:
        upload = request.FILES.get("return")
        if upload is None:
            raise Refused(_("Choose the file that the program saved as the return."))
        content = upload.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise Refused(_("The file is larger than 30 MB: that is no return."))
    return content


def _wants_json(request: HttpRequest) -> bool:
    return request.content_type == "application/json"


def _find(token: str) -> Simultaneous:
    simultaneous = find_simultaneous(token)
    if simultaneous is None:
        raise Http404
    return simultaneous


def _published(token: str) -> tuple[Simultaneous, CommonRanking]:
    """Return what is published; before the end of the embargo the page does not exist."""
    simultaneous = _find(token)
    ranking = ranking_of(simultaneous, utc_now())
    if ranking is None:
        raise Http404
    return simultaneous, ranking


def _is_published(simultaneous: Simultaneous) -> bool:
    return utc_now() >= simultaneous.embargo_until


def _page(
    request: HttpRequest, template: str, simultaneous: Simultaneous, context: dict[str, object], status: int = 200
) -> HttpResponse:
    shared = {"simultaneous": simultaneous, "languages": settings.LANGUAGES}
    response = render(request, template, {**shared, **context}, status=status)
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
