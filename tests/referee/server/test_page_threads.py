"""Pages share a few threads that stay, and none waits for a long one while another thread is free."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import path
from django.utils.deprecation import MiddlewareMixin

from referee.server.page_threads import THREADS, ThreadedHandler
from tests.waiting import PATIENCE_S

_here: list[int] = []
_long = threading.Event()


def note(request: HttpRequest) -> HttpResponse:
    _here.append(threading.get_ident())
    return HttpResponse("noted")


def wait(request: HttpRequest) -> HttpResponse:
    assert _long.wait(PATIENCE_S)
    return HttpResponse("at last")


class Noting(MiddlewareMixin):
    """Writes down where it runs, before the view and after it."""

    async_capable = True

    def process_request(self, request: HttpRequest) -> None:
        _here.append(threading.get_ident())

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        _here.append(threading.get_ident())
        return response


urlpatterns = [path("note", note), path("wait", wait)]


@pytest.fixture(autouse=True)
def small_site() -> Any:
    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[], ALLOWED_HOSTS=["hall"]):
        _here.clear()
        _long.clear()
        yield
        _long.set()


async def asked(pages: ThreadedHandler, address: str) -> bytes:
    return b"".join(message.get("body", b"") for message in await answer(pages, address))


async def answer(pages: ThreadedHandler, address: str) -> list[dict[str, Any]]:
    scope = {"type": "http", "method": "GET", "path": address, "query_string": b"", "headers": [(b"host", b"hall")]}
    said: list[dict[str, Any]] = []
    unread = asyncio.Queue[dict[str, Any]]()
    unread.put_nowait({"type": "http.request", "body": b""})

    async def send(message: dict[str, Any]) -> None:
        said.append(message)

    await pages(scope, unread.get, send)
    return said


def test_many_pages_are_made_in_a_few_threads() -> None:
    async def storm() -> list[bytes]:
        pages = ThreadedHandler()
        return await asyncio.gather(*(asked(pages, "/note") for _number in range(60)))

    assert asyncio.run(storm()) == [b"noted"] * 60
    assert len(set(_here)) == THREADS


def test_a_long_page_holds_up_no_other_one() -> None:
    async def live_game() -> bytes:
        pages = ThreadedHandler()
        long = [asyncio.ensure_future(asked(pages, "/wait")) for _number in range(THREADS - 1)]
        await asyncio.sleep(0)
        for _number in range(20):
            assert await asyncio.wait_for(asked(pages, "/note"), PATIENCE_S) == b"noted"
        _long.set()
        return b"".join(await asyncio.gather(*long))

    assert asyncio.run(live_game()) == b"at last" * (THREADS - 1)


def test_a_request_that_is_given_up_gives_its_thread_back() -> None:
    async def gone() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def live_game() -> set[int]:
        pages = ThreadedHandler()
        for _number in range(THREADS * 3 + 1):
            await pages({"type": "http"}, gone, _nobody)
        for _number in range(5):
            await asyncio.gather(*(asked(pages, "/note") for _each in range(THREADS)))
        return set(_here)

    assert len(asyncio.run(live_game())) == THREADS


def test_middlewares_and_the_view_run_in_one_piece() -> None:
    with override_settings(MIDDLEWARE=[f"{__name__}.Noting"] * 5):
        asyncio.run(asked(ThreadedHandler(), "/note"))
    assert len(_here) == 11
    assert len(set(_here)) == 1
    assert threading.get_ident() not in _here


def test_a_file_of_the_program_is_sent_by_the_loop_and_its_kind_is_not_to_be_guessed() -> None:
    with override_settings(MIDDLEWARE=[f"{__name__}.Noting"]):
        start, *rest = asyncio.run(answer(ThreadedHandler(), "/static/common/clock.js"))
    sent = b"".join(part.get("body", b"") for part in rest)
    assert sent == (settings.BASE_DIR / "referee/static/common/clock.js").read_bytes()
    assert {name.lower(): value for name, value in start["headers"]}[b"x-content-type-options"] == b"nosniff"
    assert _here == []


async def _nobody(message: dict[str, Any]) -> None:
    raise AssertionError(message)
