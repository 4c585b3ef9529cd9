"""A running server: messages leave by themselves while a game is played, and the example client reads it."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection

from tests.referee.celery_worker import celery_worker
from tests.referee.live.conftest import served
from tests.referee.live.live_game import LiveGame, install_words, make_live_game, slip
from tests.referee.live.live_server import ServerProcess
from tests.referee.outgoing.receiver import CLIENT, Receiver, load_example_client
from tests.waiting import PATIENCE_S, until
from tournaments.models import ApiToken, Webhook, WebhookDelivery
from tournaments.now import utc_now
from tournaments.publishing.services import webhooks
from tournaments.publishing.services.api_tokens import create_token

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["served"]
TOKEN, SECRET = "the-token-of-the-club-site", "the-secret-of-the-receiver"


def play(live_game: LiveGame, server: ServerProcess, rack: str = "CORNOAT") -> None:
    """A turn, placed at the desk of the server."""
    live_game.draw(rack)
    live_game.announce()
    with_phone = server.phone(live_game.cookie(1))
    with_phone.phase("running")
    with_phone.hand_in(slip(live_game.turn.number))
    with_phone.close()
    live_game.close()
    live_game.press(server, "place")


def add(live_game: LiveGame, receiver: Receiver) -> Webhook:
    return webhooks.add_webhook(url=receiver.url, secret=SECRET, by=live_game.judge, now=utc_now())


def read(server: ServerProcess, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the example client as somebody who has nothing of this program."""
    command = [sys.executable, "-I", str(CLIENT), f"http://{server.host}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_a_turn_placed_at_the_desk_is_told_by_the_running_server(served: ServerProcess, receiver: Receiver) -> None:
    live_game = make_live_game()
    add(live_game, receiver)
    play(live_game, served)
    until(lambda: WebhookDelivery.objects.filter(delivered_at__isnull=False).exists())
    [request] = receiver.requests
    verify = load_example_client().verify_signature
    assert verify(SECRET, request.headers["Multiplo-Signature"], request.body)
    assert "CORNO" in request.body.decode()


def test_the_example_client_reads_an_event(served: ServerProcess) -> None:
    live_game = make_live_game()
    assert read(served, TOKEN).stderr.strip() == "There is no API at this address, or it is off."
    create_token(name="Example", token=TOKEN, by=live_game.judge, now=utc_now())
    play(live_game, served)
    until(lambda: read(served, TOKEN).returncode == 0)
    assert "Club night  (1 games)" in read(served, TOKEN).stdout
    live_game.press(served, "end")
    shown = read(served, TOKEN, str(live_game.event.pk)).stdout.splitlines()
    assert shown[0].split()[:5] == ["1.1", "ACNOORT", "CORNO", "8D", "·"]
    assert shown[1].split()[:3] == ["1", "Anna", "Ferri"]
    assert "401" in read(served, "wrong").stderr
    assert ApiToken.objects.get().last_used_on is not None


@pytest.fixture
def own_server(django_db_setup: None, transactional_db: None) -> Iterator[ServerProcess]:
    with tempfile.TemporaryDirectory(prefix="multiplo-served-") as folder:
        install_words(Path(folder) / "lexicons")
        server = ServerProcess(data=Path(folder), database=str(connection.settings_dict["NAME"]))
        try:
            yield server.ready()
        finally:
            server.stop()


@pytest.mark.endurance
def test_a_server_killed_while_it_sends_tells_the_turn_after_its_restart(
    own_server: ServerProcess, receiver: Receiver
) -> None:
    live_game = make_live_game()
    add(live_game, receiver)
    receiver.hangs = True
    play(live_game, own_server)
    until(lambda: len(receiver.requests) == 1)
    own_server.stop(signal.SIGKILL)
    live_game.draw("AEIRSTE")
    live_game.announce()
    live_game.close()
    live_game.place()  # committed, and nobody is there to be told of it
    receiver.hangs = False
    receiver.released.set()
    past = utc_now() - timedelta(seconds=1)
    WebhookDelivery.objects.update(next_at=past)  # as if the minute were over
    own_server.again()
    until(lambda: WebhookDelivery.objects.filter(delivered_at__isnull=False).count() == 2)
    keys = [request.headers["Multiplo-Delivery"] for request in receiver.requests]
    assert (len(keys), len(set(keys))) == (3, 2)
    assert keys[0] == keys[1]


@pytest.mark.endurance
@pytest.mark.services
def test_with_redis_a_celery_worker_sends(transactional_db: None, receiver: Receiver, redis_url: str) -> None:
    live_game = make_live_game()
    add(live_game, receiver)
    webhooks.queue_test(pk=Webhook.objects.get().pk, now=utc_now())
    with celery_worker(redis_url, "messages") as call:
        call("multiplo.send_messages")
        until(lambda: WebhookDelivery.objects.get().delivered_at is not None)
        assert len(receiver.requests) == 1
