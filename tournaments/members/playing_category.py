"""The category of a member, which is an age class or a series of an event."""

from __future__ import annotations

import re

from tournaments.players.name_folding import fold_text

_AGE = re.compile(r"(u|under|over|sub|sotto|oltre|moins de|plus de|unter|uber|onder|boven) ?\d{2}|\d{2} ?(\+|anni|ans)")
_AGE_CLASSES = frozenset(
    {"junior", "juniors", "juniores", "senior", "seniors", "seniores", "veteran", "veterans", "veterano", "veterani"}
    | {"giovane", "giovani", "ragazzi", "cadet", "cadets", "cadetti", "poussin", "benjamin", "espoir", "espoirs"}
    | {"vermeil", "diamant", "jeune", "jeunes", "jugend", "senioren", "junioren", "kind", "kinder", "youth", "student"}
    | {"students", "studenti", "adult", "adults", "adulti", "adulte", "adultes", "juvenil", "infantil", "cadete"}
)


def is_age_class(category: str) -> bool:
    """Return True for a category that tells an age: "Junior", "Vermeil", "U18", "Over 60"."""
    folded = fold_text(category)
    return bool(_AGE.fullmatch(folded)) or folded.partition(" ")[0] in _AGE_CLASSES
