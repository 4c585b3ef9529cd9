"""Whatever JSON is given as the archive of a game: it is one, or an `ArchiveError` tells in one sentence why not."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.archive.schema import ArchiveError, check_archive, read_archive
from tests.engine.archive.test_schema import ARCHIVE
from tests.examples import examples

_quick = examples(250)
odd = st.one_of(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    st.sampled_from([10**30, "\ud800", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "2026-01-31T21:00"]),
)
anything = st.recursive(
    odd,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def spoiled_archives(draw: st.DrawFn) -> Any:
    """A good archive with one to three entries, anywhere in it, odd, left out or swapped for others of it."""
    archive = copy.deepcopy(ARCHIVE)
    for _ in range(draw(st.integers(1, 3))):
        entry: Any = archive
        while True:
            keys = list(entry) if isinstance(entry, dict) else list(range(len(entry)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            inner = entry[key]
            if isinstance(inner, dict | list) and inner and draw(st.integers(0, 3)):
                entry = inner
                continue
            if draw(st.booleans()):
                entry[key] = draw(anything | st.sampled_from([copy.deepcopy(entry[other]) for other in keys]))
            else:
                del entry[key]
            break
    return archive


def _told(text: str) -> str | None:
    """The sentence of the refusal; None for an archive."""
    try:
        read_archive(text)
    except ArchiveError as error:
        return str(error)
    return None


@_quick
@given(anything.map(json.dumps) | st.text(max_size=60))
def test_what_is_no_archive_is_told_so(text: str) -> None:
    told = _told(text)
    assert told is not None
    assert told.startswith("This is not the archive of a game")
    assert told.endswith(".")


@_quick
@given(anything)
def test_an_object_with_the_name_of_the_format_only_is_told_what_it_lacks(value: Any) -> None:
    told = _told(json.dumps({"format": "duplicate-game", "version": 1, "event": value}))
    assert told is not None
    assert told.startswith(("This archive is not complete", "This archive cannot be read", "This is not the archive"))


@_quick
@given(spoiled_archives())
def test_an_archive_with_odd_entries_is_read_as_it_is_or_refused(archive: Any) -> None:
    with contextlib.suppress(ArchiveError):
        assert check_archive(archive) is archive
    told = _told(json.dumps(archive))
    assert told is None or told.startswith("This ")


def test_nested_deeply_it_is_refused_too() -> None:
    """At some depth a text can just be read, but no longer be written back into the sentence."""
    for depth in range(850, 1100):
        deep = "[" * depth + "]" * depth
        assert _told(f'{{"format": "duplicate-game", "version": {deep}}}') is not None
