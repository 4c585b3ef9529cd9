"""Benchmark of the documents of a large tournament.

    python -m referee.pdf.bench [--players 1500] [--turns 25]

It builds a game of generated slips in which every kind of verdict occurs, and prints one JSON object for each document
that is made from an archive: processor seconds and megabytes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any, cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")

import django

django.setup()

from engine.archive.schema import Archive, edition_entries  # noqa: E402  Django first
from engine.rules.profile import load_profile  # noqa: E402
from engine.standings.game import TurnResult, standings  # noqa: E402
from engine.tiles.edition import load_edition  # noqa: E402
from referee.pdf.catalogue import DOCUMENTS, DocumentSource, Printable  # noqa: E402

WORDS = ["ROSA", "TRENO", "VINO", "TAVOLO", "SENATORE", "NOTARESI", "MELA", "POEMI", "STRADA", "CIELO"]
ZERO = "Regolamento FISF 5.3.1: la parola non si trova nella lista delle parole di questa partita."
RACKS = ["AEINRST", "CFNOUVV", "EELNSTU", "ACEEFLM", "?INORSS"]


def make_large_game(players: int, turns: int, seed: int = 1) -> Archive:
    """Build the archive of a generated game, in the form of a real one."""
    rng = random.Random(seed)  # noqa: S311  nothing secret is drawn with it
    profile = load_profile("club")
    played = [_turn(number, players, rng) for number in range(1, turns + 1)]
    results = {
        table: [TurnResult(turn["number"], turn["slips"][table - 1]["verdict"]["points"]) for turn in played]
        for table in range(1, players + 1)
    }
    lines = standings(results, [turn["top"] for turn in played], profile)
    archive: dict[str, Any] = {
        "format": "duplicate-game",
        "version": 1,
        "event": {"name": "Campionato", "date": "2026-11-22", "place": "Torino"},
        "room": "Sala",
        **edition_entries(load_edition("it")),
        "formula": "normal",
        "rhythm_s": 180,
        "across": profile.notation.value,
        "profile": profile.switches(),
        "lexicon": {"name": "prova", "words": len(WORDS), "sha256": "0" * 64, "accepted": [], "struck": []},
        "draw": {"mode": "seeded", "commitment": "ab" * 32, "seed": None, "hall_word": None},
        "players": [
            {"table": table, "name": f"Giocatrice Numero {table}", "club": f"Circolo {table % 60}", "series": "A"}
            for table in range(1, players + 1)
        ],
        "turns": played,
        "end": {"why": "turns", "kept": "", "bag": ""},
        "standings": [line.as_json() for line in lines],
        "ledger": {"entries": [], "head": "0" * 64},
    }
    return cast(Archive, archive)


def _turn(number: int, players: int, rng: random.Random) -> dict[str, Any]:
    top = rng.randrange(40, 98)
    best = {"word": rng.choice(WORDS), "ref": "8H", "score": top}
    return {
        "number": number,
        "kept": "",
        "rejected": [],
        "rack": rng.choice(RACKS),
        "board": ["." * 15] * 15,
        "started_at": None,
        "deadline": None,
        "closed_at": None,
        "grace_ms": 0,
        "top": top,
        "tops": [best],
        "master": {**best, "chosen_by": "engine", "why": None},
        "slips": [_slip(table, top, rng) for table in range(1, players + 1)],
        "solo": None,
    }


def _slip(table: int, top: int, rng: random.Random) -> dict[str, Any]:
    is_zero = rng.random() < 0.15
    points = 0 if is_zero else rng.randrange(8, top + 1)
    verdict: dict[str, Any] = {
        "result": "zero" if is_zero else "valid",
        "reason": "not_a_word" if is_zero else None,
        "points": points,
        "move_score": None if is_zero else points,
        "warnings": [],
        "penalty": 0,
        "bonus": 0,
        "word": None,
        "rule": "fisf 5.3.1" if is_zero else None,
        "text": ZERO if is_zero else f"La mossa è valida e vale {points}.",
    }
    return {
        "table": table,
        "source": "phone",
        "received_at": None,
        "in_time": True,
        "word": rng.choice(WORDS),
        "ref": f"{rng.randrange(1, 16)}{rng.choice('ABCDEFGHIJKLMNO')}",
        "direction": None,
        "hook": "",
        "declared": points,
        "verdict": verdict,
        "decided_by": "rule",
        "reason": None,
    }


def _time_call(name: str, make: Callable[[], bytes]) -> None:
    start = time.process_time()
    content = make()
    spent = round(time.process_time() - start, 2)
    print(json.dumps({"sheet": name, "cpu_s": spent, "mb": round(len(content) / 1e6, 2)}), flush=True)


def main() -> None:
    """Time each document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1500)
    parser.add_argument("--turns", type=int, default=25)
    asked = parser.parse_args()
    archive = make_large_game(asked.players, asked.turns)
    public_page = "https://192.168.1.20:8443/public/Xy7QkWmT2v/table"
    addresses = {table: f"{public_page}/{table}/0a1b2c3d/" for table in range(1, asked.players + 1)}
    for each in DOCUMENTS.values():
        if each.from_archive:
            options = {"language": "it", **_options(each, addresses)}
            _time_call(each.name, partial(each.make, archive, *_arguments(each), **options))


def _arguments(printable: Printable) -> list[int]:
    return [1] if printable.needs is DocumentSource.TURN else []


def _options(printable: Printable, addresses: dict[int, str]) -> dict[str, Any]:
    return {"addresses": addresses} if printable.tells_progress else {}


if __name__ == "__main__":
    main()
