from __future__ import annotations

from pathlib import Path

import pytest

from engine.lexicon.sources.choosing import Letters, credited
from engine.tiles.edition import load_edition


@pytest.fixture
def catalan() -> Letters:
    return Letters(load_edition("ca"))


@pytest.fixture
def romanian() -> Letters:
    return Letters(load_edition("ro"))


@pytest.mark.parametrize(
    ("written", "folded"),
    [("cançó", "CANÇO"), ("col·locar", "COL·LOCAR"), ("any", "ANY"), ("pingüí", "PINGUI"), ("ço\u0301", "ÇO")],
)
def test_a_word_is_folded_to_the_letters_of_its_edition(written: str, folded: str, catalan: Letters) -> None:
    assert catalan.fold(written) == folded


@pytest.mark.parametrize("written", ["școală", "şcoală", "scoala", "s\u0326coala\u0306"])
def test_a_sign_that_the_edition_does_not_keep_is_dropped_whichever_way_it_is_written(
    written: str, romanian: Letters
) -> None:
    assert romanian.fold(written) == "SCOALA"


@pytest.mark.parametrize(
    "written",
    ["kiwi", "walkman", "iot·", "yard", "qatar", "l'any", "mirar-lo", "mp3", "dos mots", "жук", "", "Berga", "RNA"],
)
def test_what_the_tiles_cannot_show_and_what_is_not_in_small_letters_is_refused(written: str, catalan: Letters) -> None:
    assert catalan.fold(written) is None


def test_capitals_are_read_where_a_language_writes_its_nouns_so(romanian: Letters) -> None:
    assert romanian.fold("Hund") is None
    assert romanian.fold("Hund", names=True) == "HUND"
    assert romanian.fold_all(["Hund", "hund", "d'or"], names=True) == {"HUND"}


def test_a_letter_that_exists_by_blank_only_is_a_letter(romanian: Letters) -> None:
    assert romanian.fold("kiwi") == "KIWI"


def test_digraph_tiles_are_counted_as_one_and_written_in_brackets(catalan: Letters) -> None:
    assert [catalan.tiles(word) for word in ("ANY", "COL·LOCAR", "QUE", "LLUM")] == [2, 7, 2, 4]
    assert catalan.tile_text("COL·LOQUENYS") == "CO[L·L]O[QU]E[NY]S"


def test_finished_words_have_2_to_15_tiles_a_vowel_and_those_of_two_are_given(catalan: Letters) -> None:
    longest = "A" * 14 + "NY"
    finished = catalan.finished({"AB", "ANY", "ANYS", longest, longest + "A", "BRR", "PSST"}, {"ANY", "UT"}, {"PSST"})
    assert finished == ["A" * 14 + "[NY]", "A[NY]", "A[NY]S", "PSST", "UT"]


def test_tile_text_reads_back_as_the_tiles_that_were_counted(catalan: Letters) -> None:
    edition = load_edition("ca")
    for word in ("QUALQUE", "COL·LEGUES", "ENYORANYA", "VULL"):
        assert len(edition.parse_word(catalan.tile_text(word))) == catalan.tiles(word)


def test_credits_have_the_versions_found_and_say_so_when_there_is_none(tmp_path: Path) -> None:
    facts = tmp_path / "given-1.2.dist-info" / "METADATA"
    facts.parent.mkdir()
    facts.write_text("Metadata-Version: 2.1\nName: given\nVersion: 1.2\n")
    given, missing = credited(tmp_path, [("given", "words", "MIT"), ("missing", "words", "MIT")])
    assert (given.version, missing.version) == ("1.2", "unknown")
