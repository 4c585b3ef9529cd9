"""Reads the word data of the package simplemma: for a language, which form belongs to which lemma."""

from __future__ import annotations

import lzma
from pathlib import Path

MAGIC = b"SMFC1"
_SAME_VALUE, _WHOLE_VALUE = 254, 255
"""Marks of a record: the lemma of the record before it; a lemma that shares no start with its form."""


def read_lemmas(package: Path, language: str) -> dict[str, str]:
    """The table ``form -> lemma`` of ``language`` ("it") from the folder of the package."""
    path = package / "strategies" / "dictionaries" / "data" / f"{language}.plzma"
    return decode(lzma.decompress(path.read_bytes()))


def decode(stream: bytes) -> dict[str, str]:
    """Decode a front-coded stream: each form says how many bytes it shares with the form before it.

    After the magic comes a byte whose lowest bit says that all strings are written backwards, then the number
    of records, then the records: bytes shared with the form before, length and bytes of the rest, a mark.
    Mark 254 repeats the lemma before, 255 is followed by length and bytes of the whole lemma, any other mark
    is the number of bytes to cut from the form's end before the bytes that follow are put on. Numbers are
    little-endian groups of seven bits, the highest bit telling that more follow.
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
