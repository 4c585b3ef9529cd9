"""`/livez`, `/readyz` and `/metrics` of a server on a laptop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.referee.live.install import Installation
from tests.referee.live.live_game import slip
from tests.referee.live.live_server import HttpAnswer, ServerProcess
from tests.waiting import until

TOKEN = "a-token-of-a-test-0123456789"
DOCUMENT = (Path(__file__).resolve().parents[4] / "docs" / "operating.md").read_text()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    installation = Installation(tmp_path_factory.mktemp("probes") / "data", METRICS_TOKEN=TOKEN).migrate()
    judge = installation.judge()
    event, cookie = judge.do("event"), judge.do("cookie", 1)
    judge.do("draw", "CORNOAT")
    judge.do("announce")
    judge.leave()
    served = installation.serve()
    try:
        served.ready()
        phone = served.phone(cookie)
        phone.phase("running")
        assert phone.hand_in(slip(1))["t"] == "ack"
        served.code = event["code"]  # type: ignore[attr-defined]
        yield served
        phone.close()
    finally:
        served.stop()


def metrics(served: ServerProcess, token: str = TOKEN) -> HttpAnswer:
    return served.request("GET", "/metrics", headers={"Authorization": f"Bearer {token}"})


def test_a_laptop_is_alive_and_ready_without_postgresql_and_redis(served: ServerProcess) -> None:
    answers: list[HttpAnswer] = []

    def is_ready() -> bool:
        answers.append(served.request("GET", "/readyz"))
        return answers[-1].status == 200

    until(is_ready, "that the server is ready")
    ready = answers[-1].json
    assert ready["text"] == "Ready."
    assert set(ready["checks"]) == {"running", "database", "migrations", "clock", "engine", "disk"}
    for path in ("/livez", "/healthz"):
        assert served.request("GET", path).text == "Multiplo\n"


def test_metrics_are_for_the_holder_of_the_token_and_name_no_player(served: ServerProcess) -> None:
    assert served.request("GET", "/metrics").status == 404
    assert metrics(served, TOKEN + "x").status == 404
    answer = metrics(served)
    assert answer.status == 200
    lines = answer.text.splitlines()
    assert f'multiplo_phones{{event="{served.code}",room="1"}} 1.0' in lines  # type: ignore[attr-defined]
    assert 'multiplo_slips_total{outcome="stored"} 1.0' in lines
    assert "multiplo_slip_ack_seconds_count 1.0" in lines
    assert 'multiplo_ready{check="database"} 1.0' in lines
    assert "Anna" not in answer.text
    assert "CORNO" not in answer.text


def test_counters_are_there_before_the_first_event(served: ServerProcess) -> None:
    lines = metrics(served).text.splitlines()
    assert 'multiplo_slips_total{outcome="not_stored"} 0.0' in lines
    assert 'multiplo_http_requests_total{status="5xx"} 0.0' in lines
    assert 'multiplo_log_messages_total{level="critical"} 0.0' in lines


def test_every_metric_is_documented(served: ServerProcess) -> None:
    section = DOCUMENT.partition("### Metrics")[2].partition("\n## ")[0]
    documented = set(re.findall(r"`(multiplo_[a-z_]+)", section))
    of_postgresql = {name for name in documented if "_database_pool_" in name}
    families = set(re.findall(r"^# TYPE (multiplo_[a-z_]+) ", metrics(served).text, re.MULTILINE))
    assert documented - of_postgresql == {name.removesuffix("_total") for name in families}


def test_every_answer_has_the_id_of_its_request(served: ServerProcess) -> None:
    given = served.request("GET", "/livez", headers={"X-Request-ID": "front-0123456789"})
    assert given.headers["x-request-id"] == "front-0123456789"
    made = served.request("GET", "/livez", headers={"X-Request-ID": "not an id"}).headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{32}", made)
