"""What goes between a drawing room and a room that plays on its own server: the feed one way, the hand-in the other.

Both are JSON (docs/formats.md, sections 10 and 11). Here only form is checked, and that the ledger of a hand-in seals
what is handed in; whether it belongs to the game is for the drawing server to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict, cast

from engine.archive import (
    Archive,
    ArchiveError,
    EndEntry,
    EventEntry,
    MasterEntry,
    TurnEntry,
    WordRuling,
    check_archive,
)
from engine.bounded_input import read_json
from engine.json_shape import Missing, WrongValue, check_shape, shown
from engine.ledger import batch_digest, first_bad_link, head
from engine.replay.ledger import facts_of_slip, handed_in

FEED = "duplicate-feed"
HAND_IN = "duplicate-hand-in"
VERSION = 1


class FeedError(ValueError):
    """A text that is no feed or no hand-in, or one that does not hold together; the sentence says what is wrong."""


class FeedLexicon(TypedDict):
    name: str
    words: int
    sha256: str


class FeedDraw(TypedDict):
    mode: Literal["seeded", "typed"]
    commitment: str
    hall_word: str | None


class FeedTurn(TypedDict):
    """`rack` and `master` are sealed (`RackPart`, `MasterPart`). The drawing room has announced the rack, and cannot
    take back the move any more; what it has not comes out of a prepared game, for a room without a line."""

    number: int
    announced: bool
    placed: bool
    rack: str
    master: str | None


class Feed(TypedDict):
    """A game as a room elsewhere follows it. `end` is sealed (`EndPart`), null while the game is going on."""

    format: str
    version: int
    event: EventEntry
    language: str
    room: str
    game: int
    edition: str
    edition_file: str
    formula: str
    rhythm_s: int
    profile: dict[str, object]
    lexicon: FeedLexicon
    draw: FeedDraw
    turns: list[FeedTurn]
    end: str | None


class RackPart(TypedDict):
    """As in an archive: `board` before the turn."""

    kept: str
    rejected: list[str]
    rack: str
    board: list[str]


class MasterPart(TypedDict):
    """What went on the board, null for nothing, and the words accepted and struck from this turn on."""

    master: MasterEntry | None
    accepted: list[WordRuling]
    struck: list[WordRuling]


class EndPart(EndEntry):
    """The end after so many turns."""

    turns: int


class HandIn(TypedDict):
    """What a room has played so far. `commitment` and `game` are those of the feed; `final`: nothing more comes;
    `nicknames` are by table what others may read instead of a name."""

    format: str
    version: int
    game: int
    commitment: str
    final: bool
    nicknames: dict[str, str]
    archive: Archive


def read_feed(text: str) -> Feed:
    """The feed in this text; `FeedError` names what is wrong."""
    return cast(Feed, _read(text, FEED, Feed, "the feed of a game"))


def read_hand_in(text: str) -> HandIn:
    """The hand-in in this text, with a ledger whose chain holds and which seals every slip of a turn that is closed;
    `FeedError` names what is wrong."""
    found = _read(text, HAND_IN, HandIn, "what a room hands in")
    try:
        archive = check_archive(found["archive"])
    except ArchiveError as error:
        raise FeedError(str(error)) from None
    _demand_sealed(archive)
    return cast(HandIn, found)


def closed_turns(archive: Archive) -> list[TurnEntry]:
    """The turns that the room has played, judged or not."""
    return [turn for turn in archive["turns"] if turn["started_at"] and turn["deadline"] and turn["closed_at"]]


def _read(text: str, wanted: str, shape: Any, what: str) -> dict[str, Any]:
    try:
        found = read_json(text)
    except ValueError as error:
        raise FeedError(f"This is not {what}, since it is not JSON: {error}.") from None
    if not isinstance(found, dict) or found.get("format") != wanted:
        raise FeedError(f'This is not {what}: its "format" is not "{wanted}".')
    if found.get("version") != VERSION:
        raise FeedError(f"This is of version {shown(found.get('version'))}; only {VERSION} is read here.")
    try:
        check_shape(found, shape)
    except (Missing, WrongValue) as error:
        raise FeedError(f"This is not {what}: {error}.") from None
    return found


def _demand_sealed(archive: Archive) -> None:
    ledger = archive["ledger"]
    entries = [dict(entry) for entry in ledger["entries"]]
    bad = first_bad_link(entries)
    if bad is not None or ledger["head"] != head(entries):
        raise FeedError(f"The chain of its ledger breaks at entry {bad or len(entries)}: it was changed on the way.")
    sealed = {entry["n"]: entry["data"] for entry in ledger["entries"] if entry["kind"] == "slips"}
    batches: dict[int, dict[int, dict[str, object]]] = {}
    for turn in closed_turns(archive):
        for where, slip in handed_in(turn):
            place = slip.get("batch", [])
            if len(place) != 2 or place[0] not in sealed:
                raise FeedError(f"No entry of its ledger seals a slip ({where}): it was changed on the way.")
            batches.setdefault(place[0], {})[place[1]] = facts_of_slip(slip)
    for number, slips in batches.items():
        _demand_batch(number, sealed[number], slips)


def _demand_batch(number: int, told: object, slips: Mapping[int, dict[str, object]]) -> None:
    digest = batch_digest(slips[place] for place in sorted(slips))
    if not isinstance(told, Mapping) or told.get("digest") != digest:
        raise FeedError(f"Its slips are not those that entry {number} of its ledger seals: they were changed.")
