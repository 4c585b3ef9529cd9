"""The word lists of an installation, and what counts in a turn."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.tournaments.night import Night, begin
from tournaments import importing, lexicons
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.services.access import first_judge


@pytest.fixture
def folder(settings: Settings, small_data_folder: Path, tmp_path: Path) -> Path:
    """A folder of lists of its own."""
    copy = tmp_path / "lexicons"
    copy.mkdir()
    shutil.copy(small_data_folder / "lexicons" / "it.txt", copy)
    settings.DATA_DIR = tmp_path
    return copy


def install(folder: Path, name: str, text: str, encoding: str = "utf-8") -> importing.Imported:
    source = folder.parent / "source.txt"
    source.write_text(text, encoding=encoding)
    return importing.import_list(source, edition="it", name=name)


def test_a_list_is_known_by_its_words_and_their_checksum(folder: Path) -> None:
    [entry] = lexicons.installed()
    exported = "".join(f"{word}\n" for word in lexicons.words_of(entry))
    assert (entry.name, entry.edition, entry.words) == ("it", "it", exported.count("\n"))
    assert entry.sha256 == hashlib.sha256(exported.encode()).hexdigest()
    assert (folder / "it.npy").exists()


def test_a_list_with_other_signs_and_order_has_the_checksum_of_what_counts(folder: Path) -> None:
    (folder / "own.txt").write_text("perché\nabaco\nabaco\nA\nx1\n", encoding="utf-8")
    (folder / "own.txt.json").write_text('{"edition": "it", "words": 5, "sha256": "made up"}', encoding="utf-8")
    own = next(entry for entry in lexicons.installed() if entry.name == "own")
    assert list(lexicons.words_of(own)) == ["ABACO", "PERCHE"]
    assert (own.words, own.sha256) == (2, hashlib.sha256(b"ABACO\nPERCHE\n").hexdigest())


def test_a_list_that_changed_is_read_anew(folder: Path) -> None:
    [before] = lexicons.installed()
    path = folder / "it.txt"
    path.write_text(path.read_text() + "ZZZZ\n")
    [after] = lexicons.installed()
    assert after.words == before.words + 1
    assert lexicons.graph_of(after).edition.parse_word("ZZZZ") in lexicons.graph_of(after)


def test_a_damaged_graph_is_made_anew(folder: Path) -> None:
    (folder / "it.npy").write_bytes(b"no graph at all")
    [entry] = lexicons.installed()
    assert entry.words > 300


def test_files_of_unknown_editions_are_left_alone(folder: Path) -> None:
    (folder / "klingon.txt").write_text("QAPLA\n")
    assert [entry.name for entry in lexicons.installed()] == ["it"]


def test_without_a_folder_there_is_no_list(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "nowhere"
    assert lexicons.installed() == []
    with pytest.raises(Refused, match=r"manage\.py lexicon"):
        lexicons.choose("it", None)


def test_an_imported_list_is_folded_and_refused_words_have_reasons(folder: Path) -> None:
    imported = install(folder, "own", "Città\nCITTA\nperch'è\nà\n" + "A" * 16 + "\nTAXI\n\n  rana \n")
    assert list(lexicons.words_of(imported.entry)) == ["CITTA", "RANA", "TAXI"]
    assert imported.refused == [("perch'è", "no tile shows '"), ("à", "1 letter"), ("A" * 16, "16 letters")]
    assert imported.entry.note == "imported from source.txt"


def test_a_list_in_another_folder_is_known_for_a_while(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("rana\n")
    other = tmp_path / "other"
    imported = importing.import_list(tmp_path / "own.txt", edition="it", name="own", folder=other)
    assert [entry.name for entry in lexicons.installed()] == ["it"]
    with lexicons.looking_in(other):
        assert lexicons.choose("it", "own") == imported.entry
    assert [entry.name for entry in lexicons.installed()] == ["it"]


def test_an_old_list_in_latin_1_is_read(folder: Path) -> None:
    assert list(lexicons.words_of(install(folder, "own", "città\n", "latin-1").entry)) == ["CITTA"]


def test_a_zipped_list_and_a_hunspell_pair_are_read(folder: Path, tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "list.zip", "w") as archive:
        archive.writestr("words.txt", "rana\nrospo\n")
        archive.writestr("readme.md", "hello")
    zipped = importing.import_list(tmp_path / "list.zip", edition="it", name="zipped")
    assert list(lexicons.words_of(zipped.entry)) == ["RANA", "ROSPO"]
    (tmp_path / "it.aff").write_text("SET UTF-8\nSFX A Y 1\nSFX A o i o\n")
    (tmp_path / "it.dic").write_text("2\nrospo/A\nrana\n")
    pair = importing.import_list(tmp_path / "it.dic", edition="it", name="pair")
    assert list(lexicons.words_of(pair.entry)) == ["RANA", "ROSPI", "ROSPO"]


@pytest.mark.parametrize("name", ["", "Own", "../it", "a b", "x" * 50])
def test_a_name_that_is_no_file_name_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(Refused, match="small letters"):
        install(folder, name, "RANA\n")


def test_a_file_without_words_is_refused_and_changes_nothing(folder: Path, tmp_path: Path) -> None:
    before = (folder / "it.txt").read_text()
    with pytest.raises(Refused, match="no word that this edition can lay"):
        install(folder, "it", "123\n")
    with pytest.raises(Refused, match="cannot be read"):
        importing.import_list(tmp_path / "nothing.txt", edition="it", name="own")
    assert (folder / "it.txt").read_text() == before


def test_a_game_goes_on_with_the_list_it_was_begun_with(folder: Path, db: None) -> None:
    night = begin(first_judge())
    before = lexicons.of_game(night.game)
    install(folder, "it", "RANA\nROSPO\n")
    kept = lexicons.of_game(night.game)
    assert (kept.name, kept.sha256) == (f"it-{before.sha256[:8]}", before.sha256)
    assert night.draw() is not None
    kept.path.unlink()
    with pytest.raises(Refused, match="not installed any more"):
        lexicons.of_game(night.game)


def test_rulings_count_from_their_turn_on(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.rule("ZZZ", Ruling.ACCEPTED)
    night.close()
    night.place()
    night.begin_turn()
    night.rule("ZZZ", Ruling.STRUCK)
    night.rule("CASA", Ruling.STRUCK)
    parse = lexicons.graph_of(lexicons.of_game(night.game)).edition.parse_word
    counts = {
        turn: [parse(word) in lexicons.open_lexicon(night.game, turn) for word in ("ZZZ", "CASA")] for turn in (1, 2, 3)
    }
    assert counts == {1: [True, True], 2: [False, False], 3: [False, False]}
