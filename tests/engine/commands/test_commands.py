"""`python -m engine`: some commands in a process of their own, as others start them, most in the test process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.commands.json_lines import answer_all
from engine.rules.profile import profile_codes

ROOT = Path(__file__).resolve().parents[3]
EMPTY = ["." * 15] * 15
START_S = 240
WORDS = "oro\nora\nore\nro\naro\ntaxi\n"


def _engine(*line: str, given: str | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command in this process."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(given.encode() if isinstance(given, str) else given)))
        code = main(line)
    said = [stream.buffer.getvalue() for stream in (out, err)]
    return subprocess.CompletedProcess(line, code, *said)


def _started(*line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command as others do."""
    return subprocess.run(
        [sys.executable, "-m", "engine", *line],
        capture_output=True,
        cwd=ROOT,
        check=False,
        timeout=START_S,
        env={**os.environ, **environment},
    )


def _answers(ran: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.stdout.decode().splitlines()]


PERFT = ROOT / "fixtures" / "perft"
EDITIONS = [path.stem for path in sorted(PERFT.glob("*.jsonl"))]


@pytest.fixture(scope="module")
def solved() -> dict[str, list[dict[str, Any]]]:
    """Answers of `solve --limit 4` for the positions of every edition in fixtures/perft."""
    answers = {}
    for code in EDITIONS:
        given = (PERFT / f"{code}.jsonl").read_bytes()
        ran = _engine("solve", "--edition", code, "--words", str(PERFT / f"{code}.txt"), "--limit", "4", given=given)
        assert ran.returncode == 0
        answers[code] = _answers(ran)
    return answers


def test_a_started_command_reads_and_writes_lines(solved: dict[str, list[dict[str, Any]]]) -> None:
    line = ["solve", "--edition", "it", "--words", str(PERFT / "it.txt"), "--limit", "4"]
    with (PERFT / "it.jsonl").open("rb") as lines:
        ran = subprocess.run(
            [sys.executable, "-m", "engine", *line], stdin=lines, capture_output=True, cwd=ROOT, timeout=START_S
        )
    assert (ran.returncode, _answers(ran)) == (0, solved["it"])


@pytest.mark.parametrize("code", EDITIONS)
def test_solve_finds_what_is_known_in_every_edition(solved: dict[str, list[dict[str, Any]]], code: str) -> None:
    known = [json.loads(line) for line in (PERFT / f"{code}.jsonl").read_text("utf-8").splitlines()]
    assert [answer["id"] for answer in solved[code]] == [line["id"] for line in known]
    for answer, line in zip(solved[code], known, strict=True):
        assert [answer[name] for name in ("count", "sum", "top")] == [line[name] for name in ("count", "sum", "top")]
        assert sorted(f"{top['ref']} {top['word']}" for top in answer["tops"]) == line["tops"]


@pytest.mark.parametrize("code", EDITIONS)
def test_solve_says_where_a_move_lies_in_every_edition(solved: dict[str, list[dict[str, Any]]], code: str) -> None:
    """Row and column are what they are; the reference is written as the edition does."""
    letters_first = code in ("ca", "es", "fr", "ro", "ro-2")
    for answer in solved[code]:
        assert [move["score"] for move in answer["moves"]] == sorted(
            (m["score"] for m in answer["moves"]), reverse=True
        )
        assert len(answer["moves"]) == min(4, answer["count"])
        assert answer["moves"] == answer["tops"][:4] or len(answer["tops"]) < 4
        for move in [*answer["tops"], *answer["moves"]]:
            row, col = str(move["row"]), move["col"]
            if letters_first:
                row, col = "ABCDEFGHIJKLMNO"[move["row"] - 1], str("ABCDEFGHIJKLMNO".index(col) + 1)
            assert move["ref"] == (row + col if move["across"] else col + row)


@pytest.mark.parametrize("code", ["es", "it"])
def test_solve_writes_the_other_notation_when_told(solved: dict[str, list[dict[str, Any]]], code: str) -> None:
    given = (PERFT / f"{code}.jsonl").read_bytes()
    other = {"es": "8H", "it": "H8"}[code]
    ran = _engine("solve", "--edition", code, "--words", str(PERFT / f"{code}.txt"), "--across", other, given=given)
    for told, otherwise in zip(_answers(ran), solved[code], strict=True):
        assert [(top["word"], top["row"], top["col"], top["across"]) for top in told["tops"]] == [
            (top["word"], top["row"], top["col"], top["across"]) for top in otherwise["tops"]
        ]
        for top in told["tops"]:
            number_first = top["ref"][0].isdigit()
            assert number_first == (top["across"] == (other == "8H"))


def test_solve_best_gives_the_same_tops(solved: dict[str, list[dict[str, Any]]]) -> None:
    given = (PERFT / "ca.jsonl").read_bytes()
    best = ["--best", "--limit", "2"]
    ran = _engine("solve", "--edition", "ca", "--words", str(PERFT / "ca.txt"), "--best", given=given)
    limited = _engine("solve", "--edition", "ca", "--words", str(PERFT / "ca.txt"), *best, given=given)
    for told, with_moves, otherwise in zip(_answers(ran), _answers(limited), solved["ca"], strict=True):
        assert (told["count"], told["sum"], told["top"]) == (None, None, otherwise["top"])
        assert told["tops"] == otherwise["tops"]
        assert "moves" not in told
        assert with_moves == told | {"moves": otherwise["moves"][:2]}


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


def test_solve_in_spanish_tells_a_tile_of_two_letters_from_two_tiles(tmp_path: Path) -> None:
    """LL is one tile in brackets and two without; a blank that stands for it is in small letters."""
    (tmp_path / "es.txt").write_text("llano\nperro\nchal\n", encoding="utf-8")
    board = [*EMPTY[:7], "...PE[rr]O........", *EMPTY[8:]]
    racks = ["[LL]AN", "LLAN", "[ll]an", "?AN", "[CH]AL", "CHAL"]
    given = "\n".join(json.dumps({"board": board, "rack": rack}) for rack in racks)
    ran = _engine("solve", "--edition", "es", "--words", str(tmp_path / "es.txt"), given=given)
    answers = _answers(ran)
    assert [{top["word"] for top in answer["tops"]} for answer in answers] == [
        {"[LL]ANO"},
        set(),
        {"[LL]ANO"},
        {"[ll]ANO"},
        set(),
        set(),
    ]
    assert {top["ref"] for top in answers[0]["tops"]} == {"7E"}


def test_solve_in_catalan_writes_tiles_in_brackets(tmp_path: Path) -> None:
    (tmp_path / "ca.txt").write_text("col·legi\n", encoding="utf-8")
    line = json.dumps({"board": [*EMPTY[:7], "......CO[l·l]......", *EMPTY[8:]], "rack": "EGI", "id": 1})
    (answer,) = _answers(_engine("solve", "--edition", "ca", "--words", str(tmp_path / "ca.txt"), given=line))
    assert [(top["word"], top["ref"]) for top in answer["tops"]] == [("CO[l·l]EGI", "H7")]


NO_POSITIONS = [
    (b"nonsense", "JSON"),
    (b'{"board": NaN}', "JSON"),
    (b'{"id": 1e999}', "JSON"),
    (b"\xff\xfe", "JSON"),
    (b"", "JSON"),
    (b"[]", "object"),
    (b'{"rack": "A"}', "board"),
    (b'{"board": ["."], "rack": "A"}', "15 rows"),
    (json.dumps({"board": EMPTY}).encode(), "rack"),
    (json.dumps({"board": EMPTY, "rack": "A1"}).encode(), "'1'"),
    (json.dumps({"board": EMPTY, "rack": "J"}).encode(), "J"),
    (json.dumps({"board": EMPTY, "rack": "A" * 10}).encode(), "9 tiles"),
    (json.dumps({"board": ["x1" + "." * 13, *EMPTY[1:]], "rack": "A"}).encode(), "row 1"),
    (json.dumps({"board": [*EMPTY[:14], "." * 14 + "[ÑU]"], "rack": "A"}).encode(), "row 15"),
    (json.dumps({"board": EMPTY, "rack": "[QU]A"}).encode(), "[QU]"),
]


def test_a_line_that_is_no_position_gets_an_error_and_the_run_goes_on(words: str) -> None:
    good = json.dumps({"board": EMPTY, "rack": "ORO", "id": 2}).encode()
    given = b"\n".join(part for line, _ in NO_POSITIONS for part in (line, good))
    ran = _engine("solve", "--edition", "it", "--words", words, given=given)
    answers = _answers(ran)
    assert (ran.returncode, ran.stderr, len(answers)) == (1, b"", 2 * len(NO_POSITIONS))
    for (line, part), wrong, right in zip(NO_POSITIONS, answers[::2], answers[1::2], strict=True):
        assert set(wrong) == {"id", "error"}, line
        assert part in wrong["error"], line
        assert (right["id"], right["top"]) == (2, 8)


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
    ran = _started("warm")
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


def test_bench_judge_times_every_profile(words: str) -> None:
    ran = _engine("bench-judge", "--edition", "it", "--words", words, "--slips", "50", "--contents", "5")
    rows = [line.split() for line in ran.stdout.decode().splitlines()]
    assert ran.returncode == 0
    assert [row[0] for row in rows] == ["profile", *profile_codes()]
    assert all(1 <= int(row[3]) <= 5 for row in rows[1:])


def test_lines_that_ask_the_same_are_answered_once_each_with_its_id() -> None:
    asked: list[object] = []

    def answer(fields: Mapping[str, object]) -> dict[str, Any]:
        asked.append(fields)
        if fields.get("word") == "bad":
            raise ValueError("bad word")
        return {"length": len(str(fields["word"]))}

    lines = [b'{"word": "a", "id": 1}', b'{"id": "x", "word": "a"}', b'{"word": "bad"}', b'{"word": "bad", "id": 2}']
    out = BytesIO()
    assert answer_all([*lines, b"[]", b'{"word": true}', b'{"word": 1}'], answer, out) == 3
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [
        {"id": 1, "length": 1},
        {"id": "x", "length": 1},
        {"id": None, "error": "bad word"},
        {"id": 2, "error": "bad word"},
        {"id": None, "error": "This line is no JSON object."},
        {"id": None, "length": 4},
        {"id": None, "length": 1},
    ]
    assert asked == [{"word": "a"}, {"word": "bad"}, {"word": True}, {"word": 1}]


def test_the_commands_are_listed() -> None:
    ran = _started()
    assert ran.returncode == 2
    for command in (b"solve", b"judge", b"draw", b"lexicon-graph", b"warm", b"bench", b"bench-judge"):
        assert command in ran.stdout
    assert _started("--help").returncode == 0
    unknown = _started("solver")
    assert (unknown.returncode, b"no command 'solver'" in unknown.stderr) == (2, True)


def test_a_python_without_the_packages_is_not_handed_over_twice(tmp_path: Path) -> None:
    """A numpy that is not there stands for a Python without it; the mark says that manage.py has had its turn."""
    (tmp_path / "numpy.py").write_text("raise ModuleNotFoundError('no numpy', name='numpy')\n", encoding="utf-8")
    ran = _started("warm", PYTHONPATH=str(tmp_path), MULTIPLO_ENGINE_HANDED_OVER="1")
    assert ran.returncode == 2
    assert b"manage.py setup" in ran.stderr
