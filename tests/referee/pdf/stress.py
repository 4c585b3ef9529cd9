"""Archives that no sheet is made for: endless names, ten-digit totals, the letters of every language."""

from __future__ import annotations

import json
from typing import Any, cast

from engine.archive import Archive, PlayerEntry, StandingEntry
from engine.edition import edition_codes, load_edition
from engine.rules.profile import load_profile
from tests.engine.played import play

LONG = "Wolfeschlegelsteinhausenbergerdorff" * 9  # 315 letters, and nowhere a blank to break at
MANY_WORDS = "María José de la Purísima Concepción y Todos los Santos " * 6
TEN_DIGITS = 9_999_999_999


def letters_of_all_languages() -> str:
    """Every letter that is on a tile somewhere, capital and small, and what stands beside them in names."""
    faces = {face for code in edition_codes() for face in load_edition(code).letters}
    return " ".join(sorted(faces | {face.lower() for face in faces})) + " ßøåÿœŁőțŞ’-"


NAMES = {"short": "Anna", "long": LONG, "words": MANY_WORDS, "letters": letters_of_all_languages()}


def stressed(name: str, *, turns: int = 9) -> Archive:
    """A true game of the French rules, which warn and take points, whose players are all called so."""
    archive: dict[str, Any] = json.loads(json.dumps(play(load_profile("fisf"), turns=turns)))
    archive["event"] |= {"name": f"Torneo {name}"[:200], "place": name[:100]}
    for player in archive["players"]:
        player |= {"name": f"{name} {player['table']}", "club": name, "series": name[:40], "team": name[:100]}
    for line in archive["standings"]:
        line |= {"total": TEN_DIGITS - line["rank"], "negative": -TEN_DIGITS, "percent": 100.0}
    return cast(Archive, archive)


def crowd(size: int) -> Archive:
    """A game of so many players, with totals of ten digits."""
    archive = play()
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
