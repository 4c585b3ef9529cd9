"""The printed games of a French club as archives, with a field of three that the tests invent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.archive.schema import tile_set
from engine.rules.profile import load_profile
from tests.engine.archive.test_published_games import FILES, FR, GAMES

RULES = load_profile("fisf").with_switches(notation="H8")
SOME_WORDS = "BIEF PEC LE LA LES DE UN UNE EN ET OR"


def install_some_words(folder: Path) -> None:
    """A French word list which lacks nearly every word of these games."""
    (folder / "lexicons").mkdir(exist_ok=True)
    words = "".join(f"{word}\n" for word in sorted(SOME_WORDS.split()))
    target = folder / "lexicons" / "fr.txt"
    for path in (target, target.with_name("fr.txt.json"), target.with_suffix(".npy")):
        path.unlink(missing_ok=True)  # the tests' folder has links to lists that were built: these stay as they are
    target.write_text(words, encoding="utf-8")


def points_of(name: str) -> dict[str, list[int]]:
    """Points of three players: one finds every master move, one every other, one gets half of its points."""
    masters = [turn.points for turn in GAMES[name]]
    return {
        "Alain": masters,
        "Brigitte": [points if at % 2 else 0 for at, points in enumerate(masters)],
        "Claude": [points // 2 for points in masters],
    }


def archive_of(name: str) -> str:
    """The game as an archive, as far as it is printed."""
    field = points_of(name)
    turns = [_turn(turn, at, field) for at, turn in enumerate(GAMES[name])]
    archive = {
        "format": "duplicate-game",
        "version": 1,
        "event": {"name": "Hiersac", "date": name.removeprefix("hiersac-"), "place": None},
        "room": None,
        "edition": "fr",
        "tile_set": tile_set(FR),
        "formula": FILES[name]["formula"],
        "rhythm_s": 180,
        "across": "H8",
        "profile": RULES.switches(),
        "lexicon": {"name": "ods", "words": 1, "sha256": "0" * 64, "accepted": [], "struck": []},
        "draw": {"mode": "typed", "commitment": "", "seed": None, "hall_word": None},
        "players": [
            {"table": table, "name": player, "club": "Hiersac", "series": None} for table, player in enumerate(field, 1)
        ],
        "turns": turns,
        "end": {"why": "judge", "kept": "", "bag": ""},
        "standings": [],
        "ledger": {"entries": [], "head": ""},
    }
    return json.dumps(archive)


def _turn(turn: Any, at: int, field: dict[str, list[int]]) -> dict[str, Any]:
    entry = {
        "word": turn.move.word_text(FR),
        "ref": turn.move.reference_text(RULES.notation),
        "score": turn.move.score,
    }
    return {
        "number": turn.number,
        "kept": turn.left.kept.text,
        "rejected": [],
        "rack": turn.rack.text,
        "board": list(turn.left.board.rows),
        **dict.fromkeys(("started_at", "deadline", "closed_at", "solo")),
        "grace_ms": 1000,
        "top": turn.move.score,
        "tops": [entry],
        "master": {**entry, "chosen_by": "engine", "why": None},
        "slips": [_slip(table, points[at]) for table, points in enumerate(field.values(), 1)],
    }


def _slip(table: int, points: int) -> dict[str, Any]:
    verdict = {"result": "valid", "points": points, "warnings": [], "penalty": 0, "bonus": 0, "text": ""}
    nothing = dict.fromkeys(("reason", "move_score", "word", "rule"))
    return {
        **{"table": table, "source": "paper", "received_at": None, "in_time": True, "word": "", "ref": ""},
        **dict.fromkeys(("direction", "hook", "declared", "reason")),
        "verdict": {**nothing, **verdict},
        "decided_by": "rule",
    }
