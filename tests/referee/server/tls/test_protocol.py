"""`serve --tls` and `serve --tls-ca` over real connections."""

from __future__ import annotations

import json
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from django.db import connection
from websockets.exceptions import InvalidStatus

from referee.server.tls.authority import certificate_of_ca, fingerprint
from tests.referee.live.live_game import LiveGame, install_words, make_live_game, slip
from tests.referee.live.live_server import ROOT
from tests.referee.server.tls_server import HttpsServerProcess, make_authority, sign_certificate
from tests.waiting import PATIENCE_S

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.endurance]


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="multiplo-tls-") as name:
        path = Path(name)
        install_words(path / "lexicons")
        yield path


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game()


@pytest.fixture
def started(folder: Path) -> Iterator[list[HttpsServerProcess]]:
    """Servers that the test starts; all are stopped at its end, and none has said that anything failed."""
    servers: list[HttpsServerProcess] = []
    yield servers
    for server in servers:
        server.stop()
        assert "Traceback" not in server.text


def start(
    started: list[HttpsServerProcess], folder: Path, *options: str, environment: Mapping[str, str] | None = None
) -> HttpsServerProcess:
    database = str(connection.settings_dict["NAME"])
    server = HttpsServerProcess(data=folder, database=database, options=options, environment=environment)
    started.append(server)
    return server.ready()


@pytest.fixture(scope="module")
def own_authority(django_db_setup: None) -> Iterator[tuple[HttpsServerProcess, Path]]:
    """A server with an authority of its own, and its certificate."""
    with tempfile.TemporaryDirectory(prefix="multiplo-tls-") as name:
        install_words(Path(name) / "lexicons")
        database = str(connection.settings_dict["NAME"])
        server = HttpsServerProcess(data=Path(name), database=database, options=["--tls-ca"])
        try:
            yield server.ready(), certificate_of_ca(Path(name))
        finally:
            server.stop()
    assert "Traceback" not in server.text


def test_with_its_own_authority_pages_and_sockets_are_encrypted(
    folder: Path, own_authority: tuple[HttpsServerProcess, Path], live_game: LiveGame
) -> None:
    server, ca = own_authority
    own = f"https://{server.host}"
    page = server.ask(f"/j/{live_game.event.code}/", ca)
    assert page.status == 200
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    assert "strict-transport-security" not in page.headers
    assert "secure" in page.headers["set-cookie"].lower()
    with pytest.raises(ssl.SSLCertVerificationError):
        server.ask("/", make_authority(folder)[2])
    frame = json.loads(server.first_frame("/ws/phone/", ca, own, live_game.cookie(1)))
    assert (frame["t"], frame["player"]["table"]) == ("hello", 1)
    assert json.loads(server.first_frame(f"/ws/wall/{live_game.event.wall_token}/", ca, own))["t"] == "state"
    for foreign in (own.replace("https", "http"), "https://evil.example"):
        with pytest.raises(InvalidStatus):
            server.first_frame("/ws/phone/", ca, foreign, live_game.cookie(1))


def test_links_and_qr_codes_say_https(folder: Path, started: list[HttpsServerProcess], live_game: LiveGame) -> None:
    server, ca = start(started, folder, "--tls-ca"), certificate_of_ca(folder)
    [link] = [line.strip() for line in server.said if "/enter/" in line]
    assert link.startswith(f"https://{server.host}/enter/")
    assert "csrfmiddlewaretoken" in server.ask(link.partition(server.host)[2], ca).text
    desk = server.ask(f"/desk/{live_game.event.code}/staff/", ca, {"Cookie": live_game.desk_cookie()})
    assert desk.status == 200
    console = server.ask(f"/desk/{live_game.event.code}/seat-codes/", ca, {"Cookie": live_game.desk_cookie()})
    assert server.host in console.text


def test_the_page_of_the_authority_shows_the_fingerprint_that_the_terminal_shows(
    own_authority: tuple[HttpsServerProcess, Path],
) -> None:
    server, ca = own_authority
    shown = fingerprint(ca)
    assert shown in server.ask("/ca/", ca).text
    assert any(shown in line for line in server.said)
    given = server.ask("/ca.crt", ca)
    assert given.text.encode() == ca.read_bytes()
    assert given.headers["content-type"] == "application/x-x509-ca-cert"
    assert "PRIVATE" not in given.text


def test_plain_http_to_the_same_port_is_told_where_to_go(own_authority: tuple[HttpsServerProcess, Path]) -> None:
    server, ca = own_authority
    answer = server.request("GET", "/desk/")
    assert answer.status == 400
    assert answer.text == f"This server speaks https only: open https://{server.host}\n"
    assert server.ask("/", ca).status == 200


def test_a_slip_is_handed_in_by_https(own_authority: tuple[HttpsServerProcess, Path], live_game: LiveGame) -> None:
    server, ca = own_authority
    live_game.draw("CORNOAT")
    live_game.announce()
    with server.line("/ws/phone/", ca, f"https://{server.host}", live_game.cookie(1)) as line:
        line.send(json.dumps(slip(1)))
        texts = (json.loads(line.recv(timeout=PATIENCE_S)) for _ in range(20))
        assert next(text for text in texts if text["t"] in ("ack", "refused"))["t"] == "ack"


def test_a_given_certificate_is_shown_and_the_next_start_keeps_ones_own_authority(
    folder: Path, started: list[HttpsServerProcess]
) -> None:
    ca, key, trusted = make_authority(folder)
    file, its_key = sign_certificate(folder, (ca, key), "127.0.0.1", "localhost")
    server = start(started, folder, "--tls", str(file), str(its_key))
    page = server.ask("/", trusted)
    assert page.status == 200
    assert "strict-transport-security" not in page.headers
    assert server.ask("/ca/", trusted).status == 404
    server.stop()
    start(started, folder, "--tls-ca").stop()
    before = fingerprint(certificate_of_ca(folder))
    start(started, folder, "--tls-ca")
    assert fingerprint(certificate_of_ca(folder)) == before


def test_browsers_are_bound_to_https_only_when_they_trust_the_certificate_anyway(
    folder: Path, started: list[HttpsServerProcess]
) -> None:
    ca, key, trusted = make_authority(folder)
    file, its_key = sign_certificate(folder, (ca, key), "localhost", "127.0.0.1")
    server = start(started, folder, "--tls", str(file), str(its_key), environment={"SSL_CERT_FILE": str(trusted)})
    assert server.ask("/", trusted).headers["strict-transport-security"] == "max-age=2592000"


def test_a_certificate_that_is_not_there_is_one_sentence_and_exit_code_2(folder: Path) -> None:
    missing = str(folder / "nowhere.pem")
    server = HttpsServerProcess(
        data=folder, database=str(connection.settings_dict["NAME"]), options=["--tls", missing, missing]
    )
    assert server.ended() == 2
    assert [line for line in server.said if line] == [f"There is no file {missing}: give the certificate and its key."]


def test_both_ways_at_once_are_refused() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "django", "serve", "--tls-ca", "--tls", "a", "b"],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "referee.settings", "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 2
    assert "not allowed with argument" in ended.stderr
