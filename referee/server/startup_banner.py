"""Text that `serve` prints: addresses for judge, phones and wall."""

from __future__ import annotations

import io
from dataclasses import dataclass

from django.utils.translation import gettext as _

from referee.server.addresses import EVERYWHERE, bracket_ipv6, is_loopback, lan_addresses
from referee.server.tls.certificate import Certificate


@dataclass(frozen=True, slots=True)
class ListeningAddresses:
    """Address the server listens on, and this computer's addresses in the local network; https with a certificate."""

    host: str
    port: int
    addresses: tuple[str, ...]
    is_open: bool
    certificate: Certificate | None = None

    @classmethod
    def at(cls, host: str, port: int, certificate: Certificate | None = None) -> ListeningAddresses:
        """Return the addresses of a server that listens on `host` and `port`."""
        is_open = not is_loopback(host)
        own = lan_addresses() if host in EVERYWHERE else [host] if is_open else []
        return cls(host=host, port=port, addresses=tuple(own), is_open=is_open, certificate=certificate)

    @property
    def scheme(self) -> str:
        """`http` or `https`."""
        return "http" if self.certificate is None else "https"

    @property
    def local(self) -> str:
        """Address for a browser on this computer."""
        host = "localhost" if self.host in (*EVERYWHERE, "localhost") else bracket_ipv6(self.host)
        return self._address(host)

    @property
    def hall(self) -> str | None:
        """Address for phones and wall; None if other devices cannot reach this computer."""
        return self._address(self.addresses[0]) if self.addresses else None

    def _address(self, host: str) -> str:
        """Return the address of the host, or of the certificate's name if it does not cover the host."""
        if self.certificate is not None and not self.certificate.covers(host):
            host = self.certificate.own_name or host
        return f"{self.scheme}://{bracket_ipv6(host)}:{self.port}"


def startup_text(place: ListeningAddresses, link: str, encoding: str | None, ca: str = "", local_name: str = "") -> str:
    """Return the text after the start. A QR code is drawn if the terminal's `encoding` allows it.

    `ca` is the fingerprint of the local certificate authority, `local_name` the address with the name in the local
    network; both are empty without one. `link` is empty in a cluster.
    """
    lines = ["", _("Multiplo is running. Stop it with Ctrl-C."), ""]
    lines.append("  " + _("This computer:  %(address)s") % {"address": place.local})
    if place.hall is not None:
        lines.append("  " + _("Phones and wall:  %(address)s") % {"address": place.hall})
        lines += ["  " + local_name_text(local_name)] if local_name else []
        lines += ["", qr_code(place.hall, encoding)]
    else:
        lines += ["", "  " + local_only_text(place)]
    lines += ["", *_trust_text(place, ca)] if ca else []
    if link:
        lines += ["", _("The judge's desk opens with this link, once and within an hour:"), f"  {link}", ""]
    else:
        lines += ["", _("A link to the judge's desk is printed by the command judge-link."), ""]
    return "\n".join(lines)


def _trust_text(place: ListeningAddresses, ca: str) -> list[str]:
    """Return how devices install the local authority, so that they accept the certificate."""
    address = f"{place.hall or place.local}/ca/"
    return [
        _("This certificate is Multiplo's own. Devices that should not warn of it install it once: %(address)s")
        % {"address": address},
        _("Compare its fingerprint (SHA-256) there: %(fingerprint)s") % {"fingerprint": ca},
    ]


def local_only_text(place: ListeningAddresses) -> str:
    """Return why other devices cannot reach this computer, and the remedy."""
    if not place.is_open:
        return _("Only this computer can open it, because of --host %(host)s.") % {"host": place.host}
    return _(
        "No network was found, so phones cannot reach this computer: "
        "connect it to the Wi-Fi of the hall, the address then appears here."
    )


def local_name_text(address: str) -> str:
    """Return the line with the name in the local network, which not every phone finds."""
    return _("Or, on most phones:  %(address)s") % {"address": address}


def new_address_text(place: ListeningAddresses, encoding: str | None) -> str:
    """Return the text about a new address of this computer."""
    address = place.hall or ""
    line = _("Phones and wall now reach this computer at %(address)s") % {"address": address}
    return f"\n  {line}\n\n{qr_code(address, encoding)}\n"


def shutdown_text(folder: str) -> str:
    """Return the last line."""
    return _("Goodbye. Everything is kept in %(folder)s; start again with the same command.") % {"folder": folder}


def qr_code(text: str, encoding: str | None) -> str:
    """Draw a QR code with half blocks; empty if the terminal cannot show them."""
    import segno

    drawing = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawing, border=2, compact=True)
    drawn = drawing.getvalue()
    try:
        drawn.encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ""
    return drawn
