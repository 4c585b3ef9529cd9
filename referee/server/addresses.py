"""Addresses under which other devices reach this computer. Finding them sends nothing and needs no internet."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys
from collections.abc import Sequence

from django.conf import settings

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - phones have to reach it
"""All addresses of this computer, on which `serve` listens."""
# Connecting a datagram socket sends nothing; it looks up the own address in the routing table.
_PROBE_ADDRESSES = ("10.255.255.255", "192.168.255.255", "172.31.255.255", "203.0.113.1")
_ASK_ADDRESS = {"linux": 0x8915, "darwin": 0xC0206921}
_INNER_NETS = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "utun", "lo")


def is_loopback(host: str) -> bool:
    """Tell if a name or address means this computer only."""
    bare = host.strip("[]")
    if bare == "localhost":
        return True
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        return False


def lan_addresses() -> list[str]:
    """Return the IPv4 addresses that other devices may reach, the most likely first; empty without a network."""
    found = [*_find_routed_address(), *_of_interfaces(), *_of_name()]
    reachable = [address for address in dict.fromkeys(found) if _is_reachable(address)]
    return sorted(reachable, key=lambda address: ipaddress.ip_address(address).is_link_local)


def allow_hosts(hosts: Sequence[str], port: int, scheme: str = "http") -> None:
    """Allow requests for these names and addresses, and forms from their pages."""
    for host in hosts:
        origin = f"{scheme}://{bracket_ipv6(host)}:{port}"
        if bracket_ipv6(host) not in settings.ALLOWED_HOSTS:
            settings.ALLOWED_HOSTS.append(bracket_ipv6(host))
        if origin not in settings.CSRF_TRUSTED_ORIGINS:
            settings.CSRF_TRUSTED_ORIGINS.append(origin)


def own_names() -> list[str]:
    """Return the computer's name, also as known in a local network (`name.local`)."""
    name = socket.gethostname().split(".")[0].lower()
    is_usable = bool(name) and all(sign.isalnum() or sign == "-" for sign in name)
    return [name, f"{name}.local"] if is_usable and name != "localhost" else []


def bracket_ipv6(host: str) -> str:
    """Return an IPv6 address in brackets, any other host unchanged."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _find_routed_address() -> list[str]:
    found = []
    for target in _PROBE_ADDRESSES:
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def _of_interfaces() -> list[str]:
    """Find the addresses of network interfaces, for networks without a default route (a router without internet)."""
    question = _ASK_ADDRESS.get(sys.platform)
    if question is None:
        return []
    import fcntl

    found = []
    for _, name in socket.if_nameindex():
        if name.startswith(_INNER_NETS):
            continue
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            answer = fcntl.ioctl(probe, question, struct.pack("256s", name.encode()[:15]))
            found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _of_name() -> list[str]:
    with contextlib.suppress(OSError):
        return socket.gethostbyname_ex(socket.gethostname())[2]
    return []


def _is_reachable(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return not (ip.is_loopback or ip.is_unspecified or ip.is_multicast)
