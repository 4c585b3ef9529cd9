"""The return of a club: the archives of its games, sealed with the club's return key (HMAC-SHA256)."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict, cast

from engine.archive.json_shape import check_format, parse_json
from engine.archive.schema import Archive, check_archive

FORMAT = "duplicate-simultaneous-return"
VERSION = 1


class ReturnedGame(TypedDict):
    """Archive of a game of the package in one room of the club, and its seal in hex."""

    game: int
    archive: dict[str, object]
    seal: str


class Returned(TypedDict):
    """`proof` shows that the sender knows the key of the club; `seal` covers which games there are and the time."""

    format: str
    version: int
    simultaneous: str
    club: int
    made_at: str
    proof: str
    games: list[ReturnedGame]
    seal: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Reason why a return is not taken as it is. `part` names the altered part: 0 the list of games, else a game."""

    kind: Literal["foreign", "impostor", "altered"]
    part: int = 0


def make_return(
    simultaneous: str, club: int, return_key: str, archives: Sequence[tuple[int, Mapping[str, object]]], made_at: str
) -> Returned:
    """Seal the archives of a club, each with the number of its game in the package."""
    games = [
        ReturnedGame(game=game, archive=dict(archive), seal=_mac(return_key, "game", simultaneous, club, game, archive))
        for game, archive in archives
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "simultaneous": simultaneous,
        "club": club,
        "made_at": made_at,
        "proof": _mac(return_key, "proof", simultaneous, club),
        "games": games,
        "seal": _mac(
            return_key, "whole", simultaneous, club, made_at, [(each["game"], each["seal"]) for each in games]
        ),
    }


def read_return(text: str) -> Returned:
    """Read a return; its seals are checked by `find_fault`. Raises `FormatError` with the reason."""
    found = parse_json(text)
    check_format(found, Returned, FORMAT, VERSION)
    return cast(Returned, found)


def find_fault(returned: Returned, simultaneous: str, return_keys: Mapping[int, str]) -> Fault | None:
    """Return what is wrong with the origin of a return, or None. `return_keys`: by number of the invited clubs."""
    if returned["simultaneous"] != simultaneous:
        return Fault("foreign")
    club = returned["club"]
    key = return_keys.get(club, "")
    if not key or not _is_same(returned["proof"], _mac(key, "proof", simultaneous, club)):
        return Fault("impostor")
    for at, each in enumerate(returned["games"], 1):
        if not _is_same(each["seal"], _mac(key, "game", simultaneous, club, each["game"], each["archive"])):
            return Fault("altered", at)
    games = [(each["game"], each["seal"]) for each in returned["games"]]
    if not _is_same(returned["seal"], _mac(key, "whole", simultaneous, club, returned["made_at"], games)):
        return Fault("altered")
    return None


def archives_of(returned: Returned) -> list[tuple[int, Archive]]:
    """Return the archives with the numbers of their games. Raises `ArchiveError` if one cannot be read."""
    return [(each["game"], check_archive(each["archive"])) for each in returned["games"]]


def _mac(return_key: str, *content: object) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hmac.new(bytes.fromhex(return_key), text.encode(), "sha256").hexdigest()


def _is_same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())
