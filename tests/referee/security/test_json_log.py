"""Log of a cluster: one JSON object a line, with ids and without secrets."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

import pytest

from referee.security.log_lines import JsonFormatter, OneLineFormatter
from referee.security.request_ids import request_id, set_room

TOKEN = "q8XrN3vLbT0kYfWzPj5hMdSg"
SECRETS = [
    (f"Internal Server Error: /enter/{TOKEN}/", "Internal Server Error: /enter/…/"),
    (f"GET /wall/{TOKEN}/calls.json?x=1", "GET /wall/…/calls.json?x=1"),
    (f"the link http://localhost:8000/enter/{TOKEN}", "the link http://localhost:8000/enter/…"),
    ("cannot reach postgresql://club:pa55word@db:5432/multiplo", "cannot reach postgresql://…@db:5432/multiplo"),
    (f"Authorization: Bearer {TOKEN}", "Authorization: Bearer …"),
    ("null value\nDETAIL: Failing row contains (7, Anna, CORNOAT).", "null value"),
]


def entry(message: str, *arguments: object, **more: Any) -> dict[str, Any]:
    record = logging.LogRecord("referee", logging.ERROR, "", 0, message, arguments, more.get("exc_info"))
    line = JsonFormatter().format(record)
    assert "\n" not in line
    found: dict[str, Any] = json.loads(line)
    return found


def test_an_entry_has_the_ids_of_its_request_and_room() -> None:
    request_id.set("0123456789abcdef")
    set_room(3, 7)
    written = entry("the word %s", "RE\nTE")
    assert written.pop("time").endswith("+00:00")
    assert written.pop("process") > 0
    expected = {"level": "error", "logger": "referee", "message": "the word RE\\nTE"}
    assert written == {**expected, "request": "0123456789abcdef", "room": "3/7"}


@pytest.mark.parametrize(("said", "written"), SECRETS)
def test_no_token_password_or_row_is_logged(said: str, written: str) -> None:
    assert entry("%s", said)["message"] == written
    record = logging.LogRecord("referee", logging.ERROR, "", 0, "%s", (said,), None)
    assert OneLineFormatter("%(message)s").format(record) == written


def test_a_traceback_is_logged_without_them_too() -> None:
    message = f"/enter/{TOKEN}/\nDETAIL: Failing row contains (7, Anna, CORNOAT)."
    try:
        raise ValueError(message)
    except ValueError:
        traceback = entry("failed", exc_info=sys.exc_info())["traceback"]
    assert "test_json_log.py" in traceback
    for secret in (TOKEN, "Anna", "CORNOAT"):
        assert secret not in traceback
