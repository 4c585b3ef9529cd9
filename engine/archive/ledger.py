"""The ledger's hash chain: each entry is sealed with the hash of the one before it.

`hash = hex(SHA-256(previous hash as text + canonical JSON of the entry without its hash))`; the first previous hash is
64 zeros. Canonical JSON: keys sorted, no spaces, UTF-8, no floats.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.canonical_json import NotCanonical, canonical_json

EMPTY_LEDGER_HASH = "0" * 64
SHORT_HASH_LENGTH = 16
# The acts after which the hash is shown on the public screen: once or twice a turn. A draw is not among them, for
# nothing that hangs on a rack is shown before the rack is.
KINDS_WITH_SHOWN_HASH = frozenset(
    {"created", "prepared", "hall_word", "announce", "place", "show", "undo", "end", "seal"}
)
SLIP_FIELDS = (
    "table",
    "id",
    "source",
    "word",
    "ref",
    "direction",
    "hook",
    "declared",
    "several",
    "received_at",
    "in_time",
)
"""The sealed fields of a slip. `in_time` is null for a phone, where it follows from `received_at` and the clock."""
ROOM_CHAIN = "room_chain"
"""Kind of the first entry of a room's chain. Its `after` is the number and hash of an entry of the game's chain."""
SEALED_CHAINS = "chains"
"""Field of an entry of the game's chain: number of the room, number and hash of an entry, for each chain of a room."""
DELAYED_FIELD = "sent_at"
"""Sealed too where it is known: the time at which a phone sent a slip that was received too late."""


def entry_hash(previous: str, entry: Mapping[str, object]) -> str:
    """The hash that seals `entry` (a hash of its own in it is left out) to the entry whose hash is `previous`."""
    body = canonical_json({key: value for key, value in entry.items() if key != "hash"})
    return hashlib.sha256(previous.encode() + body).hexdigest()


def seal_entry(
    last: Mapping[str, object] | None, *, at: str, kind: str, by: str, data: Mapping[str, object]
) -> dict[str, object]:
    """The entry that follows `last` (None: the first one, number 1), with its number and hash."""
    number = 1 if last is None else int(str(last["n"])) + 1
    previous = EMPTY_LEDGER_HASH if last is None else str(last["hash"])
    entry: dict[str, object] = {"n": number, "at": at, "kind": kind, "by": by, "data": dict(data)}
    return {**entry, "hash": entry_hash(previous, entry)}


def head_hash(entries: Iterable[Mapping[str, object]]) -> str:
    """The hash of the last entry, 64 zeros when there is none."""
    last = EMPTY_LEDGER_HASH
    for entry in entries:
        last = str(entry["hash"])
    return last


@dataclass(frozen=True, slots=True)
class BadLink:
    """The first entry that does not hang on the one before it, or that is not the one that was sealed; `kind` and `at`
    are what it says of itself, empty for one that is missing. `room` is the number of the room in whose chain it is, 0
    for the game's."""

    place: int
    kind: str
    at: str
    room: int = 0


def find_bad_link(entries: Iterable[Mapping[str, object]]) -> BadLink | None:
    """The first entry whose hash or number is wrong; None when the chain holds."""
    previous = EMPTY_LEDGER_HASH
    for place, entry in enumerate(entries, 1):
        if entry.get("n") != place or not _has_valid_hash(previous, entry):
            return BadLink(place, str(entry.get("kind", "")), str(entry.get("at", "")))
        previous = str(entry["hash"])
    return None


def list_entries(ledger: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Every entry of a ledger, the game's first, with the number of the room in whose chain it is, 0 for the game's."""
    for entry in ledger["entries"]:
        yield 0, entry
    for chain in ledger.get("rooms", ()):
        for entry in chain["entries"]:
            yield chain["room"], entry


def get_own_chain(ledger: Mapping[str, Any], room: int) -> Sequence[Mapping[str, Any]]:
    """The entries of a room's own chain, the game's for a room that has none."""
    chains = {chain["room"]: chain["entries"] for chain in ledger.get("rooms", ())}
    entries: Sequence[Mapping[str, Any]] = chains.get(room) or ledger["entries"]
    return entries


def find_broken_link(ledger: Mapping[str, Any]) -> BadLink | None:
    """The first bad link of a ledger with the chains of its rooms; None when it is whole.

    The first entry of a room's chain names an entry of the game's, and the game's chain seals entries of the rooms'. So
    a chain of a room can be neither changed nor exchanged nor shortened.
    """
    entries = ledger["entries"]
    bad = find_bad_link(entries)
    if bad is not None:
        return bad
    own = {entry["n"]: entry["hash"] for entry in entries}
    known: dict[int, Sequence[Mapping[str, Any]]] = {}
    for chain in ledger.get("rooms", ()):
        room = chain["room"]
        bad = find_bad_link(chain["entries"])
        if bad is not None:
            return replace(bad, room=room)
        if room in known or not _begins_at(own, room, chain["entries"]):
            return _bad_link(1, chain["entries"], room)
        known[room] = chain["entries"]
    return next((bad for entry in entries for bad in _list_bad_seals(entry, known)), None)


def _begins_at(own: Mapping[object, object], room: int, entries: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if the first entry of a room's chain is of this room and names one of these entries of the game's."""
    match entries:
        case [{"kind": kind, "data": {"room": of, "after": {"n": int(number), "hash": str(digest)}}}, *_]:
            return bool(kind == ROOM_CHAIN and of == room and own.get(number) == digest)
    return False


def _list_bad_seals(entry: Mapping[str, Any], chains: Mapping[int, Sequence[Mapping[str, Any]]]) -> Iterator[BadLink]:
    """The entries of rooms' chains that are not those that this entry of the game's chain seals."""
    data = entry["data"]
    seals = data.get(SEALED_CHAINS, []) if isinstance(data, Mapping) else []
    for seal in seals if isinstance(seals, list) else [seals]:
        match seal:
            case [int(room), int(number), str(digest)]:
                found = chains.get(room, ())
                if not 0 < number <= len(found) or found[number - 1]["hash"] != digest:
                    yield _bad_link(number, found, room)
            case _:
                yield _bad_link(1, [entry])


def _bad_link(place: int, entries: Sequence[Mapping[str, Any]], room: int = 0) -> BadLink:
    said = entries[place - 1] if 0 < place <= len(entries) else {}
    return BadLink(place, str(said.get("kind", "")), str(said.get("at", "")), room)


def find_bad_link_number(entries: Iterable[Mapping[str, object]]) -> int | None:
    """The place of that entry, from 1; None when the chain holds."""
    bad = find_bad_link(entries)
    return None if bad is None else bad.place


def find_last_shown_entry(entries: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The newest entry whose hash was shown to the hall; None in a ledger without such acts."""
    return next((entry for entry in reversed(entries) if entry["kind"] in KINDS_WITH_SHOWN_HASH), None)


def format_short_hash(digest: str) -> str:
    """A hash as it is read aloud and compared: its first 16 digits in groups of four."""
    return format_hash_groups(digest[:SHORT_HASH_LENGTH])


def format_hash_groups(digest: str) -> str:
    """A hash in groups of four digits."""
    return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4))


def batch_digest(slips: Iterable[Mapping[str, object]]) -> str:
    """Seal of slips that were stored together, in this order: SHA-256 of the canonical JSON of their `SLIP_FIELDS`.

    `KeyError` when a slip lacks one of them.
    """
    sealed_part = [
        {name: slip[name] for name in SLIP_FIELDS}
        | ({DELAYED_FIELD: slip[DELAYED_FIELD]} if slip.get(DELAYED_FIELD) is not None else {})
        for slip in slips
    ]
    return hashlib.sha256(canonical_json(sealed_part)).hexdigest()


def person_seal(salt: str, described: Sequence[str]) -> str:
    """Seal that stands for a player's name in the ledger: SHA-256 of salt + canonical JSON of the list of name,
    club, series, age class, country and team, and of surname and licence where one of them is known. Nobody can guess
    a name by it once the salt is gone.
    """
    return hashlib.sha256(salt.encode() + canonical_json(list(described))).hexdigest()


def _has_valid_hash(previous: str, entry: Mapping[str, object]) -> bool:
    try:
        return entry.get("hash") == entry_hash(previous, entry)
    except NotCanonical:
        return False
