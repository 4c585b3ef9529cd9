"""Addresses to which messages may be sent.

A director may name a computer of the own network. Refused are link-local addresses, at which cloud servers give out
their credentials, and addresses that belong to no single computer.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from tournaments.errors import Refused

LONGEST_URL = 500
_CREDENTIALS_IPV6 = ipaddress.ip_network("fd00:ec2::/32")
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Target:
    """An address of a webhook: `path` includes the query."""

    host: str
    port: int
    path: str
    is_secure: bool


def read_target(url: str) -> Target:
    """Read the address of a webhook. Raises Refused with a sentence if it cannot be used."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host or len(url) > LONGEST_URL or not url.isascii():
        raise Refused(_("Write the whole address of the program, such as https://club.example.org/multiplo."))
    if parts.username is not None or parts.fragment or " " in url or not url.isprintable():
        raise Refused(_("The address must have no user name, no # and no spaces: the signature proves the sender."))
    if _is_forbidden_text(host):
        raise Refused(_("This address cannot be used: name a server of the club or of its network."))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(host, port or (443 if parts.scheme == "https" else 80), path, parts.scheme == "https")


def is_forbidden(address: IpAddress) -> bool:
    """Return True for an address to which no message is sent."""
    if isinstance(address, ipaddress.IPv6Address):
        hidden = address.ipv4_mapped or address.sixtofour
        if address in _TRANSLATED:
            hidden = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if hidden is not None:
            return is_forbidden(hidden)
        if address in _CREDENTIALS_IPV6:
            return True
    is_reserved = address.is_reserved and not address.is_loopback
    return address.is_link_local or address.is_multicast or address.is_unspecified or is_reserved


def _is_forbidden_text(host: str) -> bool:
    try:
        return is_forbidden(ipaddress.ip_address(host))
    except ValueError:
        return False
