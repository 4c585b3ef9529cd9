from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.players.near_names import count_differences, differ_by_at_most, is_near


@pytest.mark.parametrize(
    ("typed", "listed"),
    [
        ("anna rosi", "Anna Rossi"),
        ("Ana Rossi", "Anna Rossi"),
        ("Anna Rossì", "Anna Rossi"),
        ("Rossi Anna", "Anna Rossi"),
        ("rosi anna", "Anna Rossi"),
        ("Anna", "Anna Rossi"),
        ("rossi", "Anna Maria Rossi"),
        ("Maria Rossi", "Anna Maria Rossi"),
        ("Zoe", "Zoë Fontana"),
        ("Ida", "Ada"),
        ("Player  7", "player 7"),
    ],
)
def test_a_misspelled_or_shortened_name_is_near(typed: str, listed: str) -> None:
    assert is_near(typed, listed)


@pytest.mark.parametrize(
    ("typed", "listed"),
    [
        ("Anna Bianchi", "Anna Rossi"),
        ("Anna Rossini", "Anna Neri"),
        ("Ugo", "Ada"),
        ("Bo", "Al"),
        ("Player 12", "Player 13"),
        ("Guest", "Guest 1"),
        ("", "Anna Rossi"),
        ("Rossella", "Anna Rossi"),
    ],
)
def test_another_name_is_not_near(typed: str, listed: str) -> None:
    assert not is_near(typed, listed)


_TEXTS = st.text("abc", max_size=7)


@given(_TEXTS, _TEXTS, st.integers(0, 3))
def test_the_differences_are_those_of_the_edit_distance(one: str, other: str, most: int) -> None:
    distance = edit_distance(one, other)
    assert differ_by_at_most(one, other, most) == (distance <= most)
    assert count_differences(one, other, most) == min(distance, most + 1)


def edit_distance(one: str, other: str) -> int:
    before = list(range(len(other) + 1))
    for row, sign in enumerate(one, 1):
        line = [row]
        for column, other_sign in enumerate(other, 1):
            line.append(min(before[column] + 1, line[-1] + 1, before[column - 1] + (sign != other_sign)))
        before = line
    return before[-1]
