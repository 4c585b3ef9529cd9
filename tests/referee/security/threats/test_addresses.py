"""Network addresses of users are stored neither in the log nor in the database."""

from __future__ import annotations

import json

import pytest
from django.apps import apps

from tests.referee.live.live_game import make_live_game
from tests.referee.live.live_server import ServerProcess
from tests.referee.security.threats.dawdling import SlowClient

pytestmark = pytest.mark.django_db(transaction=True)
GUEST = "127.0.0.99"
HOST = b"Host: 127.0.0.1:%d\r\nConnection: close\r\n"


def everything_stored() -> str:
    rows = [list(model._default_manager.values()) for model in apps.get_models()]
    return json.dumps(rows, default=str)


@pytest.mark.endurance
def test_a_guest_who_tries_everything_leaves_no_address_behind(served: ServerProcess) -> None:
    live_game = make_live_game()
    host = HOST % served.port
    cookie = live_game.cookie(1).encode()
    form = b"code=WRONG"
    said = [
        b"GET / HTTP/1.1\r\n" + host + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"GET /wall/x%0d%0aforged/ HTTP/1.1\r\n" + host + b"\r\n",
        b"GET /play/state.json HTTP/1.1\r\n" + host + b"Cookie: " + cookie + b"\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + host + b"Content-Length: %d\r\n\r\n%s" % (len(form), form),
        b"GET /ws/phone/ HTTP/1.1\r\n" + host + b"\r\n",
        b"GET /ws/wall/x/ HTTP/1.1\r\n" + host.replace(b"close", b"Upgrade") + b"Upgrade: websocket\r\n\r\n",
        b"nonsense\x1b[31m\r\n\r\n",
        b"GET /desk/locked/?next=/desk/ HTTP/1.1\r\n" + host + b"X-Forwarded-For: 10.9.8.7\r\n\r\n",
    ]
    answers = []
    for request in said:
        caller = SlowClient(served.port, request, address=GUEST)
        answers.append(caller.answer())
        caller.hang_up()
    assert b"200" in answers[0]
    assert sum(answer.startswith(b"HTTP/1.1 4") for answer in answers) >= 4
    log = "\n".join(served.said)
    assert GUEST not in log
    assert "10.9.8.7" not in log
    assert "\x1b" not in log
    stored = everything_stored()
    assert live_game.event.code in stored
    assert GUEST not in stored
    assert "10.9.8.7" not in stored


def test_no_field_of_the_database_is_made_for_an_address() -> None:
    ours = [model for model in apps.get_models() if model._meta.app_label == "tournaments"]
    fields = [f"{model.__name__}.{field.name}" for model in ours for field in model._meta.get_fields()]
    assert len(fields) > 100
    assert [name for name in fields if any(part in name.lower() for part in ("address", ".ip", "user_agent"))] == []
