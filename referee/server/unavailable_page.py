"""The page that says what is missing: database, engine or word list."""

from __future__ import annotations

import logging
from asyncio import iscoroutinefunction
from collections.abc import Callable
from typing import Any

from asgiref.sync import markcoroutinefunction
from django.db import DataError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import reswap, trigger_client_event

from referee.live.monitoring import alarms
from referee.server.database_outage import OUTAGE_ERRORS, outage_kind
from referee.server.error_pages import bad_request
from tournaments.lexicons.engine_build import EngineNotReady, get_engine_build
from tournaments.lexicons.word_lists import WordListMissing

logger = logging.getLogger(__name__)
_RELOAD_S = 3


class UnavailablePage:
    """Middleware that answers requests that cannot be met for lack of database, engine or word list with the reason
    and the remedy."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self._get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        """Pass the request on."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer an outage, a search without compiled engine or word list, or a value that cannot be stored.

        PostgreSQL accepts no NUL in a text.

        None for any other error, which is a fault of the program.
        """
        if isinstance(error, DataError):
            return bad_request(request, error)
        if isinstance(error, EngineNotReady):
            return _answer_until_ready(request, error)
        if isinstance(error, WordListMissing):
            logger.warning("%s %s: %s", request.method, request.path, error)
            return _answer(request, error.sentence, _("The word list is missing"))
        if not isinstance(error, OUTAGE_ERRORS):
            return None
        kind = outage_kind(error)
        logger.error("%s %s: %s", request.method, request.path, error, exc_info=kind == "not_stored")
        return _answer(request, _sentence(request, kind))


def _answer(request: HttpRequest, sentence: str, title: str = "", *, waits: bool = False) -> HttpResponse:
    if getattr(request, "htmx", False):
        notice = {"notices": [{"kind": "error", "text": sentence}]}
        return trigger_client_event(reswap(HttpResponse(status=503), "none"), "notices", notice)
    if request.accepts("application/json") and not request.accepts("text/html"):
        return JsonResponse({"ok": False, "sentence": sentence}, status=503)
    return render(request, "503.html", {"sentence": sentence, "title": title, "waits": waits}, status=503)


def _answer_until_ready(request: HttpRequest, error: EngineNotReady) -> HttpResponse:
    """Answer a search before the engine is compiled. The page of a browser loads again until it is."""
    build = get_engine_build()
    waits = request.method == "GET" and not (build is not None and build.has_failed)
    answer = _answer(request, error.sentence, _("The engine is not ready"), waits=waits)
    if waits:
        answer["Refresh"] = answer["Retry-After"] = str(_RELOAD_S)
    return answer


def _sentence(request: HttpRequest, kind: str) -> str:
    """Return the remedy for a judge; other users are asked to tell the judge."""
    if request.path.startswith(reverse("desk:events")):
        return alarms.build_sentence(kind, alarms.get_storage_details())
    return _("The program cannot store anything at this moment: tell the judge, and try again in a minute.")
