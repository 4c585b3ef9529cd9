"""Answers to queries on words."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.tournaments.club_game import ClubGame
from tournaments.enums import Ruling
from tournaments.lexicons import list_import, word_lists
from tournaments.search_box.words import check_list, look_up_words


def test_a_word_is_valid_because_the_list_has_it(club_game: ClubGame) -> None:
    answer = look_up_words(club_game.game, " Càrte ")
    assert (answer.valid, answer.word, answer.lists) == (True, "CARTE", ["it"])
    assert answer.sentence == "CARTE is valid: it is in the list it."
    assert look_up_words(club_game.game, "ZZZ").sentence == "ZZZ is not valid: it is not in the list it."
    assert look_up_words(club_game.game, "ZZZ").lists == []


def test_rulings_of_the_event_are_the_reason_and_count_for_hooks_and_anagrams(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    assert "CCARTE" not in look_up_words(club_game.game, "*CARTE").matching.words  # type: ignore[union-attr]
    club_game.rule("CCARTE", Ruling.ACCEPTED)
    club_game.rule("CARTE", Ruling.STRUCK)
    struck = look_up_words(club_game.game, "carte")
    assert (struck.valid, struck.lists) == (False, ["it"])
    assert struck.sentence.startswith("CARTE is not valid: the judge struck it from turn 1 on (")
    assert struck.front == ["C"]
    accepted = look_up_words(club_game.game, "ccarte")
    assert (accepted.valid, accepted.lists) == (True, [])
    assert accepted.sentence.startswith("CCARTE is valid: the judge accepted it from turn 1 on (")
    assert "CARTE" not in look_up_words(club_game.game, "C?RTE").matching.words  # type: ignore[union-attr]


def test_hooks_and_anagrams_are_those_of_the_list(club_game: ClubGame) -> None:
    words = set(word_lists.text_of(word_lists.word_list_of_game(club_game.game)).decode().split())
    answer = look_up_words(club_game.game, "ARE")
    assert answer.front == sorted(word[0] for word in words if word[1:] == "ARE")
    assert answer.back == sorted(word[-1] for word in words if word[:-1] == "ARE")
    assert answer.anagrams is not None
    assert set(answer.anagrams.words) == {word for word in words if sorted(word) == ["A", "E", "R"]} - {"ARE"}


def test_a_question_mark_asks_for_anagrams_and_for_the_pattern(club_game: ClubGame) -> None:
    words = set(word_lists.text_of(word_lists.word_list_of_game(club_game.game)).decode().split())
    answer = look_up_words(club_game.game, "a?a")
    assert (answer.valid, answer.sentence) == (None, "")
    assert answer.matching is not None
    assert set(answer.matching.words) == {word for word in words if len(word) == 3 and word[::2] == "AA"}
    assert answer.anagrams is not None
    assert set(answer.anagrams.words) == {word for word in words if len(word) == 3 and word.count("A") >= 2}
    assert look_up_words(club_game.game, "a.a").anagrams is None


def test_many_words_are_counted_and_the_first_are_shown(club_game: ClubGame) -> None:
    found = look_up_words(club_game.game, "*").matching
    assert found is not None
    assert (len(found.words), found.total) == (100, word_lists.word_list_of_game(club_game.game).words)
    assert found.more == found.total - 100


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("ro-spo", "ro-spo cannot be laid: no tile shows -."),
        ("*1", "*1 cannot be laid: no tile shows 1."),
        ("[LL]A", "[LL]A cannot be laid: no tile shows [LL]."),
        ("A", "A is no word: it has 1 letter, and a word has 2 to 15."),
        ("A" * 16, f"{'A' * 16} is no word: it has 16 letters, and a word has 2 to 15."),
        ("*" * 61, "This is too long for a word."),
    ],
)
def test_what_cannot_be_a_word_says_why(club_game: ClubGame, question: str, sentence: str) -> None:
    assert look_up_words(club_game.game, question).sentence == sentence


@pytest.mark.parametrize("question", ["", " ", "[", "]", "(", "()", "\0", "\ud800", "🂡", "[]", ".[L·L]", "?", "?" * 60])
def test_any_question_has_an_answer_and_nonsense_finds_nothing(club_game: ClubGame, question: str) -> None:
    answer = look_up_words(club_game.game, question)
    assert not answer.valid
    assert not answer.anagrams or answer.anagrams.total == 0
    assert not answer.matching or answer.matching.total == 0


def test_without_its_list_the_game_says_so(club_game: ClubGame, settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    answer = look_up_words(club_game.game, "carte")
    assert "not installed any more" in answer.sentence
    assert answer.valid is None


def test_every_list_of_the_edition_that_has_the_word_is_named(
    club_game: ClubGame, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "words.txt").write_text("zzz\ncarte\n")
    other = tmp_path / "other"
    list_import.import_list(tmp_path / "words.txt", edition="it", name="club", folder=other)
    with word_lists.use_other_folder(other):
        assert look_up_words(club_game.game, "carte").lists == ["it", "club"]
        assert look_up_words(club_game.game, "zzz").lists == ["club"]
        assert look_up_words(club_game.game, "zzz").valid is False


def test_letters_written_without_brackets_may_be_another_word_in_other_tiles(
    settings: Settings, tmp_path: Path, db: None
) -> None:
    settings.DATA_DIR = tmp_path
    (tmp_path / "words.txt").write_text("calle\nca[l]le\n")
    entry = list_import.import_list(tmp_path / "words.txt", edition="es", name="es").entry
    answer = check_list(entry, "calle")
    assert (answer.word, answer.remarks) == ("CA[LL]E", ["Laid in other tiles the list has it too: CA[L]LE."])
