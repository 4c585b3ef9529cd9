"""Django's pages under ASGI, in a few threads that stay: a thread and a connection for each request cost more than most
pages do, and so do twenty ways between the loop and a thread, one for each half of a middleware."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from asgiref.sync import SyncToAsync, ThreadSensitiveContext, sync_to_async
from django import setup
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_started
from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware

from referee.security import gate

THREADS = 4
OPEN_ANEW = "multiplo.open_anew"
_THREAD = "multiplo.thread"


@dataclass
class _Thread:
    """What asgiref takes as the sign of one thread, and how many requests are with it now."""

    context: ThreadSensitiveContext = field(default_factory=ThreadSensitiveContext)
    busy: int = 0
    in_outage: bool = False


class Pages(ASGIHandler):
    """An ASGI application. A request goes to the thread with the fewest, so one long page holds up few others.

    All middlewares and the view run in one piece there; the program's own files are sent by the loop.
    """

    def __init__(self, in_outage: Callable[[], bool] = lambda: False) -> None:
        super().__init__()
        self._in_outage = in_outage
        self._threads = [_Thread() for _number in range(THREADS)]
        self._files = ServeStaticMiddleware(self._in_thread)

    def load_middleware(self, is_async: bool = False) -> None:
        """The chain as a thread runs it."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """A file, or else a page."""
        response: HttpResponseBase = await self._files(request)
        if delay_s := gate.delay_of(request):
            await self._delay(request, delay_s)
        return response

    @staticmethod
    async def _delay(request: HttpRequest, seconds: float) -> None:
        """Keep an answer back; its thread has others to do meanwhile."""
        thread: _Thread = request.scope[_THREAD]  # type: ignore[attr-defined]  # of a request by ASGI
        thread.busy -= 1
        try:
            await gate.delay(seconds)
        finally:
            thread.busy += 1

    async def _in_thread(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response)(request)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request; what it does with the database happens in one thread, in its order."""
        thread = min(self._threads, key=lambda each: each.busy)
        mark = SyncToAsync.thread_sensitive_context.set(thread.context)
        thread.busy += 1
        try:
            await self.handle({**scope, OPEN_ANEW: self._is_to_open_anew(thread), _THREAD: thread}, receive, send)
        finally:
            thread.busy -= 1
            SyncToAsync.thread_sensitive_context.reset(mark)

    def _is_to_open_anew(self, thread: _Thread) -> bool:
        """In an outage, and once after it, for what was opened meanwhile may not write."""
        was, thread.in_outage = thread.in_outage, self._in_outage()
        return was or thread.in_outage


def pages(in_outage: Callable[[], bool]) -> Pages:
    """The pages of this program; Django is set up first. `in_outage` tells whether slips cannot be stored now."""
    setup(set_prefix=False)
    request_started.connect(_open_anew_in_an_outage)
    return Pages(in_outage)


def _open_anew_in_an_outage(scope: Mapping[str, object] | None = None, **_signal: object) -> None:
    """A connection from before may go on writing to a file that no new one may write to: while slips cannot be stored,
    what the judge does is refused as well."""
    if scope is not None and scope.get(OPEN_ANEW):
        connection.close()
