"""What the commands that answer JSON lines have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from engine.edition import Edition
from engine.lexicon.graph import Lexicon

Answer = Callable[[Mapping[str, object]], dict[str, Any]]


class LineError(ValueError):
    """A line that is not of the form; the sentence says what is wrong."""


def answer_all(lines: Iterable[bytes], answer: Answer, out: BinaryIO) -> int:
    """Write one line for each line read, in the same order; gives how many of them tell an error.

    `answer` gets the object of a line and gives the fields to write besides `id`; its `ValueError`s are told.
    """
    errors = 0
    for line in lines:
        written = _answer_line(line, answer)
        errors += "error" in written
        out.write((json.dumps(written, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace"))
        out.flush()
    return errors


def _answer_line(line: bytes, answer: Answer) -> dict[str, Any]:
    name: object = None
    try:
        asked = _read_object(line)
        name = asked.get("id")
        return {"id": name, **answer(asked)}
    except ValueError as error:
        return {"id": name, "error": str(error)}


def _read_object(line: bytes) -> Mapping[str, object]:
    try:
        asked = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise LineError("This line is not JSON in UTF-8.") from None
    if not isinstance(asked, dict):
        raise LineError("This line is no JSON object.")
    return asked


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


def read_words(path: Path, edition: Edition) -> Lexicon:
    """The lexicon in a graph file (.npy) or in a UTF-8 list of words, one a line; `OSError` or `ValueError`."""
    if path.suffix == ".npy":
        return Lexicon.open(path, edition)
    with path.open(encoding="utf-8-sig") as lines:
        return Lexicon.build(edition, lines)
