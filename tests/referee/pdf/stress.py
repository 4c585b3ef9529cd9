"""Archives with oversized content: endless names, ten-digit totals, the letters of every language."""

from __future__ import annotations

import json
from typing import Any, cast

from engine.archive.schema import Archive, PlayerEntry, StandingEntry
from engine.rules.profile import load_profile
from engine.tiles.edition import edition_codes, load_edition
from tests.engine.archive.played_game import play_game_archive

LONG = "Wolfeschlegelsteinhausenbergerdorff" * 9  # 315 letters, and nowhere a blank to break at
MANY_WORDS = "María José de la Purísima Concepción y Todos los Santos " * 6
TEN_DIGITS = 9_999_999_999


def letters_of_all_languages() -> str:
    """Return every letter of all tile editions in both cases, and other characters of names."""
    faces = {face for code in edition_codes() for face in load_edition(code).letters}
    return " ".join(sorted(faces | {face.lower() for face in faces})) + " ßøåÿœŁőțŞ’-"


NAMES = {"short": "Anna", "long": LONG, "words": MANY_WORDS, "letters": letters_of_all_languages()}


def make_stress_game(name: str, *, turns: int = 9) -> Archive:
    """Build a real game by the French rules, with warnings and penalties, whose players all have this name."""
    archive: dict[str, Any] = json.loads(json.dumps(play_game_archive(load_profile("fisf"), turns=turns)))
    archive["event"] |= {"name": f"Torneo {name}"[:200], "place": name[:100]}
    for player in archive["players"]:
        player |= {"name": f"{name} {player['table']}", "club": name, "series": name[:40], "team": name[:100]}
    for line in archive["standings"]:
        line |= {"total": TEN_DIGITS - line["rank"], "negative": -TEN_DIGITS, "percent": 100.0}
    return cast(Archive, archive)


def make_large_game(size: int) -> Archive:
    """Build a game of this many players with ten-digit totals."""
    archive = play_game_archive()
    players = [
        PlayerEntry(table=n, name=f"Giocatore {n}", club="Circolo di Torino", series=None) for n in range(1, size + 1)
    ]
    lines = [
        StandingEntry(
            rank=n, table=n, total=TEN_DIGITS - n, negative=-n, percent=99.9, warnings=0, penalties=0, solos=0
        )
        for n in range(1, size + 1)
    ]
    return cast(Archive, {**archive, "players": players, "standings": lines})
