"""Only the program's own pages may open sockets and submit slips."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from referee.security.origin import is_own_origin


@pytest.fixture(autouse=True)
def _hosts(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["192.168.1.20", "localhost", "[::1]", "club.example"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://front.example"]


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://192.168.1.20:8000", "192.168.1.20:8000"),
        ("http://localhost:8000", "localhost:8000"),
        ("http://LOCALHOST:8000", "localhost:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("http://club.example", "club.example:80"),
        ("https://front.example", "inner:8000"),
    ],
)
def test_our_own_page_is_recognised(origin: str, host: str) -> None:
    assert is_own_origin(origin, host)


@pytest.mark.parametrize("host", ["club.example", "club.example:443"])
def test_the_scheme_is_that_by_which_the_server_is_reached(settings: Settings, host: str) -> None:
    assert not is_own_origin("https://club.example", host)
    settings.HTTPS = True
    assert is_own_origin("https://club.example", host)
    assert not is_own_origin("http://club.example", host)
    assert not is_own_origin("http://club.example:443", host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, "localhost:8000"),
        ("", "localhost:8000"),
        ("null", "localhost:8000"),
        ("http://evil.example", "localhost:8000"),
        ("http://localhost:9999", "localhost:8000"),
        ("http://localhost.evil.example:8000", "localhost:8000"),
        ("http://localhost:8000@evil.example", "localhost:8000"),
        ("file://localhost:8000", "localhost:8000"),
        ("http://localhost:port", "localhost:8000"),
        ("http://evil.example:8000", "evil.example:8000"),
        ("http://localhost:8000", None),
    ],
)
def test_a_foreign_or_nameless_page_is_refused(origin: str | None, host: str | None) -> None:
    assert not is_own_origin(origin, host)
