"""Starters of a kit: the shell scripts run, the batch file is parsed, and what the installation does by itself."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_batch
from django.conf import settings

from referee.kit.platforms import PYTHONS
from referee.kit.starters import start
from referee.kit.write import STARTERS, no_python_text, translated_texts

VERSION = "{}.{}".format(*sys.version_info)
SHOW = 'import sys; print(sys.argv[1:], "%d.%d" % sys.version_info[:2])'


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A kit with the real starters, whose program shows its arguments."""
    folder = tmp_path / "Kit d’été 1"
    (folder / "program").mkdir(parents=True)
    for name in ("multiplo.sh", "Multiplo.command"):
        shutil.copy(STARTERS / name, folder)
    shutil.copy(STARTERS / "check_python.py", folder / "program")
    (folder / "program" / "start.py").write_text(SHOW)
    (folder / "program" / "pythons.txt").write_text(f"9.9\n{VERSION}\n")
    (folder / "program" / "no_python.txt").write_text(no_python_text(PYTHONS), encoding="utf-8")
    return folder


def run(starter: Path, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    programs = path or os.pathsep.join((str(Path(sys.executable).parent), os.defpath))
    return subprocess.run(
        ["/bin/sh", str(starter), *arguments],
        env={"PATH": programs},
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize("name", ["multiplo.sh", "Multiplo.command"])
def test_a_starter_finds_a_python_of_the_kit_and_hands_its_arguments_on(kit: Path, name: str) -> None:
    done = run(kit / name, "simulate", "--out", "a b'\"c")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{['simulate', '--out', 'a b' + chr(39) + chr(34) + 'c']} {VERSION}\n"


def test_a_starter_without_a_suitable_python_says_where_to_get_one(kit: Path) -> None:
    (kit / "program" / "pythons.txt").write_text("9.9\n9.8\n")
    done = run(kit / "multiplo.sh")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == no_python_text(PYTHONS)
    assert all(version in done.stderr for version in PYTHONS)
    assert "python.org/downloads" in done.stderr


def test_the_shell_scripts_are_right_for_every_shell() -> None:
    shells = [shell for shell in map(shutil.which, ("sh", "bash", "dash")) if shell]
    for shell in shells:
        for name in ("multiplo.sh", "Multiplo.command"):
            subprocess.run([shell, "-n", STARTERS / name], check=True)


def test_the_batch_file_is_valid_and_jumps_only_to_its_own_labels() -> None:
    source = (STARTERS / "Multiplo.bat").read_bytes().replace(b"\n", b"\r\n")
    tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_batch.language())).parse(source)
    assert not tree.root_node.has_error
    text = source.decode("ascii")
    labels = set(re.findall(r"^:(\w+)\r$", text, re.MULTILINE))
    assert set(re.findall(r"(?:goto |call :)(\w+)", text)) == labels
    assert all(line.count('"') % 2 == 0 for line in text.splitlines())


def test_every_sentence_of_the_installation_is_there_in_every_language() -> None:
    texts = translated_texts()
    assert set(texts) == {code for code, _ in settings.LANGUAGES}
    for sentences in texts.values():
        assert set(sentences) == set(start.TEXTS)
        for source, translated in sentences.items():
            assert set(re.findall(r"{\w+}", translated)) == set(re.findall(r"{\w+}", source))


def test_a_kit_for_other_computers_names_its_platforms(tmp_path: Path) -> None:
    kit = start.Kit(tmp_path, "0.1.0", "abc", ("macos-arm64", "solaris-sparc"))
    say = start.Speaker({})
    with pytest.raises(start.StartFault, match=r"for this computer \(.+\); it has packages for macos-arm64, solaris"):
        start.run_kit(kit, ["serve"], say)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "right").write_text("right")
    (tmp_path / "wrong").write_text("wrong")
    digest = "a3d2de7675556553a5f08e4c88d2c228b1b9b1f1a2c1b5b5a5a4a0d3c3f5e5d5"
    right = subprocess.run(["sha256sum", "right"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    (tmp_path / "SHA256SUMS").write_text(f"{right}{digest}  wrong\n")
    kit = start.Kit(tmp_path, "0.1.0", "abc", ())
    assert kit.find_damaged_file() == "wrong"
    (tmp_path / "SHA256SUMS").write_text(right)
    assert kit.find_damaged_file() is None


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        (["serve", "--data", "/a b"], "/a b"),
        (["serve", "--data=/c", "--port", "1"], "/c"),
        (["serve"], "/from-variable"),
    ],
)
def test_word_lists_go_to_the_data_folder_of_the_command(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], folder: str
) -> None:
    monkeypatch.setenv("DATA_DIR", "/from-variable")
    assert start.data_folder(arguments) == Path(folder)


def test_lists_of_the_user_stay_and_missing_ones_are_copied(tmp_path: Path) -> None:
    kit, own = tmp_path / "kit", tmp_path / "data" / "lexicons"
    kit.mkdir()
    own.mkdir(parents=True)
    for name in ("it.txt", "it.txt.json", "it.npy", "fr.txt", "fr.npy"):
        (kit / name).write_text(f"kit {name}")
    (own / "it.txt").write_text("own")
    (own / "fr.npy").write_text("of an interrupted copy")
    start.copy_word_lists(kit, own)
    assert {path.name: path.read_text() for path in own.iterdir()} == {
        "it.txt": "own",
        "fr.txt": "kit fr.txt",
        "fr.npy": "kit fr.npy",
    }
    assert (own / "fr.npy").stat().st_mtime_ns >= (own / "fr.txt").stat().st_mtime_ns
