"""Export of a word list: folded words in tile text, sorted by code point, one for each line (docs/formats.md)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.build import Rows, sorted_order
from engine.lexicon.jit import compiled
from engine.lexicon.nodes import LONGEST_WORD
from engine.tiles.edition import Edition


def export_words(edition: Edition, rows: Rows) -> bytes:
    """Return the UTF-8 text of these distinct words, a newline after each; its SHA-256 is the checksum of the list."""
    apart = _needs_brackets(edition, rows)
    text = _join_rows(edition, rows[~apart])
    if not apart.any():
        return text
    words = [edition.word_text([letter - 1 for letter in row if letter]) for row in rows[apart].tolist()]
    return b"".join(sorted([*text.splitlines(keepends=True), *(f"{word}\n".encode() for word in words)]))


def _needs_brackets(edition: Edition, rows: Rows) -> NDArray[np.bool_]:
    """Mark the rows with adjacent letters that would be read as one tile, as C and H in a set with the tile CH.

    Such rows come from a list that uses brackets itself.
    """
    apart = np.zeros(len(rows), np.bool_)
    for face in edition.letters:
        if len(face) > 1 and all(sign in edition.letters for sign in face):
            spelled = [edition.letter(sign) + 1 for sign in face]
            width = LONGEST_WORD + 1 - len(face)
            places = [rows[:, i : i + width] == letter for i, letter in enumerate(spelled)]
            apart |= np.logical_and.reduce(places).any(axis=1)
    return apart


def _join_rows(edition: Edition, rows: Rows) -> bytes:
    """Return the text of rows whose letters need no brackets that depend on their neighbours."""
    faces = [edition.word_text((letter,)).encode() for letter in range(len(edition.letters))]
    # No face begins another one (a long one ends with its bracket), so words can be compared face by face.
    ranks = np.zeros(len(faces) + 1, np.uint8)
    for rank, letter in enumerate(sorted(range(len(faces)), key=faces.__getitem__), 1):
        ranks[letter + 1] = rank
    spelled = np.zeros((len(faces), max(map(len, faces))), np.uint8)
    for letter, face in enumerate(faces):
        spelled[letter, : len(face)] = bytearray(face)
    lengths = np.array([len(face) for face in faces], np.int64)
    text = np.empty(len(rows) + int(np.append(0, lengths)[rows].sum()), np.uint8)
    _write(rows, sorted_order(ranks[rows]), spelled, lengths, text)
    return text.tobytes()


@compiled
def _write(
    rows: Rows, order: NDArray[np.int32], spelled: Rows, lengths: NDArray[np.int64], text: NDArray[np.uint8]
) -> None:
    """Write the rows in this order into `text`, which has exactly their length."""
    at = 0
    for row in order:
        for letter in rows[row]:
            if letter == 0:
                break
            for i in range(lengths[letter - 1]):
                text[at] = spelled[letter - 1, i]
                at += 1
        text[at] = 10
        at += 1
