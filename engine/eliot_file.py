"""Saved games of the program Eliot: what is written in the XML, without judging whether it is true.

Facts of the format (root `EliotGame`, formats 1 and 2, programs 2.0 to 2.2): a head with the letters of the dictionary
and the players; then a `Turn` each, with commands in the order in which they were given, of which the last of a kind
counts. The file comes from anywhere, so it is read with nothing that a DTD could declare.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

LARGEST = 10_000_000
MOST_TURNS, MOST_PLAYERS = 1000, 10_000
_MODES = ("duplicate", "arbitration", "topping")
_FORMULAS = {
    frozenset[str](): "normal",
    frozenset({"bingo"}): "joker",
    frozenset({"7among8"}): "7of8",
    frozenset({"bingo", "7among8"}): "7of8-joker",
    frozenset({"explosive"}): "explosive",
}


class EliotError(ValueError):
    """A file that is no saved game of Eliot, or one that cannot be used; the sentence names the turn."""


@dataclass(frozen=True, slots=True)
class EliotMove:
    """A move as it stands there. `kind` is valid, invalid, change, pass or none; without a move word and place are
    empty."""

    kind: str
    points: int
    word: str = ""
    coord: str = ""


@dataclass(frozen=True, slots=True)
class EliotPlayer:
    """A player; `table` is None in files of Eliot 2.0, which knew none."""

    key: str
    name: str
    table: int | None


@dataclass(frozen=True, slots=True)
class EliotTurn:
    """A turn: the racks in the order in which they came (`ABC+DE` kept and new, `-ABCDE` all new), the move on the
    board, each player's last move, and by player the warnings, penalties and solos that he was given in points."""

    racks: Sequence[str]
    game_move: EliotMove | None
    moves: dict[str, EliotMove]
    warnings: dict[str, int]
    penalties: dict[str, int]
    solos: dict[str, int]


@dataclass(frozen=True, slots=True)
class EliotGame:
    """The whole file. `formula` is one of engine.formulas, `letters` the tiles but the blank."""

    dictionary: str
    words: int
    letters: Sequence[str]
    formula: str
    players: Sequence[EliotPlayer]
    turns: Sequence[EliotTurn]


def is_eliot(text: str) -> bool:
    """Whether a text may be a saved game of Eliot, by its beginning."""
    return "<EliotGame" in text[:2000]


def read_eliot(content: bytes) -> EliotGame:
    """What is in the file; `EliotError` when it is none, or a game that was not a duplicate one."""
    if len(content) > LARGEST:
        raise EliotError("This file is larger than 10 MB: that is no saved game.")
    try:
        root = ElementTree.fromstring(content, forbid_dtd=True)
    except DefusedXmlException:
        raise EliotError("This file declares a document type, which no saved game of Eliot does.") from None
    except (ElementTree.ParseError, ValueError, LookupError, RecursionError) as error:
        raise EliotError(f"This is no saved game of Eliot, since it is not XML: {error}.") from None
    if root.tag != "EliotGame":
        raise EliotError(f"This is no saved game of Eliot: it begins with <{root.tag[:40]}>, not with <EliotGame>.")
    if (version := root.get("format", "")) not in ("1", "2"):
        raise EliotError(f"This game was saved by another Eliot (format {version[:10]!r}); 1 and 2 are read here.")
    mode = root.findtext("Game/Mode", "").strip()
    if mode not in _MODES:
        raise EliotError(f"This game is of the kind {mode[:20]!r}: only duplicate games can be played again.")
    players = [_player(element) for element in root.findall("Game/Player")]
    if len({player.key for player in players}) < len(players) or len(players) > MOST_PLAYERS:
        raise EliotError("Two players of this game have the same number: the file is damaged.")
    turns = root.findall("History/Turn")
    if len(turns) > MOST_TURNS:
        raise EliotError(f"This game has {len(turns)} turns: at most {MOST_TURNS} are read.")
    return EliotGame(
        dictionary=root.findtext("Dictionary/Name", "").strip()[:100],
        words=_number(root.findtext("Dictionary/WordNb", "0"), "The number of words"),
        letters=[letter.upper() for letter in root.findtext("Dictionary/Letters", "").split() if letter != "?"],
        formula=_formula(root),
        players=players,
        turns=[_turn(element, number) for number, element in enumerate(turns, 1)],
    )


def _formula(root: Element) -> str:
    variants = frozenset((element.text or "").strip() for element in root.findall("Game/Variant")) - {""}
    if variants not in _FORMULAS:
        raise EliotError(f"There is no formula here for the variants {', '.join(sorted(variants))[:60]}.")
    return _FORMULAS[variants]


def _player(element: Element) -> EliotPlayer:
    table = (element.findtext("TableNb") or "").strip()
    name = " ".join((element.findtext("Name") or "").split())[:200]
    return EliotPlayer(element.get("id", ""), name, _number(table, f"The table of {name}") if table else None)


def _turn(element: Element, number: int) -> EliotTurn:
    game_move = element.findall("GameMove") or element.findall("MasterMove")
    moves = {_key(each): _move(each, number) for each in element.findall("PlayerMove")}
    return EliotTurn(
        racks=["".join((rack.text or "").split()) for rack in element.findall("GameRack")],
        game_move=_move(game_move[-1], number) if game_move else None,
        moves=moves,
        warnings=_counted(element, "Warning", number),
        penalties=_counted(element, "Penalty", number),
        solos=_counted(element, "Solo", number),
    )


def _move(element: Element, number: int) -> EliotMove:
    points = _number(element.get("points", "0"), f"Turn {number}: the points of a move")
    word, coord = element.get("word", "").strip()[:60], element.get("coord", "").strip()[:10]
    return EliotMove(element.get("type", ""), points, word, coord)


def _counted(element: Element, tag: str, number: int) -> dict[str, int]:
    """By player how many of these he was given, or how many points they are, without their sign."""
    counted: dict[str, int] = {}
    for each in element.findall(tag):
        points = abs(_number(each.get("points", "1"), f"Turn {number}: the points of a {tag}"))
        counted[_key(each)] = counted.get(_key(each), 0) + points
    return counted


def _key(element: Element) -> str:
    """Whom it is about; Eliot 2.0 wrote the attribute in small letters."""
    return element.get("playerId") or element.get("playerid") or ""


def _number(text: str, what: str) -> int:
    bare = text.strip()
    if not re.fullmatch(r"-?[0-9]{1,7}", bare):
        raise EliotError(f"{what} cannot be read: {bare[:20]!r} is no number.")
    return int(bare)
