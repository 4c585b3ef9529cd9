"""Simulated phones of one room, and the time at which each first knew something."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from referee.rehearsal.crowd import Crowd, Phone, ServerAddress

_CLOSED_PHASES = ("closed", "placed", "finished")
_VERDICT = b'"verdict":{"turn":'
Key = tuple[str, int]
"""(a phase | "over" | "rack" | "move" | "verdict", turn). Phones may miss "closed" where the move is shown at once."""


class FirstSightings:
    """Time at which each phone of a room first knew something, in seconds of the server's clock."""

    def __init__(self) -> None:
        self.times: dict[Key, list[float]] = defaultdict(list)
        self.deadlines: dict[int, float] = {}
        self.texts: dict[bytes, float] = {}
        self._keys_by_view: dict[bytes, frozenset[Key]] = {}

    def hear(self, known: set[Key], text: bytes, at: float) -> None:
        """Record what a phone learns from a message; `known` is what it knew before and is updated."""
        keys = self._keys(text, at)
        for key in keys - known:
            known.add(key)
            self.times[key].append(at)

    def early(self, key: Key, limit: float) -> int:
        """Count the phones that knew something before this moment."""
        return sum(at < limit for at in self.times[key])

    def count_texts_before(self, spelled: str, limit: float) -> int:
        """Count the distinct states before this moment that contained this text in any field."""
        wanted = spelled.encode()
        return sum(wanted in text for text, at in self.texts.items() if at < limit)

    def _keys(self, text: bytes, at: float) -> frozenset[Key]:
        if text.startswith(b'{"t":"me"'):
            begin = text.find(_VERDICT) + len(_VERDICT)
            return frozenset({("verdict", int(text[begin : text.index(b",", begin)]))} if _VERDICT in text else ())
        if not text.startswith(b'{"t":"state"'):
            return frozenset()
        view = text[text.index(b'"view":') + 7 : -1]
        if view not in self._keys_by_view:
            self.texts[view] = at
            self._keys_by_view[view] = self._read(json.loads(view))
        return self._keys_by_view[view]

    def _read(self, view: dict[str, Any]) -> frozenset[Key]:
        turn, keys = view["turn"], {(view["phase"], view["turn"])}
        if view["phase"] in _CLOSED_PHASES:
            keys.add(("over", turn))
        if view["rack"]:
            keys.add(("rack", turn))
        if view["last"]:
            keys.add(("move", view["last"]["turn"]))
        if view["deadline"] and turn not in self.deadlines:
            self.deadlines[turn] = view["deadline"] / 1000
        return frozenset(keys)


class RoomPhone(Phone):
    """Phone whose messages are recorded."""

    __slots__ = ("known",)

    def __init__(self, crowd: RoomCrowd, cookie: str) -> None:
        super().__init__(crowd, cookie)
        self.known: set[Key] = set()

    def _hear(self, text: bytes, now: float) -> None:
        assert isinstance(self.crowd, RoomCrowd)  # noqa: S101  RoomCrowd creates its phones
        self.crowd.watch.hear(self.known, text, now + self.crowd.lag)
        super()._hear(text, now)


class RoomCrowd(Crowd):
    """Phones of one room."""

    def __init__(self, server: ServerAddress, room: dict[str, Any], ahead_s: float) -> None:
        cookies: Iterable[str] = room["cookies"]
        super().__init__(server, (), ahead_s)
        self.lag = self._lag
        self.number, self.offset_s = int(room["number"]), float(room["offset_s"])
        self.watch = FirstSightings()
        self.phones = [RoomPhone(self, cookie) for cookie in cookies]
