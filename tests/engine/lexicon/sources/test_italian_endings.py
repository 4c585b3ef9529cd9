"""Plurals and feminines of Italian nouns and adjectives."""

from __future__ import annotations

import pytest

from engine.lexicon.sources.italian_endings import declined, plural, with_both_plurals

PLURALS = {
    "PIZZINO": "PIZZINI",
    "FORNERIA": "FORNERIE",
    "EPILAZIONE": "EPILAZIONI",
    "GRIMORIO": "GRIMORI",
    "MIXAGGIO": "MIXAGGI",
    "FREGNACCIA": "FREGNACCE",
    "MILONGA": "MILONGHE",
    "ABBIOCCO": "ABBIOCCHI",
    "AGLIANICO": "AGLIANICI",
}


@pytest.mark.parametrize("noun", PLURALS)
def test_plural_follows_the_ending(noun: str) -> None:
    assert plural(noun) == PLURALS[noun]


@pytest.mark.parametrize(
    ("adjective", "forms"),
    [
        ("MILANESE", "MILANESE MILANESI"),
        ("AQUILANO", "AQUILANO AQUILANA AQUILANI AQUILANE"),
        ("IDENTITARIO", "IDENTITARIO IDENTITARIA IDENTITARI IDENTITARIE"),
        ("OMOFOBICO", "OMOFOBICO OMOFOBICA OMOFOBICI OMOFOBICHE"),
        ("TARDOANTICO", "TARDOANTICO TARDOANTICA TARDOANTICHI TARDOANTICHE"),
    ],
)
def test_declined_returns_all_forms_of_an_adjective(adjective: str, forms: str) -> None:
    assert declined(adjective) == set(forms.split())


def test_a_noun_in_a_for_men_and_women_has_two_plurals() -> None:
    assert with_both_plurals("CRUDISTA") == {"CRUDISTA", "CRUDISTI", "CRUDISTE"}
