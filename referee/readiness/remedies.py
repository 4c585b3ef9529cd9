"""Steps for phones that cannot open the address, by the usual causes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

_OF_PLATFORM = {"win32": "windows", "darwin": "macos"}
_ORDER = ("windows", "macos", "ufw", "firewalld", "nftables")


@dataclass(frozen=True, slots=True)
class Remedy:
    """Steps against one cause; `is_likely` for the causes that this computer can have."""

    cause: str
    title: str
    steps: Sequence[str]
    is_likely: bool


def list_remedies(port: int, firewall: str = "", platform: str = sys.platform) -> list[Remedy]:
    """Return the remedies, those for this computer first; `firewall` is the kind that was found."""
    own = [_OF_PLATFORM[platform]] if platform in _OF_PLATFORM else [firewall or "ufw"]
    likely = [*own, "wifi"]
    order = [*likely, *(cause for cause in _ORDER if cause not in likely)]
    return [_remedy(cause, port, is_likely=cause in likely) for cause in order if cause in _TEXTS]


def _remedy(cause: str, port: int, *, is_likely: bool) -> Remedy:
    title, steps = _TEXTS[cause]()
    said = {"port": port, "python": sys.executable}
    return Remedy(cause, title, [step % said for step in steps], is_likely)


def _wifi() -> tuple[str, list[str]]:
    return _("The Wi-Fi keeps devices apart (guest Wi-Fi)"), [
        _("Check that the phone is in the same Wi-Fi as this computer, and switch its mobile data off."),
        _("Is it a guest network? Connect this computer and the phones to the main network instead."),
        _(
            "In the settings of the router, switch off “AP isolation”, also called “client isolation” or "
            "“wireless isolation”."
        ),
        _("Otherwise switch on the hot spot of this computer or of a phone, and connect all devices to it."),
    ]


def _windows() -> tuple[str, list[str]]:
    return _("Windows Defender Firewall"), [
        _("Open Settings, Network & internet, the properties of the Wi-Fi, and choose “Private network”."),
        _("Open Windows Security, Firewall & network protection, “Allow an app through firewall”, “Change settings”."),
        _("Tick Python in the column Private. If it is not listed, press “Allow another app” and choose %(python)s"),
        _(
            "Or, in a terminal that runs as administrator: netsh advfirewall firewall add rule name=Multiplo dir=in "
            "action=allow protocol=TCP localport=%(port)d"
        ),
    ]


def _macos() -> tuple[str, list[str]]:
    return _("Firewall of macOS"), [
        _("Open System Settings, Network, Firewall, Options."),
        _("Switch “Block all incoming connections” off."),
        _("Set Python to “Allow incoming connections”. If it is not listed, press + and choose %(python)s"),
    ]


def _ufw() -> tuple[str, list[str]]:
    return _("Linux with ufw (Ubuntu)"), [
        _("Open the port: sudo ufw allow %(port)d/tcp"),
        _("After the event, close it again: sudo ufw delete allow %(port)d/tcp"),
    ]


def _firewalld() -> tuple[str, list[str]]:
    return _("Linux with firewalld (Fedora, openSUSE)"), [
        _("Open the port until the next start of the computer: sudo firewall-cmd --add-port=%(port)d/tcp"),
    ]


def _nftables() -> tuple[str, list[str]]:
    return _("Linux with rules of your own (nftables, iptables)"), [
        _("Find the rule that drops connections: sudo nft list ruleset"),
        _("Accept the port before it, for example: sudo nft insert rule inet filter input tcp dport %(port)d accept"),
    ]


_TEXTS = {
    "windows": _windows,
    "macos": _macos,
    "ufw": _ufw,
    "firewalld": _firewalld,
    "nftables": _nftables,
    "iptables": _nftables,
    "wifi": _wifi,
}
