"""`manage.py lexicon`, as somebody types it."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings


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


def test_the_installed_lists_are_shown() -> None:
    out, _ = run("list")
    assert out.startswith("it: ")
    assert "edition it, SHA-256 " in out


def test_export_prints_the_words_one_a_line() -> None:
    out, _ = run("export", "it")
    words = out.splitlines()
    assert words == sorted(words)
    assert {"CARTE", "ZONA"} < set(words)


def test_words_are_checked_whatever_their_case() -> None:
    out, _ = run("check", "carte", "Carta")
    assert out == "CARTE: it\nCARTA: it\n"


def test_a_word_that_is_in_no_list_makes_the_answer_no() -> None:
    with pytest.raises(SystemExit) as ended:
        run("check", "CARTE", "ZZZZ", "🂡")
    assert ended.value.code == 1


@pytest.mark.django_db
def test_an_own_list_is_imported_and_says_what_it_refused(tmp_path: Path) -> None:
    source = tmp_path / "mine.txt"
    source.write_text("rana\nro-spo\n", encoding="utf-8")
    out, err = run("import", str(source), "--edition", "it", "--name", "mine")
    assert out.startswith("mine: 1 words, edition it")
    assert err == "ro-spo: no tile shows -\n1 word is refused.\n"
    assert run("export", "mine")[0] == "RANA\n"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["export", "nope"], "There is no list of this name"),
        (["check", "RANA", "--name", "nope"], "There is no list of this name"),
        (["import", "/no/such/file", "--edition", "it", "--name", "mine"], "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(*arguments)
