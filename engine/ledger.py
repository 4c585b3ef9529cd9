"""The ledger's hash chain: each entry is sealed with the hash of the one before it.

`hash = hex(SHA-256(previous hash as text + canonical JSON of the entry without its hash))`; the first previous hash is
64 zeros. Canonical JSON: keys sorted, no spaces, UTF-8, no floats.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FIRST_PREVIOUS = "0" * 64
SHOWN_OF_A_HASH = 16
# The acts after which the hash is shown to the hall: once or twice a turn. A draw is not among them, for nothing that
# hangs on a rack is shown before the rack is.
SHOWN_AFTER = frozenset({"created", "prepared", "hall_word", "announce", "place", "show", "undo", "end"})
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
"""What of a slip is sealed. `in_time` is null for a phone, where it follows from `received_at` and the clock."""


class NotCanonical(ValueError):
    """A value that canonical JSON cannot hold: a float, or something that is no JSON at all."""


def canonical_json(value: object) -> bytes:
    """The one way to write a JSON value: keys sorted, no spaces, UTF-8. `NotCanonical` for floats and other objects."""
    _refuse_floats(value)
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8")
    except (TypeError, ValueError) as error:
        raise NotCanonical(f"this cannot be written as canonical JSON: {error}") from None


def entry_hash(previous: str, entry: Mapping[str, object]) -> str:
    """The hash that seals `entry` (a hash of its own in it is left out) to the entry whose hash is `previous`."""
    body = canonical_json({key: value for key, value in entry.items() if key != "hash"})
    return hashlib.sha256(previous.encode() + body).hexdigest()


def sealed(
    last: Mapping[str, object] | None, *, at: str, kind: str, by: str, data: Mapping[str, object]
) -> dict[str, object]:
    """The entry that follows `last` (None: the first one, number 1), with its number and hash."""
    number = 1 if last is None else int(str(last["n"])) + 1
    previous = FIRST_PREVIOUS if last is None else str(last["hash"])
    entry: dict[str, object] = {"n": number, "at": at, "kind": kind, "by": by, "data": dict(data)}
    return {**entry, "hash": entry_hash(previous, entry)}


def head(entries: Iterable[Mapping[str, object]]) -> str:
    """The hash of the last entry, 64 zeros when there is none."""
    last = FIRST_PREVIOUS
    for entry in entries:
        last = str(entry["hash"])
    return last


@dataclass(frozen=True, slots=True)
class BadLink:
    """The first entry that does not hang on the one before it; `kind` and `at` are what it says of itself."""

    place: int
    kind: str
    at: str


def bad_link(entries: Iterable[Mapping[str, object]]) -> BadLink | None:
    """The first entry whose hash or number is wrong; None when the chain holds."""
    previous = FIRST_PREVIOUS
    for place, entry in enumerate(entries, 1):
        if entry.get("n") != place or not _seals(previous, entry):
            return BadLink(place, str(entry.get("kind", "")), str(entry.get("at", "")))
        previous = str(entry["hash"])
    return None


def first_bad_link(entries: Iterable[Mapping[str, object]]) -> int | None:
    """The place of that entry, from 1; None when the chain holds."""
    bad = bad_link(entries)
    return None if bad is None else bad.place


def last_shown(entries: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The newest entry whose hash was shown to the hall; None in a ledger without such acts."""
    return next((entry for entry in reversed(entries) if entry["kind"] in SHOWN_AFTER), None)


def short(digest: str) -> str:
    """A hash as it is read aloud and compared: its first 16 digits in groups of four."""
    return in_groups(digest[:SHOWN_OF_A_HASH])


def in_groups(digest: str) -> str:
    """A hash in groups of four digits."""
    return " ".join(digest[at : at + 4] for at in range(0, len(digest), 4))


def batch_digest(slips: Iterable[Mapping[str, object]]) -> str:
    """What seals slips that were stored together, in this order: SHA-256 of the canonical JSON of their `SLIP_FIELDS`.

    `KeyError` when a slip lacks one of them.
    """
    sealed_part = [{name: slip[name] for name in SLIP_FIELDS} for slip in slips]
    return hashlib.sha256(canonical_json(sealed_part)).hexdigest()


def person_seal(salt: str, described: Sequence[str]) -> str:
    """What the ledger holds of a player instead of the name: SHA-256 of salt + canonical JSON of the list of name,
    club, series, age class, country and team. Nobody can guess a name by it once the salt is gone.
    """
    return hashlib.sha256(salt.encode() + canonical_json(list(described))).hexdigest()


def _seals(previous: str, entry: Mapping[str, object]) -> bool:
    try:
        return entry.get("hash") == entry_hash(previous, entry)
    except NotCanonical:
        return False


_PLAIN = (str, int, bool, type(None))


def _refuse_floats(value: object) -> None:
    if type(value) in _PLAIN:
        return
    if isinstance(value, float):
        raise NotCanonical(f"canonical JSON holds no floats, and {value!r} is one")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise NotCanonical(f"the keys of canonical JSON are texts, and {key!r} is none")
            _refuse_floats(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_floats(inner)
