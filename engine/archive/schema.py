"""The archive of a game: the shape of its JSON, and a reader that says in one sentence what is wrong with a file.

The shape is `docs/formats.md`, section 2. Here only form is checked; whether the archive is *true* is the business
of `engine.archive.replay`. Keys that are not known are left alone, so that other programs may add their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Literal, TypedDict, cast

from engine.archive.json_shape import MissingField, WrongValue, check_shape, other_version_text
from engine.bounded_input import read_json
from engine.judging.warning_quota import WarningByJudge
from engine.tiles.edition import Edition, EditionError, edition_path, is_bundled, load_edition, read_edition

FORMAT = "duplicate-game"
VERSION = 1


class ArchiveError(ValueError):
    """A file that is no archive of a game; the sentence names the field and what it should hold."""


class EventEntry(TypedDict):
    name: str
    date: str
    place: str | None


class TileEntry(TypedDict):
    count: int
    value: int


class _OptionalWordRulingFields(TypedDict, total=False):
    ruled_in: int
    agreed: bool


class WordRuling(_OptionalWordRulingFields):
    """`agreed` is true for a word of the list that was agreed for the event. `ruled_in`, only of a ruling that was made
    when the turn from which it counts was on the board already: the turn that was to be placed next."""

    word: str
    from_turn: int
    reason: str | None


class LexiconPart(TypedDict):
    name: str
    words: int
    sha256: str


class _OptionalLexiconFields(TypedDict, total=False):
    parts: list[LexiconPart]


class LexiconEntry(_OptionalLexiconFields):
    """`parts`, only of a game with two word lists, are these lists. The switch `two_dictionaries` says how they are
    combined; `name`, `words` and `sha256` are those of the combined list."""

    name: str
    words: int
    sha256: str
    accepted: list[WordRuling]
    struck: list[WordRuling]


class ContinuedDraw(TypedDict):
    """Another seed for the turns from this one on, since the game went on after the seed before was shown."""

    from_turn: int
    commitment: str
    seed: str | None
    hall_word: str | None


class _OptionalDrawFields(TypedDict, total=False):
    continued: list[ContinuedDraw]


class DrawEntry(_OptionalDrawFields):
    """`seed` is hex, null while the game is going on. `continued` may be missing; of several that are drawn from the
    same turn on the last one counts."""

    mode: Literal["seeded", "typed"]
    commitment: str
    seed: str | None
    hall_word: str | None


class _OptionalPlayerFields(TypedDict, total=False):
    surname: str
    licence: str
    age_class: str
    country: str
    team: str
    member: int
    partner: int
    first_turn: int
    last_turn: int
    disqualified_from: int
    salt: str


class PlayerEntry(_OptionalPlayerFields):
    """`first_turn` is the first turn in which the player has a slip; `last_turn`, only of a player who left, the last
    one. `member` is the number of the member of the club that the player is, `partner` that of the second member of a
    pair. `disqualified_from`, only of a disqualified player, is the first turn in which their slip counts for no
    average, solo or bonus; they have no rank in the standings. `salt` is that of the seal by which the ledger knows
    the player (`engine.archive.ledger.person_seal`). `surname` is the end of `name`, where a list or a judge gave it
    (`engine.standings.person_names`); `licence` is only in archives with names. All others but table and
    name may be missing too."""

    table: int
    name: str
    club: str | None
    series: str | None


class TopEntry(TypedDict):
    word: str
    ref: str
    score: int


class MasterEntry(TopEntry):
    chosen_by: Literal["engine", "slip", "judge"]
    why: str | None


class VerdictEntry(TypedDict):
    result: Literal["valid", "rescued", "zero"]
    reason: str | None
    points: int
    move_score: int | None
    warnings: list[str]
    penalty: int
    bonus: int
    word: str | None
    rule: str | None
    text: str


class _WrittenSlipFields(TypedDict):
    table: int
    in_time: bool
    word: str
    ref: str | None
    direction: Literal["across", "down", ""] | None
    hook: str | None
    declared: int | None


class _SealedSlipFields(_WrittenSlipFields, total=False):
    several: bool
    id: str
    batch: list[int]
    sent_at: str


class _OptionalSlipFields(_SealedSlipFields, total=False):
    given: list[WarningByJudge]
    when_placed: int | None


class SlipEntry(_OptionalSlipFields):
    """Optional fields of a slip: `several` says that a player handed in more than one slip on paper; `given` are the
    warnings that the judge gave the player in this turn, whether they count or not; `batch` is the number of the ledger
    entry that seals the slip under its `id`, its place there, from 1, and the number of the room if the entry is in the
    chain of a room; `when_placed`, where the judge decided once
    the move was on the board, are the points that the judge had given before, null where the rule had decided;
    `sent_at` is the time at which the phone sent a slip that was received too late."""

    source: Literal["phone", "paper"] | None
    received_at: str | None
    verdict: VerdictEntry
    decided_by: Literal["rule", "judge"]
    reason: str | None


class ReplacedSlip(_SealedSlipFields):
    """A slip in whose place another one of the same table counts."""

    source: Literal["phone", "paper"]
    received_at: str


class OthersEntry(TypedDict):
    """Scores of the other rooms in a turn: how many scored so much on the board, by the score as text
    ("0" for zeros and for who had nothing), and the sum of their points without bonuses and averages."""

    scores: dict[str, int]
    points: int


class _OptionalTurnFields(TypedDict, total=False):
    replaced: list[ReplacedSlip]
    others: OthersEntry | None


class TurnEntry(_OptionalTurnFields):
    """Times are null only in the turn that is going on, and in one that the room did not play. `replaced` is missing
    where there are none, `others` where there is one room; null means that another room still plays the turn."""

    number: int
    kept: str
    rejected: list[str]
    rack: str
    board: list[str]
    started_at: str | None
    deadline: str | None
    closed_at: str | None
    grace_ms: int
    top: int
    tops: list[TopEntry]
    master: MasterEntry | None
    slips: list[SlipEntry]
    solo: int | None


class EndEntry(TypedDict):
    why: Literal["tiles_out", "minimum", "no_move", "turns", "judge"]
    kept: str
    bag: str


class StandingEntry(TypedDict):
    """`rank` is null for disqualified players, whose lines are the last ones."""

    rank: int | None
    table: int
    total: int
    negative: int
    percent: float
    warnings: int
    penalties: int
    solos: int


class LedgerEntry(TypedDict):
    n: int
    at: str
    kind: str
    by: str | None
    data: object
    hash: str


class RoomChain(TypedDict):
    """The chain of a room that follows; `room` is its number."""

    room: int
    entries: list[LedgerEntry]
    head: str


class _OptionalLedgerFields(TypedDict, total=False):
    rooms: list[RoomChain]
    left_out: Literal["names", "ahead"]


class LedgerChain(_OptionalLedgerFields):
    """`entries` and `head` are the game's own chain, `rooms` those of rooms that follow. `left_out` says why there are
    no entries: those of an older version name people who were to be forgotten, or they tell of turns that the room has
    not played yet."""

    entries: list[LedgerEntry]
    head: str


class RoomsEntry(TypedDict):
    """The rooms of an event that has several: `drawing` wrote the script that all followed, `standings` are those of
    all rooms together after the first `turns` turns, which every one of them has finished."""

    names: list[str]
    drawing: str
    turns: int
    standings: list[StandingEntry]


class _OptionalArchiveFields(TypedDict, total=False):
    edition_file: str
    room_number: int
    rooms: RoomsEntry
    standings_state: Literal["turn", "provisional", "final"]


class Archive(_OptionalArchiveFields):
    """A whole game. `end` is null while it is going on; `profile` holds the name and every switch.

    What may be missing: `edition_file` is the TOML text of an edition that does not come with the program; `rooms` is
    there where the event has several; `room_number` is the number by which the ledger calls the room, 1 without it;
    `standings_state` says if the game was going on, if an appeal was open or possible, or neither, when the archive was
    written. An archive is that of one room: its players, clocks and slips.
    """

    format: str
    version: int
    event: EventEntry
    room: str | None
    edition: str
    tile_set: dict[str, TileEntry]
    formula: str
    rhythm_s: int
    across: Literal["8H", "H8"]
    profile: dict[str, object]
    lexicon: LexiconEntry
    draw: DrawEntry
    players: list[PlayerEntry]
    turns: list[TurnEntry]
    end: EndEntry | None
    standings: list[StandingEntry]
    ledger: LedgerChain


def read_archive(text: str) -> Archive:
    """The archive in this JSON text; `ArchiveError` names the first field that is not as it should be."""
    try:
        found = read_json(text)
    except ValueError as error:
        raise ArchiveError(f"This is not the archive of a game, since it is not JSON: {error}.") from None
    return check_archive(found)


def check_archive(found: object) -> Archive:
    """`found`, when it has the shape of an archive; else `ArchiveError`."""
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ArchiveError(f'This is not the archive of a game: its "format" is not "{FORMAT}".')
    if found.get("version") != VERSION:
        raise ArchiveError(f"This archive {other_version_text(found.get('version'), VERSION)}")
    try:
        check_shape(found, Archive)
        _check_times(cast(Archive, found))
    except MissingField as error:
        raise ArchiveError(f"This archive is not complete: {error}.") from None
    except WrongValue as error:
        raise ArchiveError(f"This archive cannot be read: {error}.") from None
    return cast(Archive, found)


def edition_of(archive: Archive) -> Edition:
    """The edition that an archive was played with: its own one if it brings one, else the installed one of its code.

    `ArchiveError` with the remedy when there is none, or its file is bad.
    """
    code = archive["edition"]
    try:
        if "edition_file" in archive:
            return read_edition(code, archive["edition_file"])
        if edition_path(code) is None:
            raise ArchiveError(
                f"This archive cannot be verified: there is no edition {code!r} here; ask for its file "
                "and put it into the folder editions of your data folder."
            )
        return load_edition(code)
    except EditionError as error:
        raise ArchiveError(f"This archive cannot be verified: {error}.") from None


def edition_entries(edition: Edition) -> dict[str, object]:
    """`edition`, `tile_set` and, for an edition that others do not have, `edition_file` of an archive."""
    own = {} if is_bundled(edition) else {"edition_file": edition.toml}
    return {"edition": edition.code, "tile_set": tile_set(edition), **own}


def agreed_words(entry: LexiconEntry) -> list[WordRuling]:
    """The words that were agreed for the event and that nobody has struck since, by the alphabet."""
    struck = {ruling["word"]: ruling["from_turn"] for ruling in entry["struck"]}
    agreed = [ruling for ruling in entry["accepted"] if ruling.get("agreed")]
    remaining = (ruling for ruling in agreed if struck.get(ruling["word"], 0) < ruling["from_turn"])
    return sorted(remaining, key=lambda ruling: (ruling["word"], ruling["from_turn"]))


def tile_set(edition: Edition) -> dict[str, dict[str, int | str]]:
    """The tile set as an archive holds it, in the order of the bag, letters that exist by blank only left out."""
    return {
        kind.face: {"count": kind.count, "value": kind.value, "class": kind.tile_class.value} for kind in edition.kinds
    }


def word_texts(edition: Edition, words: Iterable[Sequence[int]]) -> Iterator[str]:
    """The tile text of words given as letter numbers; for a whole word list much faster than one at a time."""
    faces = [edition.word_text((letter,)) for letter in range(len(edition.letters))]
    return ("".join([faces[letter] for letter in word]) for word in words)


def word_list_sha256(words: Iterable[str]) -> tuple[int, str]:
    """(how many, checksum) of a word list in tile text: sorted by code point, a newline after each word."""
    listed = sorted(set(words))
    return len(listed), sha256("".join(f"{word}\n" for word in listed).encode()).hexdigest()


def format_timestamp(moment: datetime) -> str:
    """A time as archives write it: ISO 8601, microseconds, with its offset, in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def read_timestamp(text: str) -> datetime:
    """A time out of an archive; ValueError when it is none, has no offset, or no clock can have shown it."""
    moment = datetime.fromisoformat(text)
    if moment.utcoffset() is None or not 1900 <= moment.year < 3000:
        raise ValueError(f"{text} is no time of a game, or has no offset from UTC")
    return moment


def check_time(path: str, text: str | None) -> None:
    """Raise `WrongValue` with this path for a text that is no time; None is allowed."""
    try:
        _ = text is None or read_timestamp(text)
    except ValueError:
        raise WrongValue(path, "a time such as 2026-01-31T21:00:00.000000+00:00", text) from None


def _check_times(archive: Archive) -> None:
    for at, turn in enumerate(archive["turns"]):
        for name in ("started_at", "deadline", "closed_at"):
            check_time(f"turns[{at}].{name}", cast(Mapping[str, str | None], turn)[name])
        for slip_at, slip in enumerate(turn["slips"]):
            check_time(f"turns[{at}].slips[{slip_at}].received_at", slip["received_at"])
            check_time(f"turns[{at}].slips[{slip_at}].sent_at", slip.get("sent_at"))
        for slip_at, other in enumerate(turn.get("replaced", ())):
            check_time(f"turns[{at}].replaced[{slip_at}].received_at", other["received_at"])
            check_time(f"turns[{at}].replaced[{slip_at}].sent_at", other.get("sent_at"))
