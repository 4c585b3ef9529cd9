"""Certificates for `serve --tls`: validity, names, and trust by browsers."""

from __future__ import annotations

import contextlib
import ssl
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import ExtensionOID
from django.utils.translation import gettext as _


class BadCertificate(Exception):
    """Error: a certificate or key cannot be used. `sentence` names the reason and the remedy."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Certificate:
    """Valid certificate and key. `names`: its DNS names and addresses; `is_public`: browsers trust it."""

    file: Path
    key: Path
    names: tuple[str, ...]
    is_public: bool

    def covers(self, host: str) -> bool:
        """Tell if the certificate is valid for a name or address."""
        return host.strip("[]") in self.names

    @property
    def own_name(self) -> str | None:
        """First name without a wildcard, for the server's address; None without one."""
        return next((name for name in self.names if "*" not in name), None)


def read_certificate(file: Path, key: Path, *, now: datetime) -> Certificate:
    """Read a PEM certificate (with its chain) and its key. Raises BadCertificate."""
    for path in (file, key):
        if not path.is_file():
            raise BadCertificate(_("There is no file %(path)s: give the certificate and its key.") % {"path": path})
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file, key, lambda: "")
        chain = x509.load_pem_x509_certificates(file.read_bytes())
    except (OSError, ValueError) as error:
        raise BadCertificate(
            _(
                "The certificate %(file)s and the key %(key)s cannot be used together (%(why)s): "
                "both have to be PEM files of the same pair, the key without a password."
            )
            % {"file": file, "key": key, "why": getattr(error, "reason", None) or error}
        ) from None
    _require_valid(chain[0], file, now)
    names = _names(chain[0])
    return Certificate(file, key, names, _is_public(file, key, names))


def _require_valid(leaf: x509.Certificate, file: Path, now: datetime) -> None:
    if not leaf.not_valid_before_utc <= now <= leaf.not_valid_after_utc:
        raise BadCertificate(
            _("The certificate %(file)s is valid from %(first)s to %(last)s: renew it, or set this computer's clock.")
            % {"file": file, "first": leaf.not_valid_before_utc.date(), "last": leaf.not_valid_after_utc.date()}
        )


def _names(leaf: x509.Certificate) -> tuple[str, ...]:
    try:
        found = leaf.extensions.get_extension_for_oid(ExtensionOID.SUBJECT_ALTERNATIVE_NAME).value
    except x509.ExtensionNotFound:
        return ()
    assert isinstance(found, x509.SubjectAlternativeName)  # noqa: S101  by its identifier
    names = found.get_values_for_type(x509.DNSName)
    return (*names, *(str(address) for address in found.get_values_for_type(x509.IPAddress)))


def _is_public(file: Path, key: Path, names: tuple[str, ...]) -> bool:
    """Tell if this computer, and so most browsers, trusts the certificate: test it by a handshake in memory."""
    name = next((each for each in names if "*" not in each), None)
    if name is None:
        return False
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = context.wrap_bio(there, back, server_side=True)
    client = ssl.create_default_context().wrap_bio(back, there, server_hostname=name)
    for _step in range(4):
        try:
            client.do_handshake()
        except ssl.SSLWantReadError:
            with contextlib.suppress(ssl.SSLWantReadError):
                server.do_handshake()
        except ssl.SSLError:
            return False
        else:
            return True
    return False
