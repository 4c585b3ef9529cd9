"""Under which addresses the hall can reach this computer. Nothing is sent to find out, so it works without internet."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys
from collections.abc import Sequence

from django.conf import settings

# Connecting a datagram socket sends nothing: it only asks the routing table which own address would be used.
_SOMEWHERE = ("10.255.255.255", "192.168.255.255", "172.31.255.255", "203.0.113.1")
_ASK_ADDRESS = {"linux": 0x8915, "darwin": 0xC0206921}
_INNER_NETS = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "utun", "lo")


def is_loopback(host: str) -> bool:
    """Whether a name or address means this computer only."""
    bare = host.strip("[]")
    if bare == "localhost":
        return True
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        return False


def lan_addresses() -> list[str]:
    """The IPv4 addresses other devices can reach, the likeliest one first; empty without any network."""
    found = [*_routed(), *_of_interfaces(), *_of_name()]
    reachable = [address for address in dict.fromkeys(found) if _is_reachable(address)]
    return sorted(reachable, key=lambda address: ipaddress.ip_address(address).is_link_local)


def allow(hosts: Sequence[str], port: int, scheme: str = "http") -> None:
    """Let requests for these names and addresses in, and forms from their pages."""
    for host in hosts:
        origin = f"{scheme}://{bracketed(host)}:{port}"
        if bracketed(host) not in settings.ALLOWED_HOSTS:
            settings.ALLOWED_HOSTS.append(bracketed(host))
        if origin not in settings.CSRF_TRUSTED_ORIGINS:
            settings.CSRF_TRUSTED_ORIGINS.append(origin)


def own_names() -> list[str]:
    """The computer's name, as it is and as a local network finds it (`name.local`)."""
    name = socket.gethostname().split(".")[0].lower()
    is_usable = bool(name) and all(sign.isalnum() or sign == "-" for sign in name)
    return [name, f"{name}.local"] if is_usable and name != "localhost" else []


def bracketed(host: str) -> str:
    """An IPv6 address in brackets, anything else as it is."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _routed() -> list[str]:
    found = []
    for target in _SOMEWHERE:
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            found.append(str(probe.getsockname()[0]))
    return found


def _of_interfaces() -> list[str]:
    """A network without a way out (a router without internet) has no route that `_routed` would find."""
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
