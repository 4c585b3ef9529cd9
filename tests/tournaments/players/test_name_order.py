"""Lists of names follow the language of whoever reads them."""

from __future__ import annotations

import pytest
from django.utils import translation

from tournaments.players.name_order import alphabetic_key

CLUBS = ["Zaragoza", "Ñaque", "Nules", "Avila", "Ávila", "álava"]


@pytest.mark.parametrize(
    ("language", "listed"),
    [
        ("es", ["álava", "Avila", "Ávila", "Nules", "Ñaque", "Zaragoza"]),
        ("it", ["álava", "Avila", "Ávila", "Ñaque", "Nules", "Zaragoza"]),
    ],
)
def test_the_same_clubs_stand_otherwise_in_another_language(language: str, listed: list[str]) -> None:
    with translation.override(language):
        assert sorted(CLUBS, key=alphabetic_key) == listed


def test_without_any_language_names_still_sort() -> None:
    with translation.override(None):
        assert sorted(["b", "À", "a"], key=alphabetic_key) == ["a", "À", "b"]
