"""From text to rows of letter numbers, a whole word list at once.

Says the same as `Edition.fold` and `Edition.parse_word` word by word, some hundred times faster: every distinct
sign of the list is folded once, and the rest is done by compiled code.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.edition import Edition
from engine.lexicon.build import Rows
from engine.lexicon.compiling import compiled, int64
from engine.lexicon.nodes import LONGEST_WORD

SHORTEST_WORD = 2
_END_OF_WORD, _UNKNOWN = 0, 1
_FIRST_SIGN = 2
_LINE_END = re.compile(r"[^\S\n]+\n\s*|\n[^\S\n]+")


def read_rows(edition: Edition, words: Iterable[str]) -> Rows:
    """The rows of the words that the edition can lay, 2 to 15 tiles long; the others are left out.

    Words may be plain or tile text (`CAL·LIGRAFIA`, `CA[L·L]IGRAFIA`), in any case, with or without line ends.
    """
    text = _folded(edition, "\n" + "\n".join(words) + "\n")
    numbers, faces, lengths, letters = _spellings(edition)
    signs = _signs_of(edition, text, numbers)
    rows = np.zeros((text.count("\n") + 1, LONGEST_WORD), np.uint8)
    return rows[: _split(signs, faces, lengths, letters, rows)]


def _folded(edition: Edition, text: str) -> str:
    """The text with every sign folded that becomes none or several (Œ, a lone accent); the table does the others."""
    text = _LINE_END.sub("\n", text)
    for alias, face in edition.aliases.items():
        text = text.replace(alias, face)
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
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
        table[ord(sign)] = _END_OF_WORD if sign == "\n" else numbers.get(edition.fold(sign).upper(), _UNKNOWN)
    return table[points]


@compiled
def _split(
    signs: NDArray[np.uint8], faces: Rows, lengths: NDArray[np.int64], letters: NDArray[np.int64], rows: Rows
) -> int:
    """Cut the signs into words, the words into letters, the longest spelling first; gives the number of rows."""
    starts = np.zeros(256, np.int64)
    for face in range(len(faces) - 1, -1, -1):
        starts[faces[face, 0]] = face + 1
    count, length, good = 0, 0, True
    at = 0
    while at < len(signs):
        if signs[at] == _END_OF_WORD:
            if good and SHORTEST_WORD <= length <= LONGEST_WORD:
                count += 1
            else:
                rows[count, :] = 0
            length, good = 0, True
            at += 1
            continue
        face = _face_at(signs, at, faces, lengths, starts)
        if face < 0:
            good = False
            at += 1
            continue
        if length < LONGEST_WORD:
            rows[count, length] = letters[face] + 1
        length += 1
        at += lengths[face]
    return count


@compiled
def _face_at(
    signs: NDArray[np.uint8], at: int, faces: Rows, lengths: NDArray[np.int64], starts: NDArray[np.int64]
) -> int:
    """The longest spelling that stands at this place, -1 for none; `starts`: the first that begins with a sign, + 1."""
    face = starts[signs[at]] - 1
    if face < 0:
        return -1
    while face < len(faces):
        i = 0
        while i < lengths[face] and signs[at + i] == faces[face, i]:
            i += 1
        if i == lengths[face]:
            return int64(face)
        face += 1
    return -1
