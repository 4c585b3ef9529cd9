from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from engine.archive.schema import Archive
from tests.engine.archive.played_game import WORDS, lexicon, play_game_archive


@pytest.fixture
def lists(tmp_path: Path, settings: Settings) -> Path:
    """The folder of installed word lists, with the one of the game under another name."""
    settings.DATA_DIR = tmp_path
    folder = tmp_path / "lexicons"
    folder.mkdir()
    (folder / "it.txt").write_text("CASA\nCASE\n", encoding="utf-8")
    (folder / "sabato.txt").write_text("\n".join(WORDS), encoding="utf-8")
    (folder / "sabato.txt.json").write_text('{"edition": "it"}', encoding="utf-8")
    return folder


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return write(tmp_path, play_game_archive())


def write(folder: Path, archive: Archive | dict[str, Any]) -> Path:
    path = folder / "game.json"
    path.write_text(json.dumps(archive), encoding="utf-8")
    return path


def verify(*arguments: object) -> str:
    out = StringIO()
    call_command("verify", *map(str, arguments), stdout=out)
    return out.getvalue()


def refused(*arguments: object) -> CommandError:
    with pytest.raises(CommandError) as error:
        verify(*arguments)
    return error.value


def test_a_true_archive_has_no_difference_and_what_an_old_ledger_does_not_tell_is_named(
    archive: Path, lists: Path
) -> None:
    found, left = verify(archive).splitlines()
    assert found == "No difference. Turns: 6, players: 6, slips: 34."
    assert left.startswith("Not checked, since ledger and archive do not tell all of it: rules of the game, first and ")


def test_hashes_that_were_written_down_are_looked_up_in_the_ledger(archive: Path, lists: Path) -> None:
    entries = json.loads(archive.read_text())["ledger"]["entries"]
    first, last = entries[0]["hash"], entries[-1]["hash"]
    in_groups = " ".join(last[at : at + 4] for at in range(0, 16, 4)).upper()
    lines = verify(archive, "--shown", first, in_groups).splitlines()
    digits = in_groups.replace(" ", "").lower()
    assert lines[0].startswith(f"The hash {first} is that of entry 1 (")
    assert lines[1].startswith(f"The hash {digits} is that of entry {len(entries)} (")
    out = StringIO()
    with pytest.raises(CommandError, match=r"^1 difference\.$"):
        call_command("verify", str(archive), "--shown", "0" * 16, first, stdout=out)
    assert out.getvalue().startswith(f"No entry of this ledger has the hash {'0' * 16}: ")
    assert "16 digits without spaces" in str(refused(archive, "--shown", "ab12", "cd34"))


def test_each_difference_is_printed_and_the_exit_code_is_one(tmp_path: Path, lists: Path) -> None:
    spoilt = json.loads(json.dumps(play_game_archive()))
    truth = spoilt["standings"][0]["total"]
    spoilt["standings"][0]["total"] = 999
    spoilt["turns"][1]["rejected"] = ["ÀÈ"]
    out = StringIO()
    with pytest.raises(CommandError) as error:
        call_command("verify", str(write(tmp_path, spoilt)), stdout=out)
    assert error.value.returncode == 1
    lines = out.getvalue().splitlines()
    assert lines.pop().startswith("Not checked")
    assert str(error.value) == f"{len(lines)} differences."
    assert f"standings, table 1, total: the archive says 999, the rules give {truth}" in lines
    assert any(line.startswith('turn 2, rejected: the archive says ["ÀÈ"], ') for line in lines)


def test_signs_that_would_steer_the_terminal_are_printed_as_their_numbers(tmp_path: Path, lists: Path) -> None:
    sly = json.loads(json.dumps(play_game_archive(turns=1)))
    sly["tile_set"]["\x1b[31m"] = {"count": 1, "value": 1, "class": "vowel"}
    sly["turns"][0]["rack"] = "\x9b2J"
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("verify", str(write(tmp_path, sly)), stdout=out)
    printed = out.getvalue()
    assert "tile_set, \\x1b[31m: the archive says " in printed
    assert all(sign.isprintable() or sign == "\n" for sign in printed)


def test_an_archive_with_half_a_sign_is_refused_with_a_sentence(tmp_path: Path, lists: Path) -> None:
    spoilt = json.loads(json.dumps(play_game_archive(turns=1)))
    spoilt["turns"][0]["rack"] = "\ud800"
    assert "half of a surrogate pair" in str(refused(write(tmp_path, spoilt)))


def test_a_single_difference_is_one_difference(tmp_path: Path, lists: Path) -> None:
    spoilt = json.loads(json.dumps(play_game_archive()))
    spoilt["standings"][0]["total"] = 999
    assert str(refused(write(tmp_path, spoilt))) == "1 difference."


def test_the_word_list_may_be_given_as_a_file(archive: Path, tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path / "nothing installed"
    words = tmp_path / "parole.txt"
    words.write_text("\r\n".join(WORDS).lower(), encoding="utf-8-sig")
    assert verify(archive, "--lexicon", words).startswith("No difference.")


def test_the_word_list_may_be_given_as_a_graph(archive: Path, tmp_path: Path) -> None:
    graph = tmp_path / "parole.npy"
    lexicon().save(graph)
    assert verify(archive, "--lexicon", graph).startswith("No difference.")


def test_another_word_list_shows_by_its_checksum(archive: Path, tmp_path: Path, capsys: Any) -> None:
    words = tmp_path / "altre.txt"
    words.write_text("\n".join(WORDS[:-1]), encoding="utf-8")
    out = StringIO()
    with pytest.raises(CommandError) as error:
        call_command("verify", str(archive), "--lexicon", str(words), stdout=out)
    assert error.value.returncode == 1
    assert "lexicon, sha256: the archive says " in out.getvalue()


def test_without_the_word_list_it_is_named_with_the_remedy(tmp_path: Path, lists: Path) -> None:
    unknown = json.loads(json.dumps(play_game_archive(turns=1)))
    unknown["lexicon"]["sha256"] = "ab" * 32
    error = refused(write(tmp_path, unknown))
    assert error.returncode == 2
    assert str(error) == (
        f"The word list prova of this game (checksum {'ab' * 32}) is not installed; give its file with --lexicon."
    )


def test_a_name_that_leads_out_of_the_folder_opens_nothing(tmp_path: Path, lists: Path) -> None:
    sly = json.loads(json.dumps(play_game_archive(turns=1)))
    sly["lexicon"] |= {"name": "../../../etc/passwd", "sha256": "ab" * 32}
    assert refused(write(tmp_path, sly)).returncode == 2


UNREADABLE = [
    (b"", "This is not the archive of a game, since it is not JSON"),
    (b"\xff\xfe\x00", "is not the archive of a game: it is not text in UTF-8."),
    (b"{}", 'This is not the archive of a game: its "format" is not "duplicate-game".'),
    (b'{"format": "duplicate-game", "version": 1}', "This archive is not complete: event is missing."),
]


@pytest.mark.parametrize(("content", "sentence"), UNREADABLE)
def test_a_file_that_is_no_archive_is_told_in_one_sentence(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    error = refused(path)
    assert error.returncode == 2
    assert sentence in str(error)


def test_a_file_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    error = refused(tmp_path / "nowhere.json")
    assert error.returncode == 2
    assert str(error) == f"{tmp_path / 'nowhere.json'} cannot be read: No such file or directory."


def test_a_word_list_that_cannot_be_read_is_told_in_one_sentence(archive: Path, tmp_path: Path) -> None:
    latin = tmp_path / "latin.txt"
    latin.write_bytes("CITTÀ".encode("latin-1"))
    assert str(refused(archive, "--lexicon", latin)) == f"{latin} is no word list: it is not text in UTF-8."
    nothing = tmp_path / "nothing.txt"
    assert str(refused(archive, "--lexicon", nothing)).startswith(f"The word list {nothing} cannot be read: ")


def test_an_edition_that_is_not_here_is_told_in_one_sentence(tmp_path: Path, lists: Path) -> None:
    klingon = json.loads(json.dumps(play_game_archive(turns=1)))
    klingon["edition"] = "tlh"
    error = refused(write(tmp_path, klingon), "--lexicon", lists / "it.txt")
    assert error.returncode == 2
    assert str(error).startswith("This archive cannot be verified: there is no edition 'tlh'")


def test_the_first_bad_link_is_named_in_a_sentence(tmp_path: Path, lists: Path) -> None:
    forged = json.loads(json.dumps(play_game_archive()))
    for at in (4, 7):
        forged["ledger"]["entries"][at]["by"] = "nobody"
    bad = forged["ledger"]["entries"][4]
    out = StringIO()
    with pytest.raises(CommandError) as error:
        call_command("verify", str(write(tmp_path, forged)), stdout=out)
    assert error.value.returncode == 1
    first, *more = out.getvalue().splitlines()
    assert first.startswith(f"The ledger breaks at entry 5 ({bad['kind']}, {bad['at']}): it, or the one before it, was")
    assert [line for line in more if "entry 8" in line] == []


def test_an_entry_that_is_taken_out_is_named_by_the_one_that_follows(tmp_path: Path, lists: Path) -> None:
    forged = json.loads(json.dumps(play_game_archive()))
    del forged["ledger"]["entries"][2]
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("verify", str(write(tmp_path, forged)), stdout=out)
    assert out.getvalue().startswith("The ledger breaks at entry 3 (place, 2026-01-31T")
