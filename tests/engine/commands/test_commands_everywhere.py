"""`judge` and `draw` through the command line for every edition, every set of rules and every variant."""

from __future__ import annotations

import io
import json
import sys
from hashlib import sha256
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.__main__ import main
from engine.rules.profile import load_profile, profile_codes
from engine.tiles.edition import Edition, edition_codes, load_edition
from engine.tiles.tiles import Tiles
from engine.variants.variant import load_variant, variant_codes
from tests.examples import one_in

FIELDS = ["id", "result", "reason", "points", "move_score", "warnings", "penalty", "bonus", "word", "rule", "text"]
REASONS = {
    *("no_slip", "late", "several_slips", "unreadable", "does_not_fit", "word_incomplete", "no_tile_played"),
    *("letters_not_in_rack", "misses_centre", "not_connected", "not_a_word", "invalid_cross_word", "wrong_reference"),
    *("wrong_score", "blank_not_marked"),
}
RESCUES = {"rescued_by_score", "last_letter_missing", "last_letter_changed", "first_move_maximum"}
WARNINGS = {"score_wrong", "score_missing", "blank_not_marked", "wrong_blank_marked", "hook_letters"}
EMPTY = ["." * 15] * 15
PAIRS = list(product(edition_codes(), profile_codes()))


def letters(edition: Edition) -> tuple[str, str]:
    """Two letters of the edition that one sign stands for and of which there are two at least."""
    plain = [kind.face for kind in edition.kinds[1:] if len(kind.face) == 1 and kind.count > 1 and kind.face.isalpha()]
    return plain[0], plain[1]


def asked(edition: Edition, notation: str) -> list[dict[str, Any]]:
    """Lines with a right slip and with the usual faults; the words are AB and BA, as they were, and a lone blank."""
    one, two = letters(edition)
    word, rack = one + two, one + two + "?"
    slips: list[dict[str, Any]] = [
        {"word": word, "ref": notation, "declared": 1},
        {"word": word, "ref": notation, "declared": None},
        {"word": word, "ref": "", "declared": 1},
        {"word": one.lower() + two, "ref": notation, "declared": None},
        {"word": two + two, "ref": notation, "declared": None},
        {"word": two + two + one, "ref": notation, "declared": None},
        {"word": word, "ref": notation[::-1], "declared": None, "direction": "down"},
        {"word": word, "ref": "1A", "declared": None, "direction": "across"},
        {"word": "!!", "ref": notation, "declared": None},
        {"word": "", "ref": None, "declared": None},
        {"word": "", "ref": notation, "declared": 8},
    ]
    lines = [{"board": EMPTY, "rack": rack, "turn": 1, "slip": slip, "id": at} for at, slip in enumerate(slips)]
    known = {"board": EMPTY, "rack": rack, "turn": 2, "slip": slips[0], "prior_warnings": 9}
    extra = [{**known, "received": "late"}, {**known, "received": "several"}, {**known, "struck": [word]}]
    return [*lines, *({**line, "id": f"again {at}"} for at, line in enumerate(extra))]


def run(
    arguments: list[str], lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, list[dict[str, Any]]]:
    """(exit code, answers) of one run of the command."""
    out = io.BytesIO()
    raw = "".join(json.dumps(line) + "\n" for line in lines).encode()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(raw)))
        patched.setattr(sys, "stdout", SimpleNamespace(buffer=out))
        code = main(arguments)
    return code, [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize(("code", "profile"), one_in(20, PAIRS))
def test_every_verdict_has_the_documented_shape(
    code: str, profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition, rules = load_edition(code), load_profile(profile)
    words = tmp_path / "words.txt"
    words.write_text("".join(letters(edition)) + "\n", encoding="utf-8")
    lines = asked(edition, rules.notation.value)
    for variant in variant_codes():
        arguments = ["judge", "--edition", code, "--profile", profile, "--words", str(words), "--formula", variant]
        status, answers = run(arguments, lines, monkeypatch)
        assert (status, [answer["id"] for answer in answers]) == (0, [line["id"] for line in lines])
        for answer in answers:
            check_shape(answer)
        real = answers[0]["move_score"]
        right = {**lines[0], "slip": {**lines[0]["slip"], "declared": real}}
        assert [(one["result"], one["points"]) for one in run(arguments, [right], monkeypatch)[1]] == [("valid", real)]
        assert [answers[at]["reason"] for at in (9, 10)] == ["no_slip", "unreadable"]
        assert answers[-3]["reason"] == "late"
        assert answers[-1]["reason"] == "not_a_word"
        assert answers[-1]["text"].endswith(f"{answers[-1]['word']} was struck by the judge.")


def check_shape(answer: dict[str, Any]) -> None:
    """Source: docs/formats.md, sections 4 and 5."""
    assert list(answer) == FIELDS
    reason, score, points, penalty = (answer[name] for name in ("reason", "move_score", "points", "penalty"))
    reasons: dict[str, set[str | None]] = {"valid": {None}, "zero": {*REASONS}, "rescued": {*RESCUES}}
    assert reason in reasons[answer["result"]]
    assert set(answer["warnings"]) <= WARNINGS
    assert answer["bonus"] == 0, "bonuses need the whole turn"
    assert points >= 0
    assert penalty >= 0
    assert points == (0 if answer["result"] == "zero" else score - penalty)
    assert answer["word"] is None or isinstance(answer["word"], str)
    assert answer["rule"] is None or isinstance(answer["rule"], str)
    assert answer["text"].endswith(".")
    assert "%(" not in answer["text"]


@pytest.mark.parametrize(("code", "profile"), one_in(10, PAIRS))
def test_every_draw_has_the_documented_shape(code: str, profile: str, capsys: pytest.CaptureFixture[str]) -> None:
    edition = load_edition(code)
    for variant, turn in product(variant_codes(), ("1", "16")):
        seed = sha256(f"{code} {profile} {variant}".encode()).hexdigest()
        arguments = ["draw", "--edition", code, "--profile", profile, "--formula", variant]
        assert main([*arguments, "--seed", seed, "--turn", turn]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert list(answer) == ["rejected", "rack", "attempts"]
        racks = [Tiles.parse(edition, text) for text in (answer["rack"], *answer["rejected"])]
        assert answer["attempts"] == len(racks)
        rules = load_variant(variant).apply_to(load_profile(profile))
        assert {rack.total for rack in racks} == {rules.rack_size}
        assert all(rack.text in (answer["rack"], *answer["rejected"]) for rack in racks), "in the order of the edition"
        if load_variant(variant).one_blank:
            assert {rack.blanks for rack in racks} == {1}
        assert main([*arguments, "--seed", seed, "--turn", "16", "--bag", ""]) == 0
        assert json.loads(capsys.readouterr().out) == {"end": "tiles_out"}
