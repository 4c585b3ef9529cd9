"""A list with words accepted and struck is the list that would be built anew, to the last path of both automata."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.lexicon.anagrams import LETTER_SUMS, add_words
from engine.lexicon.graph import Lexicon, LexiconError
from engine.lexicon.nodes import AT_DAWG, AT_FINGERPRINT, AT_GADDAG, HEADER, NO_NODE
from engine.search.solver import Solver
from engine.tiles.edition import Edition, load_edition
from tests.engine.oracle import Word
from tests.engine.search.positions import INVENTED, language, played_boards, racks, scattered_boards
from tests.examples import examples

IT, CA = load_edition("it"), load_edition("ca")
Numbers = dict[tuple[object, ...], int]
_quick = examples(120)


def _texts(edition: Edition, words: Iterable[Word]) -> list[str]:
    return [edition.word_text(word) for word in sorted(words)]


def _lists(edition: Edition, most: int) -> st.SearchStrategy[set[Word]]:
    """Words of few letters, so that they share beginnings and ends; in Catalan with tiles of several letters."""
    faces = ["A", "E", "R", "J"] if edition is IT else ["A", "L", "L·L", "NY", "QU"]
    letters = st.sampled_from([edition.letter(face) for face in faces])
    # Read back as they are written: two letters side by side can be one tile.
    words = st.lists(letters, min_size=2, max_size=7).map(lambda word: edition.parse_word(edition.word_text(word)))
    return st.sets(words.filter(lambda word: len(word) > 1), max_size=most)


def _shape(graph: np.ndarray[tuple[int], np.dtype[np.uint32]], root: int, numbers: Numbers) -> int:
    """A number for all that can be read from this node on; equal numbers mean equal readings, whatever the copies."""
    if root == NO_NODE:
        return 0
    children, ends = int(graph[root]), int(graph[root + 1])
    assert children or ends, "a node in which nothing is"
    letters = [bit for bit in range(32) if children >> bit & 1]
    targets = [int(graph[root + 2 + at]) for at in range(len(letters))]
    assert NO_NODE not in targets, "a child that leads nowhere"
    key = (ends, tuple(letters), tuple(_shape(graph, target, numbers) for target in targets))
    return numbers.setdefault(key, len(numbers) + 1)


def _assert_same(amended: Lexicon, words: Iterable[Word]) -> None:
    """The amended lexicon against one built from these words."""
    known = sorted(words)
    anew = Lexicon.build(amended.edition, _texts(amended.edition, known))
    assert list(amended.words()) == known
    assert amended.word_count == len(known)
    numbers: Numbers = {}
    for at in (AT_DAWG, AT_GADDAG):
        mended, built = (_shape(lexicon.graph, int(lexicon.graph[at]), numbers) for lexicon in (amended, anew))
        assert mended == built
    assert _indexed(amended) == _indexed(anew)


def _indexed(lexicon: Lexicon) -> list[tuple[int, ...]]:
    """Every word of the index of anagrams, each of which must be found by its letters."""
    index, found = lexicon.anagrams, np.zeros(lexicon.word_count + 1, np.int64)
    assert len(index.sums) == len(index.letters) == index.starts[-1] == lexicon.word_count
    for number, row in enumerate(index.letters):
        letter_sum = int(LETTER_SUMS[row[: row[15]].astype(np.int64) - 1].sum())
        count = add_words(index.hints, index.starts, index.sums, letter_sum, found, 0)
        assert number in found[:count]
    return sorted(tuple(map(int, row)) for row in index.letters)


@pytest.mark.endurance
@pytest.mark.parametrize("edition", [IT, CA], ids=["it", "ca"])
@_quick
@given(data=st.data())
def test_a_ruled_list_is_the_list_built_anew(edition: Edition, data: st.DataObject) -> None:
    words, accepted = data.draw(_lists(edition, 20)), data.draw(_lists(edition, 6))
    struck = data.draw(_lists(edition, 3)) | data.draw(st.sets(st.sampled_from(sorted(words | accepted) or [()])))
    struck.discard(())
    before = Lexicon.build(edition, _texts(edition, words))
    after = before.with_rulings(_texts(edition, accepted), _texts(edition, struck))
    _assert_same(after, (words | accepted) - struck)
    _assert_same(before, words)
    for word in words | accepted | struck:
        assert (word in after) == (word in (words | accepted) - struck)


@_quick
@given(_lists(IT, 12), st.lists(st.tuples(_lists(IT, 3), _lists(IT, 3)), max_size=6))
def test_rulings_can_follow_one_another(words: set[Word], rulings: list[tuple[set[Word], set[Word]]]) -> None:
    lexicon = Lexicon.build(IT, _texts(IT, words))
    for accepted, struck in rulings:
        lexicon = lexicon.with_rulings(_texts(IT, accepted), _texts(IT, struck))
        words = (words | accepted) - struck
    _assert_same(lexicon, words)


@_quick
@given(_lists(CA, 12))
@example(set())
def test_a_list_can_be_struck_to_nothing_and_come_back(words: set[Word]) -> None:
    texts = _texts(CA, words)
    nothing = Lexicon.build(CA, texts).with_rulings([], texts)
    _assert_same(nothing, [])
    assert (nothing.graph[AT_DAWG], nothing.graph[AT_GADDAG]) == (NO_NODE, NO_NODE)
    _assert_same(nothing.with_rulings(texts, []), words)


@pytest.mark.parametrize("code", ["it", "ca", INVENTED])
@examples(60)
@given(data=st.data())
def test_the_search_finds_what_it_would_find_with_the_list_built_anew(code: str, data: st.DataObject) -> None:
    """The first half of the list, whose words are ruled on at will, against the same words built anew."""
    sample_language = language(code)
    first, others = set(sample_language.words[::2]), set(sample_language.words[1::2])
    accepted = data.draw(st.sets(st.sampled_from(sorted(others)), max_size=20))
    struck = data.draw(st.sets(st.sampled_from(sample_language.words), max_size=20))
    before = Lexicon.build(sample_language.edition, _texts(sample_language.edition, first))
    after = before.with_rulings(_texts(sample_language.edition, accepted), _texts(sample_language.edition, struck))
    anew = Lexicon.build(sample_language.edition, _texts(sample_language.edition, (first | accepted) - struck))
    board = data.draw(st.one_of(scattered_boards(sample_language), played_boards(sample_language)))
    rack = data.draw(racks(sample_language, (1, 8), (0, 2)))
    amended, built = Solver(after, largest_play=8), Solver(anew, largest_play=8)
    assert list(amended.ranked(board, rack)) == list(built.ranked(board, rack))
    assert amended.best(board, rack) == built.best(board, rack)
    assert amended.has_move(board, rack) == built.has_move(board, rack)


def test_what_changes_no_word_copies_nothing() -> None:
    lexicon = Lexicon.build(IT, ["oro", "ora"])
    assert lexicon.with_rulings([], []) is lexicon
    for accepted in (["oro"], ["zolla"]):
        ruled = lexicon.with_rulings(accepted, ["zolla"])
        assert ruled.graph is lexicon.graph
        assert ruled.anagrams is lexicon.anagrams


def test_words_are_ruled_on_as_they_are_written() -> None:
    lexicon = Lexicon.build(CA, ["caça", "col·legi"])
    after = lexicon.with_rulings(["CA[L·L]IGRAFIA", "x·y", "a"], ["COL.LEGI", "col·legi"])
    assert list(after.words()) == [CA.parse_word("CAÇA"), CA.parse_word("CA[L·L]IGRAFIA")]


def test_the_longest_word_has_all_its_beginnings() -> None:
    longest = tuple(range(15))
    _assert_same(Lexicon.build(IT, ["oro"]).with_rulings([IT.word_text(longest)], []), [longest, IT.parse_word("ORO")])


def test_the_old_nodes_are_shared_and_stay_as_they_are() -> None:
    before = language("it").lexicon
    copy = before.graph.copy()
    after = before.with_rulings([], [before.edition.word_text(next(before.words()))])
    assert np.array_equal(before.graph, copy)
    assert np.array_equal(after.graph[HEADER : len(copy)], copy[HEADER:])
    assert after.graph[AT_FINGERPRINT] == before.graph[AT_FINGERPRINT]


def test_a_ruling_takes_no_more_room_than_the_paths_of_the_word() -> None:
    """A word of n letters has n nodes in the DAWG; its beginnings have 2 to n + 1 in the GADDAG, roots included."""
    before = language("it").lexicon
    for word in language("it").words:
        after = before.with_rulings([], [IT.word_text(word)])
        nodes = len(word) + sum(range(2, len(word) + 2))
        assert len(after.graph) - len(before.graph) <= nodes * (2 + 32)


def test_nobody_can_write_into_a_ruled_list() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Lexicon.build(IT, ["oro"]).with_rulings(["ora"], []).graph[0] = 1


def test_a_ruled_list_can_be_saved_and_opened(tmp_path: Path) -> None:
    """Opening checks the sum that the ruling has reckoned on from the old one."""
    path = tmp_path / "ruled.npy"
    Lexicon.build(IT, ["oro", "ora"]).with_rulings(["ore"], ["ora"]).with_rulings(["ori"], []).save(path)
    opened = Lexicon.open(path, IT)
    _assert_same(opened, map(IT.parse_word, ("ORE", "ORI", "ORO")))
    with pytest.raises(LexiconError, match="other letters"):
        Lexicon.open(path, CA)
