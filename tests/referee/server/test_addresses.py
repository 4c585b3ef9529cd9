"""The addresses under which a hall reaches this computer."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from referee.server import addresses
from referee.server.startup_banner import ListeningAddresses, new_address_text, qr_code, shutdown_text, startup_text


def test_the_addresses_found_are_of_this_computer_and_not_the_loopback() -> None:
    for address in addresses.lan_addresses():
        assert not ipaddress.ip_address(address).is_loopback
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
            own.bind((address, 0))


def test_nothing_is_sent_to_find_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(socket.socket):
        def send(self, *_: Any) -> int:
            raise AssertionError("sent something")

        sendto = sendall = send  # type: ignore[assignment]

    monkeypatch.setattr(socket, "socket", Silent)
    addresses.lan_addresses()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])
def test_the_loopback_is_recognised(host: str) -> None:
    assert addresses.is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "laptop.local", "::"])  # noqa: S104
def test_what_others_can_reach_is_no_loopback(host: str) -> None:
    assert not addresses.is_loopback(host)


@pytest.mark.django_db
def test_pages_answer_to_the_address_in_the_hall_and_to_no_other_name(settings: Settings) -> None:
    settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = ["localhost"], []
    addresses.allow_hosts(["192.168.7.7", "laptop.local", "::1"], 8123)
    assert settings.ALLOWED_HOSTS == ["localhost", "192.168.7.7", "laptop.local", "[::1]"]
    assert settings.CSRF_TRUSTED_ORIGINS == [
        "http://192.168.7.7:8123",
        "http://laptop.local:8123",
        "http://[::1]:8123",
    ]
    answers = [Client().get("/", headers={"host": host}).status_code for host in ("192.168.7.7:8123", "evil.example")]
    assert answers == [200, 400]


def test_allowing_twice_adds_nothing(settings: Settings) -> None:
    settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = [], []
    for _ in range(2):
        addresses.allow_hosts(["192.168.7.7"], 8000)
    assert (len(settings.ALLOWED_HOSTS), len(settings.CSRF_TRUSTED_ORIGINS)) == (1, 1)


HALL = ListeningAddresses(host="0.0.0.0", port=8000, addresses=("192.168.1.20", "10.0.0.3"), is_open=True)  # noqa: S104


def test_the_welcome_names_both_addresses_and_the_link_and_draws_the_code() -> None:
    text = startup_text(HALL, "http://localhost:8000/enter/abc/", "utf-8")
    assert "http://localhost:8000" in text
    assert "http://192.168.1.20:8000" in text
    assert qr_code("http://192.168.1.20:8000", "utf-8") in text
    assert "/enter/abc/" in text


def test_a_terminal_that_cannot_draw_gets_no_code() -> None:
    assert qr_code("http://192.168.1.20:8000", "ascii") == ""
    assert "http://192.168.1.20:8000" in startup_text(HALL, "link", "ascii")
    assert "http://192.168.1.20:8000" in startup_text(HALL, "link", None)


def test_without_a_network_the_welcome_says_so_and_what_to_do() -> None:
    text = startup_text(ListeningAddresses("0.0.0.0", 8000, (), is_open=True), "link", "utf-8")  # noqa: S104
    assert "No network was found" in text
    assert "Wi-Fi" in text


def test_on_the_loopback_the_welcome_says_why_nobody_else_can_come() -> None:
    place = ListeningAddresses.at("127.0.0.1", 8000)
    assert (place.local, place.hall) == ("http://127.0.0.1:8000", None)
    assert "--host 127.0.0.1" in startup_text(place, "link", "utf-8")


def test_an_address_that_appears_later_is_told_with_its_code() -> None:
    text = new_address_text(HALL, "utf-8")
    assert "http://192.168.1.20:8000" in text
    assert qr_code("http://192.168.1.20:8000", "utf-8") in text


def test_the_goodbye_tells_where_everything_is() -> None:
    assert "/srv/club" in shutdown_text("/srv/club")


def test_a_server_on_every_address_names_those_of_this_computer() -> None:
    place = ListeningAddresses.at("0.0.0.0", 8000)  # noqa: S104
    assert place.local == "http://localhost:8000"
    assert list(place.addresses) == addresses.lan_addresses()
