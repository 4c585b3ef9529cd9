"""Parser of saved games of the program Eliot (XML); it does not check the game itself.

Format (root `EliotGame`, formats 1 and 2, programs 2.0 to 2.2): a head with the letters of the dictionary and the
players, then a `Turn` element for each turn, with commands in the order in which they were given. The last command of a
kind counts. The file is untrusted, so document type definitions are rejected.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

MAX_FILE_SIZE = 10_000_000
MAX_TURNS, MAX_PLAYERS = 1000, 10_000
_MODES = ("duplicate", "arbitration", "topping")
_VARIANTS = {
    frozenset[str](): "normal",
    frozenset({"bingo"}): "joker",
    frozenset({"7among8"}): "7of8",
    frozenset({"bingo", "7among8"}): "7of8-joker",
    frozenset({"explosive"}): "explosive",
}


class EliotError(ValueError):
    """Invalid or unusable saved game of Eliot; the message names the turn."""


@dataclass(frozen=True, slots=True)
class EliotMove:
    """Move as written in the file. `kind` is valid, invalid, change, pass or none; word and coord may be empty."""

    kind: str
    points: int
    word: str = ""
    coord: str = ""


@dataclass(frozen=True, slots=True)
class EliotPlayer:
    """Player; `table` is None in files of Eliot 2.0, which has no tables."""

    key: str
    name: str
    table: int | None


@dataclass(frozen=True, slots=True)
class EliotTurn:
    """Turn of a saved game.

    `racks` in the order in which they were drawn (`ABC+DE` kept and new tiles, `-ABCDE` all new); `game_move`: move on
    the board; `moves`: last move of each player; `warnings` (count), `penalties` and `solos` (points) by player.
    """

    racks: Sequence[str]
    game_move: EliotMove | None
    moves: dict[str, EliotMove]
    warnings: dict[str, int]
    penalties: dict[str, int]
    solos: dict[str, int]


@dataclass(frozen=True, slots=True)
class EliotGame:
    """Content of the file. `variant`: code of `engine.variants.variant`; `letters`: tiles without the blank."""

    dictionary: str
    words: int
    letters: Sequence[str]
    variant: str
    players: Sequence[EliotPlayer]
    turns: Sequence[EliotTurn]


def is_eliot(text: str) -> bool:
    """Return True if the beginning of a text looks like a saved game of Eliot."""
    return "<EliotGame" in text[:2000]


def read_eliot(content: bytes) -> EliotGame:
    """Parse the file; `EliotError` if it is no saved game of Eliot or not a duplicate game."""
    if len(content) > MAX_FILE_SIZE:
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
    if len({player.key for player in players}) < len(players) or len(players) > MAX_PLAYERS:
        raise EliotError("Two players of this game have the same number: the file is damaged.")
    turns = root.findall("History/Turn")
    if len(turns) > MAX_TURNS:
        raise EliotError(f"This game has {len(turns)} turns: at most {MAX_TURNS} are read.")
    return EliotGame(
        dictionary=root.findtext("Dictionary/Name", "").strip()[:100],
        words=_number(root.findtext("Dictionary/WordNb", "0"), "The number of words"),
        letters=[letter.upper() for letter in root.findtext("Dictionary/Letters", "").split() if letter != "?"],
        variant=_variant(root),
        players=players,
        turns=[_turn(element, number) for number, element in enumerate(turns, 1)],
    )


def _variant(root: Element) -> str:
    variants = frozenset((element.text or "").strip() for element in root.findall("Game/Variant")) - {""}
    if variants not in _VARIANTS:
        raise EliotError(f"There is no variant here for Eliot's variants {', '.join(sorted(variants))[:60]}.")
    return _VARIANTS[variants]


def _player(element: Element) -> EliotPlayer:
    table = (element.findtext("TableNb") or "").strip()
    name = " ".join((element.findtext("Name") or "").split())[:200]
    return EliotPlayer(element.get("id", ""), name, _number(table, f"The table of {name}") if table else None)


def _turn(element: Element, number: int) -> EliotTurn:
    game_move = element.findall("GameMove") or element.findall("MasterMove")
    moves = {_player_key(each): _move(each, number) for each in element.findall("PlayerMove")}
    return EliotTurn(
        racks=["".join((rack.text or "").split()) for rack in element.findall("GameRack")],
        game_move=_move(game_move[-1], number) if game_move else None,
        moves=moves,
        warnings=_counts_by_player(element, "Warning", number),
        penalties=_counts_by_player(element, "Penalty", number),
        solos=_counts_by_player(element, "Solo", number),
    )


def _move(element: Element, number: int) -> EliotMove:
    points = _number(element.get("points", "0"), f"Turn {number}: the points of a move")
    word, coord = element.get("word", "").strip()[:60], element.get("coord", "").strip()[:10]
    return EliotMove(element.get("type", ""), points, word, coord)


def _counts_by_player(element: Element, tag: str, number: int) -> dict[str, int]:
    """Return by player the sum of the absolute points of these elements; an element without points counts 1."""
    counted: dict[str, int] = {}
    for each in element.findall(tag):
        points = abs(_number(each.get("points", "1"), f"Turn {number}: the points of a {tag}"))
        counted[_player_key(each)] = counted.get(_player_key(each), 0) + points
    return counted


def _player_key(element: Element) -> str:
    """Return the key of the player concerned; Eliot 2.0 wrote the attribute in lower case."""
    return element.get("playerId") or element.get("playerid") or ""


def _number(text: str, what: str) -> int:
    bare = text.strip()
    if not re.fullmatch(r"-?[0-9]{1,7}", bare):
        raise EliotError(f"{what} cannot be read: {bare[:20]!r} is no number.")
    return int(bare)
