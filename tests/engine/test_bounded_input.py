"""Whole numbers and JSON from outside stay within bounds, and everything else is one kind of error."""

from __future__ import annotations

import json

import pytest

from engine.archive.schema import ArchiveError, read_archive
from engine.bounded_input import MAX_DEPTH, MAX_DIGITS, parse_whole_number, read_json
from engine.prepared.script import ScriptError, read_script
from tests.engine.archive.test_schema import ARCHIVE

REFUSED = [
    "",
    "nul",
    "[" * 100_000,
    "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
    '{"a":' * 900 + "1" + "}" * 900,
    "9" * (MAX_DIGITS + 1),
    "9" * 4_500,
    "1e999",
    "NaN",
    "-Infinity",
    '"\\ud800"',
    '{"\\udc80": 1}',
    '["a\\u0000"]',
    '"\udc80"',
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_beyond_the_bounds_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  the kind is what callers rely on
        read_json(text)


@pytest.mark.parametrize("value", [[], {"a": [1, -2.5, None, "Ț"]}, "😀", "\\ud800", "\\u0000", 10**14, {"\\": "\\u"}])
def test_what_is_within_them_is_read_as_it_was_written(value: object) -> None:
    assert read_json(json.dumps(value)) == read_json(json.dumps(value, ensure_ascii=False).encode()) == value


def test_half_signs_may_be_left_to_the_caller() -> None:
    assert read_json('"a\\ud800\\u0000"', half_signs=True) == "a\ud800\0"


@pytest.mark.parametrize("text", ["", "-1", "+1", " 1", "1.0", "²", "٣", "1e3", "1_0", "9" * 7, "9" * 4_500, "x"])
def test_what_is_no_whole_number_is_none(text: str) -> None:
    assert parse_whole_number(text) is None


def test_a_whole_number_has_as_many_digits_as_wanted() -> None:
    assert (parse_whole_number("007"), parse_whole_number("9" * 18, digits=18)) == (7, 10**18 - 1)


@pytest.mark.parametrize("spoilt", ["a\ud800", "\udc80", "NUL\0"])
def test_a_sign_that_is_no_text_is_refused_in_every_file_of_a_game(spoilt: str) -> None:
    text = json.dumps({**ARCHIVE, "room": spoilt})
    for read, refusal in ((read_archive, ArchiveError), (read_script, ScriptError)):
        with pytest.raises(refusal, match="no text"):
            read(text)
