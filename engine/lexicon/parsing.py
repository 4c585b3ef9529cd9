"""Parsing of a whole word list into rows of letter numbers.

The result is that of `Edition.fold` and `Edition.parse_word` for each word, about a hundred times faster: every
distinct character of the list is folded once, and compiled code does the rest. Round brackets, which mark a blank on a
slip, are invalid in a list.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.build import Rows
from engine.lexicon.jit import compiled, inlined, int64
from engine.lexicon.nodes import LONGEST_WORD
from engine.tiles.edition import Edition

SHORTEST_WORD = 2
_END_OF_LINE, _UNKNOWN, _SPACE = 0, 1, 2
_FIRST_SIGN = 3
_NONE = -1


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """Line that is no word of the edition.

    `at`: index of the line. `sign`: first character that no tile shows; empty if all are valid but the number of tiles,
    `length`, is not 2 to 15.
    """

    at: int
    sign: str
    length: int


class ParsedLines(NamedTuple):
    """Rows of the lines that are words, in their order, and the refused lines; empty lines are in neither list."""

    rows: Rows
    refused: list[RefusedLine]


def read_lines(edition: Edition, lines: Sequence[str]) -> ParsedLines:
    """Parse one word for each line: plain or tile text (`CAL·LIGRAFIA`, `CA[L·L]IGRAFIA`) in any case.

    Spaces around a word are ignored. Lines must not contain line feeds.
    """
    text = _fold_text(edition, "\n".join(lines) + "\n")
    rows, wrong, tiles = _read(edition, text)
    bad = np.flatnonzero((wrong != _NONE) | ((tiles > 0) & ((tiles < SHORTEST_WORD) | (tiles > LONGEST_WORD))))
    refused = [
        RefusedLine(int(at), "" if wrong[at] == _NONE else text[wrong[at]], int(tiles[at])) for at in bad.tolist()
    ]
    return ParsedLines(rows, refused)


def read_rows(edition: Edition, words: Iterable[str]) -> Rows:
    """Return the rows of the words that the edition can lay, 2 to 15 tiles long; the others are left out.

    Words have the form of `read_lines`, with or without line ends.
    """
    return _read(edition, _fold_text(edition, "\n".join(words) + "\n"))[0]


def _read(edition: Edition, text: str) -> tuple[Rows, NDArray[np.int64], NDArray[np.int64]]:
    """Return (rows, by line: index of its first unknown character in the text, by line: number of tiles)."""
    numbers, faces, lengths, letters = _spellings(edition)
    lines = text.count("\n")
    rows = np.zeros((lines, LONGEST_WORD), np.uint8)
    wrong, tiles = np.full(lines, _NONE, np.int64), np.zeros(lines, np.int64)
    count = _split_lines(_signs_of(edition, text, numbers), faces, lengths, letters, rows, wrong, tiles)
    return rows[:count], wrong, tiles


def _fold_text(edition: Edition, text: str) -> str:
    """Fold the characters that become none or several (Œ, a lone accent); a table folds the others."""
    text = unicodedata.normalize("NFC", text)
    for alias, face in edition.aliases.items():
        text = text.replace(alias, face)
    if text.isascii():
        return text
    for sign in _distinct(text):
        folded = edition.fold(sign)
        if len(folded) != 1:
            text = text.replace(sign, folded)
    return text


def _distinct(text: str) -> list[str]:
    return [chr(point) for point in np.flatnonzero(np.bincount(_code_points(text)))]


def _code_points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _spellings(edition: Edition) -> tuple[dict[str, int], Rows, NDArray[np.int64], NDArray[np.int64]]:
    """Return (number of each character, spellings as character numbers, their lengths, their letters), longest first.

    Every letter has a spelling with brackets and one without.
    """
    spelled = [(face, letter) for letter, face in enumerate(edition.letters)]
    spelled += [(f"[{face}]", letter) for face, letter in spelled]
    spelled.sort(key=lambda entry: -len(entry[0]))
    signs = sorted({sign for face, _ in spelled for sign in face})
    numbers = {sign: number for number, sign in enumerate(signs, _FIRST_SIGN)}
    faces = np.zeros((len(spelled), len(spelled[0][0])), np.uint8)
    for row, (face, _) in enumerate(spelled):
        faces[row, : len(face)] = [numbers[sign] for sign in face]
    lengths = np.array([len(face) for face, _ in spelled], np.int64)
    return numbers, faces, lengths, np.array([letter for _, letter in spelled], np.int64)


def _signs_of(edition: Edition, text: str, numbers: dict[str, int]) -> NDArray[np.uint8]:
    """Return the number of each character of the text."""
    points = _code_points(text)
    table = np.full(int(points.max(initial=0)) + 1, _UNKNOWN, np.uint8)
    for sign in _distinct(text):
        if sign.isspace():
            table[ord(sign)] = _END_OF_LINE if sign == "\n" else _SPACE
        else:
            table[ord(sign)] = numbers.get(edition.fold(sign).upper(), _UNKNOWN)
    return table[points]


@compiled
def _split_lines(
    signs: NDArray[np.uint8],
    faces: Rows,
    lengths: NDArray[np.int64],
    letters: NDArray[np.int64],
    rows: Rows,
    wrong: NDArray[np.int64],
    tiles: NDArray[np.int64],
) -> int:
    """Divide the characters into lines and the lines into letters, the longest spelling first; return the row count.

    `wrong` and `tiles` are filled by line, `rows` by word. The last character is an end of line.
    """
    starts = np.zeros(256, np.int64)
    for face in range(len(faces) - 1, -1, -1):
        starts[faces[face, 0]] = face + 1
    count, start = 0, 0
    for line in range(len(wrong)):
        end = start
        while signs[end] != _END_OF_LINE:
            end += 1
        at, last = start, end
        start = end + 1
        while at < last and signs[at] == _SPACE:
            at += 1
        while at < last and signs[last - 1] == _SPACE:
            last -= 1
        length = 0
        while at < last:
            face = _face_at(signs, at, faces, lengths, starts)
            if face < 0:
                wrong[line] = at
                break
            if length < LONGEST_WORD:
                rows[count, length] = letters[face] + 1
            length += 1
            at += lengths[face]
        tiles[line] = length
        if wrong[line] < 0 and SHORTEST_WORD <= length <= LONGEST_WORD:
            count += 1
        else:
            rows[count, :] = 0
    return count


@inlined
def _face_at(
    signs: NDArray[np.uint8], at: int, faces: Rows, lengths: NDArray[np.int64], starts: NDArray[np.int64]
) -> int:
    """Return the longest spelling at this position, -1 for none; `starts`: first spelling by first character, + 1."""
    face = starts[signs[at]] - 1
    if face < 0:
        return int64(_NONE)
    while face < len(faces):
        i = 0
        while i < lengths[face] and signs[at + i] == faces[face, i]:
            i += 1
        if i == lengths[face]:
            return int64(face)
        face += 1
    return int64(_NONE)
