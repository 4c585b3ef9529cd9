"""Kinds of database outages, and the page that explains one."""

from __future__ import annotations

import logging
import shutil
from asyncio import iscoroutinefunction
from collections.abc import Callable
from typing import Any

from asgiref.sync import markcoroutinefunction
from django.conf import settings
from django.db import DataError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import reswap, trigger_client_event

from referee.live.monitoring import alarms
from referee.server.error_pages import bad_request
from tournaments.lexicons.engine_build import EngineNotReady, get_engine_build

logger = logging.getLogger(__name__)
OUTAGE_ERRORS = (OperationalError, InterfaceError)
SCARCE_BYTES = 256 * 1024
_RELOAD_S = 3
_BY_SQLITE = {
    "SQLITE_FULL": "disk_full",
    "SQLITE_READONLY": "read_only",
    "SQLITE_CANTOPEN": "read_only",
    "SQLITE_PERM": "read_only",
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
}
_BY_POSTGRESQL = {
    "53100": "disk_full",
    "25006": "read_only",
    "55P03": "locked",
    "57014": "no_answer",
    "53300": "many_connections",
    "57P": "restarting",
    "28": "wrong_password",
    "08": "no_connection",
}
"""Kinds by SQLSTATE or its first characters (PostgreSQL, appendix A)."""
_REFUSALS = {
    "starting up": "restarting",
    "shutting down": "restarting",
    "recovery": "restarting",
    "authentication failed": "wrong_password",
    "pg_hba.conf": "wrong_password",
    "too many clients": "many_connections",
    "connection slots": "many_connections",
}
"""Kinds by a part of the message, which is all that libpq gives of a refused connection."""


def outage_kind(error: BaseException) -> str:
    """Return the kind of alarm (referee/live/monitoring/alarms.py) for a database error; `not_stored` if unknown."""
    cause = error.__cause__ or error
    if connection.vendor == "postgresql":
        return _postgresql_kind(cause)
    name = "_".join(str(getattr(cause, "sqlite_errorname", "")).split("_")[:2])
    return _BY_SQLITE.get(name) or ("disk_full" if free_bytes() < SCARCE_BYTES else "not_stored")


def _postgresql_kind(cause: BaseException) -> str:
    """Return the kind of an error of psycopg or of its pool, which knows only that there is no connection."""
    import psycopg
    from psycopg_pool import PoolTimeout

    from referee.server.postgresql.connections import answers

    if isinstance(cause, PoolTimeout):
        return answers.outage or "no_connection"
    if isinstance(cause, psycopg.errors.ConnectionTimeout):
        return "no_answer"
    state = getattr(cause, "sqlstate", None) or ""
    known = next((kind for start, kind in _BY_POSTGRESQL.items() if state.startswith(start)), None)
    if known is not None or state:
        return known or "not_stored"
    return next((kind for part, kind in _REFUSALS.items() if part in str(cause)), "no_connection")


def free_bytes() -> int:
    """Return the free space on the disk of the data folder; 0 if the folder is gone."""
    try:
        return shutil.disk_usage(settings.DATA_DIR).free
    except OSError:
        return 0


class StorageOutagePage:
    """Middleware that answers requests during a database outage with the reason and the remedy."""

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
        """Answer an outage, a search before the engine is compiled, or a value that cannot be stored.

        PostgreSQL accepts no NUL in a text.

        None for any other error, which is a fault of the program.
        """
        if isinstance(error, DataError):
            return bad_request(request, error)
        if isinstance(error, EngineNotReady):
            return _answer_until_ready(request, error)
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
