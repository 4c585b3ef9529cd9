"""Floods of messages, handshakes, polls and connections are slowed down and bounded; a full hall is not."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from django.test import AsyncRequestFactory

from referee.asgi import application
from referee.live.rooms.live_server import POLLS_OF_A_PHONE
from referee.live.sockets import http_fallback
from referee.live.sockets.connections import SOCKETS_OF_ONE_PHONE
from referee.security import rate_limit
from referee.security.rate_limit import RateLimited, RequestQueue
from referee.security.token_bucket import Rate
from tests.referee.live.live_game import make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient

LAPTOP, PHONE, JUDGE = "192.168.1.66", "192.168.1.5", "127.0.0.1"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def queue(per_second: float, burst: float, longest: float = 2.0) -> tuple[RequestQueue, Clock]:
    clock = Clock()
    return RequestQueue(Rate(per_second, burst), longest, clock), clock


def test_a_burst_passes_at_once_and_the_rest_in_its_turn() -> None:
    line, clock = queue(per_second=2, burst=3)
    assert [line.wait("a") for _ in range(5)] == pytest.approx([0, 0, 0, 0.5, 1.0])
    clock.now += 1.0
    assert line.wait("a") == pytest.approx(0.5)


def test_a_request_that_would_wait_too_long_is_refused_without_cost() -> None:
    line, clock = queue(per_second=1, burst=1)
    assert [line.wait("a") for _ in range(3)] == pytest.approx([0, 1, 2])
    assert [line.wait("a") for _ in range(100)] == [None] * 100
    clock.now += 1.0
    assert line.wait("a") == pytest.approx(2)


def test_one_address_does_not_hold_another_up() -> None:
    line, _ = queue(per_second=1, burst=1)
    for _ in range(50):
        line.wait("laptop")
    assert line.wait("phone") == 0.0


class Inside:
    """Application behind the middleware: records callers, and holds sockets open until released."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.close = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen.append(scope["client"][0])
        if scope["type"] == "websocket":
            await self.close.wait()
        else:
            await send({"type": "http.response.start", "status": 200, "headers": []})


async def call(door: RateLimited, address: str, kind: str = "http") -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": f"{kind}.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await door({"type": kind, "client": (address, 5)}, receive, send)
    return sent


async def test_a_laptop_that_floods_pages_gets_429_and_a_phone_its_page() -> None:
    inside = Inside()
    door = RateLimited(inside, Rate(per_second=0.001, burst=3))
    answers = [await call(door, LAPTOP) for _ in range(6)]
    assert [answer[0]["status"] for answer in answers] == [200, 200, 200, 429, 429, 429]
    assert dict(answers[-1][0]["headers"])[b"retry-after"] == b"5"
    assert (await call(door, PHONE))[0]["status"] == 200


async def test_a_laptop_that_floods_handshakes_is_refused_before_anything_is_looked_up() -> None:
    inside = Inside()
    inside.close.set()
    door = RateLimited(inside, Rate(per_second=0.001, burst=2))
    for _ in range(2):
        assert await call(door, LAPTOP, "websocket") == []
    assert await call(door, LAPTOP, "websocket") == [{"type": "websocket.close", "code": 4429}]
    assert inside.seen == [LAPTOP, LAPTOP]


async def test_the_judges_own_computer_is_never_held_up() -> None:
    door = RateLimited(Inside(), Rate(per_second=0.001, burst=1))
    assert [(await call(door, JUDGE))[0]["status"] for _ in range(50)] == [200] * 50


async def test_of_one_address_only_so_many_sockets_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MOST_SOCKETS", 2)
    inside = Inside()
    door = RateLimited(inside, Rate(1000, 1000))
    held = [asyncio.create_task(call(door, LAPTOP, "websocket")) for _ in range(2)]
    await asyncio.sleep(0)
    assert (await call(door, LAPTOP, "websocket"))[0]["code"] == 4429
    other = asyncio.create_task(call(door, PHONE, "websocket"))
    await asyncio.sleep(0)
    inside.close.set()
    await asyncio.gather(*held, other)
    assert await call(door, LAPTOP, "websocket") == []


def test_a_hall_of_five_thousand_behind_one_address_gets_in_at_once() -> None:
    assert rate_limit.HANDSHAKES.burst >= 5000
    assert rate_limit.MOST_SOCKETS >= 5000
    doors = application.application_mapping
    assert isinstance(doors["http"], RateLimited)
    assert isinstance(doors["websocket"], RateLimited)


def test_a_slip_that_had_to_wait_counts_from_when_it_was_read() -> None:
    read_at = datetime(2026, 3, 6, 20, 30, tzinfo=UTC)
    request = AsyncRequestFactory().post("/play/slip", {}, content_type="application/json")
    cast(dict[str, Any], request.scope)["read_at"] = read_at
    assert http_fallback._read_at(request) == read_at


async def test_every_request_is_stamped_before_it_waits() -> None:
    scopes: list[Any] = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        scopes.append(scope)

    door = RateLimited(inside, Rate(per_second=4, burst=1))
    await call(door, LAPTOP)
    await call(door, LAPTOP)
    first, second = (scope["read_at"] for scope in scopes)
    assert (second - first).total_seconds() < 0.25, "stamped after the wait of a quarter of a second"


@pytest.mark.endurance
@pytest.mark.django_db(transaction=True)
def test_a_phone_that_polls_without_end_is_refused_and_its_neighbour_is_not(served: ServerProcess) -> None:
    live_game = make_live_game()
    first = {"Cookie": live_game.cookie(1)}
    answers = [
        served.request("GET", "/play/state.json", headers=first) for _ in range(int(POLLS_OF_A_PHONE.burst) + 60)
    ]
    assert answers[0].status == 200
    refused = [answer for answer in answers if answer.status == 429]
    assert len(refused) > 20
    assert json.loads(refused[0].text)["why"] == "too_fast"
    assert served.request("GET", "/play/state.json", headers={"Cookie": live_game.cookie(2)}).status == 200


@pytest.mark.endurance
@pytest.mark.django_db(transaction=True)
def test_one_seat_opens_a_hundred_sockets_and_keeps_two(served: ServerProcess, lines: list[SocketClient]) -> None:
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    live_game.announce()
    neighbour = served.phone(live_game.cookie(2))
    lines.append(neighbour)
    opened = [served.phone(live_game.cookie(1)) for _ in range(100)]
    lines += opened
    ended = [line.end() for line in opened[:-SOCKETS_OF_ONE_PHONE]]
    assert set(ended) == {4001}
    assert opened[-1].hand_in(slip(1))["t"] == "ack"
    assert neighbour.hand_in(slip(1))["t"] == "ack"


@pytest.mark.django_db(transaction=True)
def test_slips_by_post_are_counted_with_those_by_socket(served: ServerProcess) -> None:
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    live_game.announce()
    headers = {"Cookie": live_game.cookie(1), "Origin": f"http://{served.host}", "Content-Type": "application/json"}
    answers = [served.request("POST", "/play/slip", json.dumps(slip(1)).encode(), headers).json for _ in range(30)]
    assert [answer["t"] for answer in answers[:10]] == ["ack"] * 10
    slowed = [answer for answer in answers if answer["t"] == "refused"]
    assert len(slowed) >= 10
    assert {answer["why"] for answer in slowed} == {"too_fast"}
    assert all(answer["retry_ms"] > 0 for answer in slowed)
    other = {**headers, "Cookie": live_game.cookie(2)}
    assert served.request("POST", "/play/slip", json.dumps(slip(1)).encode(), other).json["t"] == "ack"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("size", "end"), [(8193, None), (32_000, None), (33_000, 1009), (200_000, 1009)])
def test_a_frame_too_long_gets_a_sentence_and_one_beyond_measure_the_end(
    served: ServerProcess, lines: list[SocketClient], size: int, end: int | None
) -> None:
    live_game = make_live_game()
    line, neighbour = served.phone(live_game.cookie(1)), served.phone(live_game.cookie(2))
    lines += [line, neighbour]
    line.until("state")
    line.send("x" * size)
    if end is None:
        refused = line.until("refused")
        assert refused["why"] == "malformed"
        assert "8192" in refused["text"]
        line.send({"t": "ping", "c": 1})
        assert line.until("pong")["c"] == 1
    else:
        assert line.end() in (end, None)
    neighbour.send({"t": "ping", "c": 2})
    assert neighbour.until("pong")["c"] == 2
