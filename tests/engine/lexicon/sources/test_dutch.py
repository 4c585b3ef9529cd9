"""The Dutch pipeline on a small Dutch of our own: each word stands for a trap of the real data."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES, WordList
from engine.lexicon.sources.choosing import Letters
from engine.lexicon.sources.dutch import CHOICES
from engine.lexicon.sources.hand_picked import HandPicked
from engine.tiles.edition import load_edition
from tests.engine.lexicon.sources.package_folder import SmallLanguage

AFFIXES = """
SET UTF-8
FLAG long
FORBIDDENWORD Fw
ONLYINCOMPOUND Cx
KEEPCASE Kc
SFX CA Y 2
SFX CA 0 /Ca
SFX CA 0 -/Ca
SFX Ch Y 1
SFX Ch 0 s/CaCx .
SFX Ze Y 1
SFX Ze 0 ten t
SFX Zb Y 1
SFX Zb 0 en .
SFX Zc Y 1
SFX Zc 0 's .
SFX Ya Y 1
SFX Ya 0 tje .
"""

ENTRIES = """
prĳs/Zb
café/Ya
auto/ZcCA
kat/ZeC0
kook/CA
kunst/ZbCc
stad/Ch
dienst/ZbCc
boek/ZbCA
kast/ZbCc
leven/Cc
woonzorg/Fw
havo/Kc
lcd/Kc
pst
mouse
jeep
spam/Za
Jansen
"""

LEMMAS = {
    "kookkunst": "kookkunst",
    "kookkunsten": "kookkunst",
    "stadsdienst": "stadsdienst",
    "boekenkast": "boekenkast",
    "boekleven": "boekleven",
    "kastkook": "kastkook",
    "glazeke": "glas",
    "jansenkast": "jansenkast",
}

DUTCH = SmallLanguage("nl", "nl_NL", AFFIXES, ENTRIES, LEMMAS, "<v/>", "<c/>", dictionary_folder="nl_NL")


@pytest.fixture
def built(tmp_path: Path) -> WordList:
    DUTCH.write(tmp_path)
    return LANGUAGES["nl"].build(tmp_path, lambda _text, _share: None)


def test_words_of_the_dictionary_count_with_their_inflection_and_ij_is_two_letters(built: WordList) -> None:
    assert {"PRIJS", "PRIJSEN", "CAFE", "CAFETJE", "KATTEN", "KUNSTEN"} <= set(built.words)
    assert not {"AUTOS", "JANSEN", "WOONZORG"} & set(built.words)


def test_a_compound_counts_when_the_lemmas_have_it_and_both_parts_are_marked(built: WordList) -> None:
    assert {"KOOKKUNST", "KOOKKUNSTEN", "STADSDIENST", "BOEKENKAST", "BOEKLEVEN"} <= set(built.words)
    assert not {"KASTKOOK", "GLAZEKE", "JANSENKAST", "KOOKKAST", "STADDIENST"} & set(built.words)


def test_words_spelled_by_letter_count_only_when_they_are_spoken_as_words(built: WordList) -> None:
    assert {"HAVO", "PST"} <= set(built.words)
    assert "LCD" not in built.words


def test_an_entry_that_english_alone_has_is_taken_for_a_piece_of_a_phrase(built: WordList) -> None:
    assert {"JEEP", "SPAM", "TWEET", "SUSHI", "APP"} <= set(built.words)
    assert "MOUSE" not in built.words


def test_the_list_fits_the_edition_and_says_that_it_is_not_official(built: WordList) -> None:
    assert built.words == sorted(set(built.words))
    assert len([word for word in built.words if len(word) == 2]) == 76
    assert {2 <= len(word) <= 15 and word.isascii() for word in built.words} == {True}
    assert built.official is False
    assert "not official" in built.note
    assert [credit.package for credit in built.sources] == list(LANGUAGES["nl"].packages)


def test_no_word_is_both_accepted_and_struck_by_hand() -> None:
    picked = HandPicked(CHOICES, Letters(load_edition("nl")))
    accepted = picked.all_words("accepted") | picked.words("two_letters") | picked.words("without_vowel")
    assert not picked.all_words("struck") & accepted
