"""Play over a bad Wi-Fi: two seconds of latency, a tenth of the packets lost, broken connections."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from tests.examples import representative
from tests.referee.live.faults.bad_network import BadNetwork
from tests.referee.live.live_game import make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tournaments.models import Slip

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.endurance]
PATIENCE_S = 300.0


@dataclass
class Phone:
    """Does what the page does: measures the server's clock, sends, and sends again with the same id until answered."""

    port: int
    cookie: str
    patience_s: float
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
        line = SocketClient(host, "/ws/phone/", {"Origin": f"http://{host}", "Cookie": self.cookie})
        self.lines += 1
        try:
            line.until("hello", self.patience_s)
            self._measure(line)
            while len(receipts) < len(self.slips):
                receipt = line.hand_in(self.slips[len(receipts)], self.patience_s)
                if receipt["t"] == "ack":
                    receipts.append(receipt)
        finally:
            line.close()

    def _measure(self, line: SocketClient) -> None:
        """As in static/common/clock.js, of two exchanges the quicker one."""
        rounds = []
        for _ in range(2):
            sent = time.time() * 1000
            line.send({"t": "ping", "c": sent})
            now = line.until("pong", self.patience_s)["now"]
            received = time.time() * 1000
            rounds.append((received - sent, now - (sent + received) / 2))
        self.clock_error_ms = min(rounds)[1]


@pytest.mark.parametrize(("latency_s", "phones_there"), representative([(0.2, 16), (2.0, 16)]))
def test_every_slip_arrives_exactly_once_and_every_phone_knows_the_time(
    served: ServerProcess, transactional_db: None, latency_s: float, phones_there: int
) -> None:
    live_game = make_live_game(names=[f"Player {number}" for number in range(1, phones_there + 1)])
    live_game.draw("CORNOAT")
    live_game.announce(2 * PATIENCE_S)
    with closing(BadNetwork(served.port, latency_s=latency_s, seed=7)) as network:
        phones = [
            Phone(
                network.port,
                live_game.cookie(table),
                2.0 + 5 * latency_s,
                [slip(1, word=word) for word in ("ORO", "CORNO")],
            )
            for table in range(1, phones_there + 1)
        ]
        with ThreadPoolExecutor(phones_there) as pool:
            receipts = list(pool.map(Phone.play, phones))
    assert network.lost > 0
    assert network.broken > 0, "the network was too good to show anything"
    assert sum(phone.lines for phone in phones) > phones_there, "no phone had to come back"
    for phone, got in zip(phones, receipts, strict=True):
        assert [receipt["id"] for receipt in got] == [message["id"] for message in phone.slips]
        assert all(receipt["in_time"] for receipt in got)
        # A stall on one way shifts the middle of an exchange by half of it; the better of two is mostly free of it.
        assert abs(phone.clock_error_ms) < 1000
    stored = sorted(str(client_id) for client_id in Slip.objects.values_list("client_id", flat=True))
    assert stored == sorted(message["id"] for phone in phones for message in phone.slips)
    assert set(Slip.objects.filter(word="CORNO").values_list("version", flat=True)) == {2}
