"""Look-alike names, and characters that a name may not have."""

from __future__ import annotations

import pytest

from tournaments import validators
from tournaments.errors import Refused
from tournaments.players.look_alikes import name_skeletons

LEGITIMATE = (
    "José Nuñez",
    "Ştefan Ţepeş",
    "Zoë O’Hara-Weiß",
    "Γιώργος Παπαδόπουλος",
    "Олександр Їжакевич",
    "علی‌رضا",  # with a non-joiner between two Arabic letters
    "न्‍यायमूर्ति",  # with a joiner after a virama
    "김민준",
    "佐藤 さくら",
    "❤️ Anna 👩‍🎤",
)
# In the middle of a name: marks of direction, blanks without width, fillers, tags, variation selectors, a soft hyphen.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u202e\u2060\u2063\u2066"
    "\u2800\u3164\ufe0f\ufeff\uffa0\U000e0041"
)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Anna Rossi", "Аnnа Rоssi"),  # Cyrillic А, а, о
        ("Anna Rossi", "ANNA ROSSI"),
        ("ANNA", "ΑΝΝΑ"),  # Greek
        ("Ilaria Monti", "llaria Monti"),
        ("Ilaria Monti", "1laria Monti"),
        ("Otto", "0tto"),
        ("Carla Corni", "Carla Comi"),
        ("Anna", "𝐀𝐧𝐧𝐚"),
        ("Anna", "An\u200bna"),
        ("Anna", "Anna\u3164"),
        ("Ţepeş", "Țepeș"),  # cedilla and comma below
    ],
)
def test_names_that_look_the_same_are_told(name: str, other: str) -> None:
    assert not name_skeletons(name).isdisjoint(name_skeletons(other))


@pytest.mark.parametrize(
    ("name", "other"),
    [("José", "Jose"), ("Zoë", "Zoe"), ("Müller", "Mueller"), ("Anna", "Ana"), ("Nùria", "Núria"), ("Π", "P")],
)
def test_accents_and_other_letters_tell_names_apart(name: str, other: str) -> None:
    assert name_skeletons(name).isdisjoint(name_skeletons(other))


@pytest.mark.parametrize("name", LEGITIMATE)
def test_names_of_many_scripts_are_taken_as_they_are(name: str) -> None:
    assert validators.player_name(name) == name
    assert validators.one_line(name) == name


@pytest.mark.parametrize("sign", INVISIBLE)
def test_a_name_with_an_invisible_character_is_refused_and_other_texts_lose_it(sign: str) -> None:
    for text in (f"An{sign}na", f"Anna{sign}", f"{sign}Anna"):
        with pytest.raises(Refused, match=f"U\\+{ord(sign):04X}"):
            validators.player_name(text)
        assert validators.club(text) == "Anna"


@pytest.mark.parametrize("name", ["", "   ", "\u3000", "\u0301\u0301"])
def test_a_name_that_nobody_sees_is_none(name: str) -> None:
    with pytest.raises(Refused, match="Give the player a name"):
        validators.player_name(name)
