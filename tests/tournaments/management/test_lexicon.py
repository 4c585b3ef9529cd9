"""`manage.py lexicon`, as somebody types it."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.tournaments.club_game import create_club_game
from tournaments.enums import Ruling
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Settings, small_data_folder: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "lexicons"
    copy.mkdir()
    shutil.copy(small_data_folder / "lexicons" / "it.txt", copy)
    settings.DATA_DIR = tmp_path
    return copy


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("lexicon", *arguments, stdout=out, stderr=err, no_color=True)
    return out.getvalue(), err.getvalue()


def take_in(tmp_path: Path, text: str, *more: str, name: str = "mine") -> tuple[str, str]:
    source = tmp_path / f"{name}.txt"
    source.write_text(text, encoding="utf-8")
    return run("import", str(source), "--edition", "it", "--name", name, *more)


def test_the_installed_lists_are_shown() -> None:
    out, _ = run("list")
    assert out.startswith("it: ")
    assert "words, not official, edition it, SHA-256 " in out


def test_export_prints_the_words_one_a_line() -> None:
    out, _ = run("export", "it")
    words = out.splitlines()
    assert words == sorted(words)
    assert {"CARTE", "ZONA"} < set(words)


def test_words_are_checked_whatever_their_case() -> None:
    out, _ = run("check", "carte", "Carta")
    assert out.splitlines() == [
        "it (it): CARTE is valid: it is in the list it.",
        "it (it): CARTA is valid: it is in the list it.",
    ]


def test_one_word_is_told_with_hooks_and_anagrams(tmp_path: Path) -> None:
    take_in(tmp_path, "carte\ncerta\ntrace\nscarte\ncartea\nare\n")
    out, _ = run("check", "carte", "--name", "mine")
    assert out.splitlines()[1:] == ["  front hooks: S", "  back hooks: A", "  anagrams: CERTA TRACE"]
    out, _ = run("check", "car?e", "--name", "mine")
    assert out.splitlines()[1:] == ["  anagrams: CARTE CERTA TRACE", "  words of this pattern: CARTE"]
    out, _ = run("check", "*art*", "--name", "mine")
    assert out.splitlines() == ["mine (it): *art*", "  words of this pattern: CARTE CARTEA SCARTE"]


@pytest.mark.parametrize("arguments", [("check", "CARTE"), ("check", "CARTE", "--name", "it"), ("export", "it")])
def test_without_any_list_one_sentence_says_how_to_build_one(folder: Path, arguments: tuple[str, ...]) -> None:
    (folder / "it.txt").unlink()
    with pytest.raises(CommandError, match=r"^No word list is installed"):
        run(*arguments)


def test_the_answer_says_why_a_word_does_not_count() -> None:
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("lexicon", "check", "CARTE", "ZZZZ", "ro-spo", "A" * 16, "a", "XYJ*", stdout=out)
    assert ended.value.code == 1
    assert [line for line in out.getvalue().splitlines() if not line.startswith("  ")][1:5] == [
        "it (it): ZZZZ is not valid: it is not in the list it.",
        "it (it): ro-spo cannot be laid: no tile shows -.",
        f"it (it): {'A' * 16} is no word: it has 16 letters, and a word has 2 to 15.",
        "it (it): A is no word: it has 1 letter, and a word has 2 to 15.",
    ]


def test_each_list_answers_for_itself_and_one_is_enough(tmp_path: Path) -> None:
    take_in(tmp_path, "zzzz\n")
    out, _ = run("check", "zzzz", "carte")
    assert [line for line in out.splitlines() if "ZZZZ" in line] == [
        "it (it): ZZZZ is not valid: it is not in the list it.",
        "mine (it): ZZZZ is valid: it is in the list mine.",
    ]
    assert run("check", "zzzz", "--edition", "it", "--name", "mine")[0].startswith("mine (it): ZZZZ is valid")


def test_a_ruling_of_an_event_is_told(folder: Path) -> None:
    club_game = create_club_game(first_judge())
    club_game.begin_turn("ACEIRST")
    club_game.rule("ZZZ", Ruling.ACCEPTED)
    club_game.rule("CARTE", Ruling.STRUCK)
    assert "  Struck by the judge of " in run("check", "carte")[0]
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("lexicon", "check", "zzz", stdout=out)
    assert "  Accepted by the judge of " in out.getvalue()


def test_letters_without_a_tile_need_blanks(tmp_path: Path) -> None:
    take_in(tmp_path, "taxi\njazzy\nxyjk\n")
    out, _ = run("check", "taxi", "jazzy", "xyjk", "--name", "mine")
    assert [line for line in out.splitlines() if line.startswith("  ")] == [
        "  It takes 1 blank.",
        "  It takes 2 blanks.",
        "  The bag does not have the tiles for it: it takes 4 blanks, and there are 2.",
    ]


def test_an_own_list_is_imported_and_says_what_it_refused(tmp_path: Path, folder: Path) -> None:
    text = "rana\nro-spo\nx'x\nun\u001bo\n" + "".join(f"a-{sign * 30}\n" for sign in "bcdefg")
    out, err = take_in(tmp_path, text + "# hello\nrospo\t2\n", "--source", "The club", "--licence", "CC0")
    assert out.splitlines()[0].startswith("mine: 2 words, not official, edition it")
    assert out.splitlines()[1:] == ["  The club, CC0", "  imported from mine.txt"]
    assert err.splitlines() == [
        f"no tile shows -: 7 (ro-spo, a-{'b' * 30}, a-{'c' * 30}, a-{'d' * 30}, a-{'e' * 30}, …)",
        "no tile shows ': 1 (x'x)",
        "no tile shows U+001B: 1 (un�o)",
        f"9 lines are refused; they stand with their reasons in {folder / 'mine.refused.txt'}",
        "Of 1 line only the first column is read.",
        "1 line is a comment.",
    ]
    assert run("export", "mine")[0] == "RANA\nROSPO\n"


def test_a_list_may_be_called_official(tmp_path: Path) -> None:
    assert take_in(tmp_path, "rana\n", "--official")[0].startswith("mine: 1 words, official, edition it")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["export", "nope"], "There is no list of this name"),
        (["check", "RANA", "--name", "nope"], "There is no list of this name"),
        (
            ["check", "RANA", "--edition", "ca"],
            "no word list for the edition ca. Build or import one .* lexicon build ca",
        ),
        (["import", "/no/such/file", "--edition", "it", "--name", "mine"], "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(*arguments)
