"""From text to rows of letter numbers, a whole word list at once.

Says the same as `Edition.fold` and `Edition.parse_word` word by word, some hundred times faster: every distinct
sign of the list is folded once, and the rest is done by compiled code. Round brackets, which mark a blank on a
slip, have no meaning in a list: a line with one is refused.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.edition import Edition
from engine.lexicon.build import Rows
from engine.lexicon.compiling import compiled, inlined, int64
from engine.lexicon.nodes import LONGEST_WORD

SHORTEST_WORD = 2
_END_OF_LINE, _UNKNOWN, _SPACE = 0, 1, 2
_FIRST_SIGN = 3
_NONE = -1


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line that is no word of the edition.

    `at` is its index among the lines. `sign` is the first sign that no tile shows; it is empty when every sign is
    good but the number of tiles, `length`, is not 2 to 15.
    """

    at: int
    sign: str
    length: int


class Reading(NamedTuple):
    """The rows of the lines that are words, in their order, and the lines that are not; empty lines are neither."""

    rows: Rows
    refused: list[RefusedLine]


def read_lines(edition: Edition, lines: Sequence[str]) -> Reading:
    """Read one word a line: plain or tile text (`CAL·LIGRAFIA`, `CA[L·L]IGRAFIA`), in any case, spaces around it.

    No line may hold a line feed.
    """
    text = _folded(edition, "\n".join(lines) + "\n")
    rows, wrong, tiles = _read(edition, text)
    bad = np.flatnonzero((wrong != _NONE) | ((tiles > 0) & ((tiles < SHORTEST_WORD) | (tiles > LONGEST_WORD))))
    refused = [
        RefusedLine(int(at), "" if wrong[at] == _NONE else text[wrong[at]], int(tiles[at])) for at in bad.tolist()
    ]
    return Reading(rows, refused)


def read_rows(edition: Edition, words: Iterable[str]) -> Rows:
    """The rows of the words that the edition can lay, 2 to 15 tiles long; the others are left out.

    Words are written as `read_lines` reads them, with or without line ends.
    """
    return _read(edition, _folded(edition, "\n".join(words) + "\n"))[0]


def _read(edition: Edition, text: str) -> tuple[Rows, NDArray[np.int64], NDArray[np.int64]]:
    """(rows, by line: where its first unknown sign stands in the text, by line: how many tiles it takes)."""
    numbers, faces, lengths, letters = _spellings(edition)
    lines = text.count("\n")
    rows = np.zeros((lines, LONGEST_WORD), np.uint8)
    wrong, tiles = np.full(lines, _NONE, np.int64), np.zeros(lines, np.int64)
    count = _split(_signs_of(edition, text, numbers), faces, lengths, letters, rows, wrong, tiles)
    return rows[:count], wrong, tiles


def _folded(edition: Edition, text: str) -> str:
    """The text with every sign folded that becomes none or several (Œ, a lone accent); the table does the others."""
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
    """(number of each sign in use, spellings as sign numbers, their lengths, their letters), the longest first.

    Every letter can be written with brackets or without.
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
    """The number of each sign of the text."""
    points = _code_points(text)
    table = np.full(int(points.max(initial=0)) + 1, _UNKNOWN, np.uint8)
    for sign in _distinct(text):
        if sign.isspace():
            table[ord(sign)] = _END_OF_LINE if sign == "\n" else _SPACE
        else:
            table[ord(sign)] = numbers.get(edition.fold(sign).upper(), _UNKNOWN)
    return table[points]


@compiled
def _split(
    signs: NDArray[np.uint8],
    faces: Rows,
    lengths: NDArray[np.int64],
    letters: NDArray[np.int64],
    rows: Rows,
    wrong: NDArray[np.int64],
    tiles: NDArray[np.int64],
) -> int:
    """Cut the signs into lines, the lines into letters, the longest spelling first; gives the number of rows.

    `wrong` and `tiles` are filled by line, `rows` by word. The last sign is an end of line.
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
    """The longest spelling that stands at this place, -1 for none; `starts`: the first that begins with a sign, + 1."""
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
