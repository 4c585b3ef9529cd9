"""The graph of a word list holds just these words, however they are written, and comes back from a file as it was."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lexicon.graph import Lexicon, LexiconError
from engine.lexicon.nodes import AT_GADDAG, AT_LAYOUT, HEADER, NO_NODE, SEPARATOR, child, is_word_end
from engine.tiles.edition import BLANK_BIT, Edition, UnknownLetter, load_edition
from tests.examples import examples

IT, CA = load_edition("it"), load_edition("ca")
_quick = examples(150)


def _texts(lexicon: Lexicon) -> list[str]:
    return [lexicon.edition.word_text(word) for word in lexicon.words()]


def _letters(edition: Edition) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(edition.letters), min_size=2, max_size=15).map("".join)


def test_words_in_any_case_and_with_accents_are_one_word() -> None:
    lexicon = Lexicon.build(IT, ["città", "CITTA", "Citta'", "citta\u0300", "CITTÀ\r\n", "  città  "])
    assert _texts(lexicon) == ["CITTA"]
    assert lexicon.word_count == len(lexicon) == 1


def test_tiles_of_several_letters_are_one_letter_with_brackets_or_without() -> None:
    lexicon = Lexicon.build(CA, ["cal·ligrafia", "CA[L·L]IGRAFIA", "ca[l·l]igrafia", "CAL.LIGRAFIA", "CAĿLIGRAFIA"])
    assert _texts(lexicon) == ["CA[L·L]IGRAFIA"]
    assert CA.parse_word("CA[L·L]IGRAFIA") in lexicon
    assert [CA.letter(face) for face in "CALLIGRAFIA"] not in lexicon


def test_a_cedilla_is_a_letter_of_its_own() -> None:
    lexicon = Lexicon.build(CA, ["caça", "c\u0327aca", "cacà"])
    assert _texts(lexicon) == ["CACA", "CAÇA", "ÇACA"]


def test_letters_that_only_a_blank_can_show_are_letters() -> None:
    assert _texts(Lexicon.build(IT, ["taxi", "baby", "jolly"])) == ["BABY", "TAXI", "JOLLY"]


def test_words_that_cannot_be_laid_are_left_out() -> None:
    unfit = ["a", "", "due parole", "l'oro", "x2", "po-po", "a" * 16, "[LL]A", "A]", "[A", "ñandu1", "\n", "日本"]
    assert _texts(Lexicon.build(IT, [*unfit, "oro", "a" * 15])) == ["A" * 15, "ORO"]


def test_the_length_counts_tiles_and_not_signs() -> None:
    assert Lexicon.build(CA, ["NY" * 15]).word_count == 1
    assert Lexicon.build(CA, ["NY" * 16, "NY"]).word_count == 0


def test_an_empty_list_makes_an_empty_lexicon() -> None:
    lexicon = Lexicon.build(IT, [])
    assert (lexicon.word_count, _texts(lexicon)) == (0, [])
    assert IT.parse_word("ORO") not in lexicon


@pytest.mark.parametrize("edition", [IT, CA], ids=["it", "ca"])
@_quick
@given(data=st.data())
def test_a_list_is_read_as_each_word_would_be(edition: Edition, data: st.DataObject) -> None:
    """Against `Edition.parse_word`, which reads one word. In brackets lower case would be a blank there."""
    signs = "".join(sorted(set("".join(edition.letters)))) + "àéïçñ·'x "
    text = data.draw(st.text(signs, max_size=18))
    try:
        codes = edition.parse_word(text.upper())
    except UnknownLetter:
        codes = ()
    expected = [codes] if 2 <= len(codes) <= 15 else []
    assert list(Lexicon.build(edition, [text.upper()]).words()) == expected
    assert list(Lexicon.build(edition, [text.lower()]).words()) == expected


@pytest.mark.parametrize("edition", [IT, CA], ids=["it", "ca"])
@_quick
@given(data=st.data())
def test_it_holds_what_was_put_in_and_nothing_else(edition: Edition, data: st.DataObject) -> None:
    words = data.draw(st.lists(_letters(edition), max_size=25))
    others = data.draw(st.lists(_letters(edition), max_size=25))
    lexicon = Lexicon.build(edition, words)
    known = {codes for codes in map(edition.parse_word, words) if len(codes) >= 2}
    assert list(lexicon.words()) == sorted(known)
    for codes in map(edition.parse_word, words + others):
        assert (codes in lexicon) == (codes in known)
        assert tuple(code | BLANK_BIT for code in codes) in lexicon or codes not in known
        assert codes[:-1] in known or codes[:-1] not in lexicon


@_quick
@given(st.lists(_letters(CA), min_size=1, max_size=12))
def test_every_word_is_reached_from_each_of_its_letters(words: list[str]) -> None:
    """The GADDAG: leftwards from letter i to the front, the separator, rightwards from letter i + 1 to the end."""
    lexicon = Lexicon.build(CA, words)
    for word in lexicon.words():
        for i in range(len(word) - 1):
            node = int(lexicon.graph[AT_GADDAG])
            for letter in word[i::-1]:
                node = child(lexicon.graph, node, letter)
            node = child(lexicon.graph, node, SEPARATOR)
            for letter in word[i + 1 : -1]:
                node = child(lexicon.graph, node, letter)
            assert node != NO_NODE
            assert is_word_end(lexicon.graph, node, word[-1])


def test_a_list_without_common_parts_makes_the_arrays_grow() -> None:
    chooser = random.Random(4)  # noqa: S311
    words = {"".join(chooser.choices(IT.letters, k=15)) for _ in range(4000)}
    assert set(_texts(Lexicon.build(IT, words))) == words


def test_rulings_make_a_new_lexicon() -> None:
    before = Lexicon.build(IT, ["oro", "ora", "ore"])
    after = before.with_rulings(accepted=["Orì", "oro"], struck=["ora", "zolla"])
    assert _texts(after) == ["ORE", "ORI", "ORO"]
    assert _texts(before) == ["ORA", "ORE", "ORO"]
    assert _texts(before.with_rulings(["oca"], ["oca"])) == ["ORA", "ORE", "ORO"]


def test_a_saved_lexicon_comes_back(tmp_path: Path) -> None:
    lexicon = Lexicon.build(CA, ["caça", "col·legi", "any"])
    lexicon.save(tmp_path / "ca.npy")
    opened = Lexicon.open(tmp_path / "ca.npy", CA)
    assert (list(opened.words()), opened.word_count) == (list(lexicon.words()), 3)
    assert [path.name for path in tmp_path.iterdir()] == ["ca.npy"]


def test_saving_again_leaves_an_open_lexicon_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "it.npy"
    Lexicon.build(IT, ["oro"]).save(path)
    opened = Lexicon.open(path, IT)
    Lexicon.build(IT, ["ora", "ore"]).save(path)
    assert _texts(opened) == ["ORO"]
    assert _texts(Lexicon.open(path, IT)) == ["ORA", "ORE"]


def test_nobody_can_write_into_a_lexicon(tmp_path: Path) -> None:
    lexicon = Lexicon.build(IT, ["oro"])
    lexicon.save(tmp_path / "it.npy")
    for graph in (lexicon.graph, Lexicon.open(tmp_path / "it.npy", IT).graph):
        with pytest.raises(ValueError, match="read-only"):
            graph[0] = 1


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda content: content[:-8], "no graph"),
        (lambda content: content[:20], "no graph"),
        (lambda content: b"", "no graph"),
        (lambda content: b"ORO\nORA\n" * 20, "no graph"),
        (lambda content: content[:-5] + bytes([content[-5] ^ 1]) + content[-4:], "damaged"),
    ],
)
def test_a_damaged_file_is_refused_with_the_remedy(tmp_path: Path, spoil: object, reason: str) -> None:
    assert callable(spoil)
    path = tmp_path / "it.npy"
    Lexicon.build(IT, ["oro", "ora"]).save(path)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(LexiconError, match=rf"{reason}.*lexicon-graph"):
        Lexicon.open(path, IT)


def test_a_file_for_other_letters_is_refused(tmp_path: Path) -> None:
    Lexicon.build(IT, ["oro"]).save(tmp_path / "it.npy")
    with pytest.raises(LexiconError, match="other letters than those of the edition ca"):
        Lexicon.open(tmp_path / "it.npy", CA)


def test_a_file_of_an_older_layout_is_refused(tmp_path: Path) -> None:
    graph = Lexicon.build(IT, ["oro"]).graph.copy()
    graph[AT_LAYOUT] -= 1
    np.save(tmp_path / "old.npy", graph)
    with pytest.raises(LexiconError, match="another version"):
        Lexicon.open(tmp_path / "old.npy", IT)


@pytest.mark.parametrize(
    ("shape", "kind"), [((HEADER,), np.int64), ((4, 4), np.uint32), ((3,), np.uint32)], ids=["type", "grid", "short"]
)
def test_an_array_of_another_shape_is_refused(tmp_path: Path, shape: tuple[int, ...], kind: type) -> None:
    np.save(tmp_path / "other.npy", np.zeros(shape, kind))
    with pytest.raises(LexiconError, match="no graph"):
        Lexicon.open(tmp_path / "other.npy", IT)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"nothing\.npy does not exist"):
        Lexicon.open(tmp_path / "nothing.npy", IT)
