"""Chains of rooms in a ledger: each begins at an entry of the game's chain, which seals their entries."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from engine.archive.ledger import BadLink, find_broken_link, get_own_chain, head_hash, list_entries, seal_entry

AT = "2026-03-06T20:30:00.000000+00:00"
Chain = list[dict[str, Any]]


def append(chain: Chain, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    chain.append(seal_entry(chain[-1] if chain else None, at=AT, kind=kind, by="", data=data))
    return chain[-1]


def link(entry: dict[str, Any]) -> dict[str, Any]:
    return {"n": entry["n"], "hash": entry["hash"]}


def room_chain(room: int, after: dict[str, Any], closings: int = 3) -> Chain:
    chain: Chain = []
    append(chain, "room_chain", {"room": room, "after": link(after)})
    for turn in range(1, closings + 1):
        append(chain, "close", {"turn": turn, "clock": room})
    return chain


def ledger_of(game: Chain, rooms: dict[int, Chain]) -> dict[str, Any]:
    chains = [{"room": room, "entries": chain, "head": head_hash(chain)} for room, chain in rooms.items()]
    return {"entries": game, "head": head_hash(game), "rooms": chains}


def ledger(sealed: int = 4) -> dict[str, Any]:
    """Two rooms, whose entries of this number are sealed by the third entry of the game."""
    game: Chain = []
    append(game, "created", {})
    after = append(game, "draw", {"turn": 1})
    rooms = {room: room_chain(room, after) for room in (2, 3)}
    append(game, "place", {"chains": [[room, sealed, chain[sealed - 1]["hash"]] for room, chain in rooms.items()]})
    append(game, "end", {})
    return ledger_of(game, rooms)


def chain(ledger: dict[str, Any], room: int) -> Chain:
    found: Chain = ledger["rooms"][room - 2]["entries"]
    return found


def test_whole_chains_hold_and_entries_after_the_last_seal_are_no_fault() -> None:
    assert find_broken_link(ledger()) is None
    assert find_broken_link(ledger(sealed=2)) is None
    assert [room for room, _entry in list_entries(ledger())] == [0] * 4 + [2] * 4 + [3] * 4


def test_a_ledger_without_rooms_is_checked_as_before() -> None:
    old = {name: value for name, value in ledger().items() if name != "rooms"}
    old["entries"] = old["entries"][:2]
    assert find_broken_link(old) is None
    assert get_own_chain(old, 2) == old["entries"]
    assert get_own_chain(ledger(), 2)[0]["data"]["room"] == 2


def rewrite(entries: Chain, place: int, **changes: Any) -> None:
    """Change an entry and seal it and all after it again, as somebody would who owns the database."""
    changed = [*entries[: place - 1]]
    for number, entry in enumerate(entries[place - 1 :], place):
        append(changed, entry["kind"], changes if number == place else entry["data"])
    entries[:] = changed


def change_data(ledger: dict[str, Any]) -> None:
    chain(ledger, 2)[2]["data"]["turn"] = 9


def exchange_rooms(ledger: dict[str, Any]) -> None:
    ledger["rooms"][0]["entries"], ledger["rooms"][1]["entries"] = chain(ledger, 3), chain(ledger, 2)


def begin_elsewhere(ledger: dict[str, Any]) -> None:
    rewrite(chain(ledger, 2), 1, room=2, after={"n": 2, "hash": "0" * 64})


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], object], BadLink]] = {
    "an entry changed": (change_data, BadLink(3, "close", AT, 2)),
    "an entry taken out": (lambda ledger: chain(ledger, 3).pop(1), BadLink(2, "close", AT, 3)),
    "the last entry taken out": (lambda ledger: chain(ledger, 2).pop(), BadLink(4, "", "", 2)),
    "a chain rewritten": (lambda ledger: rewrite(chain(ledger, 2), 2, turn=9), BadLink(4, "close", AT, 2)),
    "the chains of two rooms exchanged": (exchange_rooms, BadLink(1, "room_chain", AT, 2)),
    "a chain that begins elsewhere": (begin_elsewhere, BadLink(1, "room_chain", AT, 2)),
    "a chain taken out": (lambda ledger: ledger["rooms"].pop(0), BadLink(4, "", "", 2)),
    "a room twice": (lambda ledger: ledger["rooms"].append(ledger["rooms"][0]), BadLink(1, "room_chain", AT, 2)),
    "an empty chain": (lambda ledger: chain(ledger, 2).clear(), BadLink(1, "", "", 2)),
    "an entry of the game changed": (lambda ledger: ledger["entries"][1].update(by="x"), BadLink(2, "draw", AT)),
    "a seal that is none": (lambda ledger: rewrite(ledger["entries"], 4, chains=[["x"]]), BadLink(1, "end", AT)),
    "seals that are no list": (lambda ledger: rewrite(ledger["entries"], 4, chains=7), BadLink(1, "end", AT)),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_every_forgery_is_found_at_its_place(forgery: str) -> None:
    act, found = FORGERIES[forgery]
    forged = deepcopy(ledger())
    act(forged)
    assert find_broken_link(forged) == found
