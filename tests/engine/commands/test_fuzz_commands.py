"""Arbitrary lines and arguments of the commands give an answer or an error message, never a traceback."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.__main__ import main
from engine.commands import judge, solve
from tests.examples import examples

_quick = examples(60)
EMPTY = ["." * 15] * 15
WORDS = {"it": "oro\nora\nore\ntaxi\ncorno\n", "es": "perro\nchal\nllama\nano\n"}
BOARDS = {
    "it": [EMPTY, [*EMPTY[:7], "...CORNo.......", *EMPTY[8:]]],
    "es": [EMPTY, [*EMPTY[:7], "...PE[rr]O........", *EMPTY[8:]]],
}
RACKS = {"it": ["ORO", "CORNO?A", "", "?????"], "es": ["PE[RR]O", "[ch]al", "LL?", "A[LL]LAM"]}

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def _lines(draw: st.DrawFn, code: str) -> bytes:
    """A good line, with some of its fields left out, odd, or odd inside; or no JSON at all."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=60)).replace(b"\n", b"")
    slip = {"word": "CORNO", "ref": "8D", "declared": 22, "direction": None}
    line: dict[str, Any] = {
        "board": draw(st.sampled_from(BOARDS[code])),
        "rack": draw(st.sampled_from(RACKS[code])),
        "turn": 1,
        "slip": draw(_spoiled(slip, ("word", "ref", "declared", "direction", "received", "hook"))),
        "id": draw(anything),
    }
    fields = ("board", "rack", "turn", "slip", "prior_warnings", "received", "hook", "blitz", "accepted", "struck")
    line = draw(_spoiled(line, fields))
    return json.dumps(line).encode()


@st.composite
def _spoiled(draw: st.DrawFn, entry: dict[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    spoiled = dict(entry)
    for field in draw(st.lists(st.sampled_from(fields), max_size=2)):
        spoiled[field] = draw(anything | st.text(alphabet="ORACN.?[]()\0 ", max_size=16))
        if draw(st.booleans()):
            del spoiled[field]
    return spoiled


class _Stdin(io.TextIOWrapper):
    """Standard input with these bytes in it."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")


class _Stdout(io.TextIOWrapper):
    """Standard output whose bytes can be read afterwards."""

    def __init__(self) -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding="utf-8", write_through=True)


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("words")
    for code, listed in WORDS.items():
        (folder / f"{code}.txt").write_text(listed, encoding="utf-8")
    return folder


@cache
def _parser(command: ModuleType) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return parser


def _run(command: ModuleType, arguments: list[str], given: bytes) -> tuple[int, list[bytes]]:
    """(exit code, lines written)"""
    out, stdin = _Stdout(), sys.stdin
    sys.stdin = _Stdin(given)
    try:
        with contextlib.redirect_stdout(out):
            code = command.run(_parser(command).parse_args(arguments))
    finally:
        sys.stdin = stdin
    return code, out.bytes.getvalue().splitlines()


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


def _answers(lines: list[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        answer = json.loads(line, parse_constant=_no_constant)
        assert isinstance(answer, dict)
        yield answer


@pytest.mark.parametrize("more", [[], ["--best"], ["--limit", "3"], ["--first-any-direction", "--across", "H8"]])
@pytest.mark.parametrize("code", WORDS)
@_quick
@given(data=st.data())
def test_solve_answers_every_line(words: Path, code: str, more: list[str], data: st.DataObject) -> None:
    lines = data.draw(st.lists(_lines(code), max_size=4))
    arguments = ["--edition", code, "--words", str(words / f"{code}.txt"), *more]
    exit_code, written = _run(solve, arguments, b"".join(line + b"\n" for line in lines))
    answers = list(_answers(written))
    assert len(answers) == len(lines)
    assert all("id" in answer and ("error" in answer) != ("tops" in answer) for answer in answers)
    assert all(answer["error"] for answer in answers if "error" in answer)
    assert exit_code == int(any("error" in answer for answer in answers))


@pytest.mark.parametrize("profile", ["it-box", "club"])
@pytest.mark.parametrize("code", WORDS)
@_quick
@given(data=st.data())
def test_judge_answers_every_line(words: Path, code: str, profile: str, data: st.DataObject) -> None:
    lines = data.draw(st.lists(_lines(code), max_size=4))
    arguments = ["--edition", code, "--profile", profile, "--words", str(words / f"{code}.txt")]
    exit_code, written = _run(judge, arguments, b"".join(line + b"\n" for line in lines))
    answers = list(_answers(written))
    assert len(answers) == len(lines)
    assert all("id" in answer and ("error" in answer) != ("result" in answer) for answer in answers)
    assert exit_code == int(any("error" in answer for answer in answers))


@_quick
@given(
    edition=st.sampled_from(["it", "es", "xx"]),
    seed=st.sampled_from(["0" * 64, "ab" * 32, "0" * 63, "é" * 64, ""])
    | st.text(alphabet="0123456789abcdefx ", max_size=70),
    turn=st.integers(-(2**33), 2**33).map(str) | st.text(max_size=4),
    kept=st.none() | st.text(alphabet="ALRCH?[]J ", max_size=9) | st.text(max_size=4),
    bag=st.none() | st.text(alphabet="ALRCH?[]J ", max_size=20) | st.text(max_size=4),
    hall_word=st.none() | st.text(max_size=6),
)
def test_draw_prints_a_rack_an_end_or_one_sentence(
    edition: str, seed: str, turn: str, kept: str | None, bag: str | None, hall_word: str | None
) -> None:
    line = ["draw", f"--edition={edition}", f"--seed={seed}", f"--turn={turn}"]
    optional = {"--kept": kept, "--bag": bag, "--hall-word": hall_word}
    line += [f"{name}={value}" for name, value in optional.items() if value is not None]
    out, told = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
        try:
            code: object = main(line)
        except SystemExit as exited:  # the command line itself was wrong: argparse has told it
            code = exited.code
    if code == 0:
        answer = json.loads(out.getvalue())
        assert set(answer) in ({"end"}, {"rejected", "rack", "attempts"})
    else:
        assert (code, out.getvalue()) == (2, "")
        assert told.getvalue().strip()
