"""`manage.py edition`, as somebody types it."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from engine.tiles.edition import EDITIONS, load_edition


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "editions"


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("edition", *arguments, stdout=out, stderr=err, no_color=True)
    return out.getvalue(), err.getvalue()


def test_the_editions_are_listed_and_the_template_is_marked() -> None:
    lines = run("list")[0].splitlines()
    assert len(lines) == 11
    assert "it: Italian, 120 tiles" in lines
    assert "de-2024: German 2024, five blanks – unverified: check the letter counts" in lines


def test_a_copy_is_made_in_the_data_folder_with_advice_and_replaces_the_programs(folder: Path) -> None:
    out, _ = run("copy", "de-2024")
    copy = folder / "de-2024.toml"
    assert out == f"Edit {copy}, then try: python3 manage.py edition check de-2024\n"
    text = copy.read_text(encoding="utf-8")
    assert text.startswith("# Your own copy of an edition.")
    assert text.endswith((EDITIONS / "de-2024.toml").read_text(encoding="utf-8"))
    copy.write_text(text.replace("E = { count = 15", "E = { count = 10").replace("verified = false", "verified = true"))
    assert load_edition("de-2024").total == 100
    assert f"de-2024: German 2024, five blanks ({copy})" in run("list")[0].splitlines()


def test_a_copy_may_have_a_code_of_its_own(folder: Path) -> None:
    run("copy", "it", "--name", "torino")
    assert load_edition("torino").total == 120
    assert load_edition("torino").code == "torino"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["copy", "tlh"], "There is no edition tlh in the program; there are: ca, de, de-2024, en, es, "),
        (["copy", "it", "--name", "Mein Satz"], "Mein Satz.toml: the file of an edition is named for its code: "),
        (["copy", "it", "--name", "../it"], "../it.toml: the file of an edition is named for its code: "),
        (["check", "tlh"], "there is no edition 'tlh'; there are "),
        (["check", "nothing.toml"], "nothing.toml cannot be read: "),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError) as error:
        run(*arguments)
    assert str(error.value).startswith(sentence)


def test_a_file_of_ones_own_is_never_overwritten(folder: Path) -> None:
    run("copy", "it")
    (folder / "it.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(CommandError) as error:
        run("copy", "it")
    sentence = f"{folder / 'it.toml'} is there already; edit it, or give the copy another name with --name."
    assert str(error.value) == sentence
    assert (folder / "it.toml").read_text(encoding="utf-8") == "mine"


def test_check_says_what_an_edition_holds() -> None:
    lines = run("check", "it")[0].splitlines()
    assert lines[:2] == ["it: Italian, 120 tiles", "120 tiles"]
    assert lines[2].startswith("  ? 2×0  A 14×1  B 3×5  ")
    assert lines[3] == "Letters that only a blank can be: J, K, W, X, Y"
    assert lines[4].startswith("Source: Manual of the Italian box")


def test_check_names_file_line_and_reason_of_a_mistake(folder: Path) -> None:
    run("copy", "it")
    path = folder / "it.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("A = { count = 14", "A = { count = 0"), encoding="utf-8")
    line = text[: text.index("A = { count = 14")].count("\n") + 1
    sentence = f"it.toml, line {line}: tile A: count must be a whole number from 1 to 200, not 0"
    with pytest.raises(CommandError) as error:
        run("check", str(path))
    assert str(error.value) == sentence
    out, err = run("list")
    assert "it: " not in out
    assert err == f"This file cannot be used: {sentence}\n"
