"""Views of the public pages. Readers cause no query: pages come from `page_cache`, or the answer is 304."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine.bounded_input import parse_whole_number
from referee.public import pages
from referee.public.page_cache import CachedPage, PageCache
from referee.security import failure_throttle
from referee.security.token_bucket import Rate, Throttle, ip_prefix
from tournaments.models import PublicPage
from tournaments.results.queries.event_results import WHOLE_EVENT

FRESH_S = 5
cached_pages = PageCache()
_unknown_limit = Throttle(Rate(per_second=2, burst=60))
Make = Callable[[PublicPage], str | None]


@require_safe
def event_page(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show the event."""
    return _answer(request, token, "event", pages.event_text)


@require_safe
def game_page(request: HttpRequest, token: str, game: int) -> HttpResponseBase:
    """Show one game."""
    return _answer(request, token, f"game {game}", lambda page: pages.game_text(page, game))


@require_safe
def turn_page(request: HttpRequest, token: str, game: int, turn: int) -> HttpResponseBase:
    """Show one turn."""
    return _answer(request, token, f"turn {game} {turn}", lambda page: pages.turn_text(page, game, turn))


@require_safe
def standings_page(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show the full standings of a `game` or of the event."""
    chosen, part = request.GET.get("game", "1"), _number(request.GET.get("part", "1"))
    game = None if chosen == WHOLE_EVENT else _number(chosen)
    return _answer(request, token, f"standings {game} {part}", lambda page: pages.standings_text(page, game, part))


@require_safe
def player_page(request: HttpRequest, token: str, table: int, key: str) -> HttpResponseBase:
    """Show a player's page to anyone who has its address."""
    response = _answer(request, token, f"player {table} {key}", lambda page: pages.player_text(page, table, key))
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _answer(request: HttpRequest, token: str, name: str, make: Make) -> HttpResponseBase:
    """Return the page or 304; 404 for anything that does not exist, without a reason."""
    if not cached_pages.knows(token) and _unknown_limit.take(ip_prefix(failure_throttle.address_of(request))) > 0:
        return HttpResponse(status=429, headers={"Retry-After": "5"})
    answer = cached_pages.answer(token, name, make)
    if answer is None:
        raise Http404(_("There is no page at this address: ask the club for the current one."))
    return _conditional(request, answer)


def _conditional(request: HttpRequest, answer: CachedPage) -> HttpResponseBase:
    zipped = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(answer.zipped if zipped else answer.body)
    if zipped:
        response["Content-Encoding"] = "gzip"
    response["ETag"] = f"W/{answer.etag}"
    response["Cache-Control"] = f"public, max-age={FRESH_S}"
    response["Content-Language"] = answer.language
    patch_vary_headers(response, ("Accept-Encoding",))
    if not answer.may_be_found:
        response["X-Robots-Tag"] = "noindex, nofollow"
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def _number(text: str) -> int:
    return parse_whole_number(text) or 0
