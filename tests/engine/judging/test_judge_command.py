"""`python -m engine judge`: JSON lines in and out, as `docs/formats.md` fixes them."""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path
from typing import Any

import pytest

from engine.commands.json_lines import answer_all
from engine.commands.judge import JudgeContext, add_arguments, run
from engine.commands.judge import judge_line as judged_line
from engine.lexicon.graph import Lexicon
from engine.rules.profile import load_profile
from engine.tiles.edition import load_edition
from engine.variants.variant import load_variant
from tests.engine.judging.positions import FR, words
from tests.engine.judging.verdicts import PUBLIERA

EMPTY = ["." * 15] * 15
CORNO = [*EMPTY[:7], "...CORNO.......", *EMPTY[8:]]
WORDS = ["corno", "ORA", "perché", "Taxi", "", "x1", "scorno"]
KEYS = ["id", "result", "reason", "points", "move_score", "warnings", "penalty", "bonus", "word", "rule", "text"]


@pytest.fixture(scope="module")
def desk() -> JudgeContext:
    edition = load_edition("it")
    return JudgeContext(edition, load_profile("it-box"), Lexicon.build(edition, WORDS), load_variant("normal"))


def line(**changed: Any) -> dict[str, Any]:
    """A line of the form, by default the first word of the box: CORNO at 8D, 22."""
    slip = {"word": "CORNO", "ref": "8D", "declared": 22, "direction": None} | changed.pop("slip", {})
    asked = {"board": EMPTY, "rack": "CORNOAE", "turn": 1, "slip": slip, "prior_warnings": 0, "id": 7}
    return asked | changed


def answer(desk: JudgeContext, asked: object) -> dict[str, Any]:
    """Output for one line, an object or raw bytes."""
    out = io.BytesIO()
    raw = asked if isinstance(asked, bytes) else json.dumps(asked).encode()
    errors = answer_all([raw], lambda fields: judged_line(fields, desk), out)
    written: dict[str, Any] = json.loads(out.getvalue())
    assert errors == ("error" in written)
    return written


def test_the_answer_is_the_verdict_with_the_id(desk: JudgeContext) -> None:
    judged = answer(desk, line())
    assert list(judged) == KEYS
    assert judged == {
        "id": 7,
        "result": "valid",
        "reason": None,
        "points": 22,
        "move_score": 22,
        "warnings": [],
        "penalty": 0,
        "bonus": 0,
        "word": None,
        "rule": None,
        "text": "The move is valid and worth 22.",
    }


@pytest.mark.parametrize("name", [None, "a", 1.5, [1, {"b": None}], True])
def test_the_id_comes_back_as_it_was(desk: JudgeContext, name: object) -> None:
    assert answer(desk, line(id=name))["id"] == name


@pytest.mark.parametrize(
    ("changed", "reason", "points"),
    [
        ({"slip": {"word": "corno"}}, None, 22),
        ({"slip": {"word": " CORNO ", "ref": " 8 d "}}, None, 22),
        ({"slip": {"ref": None}}, "wrong_reference", 0),
        ({"slip": {"ref": ""}}, "wrong_reference", 0),
        ({"slip": {"ref": "Z99"}}, "wrong_reference", 0),
        ({"slip": {"declared": None}}, None, 22),
        ({"slip": {"declared": 24}}, None, 22),
        ({"slip": {"direction": "across"}}, None, 22),
        ({"slip": {"direction": "down"}}, "misses_centre", 0),
        ({"slip": {"word": "", "ref": "", "declared": None}}, "no_slip", 0),
        ({"slip": {"word": "", "ref": "", "declared": 22}}, "unreadable", 0),
        ({"slip": {"word": "😀"}}, "not_a_word", 0),
        ({"slip": {"word": "\ud800"}}, "not_a_word", 0),
        ({"slip": {"word": "A" * 10_000}}, "does_not_fit", 0),
        ({"slip": {"word": "PERCHE", "ref": "8H"}, "rack": "PERCHEA"}, None, 54),
        ({"slip": {"word": "PERCHÉ", "ref": "8H"}, "rack": "perchea"}, None, 54),
        ({"slip": {"word": "TAxI", "ref": "8H"}, "rack": "T?AI"}, None, 8),
        ({"board": CORNO, "rack": "RASETTI", "slip": {"word": "ORA", "ref": "H8"}}, None, 4),
        ({"received": "late"}, "late", 0),
        ({"slip": {"received": "late"}}, "late", 0),
        ({"received": "several"}, "several_slips", 0),
        ({"received": "in_time", "hook": "ORN", "blitz": True, "prior_warnings": 9}, None, 22),
        ({"given": ["unreadable", "discipline"], "prior_warnings": 9}, None, 22),
        ({"struck": ["corno"]}, "not_a_word", 0),
        ({"struck": ["corno"], "accepted": ["Corno"]}, "not_a_word", 0),
        ({"slip": {"word": "CORNI"}, "rack": "CORNIAE", "accepted": ["CORNI"]}, None, 22),
    ],
)
def test_a_slip_is_read_as_the_player_wrote_it(
    desk: JudgeContext, changed: dict[str, Any], reason: str | None, points: int
) -> None:
    judged = answer(desk, line(**changed))
    assert (judged.get("reason"), judged.get("points")) == (reason, points), judged


def test_the_judges_own_warnings_come_with_the_line(desk: JudgeContext) -> None:
    assert answer(desk, line(given=["discipline"]))["warnings"] == ["discipline"]
    assert answer(desk, line(given=["unreadable", "discipline"], struck=["corno"]))["warnings"] == ["discipline"]


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"board": EMPTY[:14]}, "a board has 15 rows, not 14"),
        ({"board": [*EMPTY[:14], "." * 14]}, "row 15 has 14 squares instead of 15"),
        ({"board": None}, "board must be a list of 15 rows of text."),
        ({"board": [1] * 15}, "board must be a list of 15 rows of text."),
        ({"rack": "JAQ"}, "'J' is not a letter of the edition it"),
        ({"rack": None}, "rack must be text."),
        ({"given": "discipline"}, "given must be a list of unreadable and discipline."),
        ({"given": ["score_wrong"]}, "given must be a list of unreadable and discipline."),
        ({"turn": "1"}, "turn must be a whole number, 0 or more."),
        ({"turn": True}, "turn must be a whole number, 0 or more."),
        ({"prior_warnings": -1}, "prior_warnings must be a whole number, 0 or more."),
        ({"blitz": 1}, "blitz must be true or false."),
        ({"received": "never"}, "received must be in_time, late, delayed or several."),
        ({"hook": 3}, "hook must be text."),
        ({"accepted": "ORO"}, "accepted must be a list of words."),
        ({"struck": ["😀"]}, "'😀' is not a letter of the edition it"),
        ({"slip": {"word": None}}, "word must be text."),
        ({"slip": {"ref": 8}}, "ref must be text."),
        ({"slip": {"declared": "22"}}, "declared must be a whole number or null."),
        ({"slip": {"declared": True}}, "declared must be a whole number or null."),
        ({"slip": {"direction": "up"}}, "direction must be across, down or null."),
    ],
)
def test_a_line_of_another_form_gets_an_error_with_its_id(
    desk: JudgeContext, changed: dict[str, Any], error: str
) -> None:
    assert answer(desk, line(**changed)) == {"id": 7, "error": error}


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (b"", "This line is not JSON in UTF-8."),
        (b"{", "This line is not JSON in UTF-8."),
        (b"\xff{}", "This line is not JSON in UTF-8."),
        (b'{"id": NaN}', "This line is not JSON in UTF-8."),
        (b"[" * 100_000, "This line is not JSON in UTF-8."),
        (b"[]", "This line is no JSON object."),
        (b'{"id": 3}', "board must be a list of 15 rows of text."),
    ],
)
def test_a_line_that_cannot_be_read_gets_an_error(desk: JudgeContext, raw: bytes, error: str) -> None:
    assert answer(desk, raw) == {"id": 3 if b"3" in raw else None, "error": error}


def test_a_line_without_a_slip_gets_an_error(desk: JudgeContext) -> None:
    assert answer(desk, line() | {"slip": None})["error"] == "slip must be an object with word, ref and declared."


class _Stdin(io.TextIOWrapper):
    """Standard input with these bytes in it."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")


def _run(words: Path, content: str, monkeypatch: pytest.MonkeyPatch, *more: str) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    monkeypatch.setattr("sys.stdin", _Stdin(content.encode()))
    return run(parser.parse_args(["--edition", "it", "--profile", "it-box", "--words", str(words), *more]))


def test_the_run_ends_with_0_or_with_1_when_a_line_was_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("\ufeff" + "\n".join(WORDS), encoding="utf-8")
    good = json.dumps(line()) + "\n"
    assert _run(words, good, monkeypatch) == 0
    assert _run(words, good + "nonsense\n" + good, monkeypatch) == 1
    answers = [json.loads(text) for text in capsysbinary.readouterr().out.splitlines()]
    assert ["error" in entry for entry in answers] == [False, False, True, False]


def test_the_words_may_be_a_graph(
    tmp_path: Path, desk: JudgeContext, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert isinstance(desk.words, Lexicon)
    desk.words.save(tmp_path / "it.npy")
    assert _run(tmp_path / "it.npy", json.dumps(line()) + "\n", monkeypatch) == 0
    assert json.loads(capsysbinary.readouterr().out)["points"] == 22


@pytest.mark.parametrize("content", [None, b"\xff\xfe\xff"])
def test_a_word_list_that_cannot_be_read_is_said_in_one_line(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = tmp_path / "words.txt"
    if content is not None:
        words.write_bytes(content)
    assert _run(words, "", monkeypatch) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"The word list {words} cannot be read: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("changed", "points", "warnings"),
    [
        ({"ref": "A1"}, 167, []),
        ({"ref": "1A"}, 162, []),
        ({"ref": "1A", "direction": "across"}, 162, []),
        ({"ref": "1A", "direction": "across", "declared": 166}, 0, []),
        ({"ref": None}, 162, []),
        ({"ref": "", "hook": "BAS"}, 167, []),
        ({"ref": "", "hook": "AS"}, 167, ["hook_letters"]),
        ({"ref": "", "hook": "ESC"}, 167, ["hook_letters"]),
    ],
)
def test_reversed_references_and_crossing_letters_by_the_french_rules(
    changed: dict[str, Any], points: int, warnings: list[str]
) -> None:
    """FISF 5.3.1 and the bulletin: PUBLIERA at A1 is worth 167."""
    desk = JudgeContext(FR, load_profile("fisf"), words(FR, "PUBLIERA BAS"), load_variant("normal"))
    written = {"word": "PUBLIERA", "declared": 167, **changed}
    asked = {"board": list(PUBLIERA.board.rows), "rack": "PULIERA", "turn": 2, "slip": written}
    verdict = judged_line(asked, desk)
    assert (verdict["points"], verdict["warnings"]) == (points, warnings)
