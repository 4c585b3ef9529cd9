"""A graph file with any fault in it is refused with a `LexiconError`, or it is the whole one all the same."""

from __future__ import annotations

import gc
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lexicon.graph import Lexicon, LexiconError
from engine.lexicon.nodes import HEADER
from engine.tiles.edition import load_edition
from tests.examples import examples

CA = load_edition("ca")
WORDS = ["caça", "col·legi", "any", "nyap", "sal", "sala", "las", "es", "as"]
_quick = examples(200)


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("graph") / "ca.npy"
    Lexicon.build(CA, WORDS).save(path)
    return path.read_bytes()


def _refusal(path: Path, content: bytes) -> str | None:
    """The error for this content; None when it is opened, and then it is the whole graph.

    The arrays are compared, since a search in a spoiled graph may read anywhere.
    """
    path.write_bytes(content)
    try:
        lexicon = Lexicon.open(path, CA)
    except LexiconError as error:
        return str(error)
    assert np.array_equal(lexicon.graph, Lexicon.build(CA, WORDS).graph)
    return None


def _is_refused_or_whole(path: Path, content: bytes) -> None:
    message = _refusal(path, content)
    assert message is None or message.endswith("Make it anew with `lexicon-graph`.")


@_quick
@given(data=st.data())
def test_a_file_with_a_flipped_bit(tmp_path: Path, content: bytes, data: st.DataObject) -> None:
    spoiled = bytearray(content)
    for _ in range(data.draw(st.integers(1, 3))):
        spoiled[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    _is_refused_or_whole(tmp_path / "ca.npy", bytes(spoiled))


@pytest.mark.endurance
def test_a_flipped_bit_anywhere_in_the_head(tmp_path: Path, content: bytes) -> None:
    """Bytes before the words: numpy's header, and the header of the graph with its roots."""
    for at in range(len(content) - Lexicon.build(CA, WORDS).graph.nbytes + 4 * HEADER):
        for bit in range(8):
            spoiled = bytearray(content)
            spoiled[at] ^= 1 << bit
            _is_refused_or_whole(tmp_path / "ca.npy", bytes(spoiled))


@_quick
@given(data=st.data())
def test_a_file_cut_off_or_with_more_behind_it(tmp_path: Path, content: bytes, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(content)))
    _is_refused_or_whole(tmp_path / "ca.npy", content[:end] + data.draw(st.binary(max_size=12)))


@_quick
@given(st.binary(max_size=200))
def test_a_file_of_anything(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ca.npy").write_bytes(content)
    with pytest.raises(LexiconError):
        Lexicon.open(tmp_path / "ca.npy", CA)


def test_a_file_that_is_refused_is_closed(tmp_path: Path) -> None:
    """A whole and a broken ZIP archive: numpy.load would keep either of them open."""
    whole, broken = tmp_path / "whole.npy", tmp_path / "broken.npy"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("words.npy", b"")
    broken.write_bytes(whole.read_bytes()[:4])
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", ResourceWarning)
        for path in (whole, broken):
            with pytest.raises(LexiconError, match="is no graph of a word list"):
                Lexicon.open(path, CA)
        gc.collect()
    messages = [str(warning.message) for warning in warned]
    # Not of files that earlier tests have left open.
    assert [message for message in messages if str(tmp_path) in message] == []
