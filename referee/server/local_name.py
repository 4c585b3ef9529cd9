"""Name of this computer in the local network, by multicast DNS (RFC 6762): `multiplo.local`, besides its address.

A network may not carry it, and some phones do not ask it, so nothing depends on it and no fault of it ends the start.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroconf import Zeroconf

FIRST = "multiplo.local"
MOST_NAMES = 9
_ANSWER_MS = 700
"""Time for another computer to say that a name is taken."""
_SERVICE = "_http._tcp.local."
logger = logging.getLogger(__name__)


class LocalName:
    """Registration of the name, in a thread.

    `on_name` gets a name that no other computer has, and an empty text if it cannot be registered.
    """

    def __init__(self, port: int, on_name: Callable[[str], None]) -> None:
        self._port, self._on_name = port, on_name
        self._lock = threading.Lock()
        self._ended = False
        self._zeroconf: Zeroconf | None = None
        self._is_decided = threading.Event()

    def offer(self, addresses: Sequence[str]) -> None:
        """Register the name for these addresses, instead of earlier ones."""
        threading.Thread(target=self._offer, args=(tuple(addresses),), name="mdns", daemon=True).start()

    def wait(self, seconds: float) -> None:
        """Wait until a name is chosen or there is none, at most so long."""
        self._is_decided.wait(seconds)

    def stop(self) -> None:
        """Unregister the name, so that other devices forget it at once."""
        self._ended = True
        with self._lock:
            self._close()

    def _offer(self, addresses: tuple[str, ...]) -> None:
        with self._lock:
            try:
                self._close()
                if addresses and not self._ended:
                    self._register(addresses)
            except Exception:  # a name is a convenience: whatever the network or the library says, the game goes on
                logger.debug("no name in the local network", exc_info=True)
                self._on_name("")
                self._close()
            finally:
                self._is_decided.set()

    def _register(self, addresses: tuple[str, ...]) -> None:
        from zeroconf import IPVersion, ServiceInfo, Zeroconf

        self._zeroconf = Zeroconf(interfaces=list(addresses), ip_version=IPVersion.V4Only)
        name = _find_free_name(self._zeroconf, addresses)
        self._on_name(name)
        self._is_decided.set()
        info = ServiceInfo(
            _SERVICE, f"Multiplo.{_SERVICE}", self._port, server=f"{name}.", parsed_addresses=list(addresses)
        )
        self._zeroconf.register_service(info, allow_name_change=True)

    def _close(self) -> None:
        if self._zeroconf is not None:
            self._zeroconf.close()  # which unregisters
            self._zeroconf = None


def _find_free_name(zeroconf: Zeroconf, addresses: tuple[str, ...]) -> str:
    """Return the first name that no other computer has: multiplo.local, multiplo-2.local, …"""
    host, _dot, domain = FIRST.partition(".")
    for name in (FIRST, *(f"{host}-{number}.{domain}" for number in range(2, MOST_NAMES + 1))):
        if resolve(zeroconf, name) <= set(addresses):
            return name
    raise OSError(f"{FIRST} and its variants are taken")


def resolve(zeroconf: Zeroconf, name: str) -> set[str]:
    """Return the IPv4 addresses that the network knows for a name; empty without an answer."""
    from zeroconf import AddressResolverIPv4, IPVersion  # type: ignore[attr-defined]  # missing in its __all__

    resolver = AddressResolverIPv4(f"{name}.")
    resolver.request(zeroconf, _ANSWER_MS)
    return set(resolver.parsed_addresses(IPVersion.V4Only))
