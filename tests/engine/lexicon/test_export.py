"""The exported text of a list is what Python's own sorting and joining gives."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archive.schema import word_list_sha256
from engine.lexicon.build import distinct_rows
from engine.lexicon.export import export_words
from engine.lexicon.parsing import read_rows
from engine.tiles.edition import load_edition
from tests.examples import examples


@pytest.mark.parametrize("code", ["it", "ca", "es", "de", "ro"])
@examples(100)
@given(data=st.data())
def test_words_are_sorted_by_code_point_and_have_the_checksum_of_the_archive(code: str, data: st.DataObject) -> None:
    edition = load_edition(code)
    letters = st.integers(0, len(edition.letters) - 1)
    words = data.draw(st.sets(st.lists(letters, min_size=2, max_size=15).map(tuple), max_size=20))
    # Every tile in its brackets, so that it is read back as it was made.
    written = ["".join(f"[{edition.letters[letter]}]" for letter in word) for word in words]
    text = export_words(edition, distinct_rows(read_rows(edition, written)))
    listed = sorted(edition.word_text(word) for word in words)
    assert text.decode() == "".join(f"{word}\n" for word in listed)
    assert (len(words), hashlib.sha256(text).hexdigest()) == word_list_sha256(listed)


def test_letters_laid_apart_are_told_from_the_tile_and_read_back() -> None:
    edition = load_edition("es")
    text = export_words(
        edition, distinct_rows(read_rows(edition, ["calle", "cal[l]e", "[c]hal", "chal", "al", "calma"]))
    )
    assert text.decode().split() == ["AL", "CALMA", "CA[LL]E", "CA[L]LE", "[CH]AL", "[C]HAL"]
    assert export_words(edition, distinct_rows(read_rows(edition, text.decode().split()))) == text
