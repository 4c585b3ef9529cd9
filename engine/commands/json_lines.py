"""Shared code of the commands that read and write JSON lines."""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from engine.board.board import Board
from engine.lexicon.graph import Lexicon
from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles
from engine.variants.variant import Variant

AnswerLine = Callable[[Mapping[str, object]], dict[str, Any]]


class LineError(ValueError):
    """Malformed input line; the message states the reason."""


def answer_all(lines: Iterable[bytes], answer: AnswerLine, out: BinaryIO) -> int:
    """Write one line for each line read, in the same order; return the number of errors.

    `answer` gets the object of a line without its `id` and returns the other fields of the answer; the message of a
    `ValueError` becomes the field `error`. It must depend on the object alone, because answers are cached.
    """
    errors, cache = 0, _AnswerCache(answer)
    for line in lines:
        name: object = None
        try:
            asked = _read_object(line)
            name = asked.pop("id", None)
            fields, is_error = cache.answer(asked)
        except LineError as error:
            fields, is_error = _encode_fields({"error": str(error)}), True
        errors += is_error
        out.write(b'{"id": %b, %b\n' % (_ENCODER.encode(name).encode("utf-8", "backslashreplace"), fields))
        out.flush()
    return errors


class _AnswerCache:
    """Cache of encoded answers, without their opening brace."""

    def __init__(self, answer: AnswerLine) -> None:
        self._answer = answer
        self._answers: dict[bytes, tuple[bytes, bool]] = {}

    def answer(self, asked: dict[str, Any]) -> tuple[bytes, bool]:
        """Return (encoded fields of the answer, True for an error)."""
        key = marshal.dumps(asked, _WITHOUT_REFERENCES)
        found = self._answers.get(key)
        if found is None:
            try:
                fields = self._answer(asked)
            except ValueError as error:
                fields = {"error": str(error)}
            found = _encode_fields(fields), "error" in fields
            if len(self._answers) >= _MAX_CACHED_ANSWERS:
                self._answers.clear()
            if len(found[0]) <= _MAX_CACHED_LENGTH:
                self._answers[key] = found
        return found


def _encode_fields(fields: Mapping[str, object]) -> bytes:
    return _ENCODER.encode(fields)[1:].encode("utf-8", "backslashreplace")


def _read_object(line: bytes) -> dict[str, Any]:
    try:
        asked = _DECODER.decode(line.decode(json.detect_encoding(line), "surrogatepass"))
    except (ValueError, RecursionError):
        raise LineError("This line is not JSON in UTF-8.") from None
    if not isinstance(asked, dict):
        raise LineError("This line is no JSON object.")
    return asked


def _parse_float(text: str) -> float:
    """Parse a finite number; 1e999 is valid JSON, but infinity could not be written back as an `id`."""
    number = float(text)
    return number if isfinite(number) else _refuse_constant(text)


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


_ENCODER = json.JSONEncoder(ensure_ascii=False)
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_parse_float)
_WITHOUT_REFERENCES = 2  # version of marshal in which equal values have equal encodings
_MAX_CACHED_ANSWERS, _MAX_CACHED_LENGTH = 20_000, 4_000


def read_words(path: Path, edition: Edition) -> Lexicon:
    """Read a lexicon from a graph file (.npy) or from a UTF-8 list, one word a line; `OSError` or `ValueError`."""
    if path.suffix == ".npy":
        return Lexicon.open(path, edition)
    with path.open(encoding="utf-8-sig") as lines:
        return Lexicon.build(edition, lines)


def read_stock(asked: Mapping[str, object], variant: Variant, board: Board, rack: Tiles) -> Tiles | None:
    """Return the stock of a completive variant: the field `stock`, or all tiles neither on the board nor on the rack.

    None in other variants; `ValueError` for invalid tile text.
    """
    text = asked.get("stock")
    if text is None or not variant.completive:
        return variant.stock(board, rack)
    if not isinstance(text, str):
        raise LineError("stock must be text.")
    return Tiles.parse(board.edition, text)
