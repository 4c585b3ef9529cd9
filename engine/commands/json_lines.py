"""What the commands that answer JSON lines have in common."""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from engine.board import Board
from engine.edition import Edition
from engine.formulas import Formula
from engine.lexicon.graph import Lexicon
from engine.tiles import Tiles

Answer = Callable[[Mapping[str, object]], dict[str, Any]]


class LineError(ValueError):
    """A line that is not of the form; the sentence says what is wrong."""


def answer_all(lines: Iterable[bytes], answer: Answer, out: BinaryIO) -> int:
    """Write one line for each line read, in the same order; gives how many of them tell an error.

    `answer` gets the object of a line without its `id` and gives the fields to write besides it; its `ValueError`s are
    told. Nothing else may go into the answer: lines that ask the same are answered once.
    """
    errors, known = 0, _Known(answer)
    for line in lines:
        name: object = None
        try:
            asked = _read_object(line)
            name = asked.pop("id", None)
            told, is_error = known.answer(asked)
        except LineError as error:
            told, is_error = _encoded({"error": str(error)}), True
        errors += is_error
        out.write(b'{"id": %b, %b\n' % (_ENCODER.encode(name).encode("utf-8", "backslashreplace"), told))
        out.flush()
    return errors


class _Known:
    """What has been answered, without the brace at the front."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._told: dict[bytes, tuple[bytes, bool]] = {}

    def answer(self, asked: dict[str, Any]) -> tuple[bytes, bool]:
        """(the fields of the answer, whether they tell an error)."""
        key = marshal.dumps(asked, _WITHOUT_REFERENCES)
        found = self._told.get(key)
        if found is None:
            try:
                fields = self._answer(asked)
            except ValueError as error:
                fields = {"error": str(error)}
            found = _encoded(fields), "error" in fields
            if len(self._told) >= _MOST_KEPT:
                self._told.clear()
            if len(found[0]) <= _LONGEST_KEPT:
                self._told[key] = found
        return found


def _encoded(fields: Mapping[str, object]) -> bytes:
    return _ENCODER.encode(fields)[1:].encode("utf-8", "backslashreplace")


def _read_object(line: bytes) -> dict[str, Any]:
    try:
        asked = _DECODER.decode(line.decode(json.detect_encoding(line), "surrogatepass"))
    except (ValueError, RecursionError):
        raise LineError("This line is not JSON in UTF-8.") from None
    if not isinstance(asked, dict):
        raise LineError("This line is no JSON object.")
    return asked


def _finite(text: str) -> float:
    """1e999 is JSON, but what it is read as could not be written back with the `id`."""
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


_ENCODER = json.JSONEncoder(ensure_ascii=False)
_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)
_WITHOUT_REFERENCES = 2  # this version of marshal writes equal values alike
_MOST_KEPT, _LONGEST_KEPT = 20_000, 4_000


def read_words(path: Path, edition: Edition) -> Lexicon:
    """The lexicon in a graph file (.npy) or in a UTF-8 list of words, one a line; `OSError` or `ValueError`."""
    if path.suffix == ".npy":
        return Lexicon.open(path, edition)
    with path.open(encoding="utf-8-sig") as lines:
        return Lexicon.build(edition, lines)


def read_stock(asked: Mapping[str, object], formula: Formula, board: Board, rack: Tiles) -> Tiles | None:
    """What players may take one tile of, by the field `stock` or else by what is neither on board nor rack.

    None in the formulas in which nobody takes one; `ValueError` for what is no text of tiles.
    """
    text = asked.get("stock")
    if text is None or not formula.completive:
        return formula.stock(board, rack)
    if not isinstance(text, str):
        raise LineError("stock must be text.")
    return Tiles.parse(board.edition, text)
