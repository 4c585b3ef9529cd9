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

from referee.serving.own_ca import certificate_of_ca, fingerprint
from tests.patience import PATIENCE_S
from tests.referee.live.evening import Evening, install_words, make_evening, slip
from tests.referee.live.serving import ROOT
from tests.referee.serving.tls_server import Secured, authority, signed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="multiplo-tls-") as name:
        path = Path(name)
        install_words(path / "lexicons")
        yield path


@pytest.fixture
def evening() -> Evening:
    return make_evening()


@pytest.fixture
def started(folder: Path) -> Iterator[list[Secured]]:
    """Servers that the test starts; all are stopped at its end, and none has said that anything failed."""
    servers: list[Secured] = []
    yield servers
    for server in servers:
        server.stop()
        assert "Traceback" not in server.text


def start(started: list[Secured], folder: Path, *options: str, environment: Mapping[str, str] | None = None) -> Secured:
    database = str(connection.settings_dict["NAME"])
    server = Secured(data=folder, database=database, options=options, environment=environment)
    started.append(server)
    return server.ready()


def test_with_its_own_authority_pages_and_sockets_are_encrypted(
    folder: Path, started: list[Secured], evening: Evening
) -> None:
    server, ca = start(started, folder, "--tls-ca"), certificate_of_ca(folder)
    own = f"https://{server.host}"
    page = server.ask(f"/j/{evening.event.code}/", ca)
    assert page.status == 200
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    assert "strict-transport-security" not in page.headers
    assert "secure" in page.headers["set-cookie"].lower()
    with pytest.raises(ssl.SSLCertVerificationError):
        server.ask("/", authority(folder)[2])
    frame = json.loads(server.first_frame("/ws/phone/", ca, own, evening.cookie(1)))
    assert (frame["t"], frame["player"]["table"]) == ("hello", 1)
    assert json.loads(server.first_frame(f"/ws/wall/{evening.event.wall_token}/", ca, own))["t"] == "state"
    for foreign in (own.replace("https", "http"), "https://evil.example"):
        with pytest.raises(InvalidStatus):
            server.first_frame("/ws/phone/", ca, foreign, evening.cookie(1))


def test_links_and_qr_codes_say_https(folder: Path, started: list[Secured], evening: Evening) -> None:
    server, ca = start(started, folder, "--tls-ca"), certificate_of_ca(folder)
    [link] = [line.strip() for line in server.said if "/enter/" in line]
    assert link.startswith(f"https://{server.host}/enter/")
    assert "csrfmiddlewaretoken" in server.ask(link.partition(server.host)[2], ca).text
    desk = server.ask(f"/desk/{evening.event.code}/staff/", ca, {"Cookie": evening.desk_cookie()})
    assert desk.status == 200
    console = server.ask(f"/desk/{evening.event.code}/seat-codes/", ca, {"Cookie": evening.desk_cookie()})
    assert server.host in console.text


def test_the_page_of_the_authority_shows_the_fingerprint_that_the_terminal_shows(
    folder: Path, started: list[Secured]
) -> None:
    server, ca = start(started, folder, "--tls-ca"), certificate_of_ca(folder)
    shown = fingerprint(ca)
    assert shown in server.ask("/ca/", ca).text
    assert any(shown in line for line in server.said)
    given = server.ask("/ca.crt", ca)
    assert given.text.encode() == ca.read_bytes()
    assert given.headers["content-type"] == "application/x-x509-ca-cert"
    assert "PRIVATE" not in given.text


def test_plain_http_to_the_same_port_is_told_where_to_go(folder: Path, started: list[Secured]) -> None:
    server = start(started, folder, "--tls-ca")
    answer = server.request("GET", "/desk/")
    assert answer.status == 400
    assert answer.text == f"This server speaks https only: open https://{server.host}\n"
    assert server.ask("/", certificate_of_ca(folder)).status == 200


def test_a_slip_is_handed_in_by_https(folder: Path, started: list[Secured], evening: Evening) -> None:
    server, ca = start(started, folder, "--tls-ca"), certificate_of_ca(folder)
    evening.draw("CORNOAT")
    evening.announce()
    with server.line("/ws/phone/", ca, f"https://{server.host}", evening.cookie(1)) as line:
        line.send(json.dumps(slip(1)))
        texts = (json.loads(line.recv(timeout=PATIENCE_S)) for _ in range(20))
        assert next(text for text in texts if text["t"] in ("ack", "refused"))["t"] == "ack"


def test_a_given_certificate_is_shown_and_the_next_start_keeps_ones_own_authority(
    folder: Path, started: list[Secured]
) -> None:
    ca, key, trusted = authority(folder)
    file, its_key = signed(folder, (ca, key), "127.0.0.1", "localhost")
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
    folder: Path, started: list[Secured]
) -> None:
    ca, key, trusted = authority(folder)
    file, its_key = signed(folder, (ca, key), "localhost", "127.0.0.1")
    server = start(started, folder, "--tls", str(file), str(its_key), environment={"SSL_CERT_FILE": str(trusted)})
    assert server.ask("/", trusted).headers["strict-transport-security"] == "max-age=2592000"


def test_a_certificate_that_is_not_there_is_one_sentence_and_exit_code_2(folder: Path) -> None:
    missing = str(folder / "nowhere.pem")
    server = Secured(data=folder, database=str(connection.settings_dict["NAME"]), options=["--tls", missing, missing])
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
