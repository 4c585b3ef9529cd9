"""Names in the order in which readers of each language look for them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.standings.collation import sort_key

IN_ORDER = {
    "it": ["Càffa", "D'Angelo", "Dangelo Bo", "De Rossi", "Deandrea", "Nicolò", "Nicolosi", "Rossi", "Ròssi", "Rossin"],
    "en": ["Adams", "Brontë", "MacLeod", "McAdam", "O'Brien", "Obrist", "Smith", "Smith-Jones", "Smithers"],
    "ca": ["Calsina", "Camps", "Çamps", "Cel·la", "Cella Mas", "Cels", "Núria", "Nuria Vila", "Pujol", "Xirgu"],
    "fr": ["Cote", "Coté", "Côte", "Côté", "Eve", "Ève", "Françoise", "Lefèvre", "Leœuf", "Lepic", "Maçon", "Madec"],
    "es": ["Muñoz", "Nadal", "Nunez", "Nuñez", "Nuzo", "Ñañez", "Oca", "Peña"],
    "de": ["Maas", "Mass", "Maß", "Masse", "Mueller", "Muhr", "Müller", "Muller Bo", "Ohm", "Öhm", "Österle", "Otto"],
    "ro": ["Balan", "Bazan", "Băcescu", "Bălan", "Bâlea", "Ilie", "Izvor", "Înalt", "Susa", "Șapte", "Tudor", "Țepeș"],
}


@pytest.mark.parametrize("language", sorted(IN_ORDER))
def test_names_stand_as_the_language_sorts_them(language: str) -> None:
    listed = list(IN_ORDER[language])
    random.Random(language).shuffle(listed)  # noqa: S311  no draw
    assert sorted(listed, key=lambda name: sort_key(name, language)) == IN_ORDER[language]


def test_an_n_with_a_tilde_is_a_letter_in_spanish_alone() -> None:
    names = ["Peñaz", "Penaz", "Penzo"]
    assert sorted(names, key=lambda name: sort_key(name, "es")) == ["Penaz", "Penzo", "Peñaz"]
    assert sorted(names, key=lambda name: sort_key(name, "it")) == ["Penaz", "Peñaz", "Penzo"]


def test_old_cedillas_sort_as_the_commas_of_today() -> None:
    names = ["Ştefan", "Suciu", "Ţurcan", "Tudor", "Șoca"]
    assert sorted(names, key=lambda name: sort_key(name, "ro-md")) == ["Suciu", "Șoca", "Ştefan", "Tudor", "Ţurcan"]


def test_numbers_in_names_count_as_numbers() -> None:
    clubs = ["Torino 10", "Torino 2", "Torino", "1. Club"]
    assert sorted(clubs, key=lambda name: sort_key(name, "de")) == ["1. Club", "Torino", "Torino 2", "Torino 10"]


def test_accents_count_after_letters_and_case_after_accents() -> None:
    names = ["cote Z", "Coté A", "cote A", "Cote A"]
    assert sorted(names, key=lambda name: sort_key(name, "fr")) == ["cote A", "Cote A", "Coté A", "cote Z"]


@given(st.text(), st.text(), st.sampled_from(sorted(IN_ORDER)))
def test_two_texts_have_one_key_only_when_they_are_the_same(one: str, other: str, language: str) -> None:
    keys = sort_key(one, language), sort_key(other, language)
    assert (keys[0] == keys[1]) == (one == other)
