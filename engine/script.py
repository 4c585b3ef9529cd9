"""The script of a game as a file: racks, tops and master moves, without players who have played it yet.

Three files become scripts: a prepared game ("prepared-duplicate-game", docs/formats.md), the archive of a game that was
played, and a game saved by the program Eliot; the players of these two become the field that new ones are ranked among.
Whoever has the file knows the whole game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict, cast

from engine.archive import (
    FORMAT as ARCHIVE_FORMAT,
)
from engine.archive import (
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
from engine.bounded_input import read_json
from engine.draw import commitment
from engine.edition import LETTER_MASK, Edition, EditionError, edition_path, load_edition, read_edition
from engine.eliot import eliot_archive
from engine.eliot_file import EliotError, is_eliot
from engine.formulas import Formula, FormulaError, load_formula
from engine.json_shape import Missing, WrongValue, check_shape, shown
from engine.move import Move
from engine.prepare import PreparedGame, PreparedTurn
from engine.rules.profile import Profile, ProfileError

FORMAT = "prepared-duplicate-game"
VERSION = 1


class ScriptError(ValueError):
    """A file that is no script of a game, or one that cannot be played; the sentence says what is wrong."""


class ScriptTurn(TypedDict):
    """As in an archive: `board` before the turn, `tops` in the order of preference."""

    number: int
    kept: str
    rejected: list[str]
    rack: str
    board: list[str]
    top: int
    tops: list[TopEntry]
    master: MasterEntry | None


class SealedDraw(TypedDict):
    """`seed` is there in a prepared game, null in a replayed one, whose racks stand in the script alone."""

    commitment: str
    seed: str | None


class FieldEntry(TypedDict):
    """A player of the original game: `points` of each turn, null where he had no slip."""

    name: str
    club: str | None
    points: list[int | None]


class Field(TypedDict):
    """Who played the game before. `label` is shown beside them, such as the year."""

    label: str
    players: list[FieldEntry]


class _ScriptMore(TypedDict, total=False):
    edition_file: str
    field: Field


class Script(_ScriptMore):
    """A whole game to be played. Words accepted and struck count from their turn on."""

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
    """The script in this text: a prepared game or an archive in JSON, or a saved game of Eliot in XML; `ScriptError`
    names what is wrong. Of Eliot the edition is found out by `engine.eliot`."""
    if is_eliot(text):
        try:
            return script_of_archive(eliot_archive(text.encode()), title=title)
        except EliotError as error:
            raise ScriptError(str(error)) from None
    try:
        found = read_json(text)
    except ValueError as error:
        raise ScriptError(f"This is neither a prepared game nor an archive, since it is not JSON: {error}.") from None
    if isinstance(found, dict) and found.get("format") == ARCHIVE_FORMAT:
        try:
            return script_of_archive(check_archive(found), title=title)
        except ArchiveError as error:
            raise ScriptError(str(error)) from None
    return _check_script(found)


def script_of_archive(archive: Archive, *, title: str = "") -> Script:
    """An archive as a game to be played again, with its players as the field."""
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


def script_of(game: PreparedGame, edition: Edition, rules: Profile, formula: Formula, **facts: object) -> Script:
    """A prepared game as a file; `facts` are title, rhythm_s and lexicon (`LexiconEntry`)."""
    script = {
        "format": FORMAT,
        "version": VERSION,
        **edition_entries(edition),
        "formula": formula.code,
        "across": rules.notation.value,
        "profile": rules.switches(),
        "draw": {"commitment": commitment(game.seed), "seed": game.seed.hex()},
        "turns": [_turn(turn, edition, rules) for turn in game.turns],
        "end": {"why": game.end, "kept": game.kept.text, "bag": game.bag.text},
        **facts,
    }
    return cast(Script, script)


def edition_of(script: Script) -> Edition:
    """The edition of a script; `ScriptError` with the remedy when it is not installed, or its file is bad."""
    code = script["edition"]
    try:
        if "edition_file" in script:
            return read_edition(code, script["edition_file"])
        if edition_path(code) is None:
            raise ScriptError(f"There is no edition {code!r} here; put its file into the folder editions of your data.")
        return load_edition(code)
    except EditionError as error:
        raise ScriptError(f"The edition of this game cannot be used: {error}.") from None


def profile_of(script: Script) -> Profile:
    """The rules of a script; `ScriptError` for a switch that there is not."""
    try:
        return Profile.from_switches(script["profile"])
    except ProfileError as error:
        raise ScriptError(f"The rules of this game cannot be used: {error}") from None


def formula_of(script: Script) -> Formula:
    """The formula of a script; `ScriptError` for one that there is not."""
    try:
        return load_formula(script["formula"])
    except FormulaError as error:
        raise ScriptError(str(error)) from None


def letters_of(word: Sequence[int]) -> tuple[int, ...]:
    """A word without regard to its blanks."""
    return tuple(code & LETTER_MASK for code in word)


_SHARED = ("edition", "tile_set", "formula", "rhythm_s", "across", "profile", "lexicon")


def _check_script(found: object) -> Script:
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ScriptError(f'This is neither a prepared game nor an archive: its "format" is not "{FORMAT}".')
    if found.get("version") != VERSION:
        raise ScriptError(f"This file is of version {shown(found.get('version'))}; only {VERSION} is read here.")
    try:
        check_shape(found, Script)
    except (Missing, WrongValue) as error:
        raise ScriptError(f"This prepared game cannot be read: {error}.") from None
    return cast(Script, found)


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
    """What every player of the archive got in each turn."""
    points = [{slip["table"]: slip["verdict"]["points"] for slip in turn["slips"]} for turn in archive["turns"]]
    return [
        {"name": player["name"], "club": player["club"], "points": [turn.get(player["table"]) for turn in points]}
        for player in archive["players"]
    ]
