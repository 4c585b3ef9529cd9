"""Token buckets in memory: limits that allow short bursts."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Rate:
    """A limit: `per_second` on average, `burst` at once."""

    per_second: float
    burst: float


@dataclass(slots=True)
class Bucket:
    """The tokens that a sender has left, as of `at` (seconds of a monotonic clock)."""

    rate: Rate
    left: float
    at: float

    def take(self, now: float, cost: float = 1.0) -> float:
        """Take `cost` and return 0.0, or take nothing and return the seconds until there is enough."""
        wait = self.wait(now, cost)
        if wait == 0.0:
            self.left -= cost
        return wait

    def wait(self, now: float, cost: float = 1.0) -> float:
        """Return the seconds until `cost` can be taken."""
        self.left = min(self.rate.burst, self.left + (now - self.at) * self.rate.per_second)
        self.at = now
        return 0.0 if self.left >= cost else (cost - self.left) / self.rate.per_second


class Throttle:
    """A bucket for each key. Keys not seen for long are dropped; at most `most_keys` are stored.

    Safe to use from several threads.
    """

    def __init__(self, rate: Rate, *, clock: Callable[[], float] = time.monotonic, most_keys: int = 20_000) -> None:
        self._rate = rate
        self._clock = clock
        self._most_keys = most_keys
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: str, cost: float = 1.0) -> float:
        """Return 0.0 if the sender may go on; otherwise take nothing and return the seconds to wait."""
        with self._lock:
            return self._bucket(key).take(self._clock(), cost)

    def wait(self, key: str, cost: float = 1.0) -> float:
        """Return what `take` would, without taking."""
        with self._lock:
            return self._bucket(key).wait(self._clock(), cost)

    def forget(self) -> None:
        """Drop all buckets."""
        with self._lock:
            self._buckets.clear()

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._rate.burst, self._clock())
            if len(self._buckets) > self._most_keys:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket


class Allowance:
    """Limits for a sender, a network and all together. A hall may share one address, so networks have high limits."""

    def __init__(self, sender: Rate, network: Rate, everybody: Rate) -> None:
        self._sender, self._network, self._everybody = (Throttle(rate) for rate in (sender, network, everybody))

    def take(self, sender: str, address: str | None) -> float:
        """Return 0.0 if the message may pass, otherwise the seconds that the sender has to wait."""
        return self._sender.take(sender) or self._network.take(ip_prefix(address)) or self._everybody.take("everybody")


@lru_cache(maxsize=4096)
def ip_prefix(address: str | None) -> str:
    """Return the network of an address, /24 or /64: enough to tell guests apart, too coarse to identify one."""
    try:
        ip = ipaddress.ip_address(address or "")
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return str(ipaddress.ip_network(f"{ip}/{24 if ip.version == 4 else 64}", strict=False))
