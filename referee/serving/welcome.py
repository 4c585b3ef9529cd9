"""What `serve` prints: where to go, for the judge and for the hall."""

from __future__ import annotations

import io
from dataclasses import dataclass

from django.utils.translation import gettext as _

from referee.serving.addresses import bracketed, is_loopback, lan_addresses

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - the phones of the hall have to reach it


@dataclass(frozen=True, slots=True)
class Place:
    """Where the server listens, and the addresses of this computer in the hall."""

    host: str
    port: int
    addresses: tuple[str, ...]
    is_open: bool

    @classmethod
    def at(cls, host: str, port: int) -> Place:
        """The place of a server that listens there."""
        is_open = not is_loopback(host)
        own = lan_addresses() if host in EVERYWHERE else [host] if is_open else []
        return cls(host=host, port=port, addresses=tuple(own), is_open=is_open)

    @property
    def local(self) -> str:
        """The address on this computer itself."""
        host = "localhost" if self.host in (*EVERYWHERE, "localhost") else bracketed(self.host)
        return f"http://{host}:{self.port}"

    @property
    def hall(self) -> str | None:
        """The address for phones and the wall; None when nobody else can reach this computer."""
        return f"http://{bracketed(self.addresses[0])}:{self.port}" if self.addresses else None


def welcome(place: Place, link: str, encoding: str | None) -> str:
    """The text after the start. `encoding` is the terminal's: it decides whether a QR code can be drawn."""
    lines = ["", _("Multiplo is running. Stop it with Ctrl-C."), ""]
    lines.append("  " + _("This computer:  %(address)s") % {"address": place.local})
    if place.hall is not None:
        lines.append("  " + _("Phones and wall:  %(address)s") % {"address": place.hall})
        lines += ["", qr_code(place.hall, encoding)]
    else:
        lines += ["", "  " + alone(place)]
    lines += ["", _("The judge's desk opens with this link, once and within an hour:"), f"  {link}", ""]
    return "\n".join(lines)


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
