"""Cached answers: each is made once for all readers, and again when its content has changed."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from ninja import Schema

from referee.public.page_cache import AnswerCache, CachedPage, Source, source_of
from tournaments.models import Event, PublicPage
from tournaments.publishing.queries.public_events import get_public_page
from tournaments.publishing.queries.public_seasons import seasons_version
from tournaments.seasons.services.summaries import refresh_summaries

SEASONS_CHECK_S = 10.0
_FRESH_S = 1


def _find_event(number: str) -> Source[PublicPage] | None:
    event = Event.objects.filter(pk=int(number)).first()
    return None if event is None else source_of(get_public_page(event))


def _find_seasons(_key: str) -> Source[None]:
    """Store the results of newly finished events first."""
    refresh_summaries()
    return Source(seasons_version(), None, "en")


events = AnswerCache(_find_event)
event_lists = AnswerCache(lambda _key: Source(object(), None, "en"))  # as cheap to make as their version is to read
seasons = AnswerCache(_find_seasons, check_s=SEASONS_CHECK_S)


def answer_event(
    request: HttpRequest, event: int, name: str, make: Callable[[PublicPage], Schema | None]
) -> HttpResponseBase:
    """Answer with content of an event; 404 if there is none."""
    return _answer(request, events.answer(str(event), name, lambda page: _as_json(make(page))))


def answer_event_list(request: HttpRequest, part: int, make: Callable[[], Schema | None]) -> HttpResponseBase:
    """Answer with a part of the list of events; 404 if there is none."""
    return _answer(request, event_lists.answer("events", str(part), lambda _nothing: _as_json(make())))


def answer_season(request: HttpRequest, name: str, make: Callable[[], Schema | None]) -> HttpResponseBase:
    """Answer with content of the seasons; 404 if there is none."""
    return _answer(request, seasons.answer("seasons", name, lambda _nothing: _as_json(make())))


def forget_answers() -> None:
    """Clear the caches."""
    for cache in (events, event_lists, seasons):
        cache.forget()


def _as_json(answer: Schema | None) -> str | None:
    return None if answer is None else answer.model_dump_json()


def _answer(request: HttpRequest, cached: CachedPage | None) -> HttpResponseBase:
    if cached is None:
        return JsonResponse({"detail": "There is nothing with this number."}, status=404)
    zipped = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(cached.zipped if zipped else cached.body, content_type="application/json")
    if zipped:
        response["Content-Encoding"] = "gzip"
    response["ETag"] = f"W/{cached.etag}"
    response["Cache-Control"] = f"private, max-age={_FRESH_S}"
    patch_vary_headers(response, ("Accept-Encoding", "Authorization"))
    return get_conditional_response(request, etag=response["ETag"], response=response) or response
