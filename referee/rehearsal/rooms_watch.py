"""The phones of one room of a rehearsal, and what each of them knew first when."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from referee.rehearsal.crowd import Crowd, Hall, Phone

_OVER = ("closed", "placed", "finished")
_VERDICT = b'"verdict":{"turn":'
Key = tuple[str, int]
"""(a phase | "over" | "rack" | "move" | "verdict", turn). Phones may miss "closed" where the move is shown at once."""


class Watch:
    """When each phone of a room had what for the first time, in seconds of the server's clock."""

    def __init__(self) -> None:
        self.times: dict[Key, list[float]] = defaultdict(list)
        self.deadlines: dict[int, float] = {}
        self.texts: dict[bytes, float] = {}
        self._told: dict[bytes, frozenset[Key]] = {}

    def hear(self, known: set[Key], text: bytes, at: float) -> None:
        """A phone that knows this much already heard a message."""
        told = self._keys(text, at)
        for key in told - known:
            known.add(key)
            self.times[key].append(at)

    def early(self, key: Key, limit: float) -> int:
        """How many phones knew something before this moment."""
        return sum(at < limit for at in self.times[key])

    def spelled_before(self, spelled: str, limit: float) -> int:
        """How many different states held these very signs before this moment, in whatever field."""
        wanted = spelled.encode()
        return sum(wanted in text for text, at in self.texts.items() if at < limit)

    def _keys(self, text: bytes, at: float) -> frozenset[Key]:
        if text.startswith(b'{"t":"me"'):
            begin = text.find(_VERDICT) + len(_VERDICT)
            return frozenset({("verdict", int(text[begin : text.index(b",", begin)]))} if _VERDICT in text else ())
        if not text.startswith(b'{"t":"state"'):
            return frozenset()
        view = text[text.index(b'"view":') + 7 : -1]
        if view not in self._told:
            self.texts[view] = at
            self._told[view] = self._read(json.loads(view))
        return self._told[view]

    def _read(self, view: dict[str, Any]) -> frozenset[Key]:
        turn, keys = view["turn"], {(view["phase"], view["turn"])}
        if view["phase"] in _OVER:
            keys.add(("over", turn))
        if view["rack"]:
            keys.add(("rack", turn))
        if view["last"]:
            keys.add(("move", view["last"]["turn"]))
        if view["deadline"] and turn not in self.deadlines:
            self.deadlines[turn] = view["deadline"] / 1000
        return frozenset(keys)


class RoomPhone(Phone):
    """A phone that is watched."""

    __slots__ = ("known",)

    def __init__(self, crowd: RoomCrowd, cookie: str) -> None:
        super().__init__(crowd, cookie)
        self.known: set[Key] = set()

    def _hear(self, text: bytes, now: float) -> None:
        assert isinstance(self.crowd, RoomCrowd)  # noqa: S101  who made it
        self.crowd.watch.hear(self.known, text, now + self.crowd.lag)
        super()._hear(text, now)


class RoomCrowd(Crowd):
    """The phones of one room."""

    def __init__(self, hall: Hall, room: dict[str, Any], ahead_s: float) -> None:
        cookies: Iterable[str] = room["cookies"]
        super().__init__(hall, (), ahead_s)
        self.lag = self._lag
        self.number, self.offset_s = int(room["number"]), float(room["offset_s"])
        self.watch = Watch()
        self.phones = [RoomPhone(self, cookie) for cookie in cookies]
