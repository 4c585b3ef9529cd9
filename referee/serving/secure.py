"""Whether `serve` speaks https, and with which certificate: a given one, or one of an authority of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings

from referee.security.transport import A_MONTH_S, https_settings
from referee.serving import own_ca
from referee.serving.addresses import own_names
from referee.serving.certificate import Certificate, read_certificate
from referee.serving.tls import TellingContext, server_context
from referee.serving.welcome import Place
from tournaments.now import utc_now


@dataclass(slots=True)
class Secure:
    """The choice. With an own authority the certificate follows the addresses of the computer."""

    certificate: Certificate | None = None
    is_own: bool = False
    _context: TellingContext | None = None

    @classmethod
    def chosen(cls, given: Sequence[str] | None, *, own: bool, plain: Place) -> Secure:
        """What the options of `serve` ask for; sets the settings of https. Raises BadCertificate."""
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
        """That of the own authority, empty without one."""
        return own_ca.fingerprint(own_ca.certificate_of_ca(settings.DATA_DIR)) if self.is_own else ""

    def place(self, host: str, port: int) -> Place:
        """Where the server is now; for an address that is new the own authority makes a new certificate."""
        place = Place.at(host, port)
        if self.certificate is None:
            return place
        if self.is_own and not all(map(self.certificate.covers, place.addresses)):
            self.certificate = _own_certificate(place)
            if self._context is not None:
                self._context.load_cert_chain(self.certificate.file, self.certificate.key)
        return replace(place, certificate=self.certificate)

    def context(self, place: Place) -> TellingContext | None:
        """What the server needs to speak https; None for plain http."""
        if self.certificate is None:
            return None
        address = place.hall or place.local
        self._context = server_context(self.certificate.file, self.certificate.key, address)
        return self._context


def _own_certificate(place: Place) -> Certificate:
    names = ["localhost", "127.0.0.1", "::1", *own_names(), *place.addresses]
    file, key = own_ca.make_certificate(settings.DATA_DIR, names, now=utc_now())
    return read_certificate(file, key, now=utc_now())
