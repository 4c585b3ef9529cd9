"""Webhooks: what is told and when, the signature, retries, and addresses to which nothing is sent."""

from __future__ import annotations

import json
import socket
import threading
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from referee.api import access, answers
from referee.outgoing import webhook_request
from referee.outgoing.delivery import send_waiting_messages
from referee.server.tls import authority
from tests.leaks import leaked
from tests.referee.desk.controls import ambiguous_keys, controls_with_hidden_key, read_page
from tests.referee.outgoing.receiver import Receiver, load_example_client, receiving
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.rooms_game import create_three_rooms
from tournaments.enums import EndReason
from tournaments.errors import Refused
from tournaments.models import Webhook, WebhookDelivery
from tournaments.now import utc_now
from tournaments.play.services import game_end, placement
from tournaments.publishing.services import webhooks
from tournaments.publishing.services.api_tokens import create_token
from tournaments.publishing.webhook_targets import read_target
from tournaments.results.services import public_page
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
SECRET = "the-secret-of-the-receiver"


@pytest.fixture
def club_game() -> ClubGame:
    return create_club_game(first_judge())


def add(club_game: ClubGame, receiver: Receiver) -> Webhook:
    return webhooks.add_webhook(url=receiver.url, secret=SECRET, by=club_game.judge, now=club_game.later())


def send(club_game: ClubGame, minutes: float = 0) -> None:
    """Queue and send what is due so many minutes after the present of the evening."""
    now = club_game.later(60 * minutes)
    webhooks.queue_messages(now=now)
    send_waiting_messages(clock=lambda: now)


def play(club_game: ClubGame, rack: str = "CORNOAT") -> None:
    club_game.begin_turn(rack)
    club_game.phone(1, "CORNO", "8D", 22)
    club_game.close()
    club_game.place()


def bodies(receiver: Receiver) -> list[Any]:
    return [json.loads(request.body) for request in receiver.requests]


def test_a_placed_turn_and_the_end_are_told_once_and_as_the_api_tells_them(
    club_game: ClubGame, receiver: Receiver
) -> None:
    play(club_game)
    add(club_game, receiver)
    send(club_game)
    assert receiver.requests == []  # turns before the address was added are not told
    play(club_game, "AEIRSTE")
    for _time in range(3):
        send(club_game)
    [told] = bodies(receiver)
    assert (told["version"], told["kind"], told["event"]["name"], told["game"]) == (1, "turn_placed", "Club night", 1)
    assert (told["turn"]["number"], told["turn"]["word"]) == (2, club_game.turn.master_word)
    assert (told["standings"]["after_turn"], told["standings"]["players"]) == (2, 4)
    create_token(name="x", token="token", by=club_game.judge, now=club_game.later())
    access.reset_requests()
    answers.forget_answers()
    path = f"/api/v1/events/{club_game.event.pk}/games/1"
    game = Client().get(path, headers={"Authorization": "Bearer token"}).json()
    assert told["turn"] == game["turns"][1]
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=club_game.judge, now=club_game.later())
    send(club_game)
    last = bodies(receiver)[-1]
    assert (last["kind"], last["turn"], last["standings"]["state"]) == ("game_finished", None, "provisional")
    assert last["standings"]["lines"][0]["name"] == "Anna Rossi"
    assert len({request.headers["Multiplo-Delivery"] for request in receiver.requests}) == 2
    assert all(each.delivered_at and each.tries == 1 for each in WebhookDelivery.objects.all())


def test_the_example_client_verifies_the_signature(club_game: ClubGame, receiver: Receiver) -> None:
    add(club_game, receiver)
    play(club_game)
    send(club_game)
    verify = load_example_client().verify_signature
    [request] = receiver.requests
    header, now = request.headers["Multiplo-Signature"], club_game.now.timestamp()
    assert request.path == "/told?by=multiplo"
    assert verify(SECRET, header, request.body, now)
    assert not verify(SECRET, header, request.body + b" ", now)
    assert not verify("another", header, request.body, now)
    assert not verify(SECRET, header, request.body, now + 3600)
    assert not verify(SECRET, header.replace("t=", "t=1"), request.body, now)


def test_an_address_that_fails_twice_gets_the_message_at_the_third_try(club_game: ClubGame, receiver: Receiver) -> None:
    add(club_game, receiver)
    play(club_game)
    receiver.statuses = [500, 302]
    send(club_game)
    [delivery] = WebhookDelivery.objects.all()
    assert (delivery.error, delivery.tries, delivery.delivered_at) == ("status:500", 1, None)
    send(club_game, minutes=0.5)
    assert len(receiver.requests) == 1
    send(club_game, minutes=1)
    delivery.refresh_from_db()
    assert (delivery.error, len(receiver.requests)) == ("redirect:302", 2)  # and the redirect was not followed
    send(club_game, minutes=4)
    assert len(receiver.requests) == 2
    send(club_game, minutes=2)
    delivery.refresh_from_db()
    assert (delivery.error, delivery.tries, len(receiver.requests)) == ("", 3, 3)
    assert delivery.delivered_at is not None
    assert len({request.headers["Multiplo-Delivery"] for request in receiver.requests}) == 1


def test_an_address_is_given_up_after_two_days_and_can_be_tried_again(club_game: ClubGame, receiver: Receiver) -> None:
    add(club_game, receiver)
    play(club_game)
    receiver.statuses = [500] * webhooks.MOST_TRIES
    for after in (timedelta(0), *webhooks.RETRY_AFTER, timedelta(days=3)):
        send(club_game, minutes=after.total_seconds() / 60)
    [delivery] = WebhookDelivery.objects.all()
    assert (len(receiver.requests), delivery.tries, delivery.next_at) == (8, 8, None)
    webhooks.retry_delivery(pk=delivery.pk, now=club_game.later())
    send(club_game)
    delivery.refresh_from_db()
    assert delivery.delivered_at is not None


def test_a_message_that_was_being_sent_when_the_program_died_is_sent_after_a_minute(
    club_game: ClubGame, receiver: Receiver
) -> None:
    add(club_game, receiver)
    play(club_game)
    webhooks.queue_messages(now=club_game.later())
    claimed = webhooks.claim_delivery(now=club_game.later())
    assert claimed is not None
    assert webhooks.claim_delivery(now=club_game.later()) is None  # another process does not get it
    send(club_game)
    assert receiver.requests == []
    send(club_game, minutes=1)
    assert [request.headers["Multiplo-Delivery"] for request in receiver.requests] == [claimed.key]


def test_an_address_that_fails_delays_no_other(club_game: ClubGame, receiver: Receiver) -> None:
    webhooks.add_webhook(url="http://127.0.0.1:1/", secret="x", by=club_game.judge, now=club_game.later())
    add(club_game, receiver)
    for rack in ("CORNOAT", "AEIRSTE"):
        play(club_game, rack)
    send(club_game)
    assert [body["turn"]["number"] for body in bodies(receiver)] == [1, 2]
    failed = WebhookDelivery.objects.filter(error="no_connection")
    assert failed.count() == 1  # its second message waits for the next look


def test_nothing_is_told_before_the_public_page_may_show_it(receiver: Receiver) -> None:
    rooms = create_three_rooms(first_judge())
    club_game = rooms.club_game
    add(club_game, receiver)
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "PLANTEDWORD", "H8", 864)
    club_game.close()
    send(club_game)
    club_game.place()
    send(club_game)
    for name in ("B", "C"):
        send(club_game)
        assert receiver.requests == [], name
        rooms.play(name)
    send(club_game)
    [told] = receiver.requests
    seed = bytes(club_game.game.seed).hex()
    secrets = ("PLANTEDWORD", "864", seed, club_game.event.code, club_game.event.wall_token)
    assert leaked(told.body.decode(), secrets) == []


def test_the_delay_of_the_public_page_and_a_placement_that_is_taken_back(
    club_game: ClubGame, receiver: Receiver
) -> None:
    add(club_game, receiver)
    settings = {"is_on": True, "own_sheets": False, "may_be_found": False}
    public_page.set_page(event=club_game.event, delay=1, **settings, by=club_game.judge, now=club_game.later())
    play(club_game)
    send(club_game)
    assert receiver.requests == []
    public_page.set_page(event=club_game.event, delay=0, **settings, by=club_game.judge, now=club_game.later())
    send(club_game)
    placement.undo_placement(game=club_game.refresh(), by=club_game.judge, now=club_game.later(), seed=bytes(32))
    send(club_game)
    club_game.place()
    send(club_game)
    assert [body["turn"]["number"] for body in bodies(receiver)] == [1, 1]


def test_an_address_that_was_off_is_not_told_later(club_game: ClubGame, receiver: Receiver) -> None:
    webhook = add(club_game, receiver)
    webhooks.set_webhook_on(pk=webhook.pk, is_on=False, now=club_game.later())
    play(club_game)
    send(club_game)
    webhooks.set_webhook_on(pk=webhook.pk, is_on=True, now=club_game.later())
    send(club_game)
    assert receiver.requests == []


@pytest.mark.parametrize(
    "url",
    [
        "ftp://club.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https:///path",
        "club.example/hook",
        "http://user:word@club.example/",
        "http://club.example/#part",
        "http://club.example/a b",
        "http://club.example/caff\u00e8",
        "http://club.example/\r\nHost: x",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:169.254.169.254]/",
        "http://[fe80::1]/",
        "http://[fd00:ec2::254]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
        "http://[bad/",
        "http://club.example:99999/",
        "http://club.example/" + "a" * 500,
    ],
)
def test_an_address_that_cannot_be_used_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        read_target(url)


@pytest.mark.parametrize("url", ["http://192.168.1.7:8000/x?y=1", "https://club.example", "http://[::1]:80/"])
def test_a_computer_of_the_own_network_can_be_named(url: str) -> None:
    assert read_target(url).host


@pytest.mark.parametrize("spelling", ["2852039166", "0xa9fea9fe", "169.254.43518"])
def test_other_spellings_of_a_refused_address_are_refused_when_they_are_looked_up(
    club_game: ClubGame, spelling: str
) -> None:
    webhooks.add_webhook(url=f"http://{spelling}/", secret="x", by=club_game.judge, now=club_game.later())
    play(club_game)
    send(club_game)
    assert WebhookDelivery.objects.get().error in ("forbidden", "unknown_host")


def test_by_https_the_certificate_of_the_program_is_checked(
    club_game: ClubGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = authority.make_certificate(tmp_path, ["127.0.0.1"], now=utc_now())
    with receiving(certificate) as receiver:
        add(club_game, receiver)
        play(club_game)
        send(club_game)
        assert (WebhookDelivery.objects.get().error, receiver.requests) == ("tls", [])
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.certificate_of_ca(tmp_path)))
        send(club_game, minutes=2)
        assert (WebhookDelivery.objects.get().error, len(receiver.requests)) == ("", 1)


@pytest.mark.parametrize(("scheme", "head"), [("http", b""), ("https", b"\x16\x03\x03\x40\x00")])
def test_a_server_that_answers_byte_by_byte_is_cut_off(
    club_game: ClubGame, monkeypatch: pytest.MonkeyPatch, scheme: str, head: bytes
) -> None:
    """In plain HTTP a status line that never ends, in TLS a greeting that never ends."""
    monkeypatch.setattr(webhook_request, "TIMEOUT_S", 0.4)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=drip, args=(listener, head), daemon=True).start()
        url = f"{scheme}://127.0.0.1:{listener.getsockname()[1]}/"
        webhooks.add_webhook(url=url, secret="x", by=club_game.judge, now=club_game.later())
        play(club_game)
        send(club_game)
    assert WebhookDelivery.objects.get().error == "timeout"


def drip(listener: socket.socket, head: bytes) -> None:
    line, _address = listener.accept()
    with line:
        try:
            line.sendall(head)
            for _number in range(600):
                line.sendall(b"\x02")
                time.sleep(0.1)
        except OSError:
            return


def test_the_page_adds_tests_switches_off_and_deletes(receiver: Receiver) -> None:
    client, page = Client(), "/desk/club/webhooks/"
    client.force_login(first_judge())
    refused = client.post(page, {"url": "http://169.254.169.254/"})
    assert (refused.status_code, "cannot be used" in refused.content.decode()) == (422, True)
    assert 'value="http://169.254.169.254/"' in refused.content.decode()
    created = client.post(page, {"url": receiver.url}).content.decode()
    webhook = Webhook.objects.get()
    assert webhook.secret in created
    assert webhook.secret not in client.get(page).content.decode()
    client.post(page, {"pk": webhook.pk, "act": "test"})
    receiver.statuses = [404]
    send_waiting_messages()
    assert bodies(receiver)[0]["kind"] == "test"
    assert "the status 404" in client.get(page).content.decode()
    delivery = WebhookDelivery.objects.get()
    client.post(page, {"pk": delivery.pk, "act": "retry"})
    send_waiting_messages()
    assert "delivered" in client.get(page).content.decode()
    client.post(page, {"pk": webhook.pk, "act": "off"})
    assert not Webhook.objects.get().is_on
    client.post(page, {"pk": webhook.pk, "act": "delete"})
    assert not Webhook.objects.exists()
    assert client.post(page, {"pk": webhook.pk, "act": "nonsense"}).status_code == 302


def test_old_messages_are_deleted_and_not_sent_again(club_game: ClubGame, receiver: Receiver) -> None:
    add(club_game, receiver)
    play(club_game)
    send(club_game)
    month: datetime = club_game.later(31 * 24 * 3600)
    play(club_game, "AEIRSTE")
    send(club_game)
    assert [each.created_at >= month for each in WebhookDelivery.objects.all()] == [True]
    assert [body["turn"]["number"] for body in bodies(receiver)] == [1, 2]


def test_every_control_of_the_pages_has_a_name_and_no_key_stands_twice(club_game: ClubGame, receiver: Receiver) -> None:
    add(club_game, receiver)
    play(club_game)
    receiver.statuses = [500]
    send(club_game)
    create_token(name="Club site", token="token", by=club_game.judge, now=club_game.later())
    client = Client()
    client.force_login(club_game.judge)
    pages = ("club/api/", "club/webhooks/", f"{club_game.event.code}/results/players/")
    for path in pages:
        page = read_page(client.get(f"/desk/{path}").content.decode())
        assert ambiguous_keys(page) == [], path
        assert controls_with_hidden_key(page) == [], path
