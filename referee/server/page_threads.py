"""Django's pages under ASGI, in a few permanent threads.

A new thread and connection for each request costs more than most pages, and so does switching between the event loop
and a thread for each middleware."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from asgiref.sync import SyncToAsync, ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_started
from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware

from referee.security import failure_throttle

THREADS = 4
RECONNECT = "multiplo.open_anew"
_THREAD = "multiplo.thread"


@dataclass
class _Thread:
    """asgiref's context of one thread, and its number of active requests."""

    context: ThreadSensitiveContext = field(default_factory=ThreadSensitiveContext)
    busy: int = 0
    in_outage: bool = False


class ThreadedHandler(ASGIHandler):
    """ASGI application that sends each request to the thread with the fewest active requests.

    All middleware and the view run in that thread; static files are served by the event loop.
    """

    def __init__(self, in_outage: Callable[[], bool] = lambda: False) -> None:
        super().__init__()
        self._in_outage = in_outage
        self._threads = [_Thread() for _number in range(THREADS)]
        self._files = ServeStaticMiddleware(self._in_thread)

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware for synchronous use."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Return a static file or a page."""
        response: HttpResponseBase = await self._files(request)
        if delay_s := failure_throttle.delay_of(request):
            await self._delay(request, delay_s)
        return response

    @staticmethod
    async def _delay(request: HttpRequest, seconds: float) -> None:
        """Delay a response; its thread is free meanwhile."""
        thread: _Thread = request.scope[_THREAD]  # type: ignore[attr-defined]  # of a request by ASGI
        thread.busy -= 1
        try:
            await failure_throttle.delay(seconds)
        finally:
            thread.busy += 1

    async def _in_thread(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response)(request)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request; all its database work runs in one thread, in order."""
        thread = min(self._threads, key=lambda each: each.busy)
        mark = SyncToAsync.thread_sensitive_context.set(thread.context)
        thread.busy += 1
        try:
            await self.handle({**scope, RECONNECT: self._must_reconnect(thread), _THREAD: thread}, receive, send)
        finally:
            thread.busy -= 1
            SyncToAsync.thread_sensitive_context.reset(mark)

    def _must_reconnect(self, thread: _Thread) -> bool:
        """True during an outage and once after it, because a connection opened during it may be read-only."""
        was, thread.in_outage = thread.in_outage, self._in_outage()
        return was or thread.in_outage


def build_application(in_outage: Callable[[], bool]) -> ThreadedHandler:
    """Return the application. `in_outage` is True while slips cannot be stored.

    The pages are imported here: otherwise the first request waits for it, and sockets stand still.
    """
    import_module(settings.ROOT_URLCONF)
    request_started.connect(_reconnect_in_outage)
    return ThreadedHandler(in_outage)


def _reconnect_in_outage(scope: Mapping[str, object] | None = None, **_signal: object) -> None:
    """Close the connection in an outage: an old one may still write to a file that new ones cannot, and judges' actions
    have to fail while slips cannot be stored."""
    if scope is not None and scope.get(RECONNECT):
        connection.close()
