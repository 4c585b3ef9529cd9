"""The package of a simultaneous game: one file for all clubs, which each opens with its own start code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TypedDict, cast

from engine.archive.json_shape import FormatError, check_format, parse_json
from engine.archive.schema import check_time, read_timestamp
from engine.simultaneous.sealing import RandomBytes, SealBroken, SealedGame, derive_key, seal, unseal
from engine.simultaneous.start_code import read_start_code

FORMAT = "duplicate-simultaneous"
VERSION = 1


class WrongCode(ValueError):
    """A start code that opens no club's part of a package, or a package that was altered."""


class Package(TypedDict):
    """Sealed games for many clubs. Times are ISO 8601 with their offset; `hub` is the address for returns, or empty.

    `clubs` holds for each club its keys, sealed with its start code and bound to everything else in the package.
    """

    format: str
    version: int
    id: str
    title: str
    note: str
    opens_at: str
    closes_at: str
    embargo_until: str
    hub: str
    games: list[SealedGame]
    clubs: list[str]


@dataclass(frozen=True, slots=True)
class ClubKeys:
    """Secrets of one club: the key of the package, and the key with which the club seals its return, both in hex."""

    number: int
    name: str
    key: str
    return_key: str


def seal_club(package: Package, club: ClubKeys, code: str, random_bytes: RandomBytes) -> str:
    """Seal the keys of a club with its start code, for `Package.clubs`."""
    content = {"number": club.number, "name": club.name, "key": club.key, "return_key": club.return_key}
    return seal(_code_key(package, code), json.dumps(content).encode(), _digest(package), random_bytes)


def read_package(text: str) -> Package:
    """Read a package. Raises `FormatError` with the reason."""
    found = parse_json(text)
    check_format(found, Package, FORMAT, VERSION)
    package = cast(Package, found)
    for name in ("opens_at", "closes_at", "embargo_until"):
        check_time(name, found[name])
    if not package["games"]:
        raise FormatError("it has no game")
    return package


def open_package(package: Package, code: str) -> ClubKeys:
    """Return the keys of the club whose start code this is. Raises `WrongCode`."""
    signs = read_start_code(code)
    if signs is None:
        raise WrongCode
    key, digest = _code_key(package, signs), _digest(package)
    for sealed in package["clubs"]:
        try:
            return ClubKeys(**json.loads(unseal(key, sealed, digest)))
        except SealBroken:
            continue
    raise WrongCode


def times_of(package: Package) -> Sequence[datetime]:
    """Return the beginning and the end of the time window, and the end of the embargo."""
    return [read_timestamp(package[name]) for name in ("opens_at", "closes_at", "embargo_until")]


def _code_key(package: Package, code: str) -> bytes:
    return derive_key((read_start_code(code) or "").encode(), package["id"].encode(), "multiplo start code")


def _digest(package: Package) -> bytes:
    """Return the hash of everything that all clubs share."""
    shared = {name: value for name, value in package.items() if name != "clubs"}
    return sha256(json.dumps(shared, sort_keys=True, separators=(",", ":")).encode()).digest()
