"""What `serve` prints: where to go, for the judge and for the hall."""

from __future__ import annotations

import io
from dataclasses import dataclass

from django.utils.translation import gettext as _

from referee.serving.addresses import bracketed, is_loopback, lan_addresses
from referee.serving.certificate import Certificate

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - the phones of the hall have to reach it


@dataclass(frozen=True, slots=True)
class Place:
    """Where the server listens, and the addresses of this computer in the hall. With a certificate it is https."""

    host: str
    port: int
    addresses: tuple[str, ...]
    is_open: bool
    certificate: Certificate | None = None

    @classmethod
    def at(cls, host: str, port: int, certificate: Certificate | None = None) -> Place:
        """The place of a server that listens there."""
        is_open = not is_loopback(host)
        own = lan_addresses() if host in EVERYWHERE else [host] if is_open else []
        return cls(host=host, port=port, addresses=tuple(own), is_open=is_open, certificate=certificate)

    @property
    def scheme(self) -> str:
        """How addresses begin."""
        return "http" if self.certificate is None else "https"

    @property
    def local(self) -> str:
        """The address on this computer itself."""
        host = "localhost" if self.host in (*EVERYWHERE, "localhost") else bracketed(self.host)
        return self._address(host)

    @property
    def hall(self) -> str | None:
        """The address for phones and the wall; None when nobody else can reach this computer."""
        return self._address(self.addresses[0]) if self.addresses else None

    def _address(self, host: str) -> str:
        """With the host itself, or with the name in the certificate when that does not know the host."""
        if self.certificate is not None and not self.certificate.covers(host):
            host = self.certificate.own_name or host
        return f"{self.scheme}://{bracketed(host)}:{self.port}"


def welcome(place: Place, link: str, encoding: str | None, ca: str = "") -> str:
    """The text after the start. `encoding` is the terminal's: it decides whether a QR code can be drawn. `ca` is the
    fingerprint of the authority of one's own, empty without one."""
    lines = ["", _("Multiplo is running. Stop it with Ctrl-C."), ""]
    lines.append("  " + _("This computer:  %(address)s") % {"address": place.local})
    if place.hall is not None:
        lines.append("  " + _("Phones and wall:  %(address)s") % {"address": place.hall})
        lines += ["", qr_code(place.hall, encoding)]
    else:
        lines += ["", "  " + alone(place)]
    lines += ["", *_how_to_trust(place, ca)] if ca else []
    lines += ["", _("The judge's desk opens with this link, once and within an hour:"), f"  {link}", ""]
    return "\n".join(lines)


def _how_to_trust(place: Place, ca: str) -> list[str]:
    """What phones and this computer need once, so that they do not warn of the certificate."""
    address = f"{place.hall or place.local}/ca/"
    return [
        _("This certificate is Multiplo's own. Devices that should not warn of it install it once: %(address)s")
        % {"address": address},
        _("Compare its fingerprint (SHA-256) there: %(fingerprint)s") % {"fingerprint": ca},
    ]


def alone(place: Place) -> str:
    """Why nobody else can reach this computer, and what to do."""
    if not place.is_open:
        return _("Only this computer can open it, because of --host %(host)s.") % {"host": place.host}
    return _(
        "No network was found, so phones cannot reach this computer: "
        "connect it to the Wi-Fi of the hall, the address then appears here."
    )


def found(place: Place, encoding: str | None) -> str:
    """The computer has got a (new) address while the server was running."""
    address = place.hall or ""
    line = _("Phones and wall now reach this computer at %(address)s") % {"address": address}
    return f"\n  {line}\n\n{qr_code(address, encoding)}\n"


def goodbye(folder: str) -> str:
    """The last line."""
    return _("Goodbye. Everything is kept in %(folder)s; the same command goes on from there.") % {"folder": folder}


def qr_code(text: str, encoding: str | None) -> str:
    """The code drawn with half blocks, nothing where the terminal cannot show them."""
    import segno

    drawing = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawing, border=2, compact=True)
    drawn = drawing.getvalue()
    try:
        drawn.encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ""
    return drawn
