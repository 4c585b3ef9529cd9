"""A real server that speaks https, a client that trusts whom it is told to, and authorities for tests."""

from __future__ import annotations

import http.client
import ipaddress
import re
import ssl
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.referee.live.live_server import START_S, HttpAnswer, ServerProcess
from tests.waiting import PATIENCE_S

NOW = datetime.now(UTC)


class HttpsServerProcess(ServerProcess):
    """`manage.py serve` by https."""

    def ready(self) -> HttpsServerProcess:
        """Wait for the judge's link."""
        until = time.monotonic() + START_S
        while True:
            line = self._lines.get(timeout=max(0.01, until - time.monotonic()))
            assert line is not None, "the server ended: " + "\n".join(self.said)
            if found := re.search(r"https://[\w.]+:(\d+)/enter/", line):
                self.port = int(found[1])
                return self

    def ended(self) -> int:
        """Wait until it has ended by itself and everything that it said is read; gives the exit code."""
        while self._lines.get(timeout=START_S) is not None:
            pass
        return self.process.wait(timeout=PATIENCE_S)

    def ask(
        self, path: str, trust: Path, headers: Mapping[str, str] | None = None, host: str = "127.0.0.1"
    ) -> HttpAnswer:
        """GET by https, for a client that trusts this authority alone."""
        context = ssl.create_default_context(cafile=str(trust))
        connection = http.client.HTTPSConnection(host, self.port, timeout=PATIENCE_S, context=context)
        try:
            connection.request("GET", path, headers=dict(headers or {}))
            response = connection.getresponse()
            given = {name.lower(): value for name, value in response.getheaders()}
            return HttpAnswer(response.status, given, response.read().decode())
        finally:
            connection.close()

    def first_frame(self, path: str, trust: Path, origin: str, cookie: str = "") -> str:
        """The first text that comes over a wss socket."""
        with self.line(path, trust, origin, cookie) as line:
            return str(line.recv(timeout=PATIENCE_S))

    def line(self, path: str, trust: Path, origin: str, cookie: str = "") -> ClientConnection:
        """An open wss socket."""
        return connect(
            f"wss://{self.host}{path}",
            ssl=ssl.create_default_context(cafile=str(trust)),
            origin=Origin(origin),
            additional_headers={"Cookie": cookie} if cookie else {},
            open_timeout=PATIENCE_S,
            proxy=None,
        )


def make_authority(folder: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey, Path]:
    """An authority that a test makes; gives its file, too."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority of a test")])
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    ca = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=500))
        .not_valid_after(NOW + timedelta(days=500))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "authority.pem"
    file.write_bytes(ca.public_bytes(serialization.Encoding.PEM))
    return ca, key, file


def sign_certificate(
    folder: Path,
    by: tuple[x509.Certificate, ec.EllipticCurvePrivateKey],
    *names: str,
    ends: timedelta = timedelta(days=90),
) -> tuple[Path, Path]:
    """A certificate for these names and its key."""
    ca, ca_key = by
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key())
    leaf = (
        x509.CertificateBuilder(ca.subject, x509.Name([]), key.public_key(), x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=100))
        .not_valid_after(NOW + ends)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=True)
        .add_extension(x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(issuer, critical=False)
        .sign(ca_key, hashes.SHA256())
    )
    file, key_file = folder / f"{names[0]}.pem", folder / f"{names[0]}.key"
    file.write_bytes(leaf.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    key_file.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    return file, key_file


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
