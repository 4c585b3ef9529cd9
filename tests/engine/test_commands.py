"""`python -m engine`, started as others start it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EMPTY = ["." * 15] * 15
WORDS = "oro\nora\nore\nro\naro\ntaxi\n"


def _engine(*line: str, given: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    given = given.encode() if isinstance(given, str) else given
    return subprocess.run(
        [sys.executable, "-m", "engine", *line],
        input=given,
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=120,
        env={**os.environ, **environment},
    )


def _answers(ran: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.stdout.decode().splitlines()]


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("words") / "words.txt"
    path.write_text(WORDS, encoding="utf-8")
    return str(path)


def test_solve_gives_the_moves_of_each_line_in_order(words: str) -> None:
    board = [*EMPTY[:7], ".......R.......", *EMPTY[8:]]
    lines = [{"board": EMPTY, "rack": "ORO", "id": 1}, {"board": board, "rack": "?", "id": ["any"]}]
    ran = _engine("solve", "--edition", "it", "--words", words, "--limit", "2", given="\n".join(map(json.dumps, lines)))
    first, second = _answers(ran)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert (first["id"], first["count"], first["sum"], first["top"]) == (1, 5, 36, 8)
    assert first["tops"] == [
        {"word": "ORO", "across": True, "row": 8, "col": col, "score": 8, "ref": f"8{col}"} for col in "FGH"
    ]
    assert first["moves"] == first["tops"][:2]
    # R on the star and a blank: ROo is not to be had, Ro across and down is.
    assert second["id"] == ["any"]
    assert [(top["word"], top["ref"], top["score"]) for top in second["tops"]] == [("Ro", "8H", 2), ("Ro", "H8", 2)]
    assert [top["across"] for top in second["tops"]] == [True, False]
    assert {(top["row"], top["col"]) for top in second["tops"]} == {(8, "H")}


def test_solve_writes_references_as_it_is_told(words: str) -> None:
    line = json.dumps({"board": EMPTY, "rack": "ORO"})
    ran = _engine("solve", "--edition", "it", "--words", words, "--across", "H8", given=line)
    (answer,) = _answers(ran)
    assert [top["ref"] for top in answer["tops"]] == ["H6", "H7", "H8"]
    assert [(top["row"], top["col"]) for top in answer["tops"]] == [(8, "F"), (8, "G"), (8, "H")]
    assert "moves" not in answer
    assert answer["id"] is None


def test_solve_best_does_not_count(words: str) -> None:
    line = json.dumps({"board": EMPTY, "rack": "ORO", "id": "x"})
    ran = _engine("solve", "--edition", "it", "--words", words, "--best", "--first-any-direction", given=line)
    (answer,) = _answers(ran)
    assert (answer["count"], answer["sum"], answer["top"], len(answer["tops"])) == (None, None, 8, 6)


def test_solve_without_a_move(words: str) -> None:
    for options in ([], ["--best"]):
        line = json.dumps({"board": EMPTY, "rack": "BCD", "id": 7})
        (answer,) = _answers(_engine("solve", "--edition", "it", "--words", words, *options, given=line))
        assert (answer["id"], answer["top"], answer["tops"]) == (7, 0, [])


def test_solve_in_catalan_writes_tiles_in_brackets(tmp_path: Path) -> None:
    (tmp_path / "ca.txt").write_text("col·legi\n", encoding="utf-8")
    line = json.dumps({"board": [*EMPTY[:7], "......CO[l·l]......", *EMPTY[8:]], "rack": "EGI", "id": 1})
    (answer,) = _answers(_engine("solve", "--edition", "ca", "--words", str(tmp_path / "ca.txt"), given=line))
    assert [(top["word"], top["ref"]) for top in answer["tops"]] == [("CO[l·l]EGI", "H7")]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (b"nonsense", "JSON"),
        (b'{"board": NaN}', "JSON"),
        (b"\xff\xfe", "JSON"),
        (b"[]", "object"),
        (b'{"rack": "A"}', "board"),
        (b'{"board": ["."], "rack": "A"}', "15 rows"),
        (json.dumps({"board": EMPTY}).encode(), "rack"),
        (json.dumps({"board": EMPTY, "rack": "A1"}).encode(), "'1'"),
        (json.dumps({"board": EMPTY, "rack": "J"}).encode(), "J"),
        (json.dumps({"board": EMPTY, "rack": "A" * 10}).encode(), "9 tiles"),
        (json.dumps({"board": ["x1" + "." * 13, *EMPTY[1:]], "rack": "A"}).encode(), "row 1"),
    ],
)
def test_a_line_that_is_no_position_gets_an_error_and_the_run_goes_on(words: str, line: bytes, part: str) -> None:
    good = json.dumps({"board": EMPTY, "rack": "ORO", "id": 2}).encode()
    ran = _engine("solve", "--edition", "it", "--words", words, given=line + b"\n" + good)
    wrong, right = _answers(ran)
    assert ran.returncode == 1
    assert set(wrong) == {"id", "error"}
    assert part in wrong["error"]
    assert right["top"] == 8


def test_a_missing_word_list_is_told_in_one_sentence() -> None:
    for command in (["solve"], ["lexicon-graph", "--out", "x.npy"]):
        ran = _engine(*command, "--edition", "it", "--words", "/nowhere/words.txt")
        assert (ran.returncode, ran.stdout) == (2, b"")
        assert ran.stderr.startswith(b"The word list /nowhere/words.txt cannot be read")
        assert len(ran.stderr.splitlines()) == 1


def test_a_graph_answers_as_its_list_does(words: str, tmp_path: Path) -> None:
    graph = str(tmp_path / "it.npy")
    made = _engine("lexicon-graph", "--edition", "it", "--words", words, "--out", graph)
    assert (made.returncode, made.stdout.startswith(b"6 words")) == (0, True)
    line = json.dumps({"board": EMPTY, "rack": "ORA?", "id": 1})
    from_list = _engine("solve", "--edition", "it", "--words", words, "--limit", "99", given=line)
    from_graph = _engine("solve", "--edition", "it", "--words", graph, "--limit", "99", given=line)
    assert from_graph.stdout == from_list.stdout
    other = _engine("solve", "--edition", "ca", "--words", graph, given=line)
    assert (other.returncode, b"other letters" in other.stderr) == (2, True)


def test_a_list_without_a_usable_word_makes_no_graph(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("x1\n", encoding="utf-8")
    out = tmp_path / "it.npy"
    ran = _engine("lexicon-graph", "--edition", "it", "--words", str(tmp_path / "words.txt"), "--out", str(out))
    assert (ran.returncode, out.exists()) == (2, False)


def test_warm_keeps_the_machine_code() -> None:
    ran = _engine("warm")
    assert ran.returncode == 0
    assert ran.stdout.startswith(b"The search is compiled")


def test_bench_measures_and_compares(words: str, tmp_path: Path) -> None:
    stored = tmp_path / "bench.json"
    line = ["bench", "--edition", "it", "--words", words, "--positions", "3"]
    assert _engine(*line, "--store", str(stored)).returncode == 0
    report = json.loads(stored.read_text("utf-8"))
    assert (report["edition"], report["words"], report["positions"]) == ("it", 6, 3)
    assert set(report["microseconds"]) == {"ranked", "best"}
    assert set(report["microseconds"]["best"]["2"]) == {"p50", "p95", "worst"}
    ran = _engine(*line, "--compare", str(stored))
    assert (ran.returncode, ran.stdout.count(b"("), ran.stderr) == (0, 18, b"")


def test_the_commands_are_listed() -> None:
    ran = _engine()
    assert ran.returncode == 2
    for command in (b"solve", b"judge", b"draw", b"lexicon-graph", b"warm", b"bench"):
        assert command in ran.stdout
    assert _engine("--help").returncode == 0
    unknown = _engine("solver")
    assert (unknown.returncode, b"no command 'solver'" in unknown.stderr) == (2, True)


def test_a_python_without_the_packages_is_not_handed_over_twice(tmp_path: Path) -> None:
    """A numpy that is not there stands for a Python without it; the mark says that manage.py has had its turn."""
    (tmp_path / "numpy.py").write_text("raise ModuleNotFoundError('no numpy', name='numpy')\n", encoding="utf-8")
    ran = _engine("warm", PYTHONPATH=str(tmp_path), MULTIPLO_ENGINE_HANDED_OVER="1")
    assert ran.returncode == 2
    assert b"manage.py setup" in ran.stderr
