"""A hall whose Wi-Fi is bad: every packet takes two seconds, a tenth of them is lost, lines break."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from tests.referee.live.bad_network import BadNetwork
from tests.referee.live.evening import Evening, make_evening, slip
from tests.referee.live.serving import Line, Served
from tournaments.models import Slip

pytestmark = pytest.mark.django_db(transaction=True)
LATENCY_S = 2.0
PHONES = 16
ANSWER_S = 12.0
PATIENCE_S = 100.0


@pytest.fixture
def evening(transactional_db: None) -> Evening:
    return make_evening(names=[f"Player {number}" for number in range(1, PHONES + 1)])


@pytest.fixture
def network(served: Served) -> Iterator[BadNetwork]:
    bad = BadNetwork(served.port, latency_s=LATENCY_S, seed=7)
    yield bad
    bad.close()


@dataclass
class Phone:
    """Does what the page does: measures the server's clock, sends, and sends again with the same id until answered."""

    port: int
    cookie: str
    slips: list[dict[str, Any]]
    lines: int = 0
    clock_error_ms: float = 0.0

    def play(self) -> list[dict[str, Any]]:
        """Hand every slip in; gives the receipts."""
        receipts: list[dict[str, Any]] = []
        until = time.monotonic() + PATIENCE_S
        while len(receipts) < len(self.slips) and time.monotonic() < until:
            try:
                self._on_a_line(receipts)
            except (OSError, TimeoutError, WebSocketException, AssertionError):
                continue  # the line broke, or says nothing: another one
        return receipts

    def _on_a_line(self, receipts: list[dict[str, Any]]) -> None:
        host = f"127.0.0.1:{self.port}"
        line = Line(host, "/ws/phone/", {"Origin": f"http://{host}", "Cookie": self.cookie})
        self.lines += 1
        try:
            line.until("hello", ANSWER_S)
            self._measure(line)
            while len(receipts) < len(self.slips):
                receipt = line.hand_in(self.slips[len(receipts)], ANSWER_S)
                if receipt["t"] == "ack":
                    receipts.append(receipt)
        finally:
            line.close()

    def _measure(self, line: Line) -> None:
        """As in static/common/clock.js, of two exchanges the quicker one."""
        rounds = []
        for _ in range(2):
            sent = time.time() * 1000
            line.send({"t": "ping", "c": sent})
            now = line.until("pong", ANSWER_S)["now"]
            received = time.time() * 1000
            rounds.append((received - sent, now - (sent + received) / 2))
        self.clock_error_ms = min(rounds)[1]


def test_every_slip_arrives_exactly_once_and_every_phone_knows_the_time(
    served: Served, evening: Evening, network: BadNetwork
) -> None:
    evening.draw("CORNOAT")
    evening.announce()
    phones = [
        Phone(network.port, evening.cookie(table), [slip(1, word=word) for word in ("ORO", "CORNO")])
        for table in range(1, PHONES + 1)
    ]
    with ThreadPoolExecutor(PHONES) as pool:
        receipts = list(pool.map(Phone.play, phones))
    assert network.lost > 0
    assert network.broken > 0, "the network was too good to show anything"
    assert sum(phone.lines for phone in phones) > PHONES, "no phone had to come back"
    for phone, got in zip(phones, receipts, strict=True):
        assert [receipt["id"] for receipt in got] == [message["id"] for message in phone.slips]
        assert all(receipt["in_time"] for receipt in got)
        # A stall on one way shifts the middle of an exchange by half of it; the better of two is mostly free of it.
        assert abs(phone.clock_error_ms) < 1000
    stored = sorted(str(client_id) for client_id in Slip.objects.values_list("client_id", flat=True))
    assert stored == sorted(message["id"] for phone in phones for message in phone.slips)
    assert set(Slip.objects.filter(word="CORNO").values_list("version", flat=True)) == {2}
