"""No input forges a line of the log or colours the terminal, and no line contains a full address."""

from __future__ import annotations

import io
import logging
import logging.config
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from referee.security.log_lines import OneLineFormatter

FORGED = "2026-01-01 00:00:00 WARNING judge the director gave table 7 a bonus"
NASTY = (
    f"Anna\r\n{FORGED}",
    f"Anna\n{FORGED}",
    f"Anna\x0b{FORGED}",
    f"Anna\u2028{FORGED}",
    f"Anna\x85{FORGED}",
    "\x1b[2J\x1b[31mred\x1b[0m",
    "\x9b31mred",
    "nul\x00byte",
    "\u202egnorw",
)


SET: dict[str, Any] = settings.LOGGING


@pytest.fixture
def log() -> Any:
    """A logger that formats as configured, into a string."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    formatter = SET["formatters"]["line"]
    handler.setFormatter(logging.config.DictConfigurator({"version": 1}).configure_formatter(dict(formatter)))
    logger = logging.getLogger("threats")
    logger.addHandler(handler)
    logger.text = text  # type: ignore[attr-defined]
    yield logger
    logger.removeHandler(handler)


def test_the_program_logs_by_the_formatter_that_escapes() -> None:
    handlers = [SET["handlers"][name] for name in SET["root"]["handlers"]]
    names = {handler["formatter"] for handler in handlers if "formatter" in handler}
    classes = {SET["formatters"][name]["()"] for name in names}
    assert classes == {f"{OneLineFormatter.__module__}.{OneLineFormatter.__qualname__}"}


@pytest.mark.parametrize("nasty", NASTY)
def test_what_people_write_never_makes_a_second_line_or_a_colour(log: Any, nasty: str) -> None:
    log.warning("the word %s", nasty)
    written = log.text.getvalue()
    assert written.splitlines() == [written.rstrip("\n")]
    assert written.rstrip("\n").isprintable()


def test_a_traceback_cannot_be_taken_for_an_entry(log: Any) -> None:
    try:
        raise ValueError(f"Anna\n{FORGED}\x1b[31m")
    except ValueError:
        log.exception("failed")
    first, *others = log.text.getvalue().splitlines()
    assert "failed" in first
    assert any(FORGED in line for line in others)
    assert all(line.startswith("  | ") and line.isprintable() for line in others)


def test_an_address_with_line_breaks_is_logged_on_one_line(client: Client, log: Any, db: None) -> None:
    logging.getLogger("django.request").addHandler(log.handlers[0])
    try:
        client.get(f"/wall/%0d%0a{FORGED.replace(' ', '%20')}%1b[31m/", HTTP_USER_AGENT=f"x\r\n{FORGED}")
    finally:
        logging.getLogger("django.request").removeHandler(log.handlers[0])
    written = log.text.getvalue()
    assert "Not Found" in written
    assert len(written.splitlines()) == 1
    assert "\x1b" not in written


def test_half_a_sign_is_written_as_its_number() -> None:
    # Formatted without logging, since the report of a parallel test run cannot contain such a character.
    record = logging.LogRecord("threats", logging.WARNING, "", 0, "the word %s", ("lone \udc80 half",), None)
    assert OneLineFormatter("%(message)s").format(record) == "the word lone \\udc80 half"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("a slip of 192.168.1.77 was refused, version 1.2.3", "a slip of 192.168.1.x was refused, version 1.2.3"),
        ("it came from 192.168.1.77.", "it came from 192.168.1.x."),
        ("('10.0.0.7', 5123)", "('10.0.0.x', 5123)"),
        ("from 2001:db8:1:2:3:4:5:6, at 12:34:56", "from 2001:db8:1:2::/64, at 12:34:56"),
        ("from fe80::1cff:fe12:3456", "from fe80::/64"),
        ("of the network 192.168.7.0/24", "of the network 192.168.7.0/24"),
    ],
)
def test_a_logged_address_is_reduced_to_its_network(log: Any, said: str, written: str) -> None:
    log.warning("%s", said)
    assert log.text.getvalue().endswith(f" {written}\n")
