"""Reader of the word data of the package simplemma: the lemma of each form of a language."""

from __future__ import annotations

import lzma
from pathlib import Path

MAGIC = b"SMFC1"
_SAME_VALUE, _WHOLE_VALUE = 254, 255
"""Marks of a record: same lemma as the previous record; lemma that shares no prefix with its form."""


def read_lemmas(package: Path, language: str) -> dict[str, str]:
    """Read the lemmas of ``language`` ("it") by form from the folder of the package."""
    path = package / "strategies" / "dictionaries" / "data" / f"{language}.plzma"
    return decode(lzma.decompress(path.read_bytes()))


def decode(stream: bytes) -> dict[str, str]:
    """Decode a front-coded stream, in which each form shares a prefix with the previous one.

    After the magic number comes a byte whose lowest bit means that all strings are reversed, then the number of
    records, then the records: length of the shared prefix in bytes, length and bytes of the rest, a mark. Mark 254
    repeats the previous lemma; 255 is followed by length and bytes of the whole lemma; any other mark is the number of
    bytes to remove from the end of the form before the following bytes are appended. Numbers are little-endian groups
    of seven bits; the highest bit is set if more follow.
    """
    if stream[: len(MAGIC)] != MAGIC:
        raise ValueError("The word data of simplemma is of a form that this program does not know.")
    backwards = bool(stream[len(MAGIC)] & 1)
    _, at = _number(stream, len(MAGIC) + 1)
    lemmas: dict[str, str] = {}
    form = lemma = b""
    while at < len(stream):
        shared, at = _number(stream, at)
        rest, at = _counted(stream, at)
        form = form[:shared] + rest
        mark, at = stream[at], at + 1
        if mark != _SAME_VALUE:
            ending, at = _counted(stream, at)
            lemma = ending if mark == _WHOLE_VALUE else form[: len(form) - mark] + ending
        lemmas[_text(form, backwards)] = _text(lemma, backwards)
    return lemmas


def _number(stream: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = stream[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at
        shift += 7


def _counted(stream: bytes, at: int) -> tuple[bytes, int]:
    length, at = _number(stream, at)
    return stream[at : at + length], at + length


def _text(raw: bytes, backwards: bool) -> str:
    text = raw.decode("utf-8", "replace")
    return text[::-1] if backwards else text
