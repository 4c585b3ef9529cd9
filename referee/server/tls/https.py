"""https of `serve`: with a given certificate, or with one of the local certificate authority."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings

from referee.security.transport import A_MONTH_S, https_settings
from referee.server.addresses import own_names
from referee.server.local_name import FIRST
from referee.server.startup_banner import ListeningAddresses
from referee.server.tls import authority
from referee.server.tls.certificate import Certificate, read_certificate
from referee.server.tls.protocol import PlainHttpContext, server_context
from tournaments.now import utc_now


@dataclass(slots=True)
class HttpsSetup:
    """The chosen certificate. The local authority renews it when the computer's addresses change."""

    certificate: Certificate | None = None
    is_own: bool = False
    _context: PlainHttpContext | None = None

    @classmethod
    def chosen(cls, given: Sequence[str] | None, *, own: bool, plain: ListeningAddresses) -> HttpsSetup:
        """Build the setup of the options of `serve` and change Django's settings. Raises BadCertificate."""
        if not given and not own:
            return cls()
        secure = cls(is_own=own)
        if given:
            secure.certificate = read_certificate(Path(given[0]), Path(given[1]), now=utc_now())
        else:
            secure.certificate = _own_certificate(plain)
        lasting = secure.certificate.is_public and not own
        for name, value in https_settings(hsts_s=A_MONTH_S if lasting else 0, for_the_world=False).items():
            setattr(settings, name, value)
        settings.OWN_CA = own
        return secure

    @property
    def ca_fingerprint(self) -> str:
        """Fingerprint of the local authority, empty without one."""
        return authority.fingerprint(authority.certificate_of_ca(settings.DATA_DIR)) if self.is_own else ""

    def place(self, host: str, port: int) -> ListeningAddresses:
        """Return the current addresses; for a new one, the local authority issues a new certificate."""
        place = ListeningAddresses.at(host, port)
        if self.certificate is None:
            return place
        if self.is_own and not all(map(self.certificate.covers, place.addresses)):
            self.certificate = _own_certificate(place)
            if self._context is not None:
                self._context.load_cert_chain(self.certificate.file, self.certificate.key)
        return replace(place, certificate=self.certificate)

    def context(self, place: ListeningAddresses) -> PlainHttpContext | None:
        """Return the TLS context; None for plain http."""
        if self.certificate is None:
            return None
        address = place.hall or place.local
        self._context = server_context(self.certificate.file, self.certificate.key, address)
        return self._context


def _own_certificate(place: ListeningAddresses) -> Certificate:
    names = ["localhost", "127.0.0.1", "::1", *own_names(), FIRST, *place.addresses]
    file, key = authority.make_certificate(settings.DATA_DIR, names, now=utc_now())
    return read_certificate(file, key, now=utc_now())
