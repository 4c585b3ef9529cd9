"""The script that draws again knows nothing of the engine: both come to the same racks, or one of them is wrong."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.archive.ledger import head_hash, seal_entry
from engine.archive.schema import Archive
from engine.draw.reproducible import commitment
from engine.rules.profile import load_profile
from engine.variants.variant import variant_codes
from tests.engine.archive.played_game import BOX, WORDS, play_game_archive
from tests.examples import one_in, representative

pytestmark = pytest.mark.endurance

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "docs" / "redraw.py"


def redraw(path: Path) -> subprocess.CompletedProcess[str]:
    """Run as somebody who has the script and the file, and nothing of this program: -I leaves its folders out."""
    command = [sys.executable, "-I", str(SCRIPT), str(path)]
    return subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False, timeout=60)


def write(folder: Path, archive: Archive | dict[str, Any]) -> Path:
    path = folder / "game.json"
    path.write_text(json.dumps(archive), encoding="utf-8")
    return path


def plain(archive: Archive) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(archive))
    return found


def test_the_script_imports_the_standard_library_alone() -> None:
    named = {
        alias.name.partition(".")[0]
        for node in ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
    }
    assert named <= sys.stdlib_module_names


@pytest.mark.parametrize("variant", one_in(2, variant_codes()))
def test_it_draws_every_rack_of_a_game_again_in_every_variant(variant: str, tmp_path: Path) -> None:
    archive = play_game_archive(turns=8, variant=variant, rulings={})
    ran = redraw(write(tmp_path, archive))
    racks = sum(len(turn["rejected"]) + 1 for turn in archive["turns"])
    assert ran.stdout.splitlines()[-1] == f"{len(archive['turns'])} turns, {racks} racks, 0 differences."
    assert ran.returncode == 0


@pytest.mark.parametrize("profile", representative(["it-box", "ntsv", "club", "fisf", "fise", "ro"], of=2))
def test_it_draws_by_every_rule_of_the_rack(profile: str, tmp_path: Path) -> None:
    rules = load_profile(profile)
    for seed in range(4):
        archive = play_game_archive(rules, turns=99, rulings={}, seed=bytes([seed] * 32))
        ran = redraw(write(tmp_path, archive))
        assert (ran.returncode, ran.stdout.splitlines()[-1][-14:]) == (0, "0 differences."), ran.stdout


def test_it_draws_when_the_late_minimum_cannot_be_met(tmp_path: Path) -> None:
    turns = {}
    for fails in ("relax", "end"):
        rules = BOX.with_switches(min_early=3, min_late=3, early_minimum_fails=fails)
        archive = play_game_archive(rules, turns=99, rulings={})
        ran = redraw(write(tmp_path, archive))
        assert (ran.returncode, ran.stdout.splitlines()[-1][-14:]) == (0, "0 differences."), ran.stdout
        turns[fails] = len(archive["turns"])
    assert turns["relax"] > turns["end"]


def test_among_these_games_are_rejected_racks_and_relaxed_minima() -> None:
    """Else the script could do without these rules."""
    rejected = [
        turn["rejected"] for seed in range(4) for turn in play_game_archive(turns=99, seed=bytes([seed] * 32))["turns"]
    ]
    assert sum(map(len, rejected)) > 3
    late = play_game_archive(BOX.with_switches(last_early_turn=99), turns=99, rulings={})
    assert late["turns"][-1]["number"] > 15


def seed_of_another(archive: dict[str, Any]) -> None:
    other = bytes(32)
    archive["draw"] |= {"seed": other.hex(), "commitment": commitment(other)}


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "another rack": (lambda archive: archive["turns"][2].update(rack="AEIRSTT"), "Turn 3: the archive says AEIRSTT"),
    "a rejected rack left out": (
        lambda archive: next(turn for turn in archive["turns"] if turn["rejected"])["rejected"].clear(),
        ": the archive says ",
    ),
    "a rejected rack put in": (
        lambda archive: archive["turns"][0]["rejected"].insert(0, "AEIOUUU"),
        "Turn 1: the archive says AEIOUUU",
    ),
    "another seed": (seed_of_another, "Turn 1: the archive says "),
    "a seed that does not fit": (lambda archive: archive["draw"].update(seed="00" * 32), "Seed 1: it is not the one"),
    "another word of the hall": (lambda archive: archive["draw"].update(hall_word="mela"), "Turn 1: the archive says "),
    "another tile on the board": (
        lambda archive: archive["turns"][1]["board"].__setitem__(0, "QQ............."),
        "Turn 2: the archive says ",
    ),
    "another entry": (
        lambda archive: archive["ledger"]["entries"][4].update(by="nobody"),
        "The ledger breaks at entry 5 (draw, ",
    ),
    "an entry less": (lambda archive: archive["ledger"]["entries"].pop(2), "The ledger breaks at entry 3 (place, "),
    "another head": (lambda archive: archive["ledger"].update(head="0" * 64), "The head of the ledger is not"),
    "a seed of one's own in the middle": (
        lambda archive: archive["draw"].update(
            continued=[{"from_turn": 4, "commitment": commitment(bytes(32)), "seed": "00" * 32, "hall_word": None}]
        ),
        "The seeds with which the game went on are not those in the ledger.",
    ),
}


@pytest.mark.parametrize(("forge", "sentence"), FORGERIES.values(), ids=FORGERIES.keys())
def test_a_forged_archive_is_told(forge: Callable[[dict[str, Any]], object], sentence: str, tmp_path: Path) -> None:
    archive = plain(play_game_archive(turns=8))
    forge(archive)
    ran = redraw(write(tmp_path, archive))
    assert ran.returncode == 1
    assert sentence in ran.stdout


def test_a_game_that_went_on_by_a_new_seed_is_drawn_with_both(tmp_path: Path) -> None:
    archive, other = (
        plain(play_game_archive(turns=6, rulings={}, hall_word=None)),
        plain(play_game_archive(turns=6, rulings={})),
    )
    archive["turns"] = archive["turns"][:1]
    draw = {**other["draw"], "from_turn": 1}
    del draw["mode"]
    archive["turns"] += [other["turns"][0]]
    archive["turns"][1]["number"] = 1
    archive["draw"]["continued"] = [draw]
    data = {"from_turn": 1, "commitment": draw["commitment"]}
    entry = seal_entry(None, at="2026-01-31T21:00:00.000000+00:00", kind="undo", by="", data=data)
    archive["ledger"] = {"entries": [entry], "head": head_hash([entry])}
    archive["turns"] = archive["turns"][1:]
    assert redraw(write(tmp_path, archive)).returncode == 0
    archive["draw"]["continued"][0]["seed"] = "11" * 32
    assert redraw(write(tmp_path, archive)).returncode == 1


def test_a_game_from_a_bag_has_no_racks_to_draw(tmp_path: Path) -> None:
    ran = redraw(write(tmp_path, play_game_archive(turns=3, typed=True)))
    assert ran.returncode == 0
    assert "no seed draws them again" in ran.stdout


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"ledger": {"entries": [1]}}'])
def test_what_is_no_archive_is_told_in_one_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    ran = redraw(path)
    assert (ran.returncode, ran.stderr) == (2, "")
    assert "cannot be read as the archive of a game" in ran.stdout


def test_a_simulated_game_is_drawn_again_and_its_ledger_holds(tmp_path: Path) -> None:
    """From the program as it is run, through its file, into a program that does not know it."""
    words = tmp_path / "words.txt"
    words.write_text("\n".join(WORDS), encoding="utf-8")
    arguments = ["simulate", "--players", "6", "--seed", "7", "--out", str(tmp_path), "--words", str(words)]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "referee.settings", "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "django", *arguments]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=300)
    path = tmp_path / "game.json"
    ran = redraw(path)
    assert (ran.returncode, ran.stdout.splitlines()[-1][-14:]) == (0, "0 differences."), ran.stdout
    archive = json.loads(path.read_text(encoding="utf-8"))
    assert len(archive["turns"]) > 3
    assert any("batch" in slip for turn in archive["turns"] for slip in turn["slips"])
    archive["turns"][1]["rack"] = archive["turns"][0]["rack"]
    assert redraw(write(tmp_path, archive)).returncode == 1
