"""Script of a game: racks, tops and master moves of a game still to be played, as a file.

A script is read from a prepared game ("prepared-duplicate-game", docs/formats.md), from the archive of a played game,
or from a game saved by the program Eliot. The players of the last two become the field among which new players are
ranked. The file reveals the whole game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict, cast

from engine.archive.json_shape import FormatError, check_format, parse_json
from engine.archive.schema import FORMAT as ARCHIVE_FORMAT
from engine.archive.schema import (
    Archive,
    ArchiveError,
    EndEntry,
    LexiconEntry,
    MasterEntry,
    TileEntry,
    TopEntry,
    check_archive,
    edition_entries,
)
from engine.board.move import Move
from engine.draw.reproducible import commitment
from engine.interchange.eliot import eliot_archive
from engine.interchange.eliot_file import EliotError, is_eliot
from engine.prepared.prepare_game import PreparedGame, PreparedTurn
from engine.rules.profile import Profile, ProfileError
from engine.tiles.edition import LETTER_MASK, Edition, EditionError, edition_path, load_edition, read_edition
from engine.variants.variant import Variant, VariantError, load_variant

FORMAT = "prepared-duplicate-game"
VERSION = 1


class ScriptError(ValueError):
    """Invalid script, or one that cannot be played; the message states the reason."""


class ScriptTurn(TypedDict):
    """Turn as in an archive: `board` before the turn, `tops` in the order of preference."""

    number: int
    kept: str
    rejected: list[str]
    rack: str
    board: list[str]
    top: int
    tops: list[TopEntry]
    master: MasterEntry | None


class SealedDraw(TypedDict):
    """Commitment and seed of the draw; `seed` is null in a replayed game, whose racks come from the script."""

    commitment: str
    seed: str | None


class FieldEntry(TypedDict):
    """Player of the original game: `points` of each turn, null for a turn without a slip."""

    name: str
    club: str | None
    points: list[int | None]


class Field(TypedDict):
    """Players of the original game. `label`, such as the year, is shown beside them."""

    label: str
    players: list[FieldEntry]


class _ScriptMore(TypedDict, total=False):
    edition_file: str
    field: Field


class Script(_ScriptMore):
    """Whole game to be played. Accepted and struck words count from their turn on."""

    format: str
    version: int
    title: str
    edition: str
    tile_set: dict[str, TileEntry]
    formula: str
    rhythm_s: int
    across: Literal["8H", "H8"]
    profile: dict[str, object]
    lexicon: LexiconEntry
    draw: SealedDraw
    turns: list[ScriptTurn]
    end: EndEntry


def read_script(text: str, *, title: str = "") -> Script:
    """Read a script from a prepared game or an archive in JSON, or from a saved game of Eliot in XML.

    `ScriptError` states the reason if the text is invalid. For Eliot, `engine.interchange.eliot` finds the edition.
    """
    try:
        if is_eliot(text):
            return script_of_archive(eliot_archive(text.encode()), title=title)
        found = parse_json(text)
        if isinstance(found, dict) and found.get("format") == ARCHIVE_FORMAT:
            return script_of_archive(check_archive(found), title=title)
        check_format(found, Script, FORMAT, VERSION)
    except FormatError as error:
        raise ScriptError(f"This is neither a prepared game nor an archive that can be read: {error}.") from None
    except (ArchiveError, EliotError) as error:
        raise ScriptError(str(error)) from None
    return cast(Script, found)


def script_of_archive(archive: Archive, *, title: str = "") -> Script:
    """Convert an archive to a script, with its players as the field."""
    end = archive["end"]
    if end is None:
        raise ScriptError("This game is not over yet: its archive becomes a game to replay once it is.")
    more: dict[str, Any] = {"edition_file": archive["edition_file"]} if "edition_file" in archive else {}
    event = archive["event"]
    script = {
        "format": FORMAT,
        "version": VERSION,
        "title": title or " ".join(part for part in (event["name"], event["date"]) if part),
        **{name: archive[name] for name in _SHARED},  # type: ignore[literal-required]
        **more,
        "draw": {"commitment": "", "seed": None},
        "turns": [{name: turn[name] for name in ScriptTurn.__annotations__} for turn in archive["turns"]],  # type: ignore[literal-required]
        "end": end,
        "field": {"label": event["date"][:4], "players": _field(archive)},
    }
    return cast(Script, script)


def script_of(game: PreparedGame, edition: Edition, rules: Profile, variant: Variant, **facts: object) -> Script:
    """Convert a prepared game to a script; `facts` are title, rhythm_s and lexicon (`LexiconEntry`)."""
    script = {
        "format": FORMAT,
        "version": VERSION,
        **edition_entries(edition),
        "formula": variant.code,
        "across": rules.notation.value,
        "profile": rules.switches(),
        "draw": {"commitment": commitment(game.seed), "seed": game.seed.hex()},
        "turns": [_turn(turn, edition, rules) for turn in game.turns],
        "end": {"why": game.end, "kept": game.kept.text, "bag": game.bag.text},
        **facts,
    }
    return cast(Script, script)


def edition_of(script: Script) -> Edition:
    """Return the edition of a script; `ScriptError` with the remedy if it is not installed or its file is invalid."""
    code = script["edition"]
    try:
        if "edition_file" in script:
            return read_edition(code, script["edition_file"])
        if edition_path(code) is None:
            raise ScriptError(
                f"There is no edition {code[:40]!r} here; put its file into the folder editions of your data."
            )
        return load_edition(code)
    except EditionError as error:
        raise ScriptError(f"The edition of this game cannot be used: {error}.") from None


def profile_of(script: Script) -> Profile:
    """Return the rules of a script; `ScriptError` for an unknown switch."""
    try:
        return Profile.from_switches(script["profile"])
    except ProfileError as error:
        raise ScriptError(f"The rules of this game cannot be used: {error}") from None


def variant_of(script: Script) -> Variant:
    """Return the variant of a script; `ScriptError` if it is unknown."""
    try:
        return load_variant(script["formula"])
    except VariantError as error:
        raise ScriptError(str(error)) from None


def letters_of(word: Sequence[int]) -> tuple[int, ...]:
    """Return the letter numbers of a word, without the blank marks."""
    return tuple(code & LETTER_MASK for code in word)


_SHARED = ("edition", "tile_set", "formula", "rhythm_s", "across", "profile", "lexicon")


def _turn(turn: PreparedTurn, edition: Edition, rules: Profile) -> ScriptTurn:
    chosen: dict[str, Any] = {"chosen_by": "judge" if turn.choice else "engine", "why": None}
    if turn.choice:
        chosen["why"] = turn.choice.why
    return {
        "number": turn.number,
        "kept": turn.kept.text,
        "rejected": [rack.text for rack in turn.rejected],
        "rack": turn.rack.text,
        "board": list(turn.board.rows),
        "top": turn.top,
        "tops": [_entry(top.move, edition, rules) for top in turn.tops],
        "master": cast(MasterEntry, {**_entry(turn.master, edition, rules), **chosen}),
    }


def _entry(move: Move, edition: Edition, rules: Profile) -> TopEntry:
    return {"word": move.word_text(edition), "ref": move.reference_text(rules.notation), "score": move.score}


def _field(archive: Archive) -> list[FieldEntry]:
    """Return the players of the archive with their points in each turn."""
    points = [{slip["table"]: slip["verdict"]["points"] for slip in turn["slips"]} for turn in archive["turns"]]
    return [
        {"name": player["name"], "club": player["club"], "points": [turn.get(player["table"]) for turn in points]}
        for player in archive["players"]
    ]
