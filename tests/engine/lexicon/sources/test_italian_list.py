"""The really built Italian list against the examples that the tournament rules of October 1999 print (rule 8)."""

from __future__ import annotations

import pytest

ACCEPTED = {
    "8.2, present participles with their plural": "GUARDANTI MANGIANTI",
    "8.3, participles of verbs with an object or with essere": "GUARDATA COMPRATE ANDATI",
    "8.5, inhabitants of provincial capitals": "MILANESE CATANESE AQUILANO",
    "8.8, ordinal numbers": "VENTESIMO TRENTASEIESIME",
    "8.9, cardinal numbers": "CENTOTRE ZERI",
    "8.10, diminutives with an entry": "ZUCCHERINO TELEFONINO",
    "8.13, initials with an entry": "ABS LSD",
}
REFUSED = {
    "8.1, verbs with a pronoun": "GUARDARLO MANGIANDOLA",
    "8.3, participles of verbs without an object": "ADERITI COLLABORATI",
    "8.5, inhabitants of other towns": "SESTESE ANDRIESE",
    "8.8, ordinals that nobody says": "QUATTRESIMO DUESIMO",
    "8.9, cardinals do not change": "CENTI QUATTRI",
    "8.10, diminutives without an entry": "GIALLINO PALAZZONE",
    "8.11, truncated words": "FIN FIL CANTAR",
    "8.13, initials without an entry": "FFSS SPQR",
    "9, names": "MARIO VENEZIA",
}

# What is still wrong, so that the program's documents do not promise more; whoever mends it changes this, too.
STILL_ACCEPTED = {"8.10, diminutives that newspapers use": "RAGAZZACCIO LIBRONE SORRISETTO"}
STILL_MISSING = {"8.13, initials with an entry": "ADSL IVA"}

EVERYDAY = """
ACQUA AGLI ANDIAMO APPARTAMENTO BISOGNA CAMBIALE CAPITALE CHIESA CITTA CORNO DOVREBBERO FACCIAMO FINISSIMO GIOVEDI
INTERVIENE LOCALE MATERIALE NATALE PANE PERCHE PIU PORTALE POSSIEDE QUALCUNO RADICALE SCEGLIETE SEDETTI SEGNALE SIEDO
SQUALI TASSISTA UOMINI UOVA VADO VENNERO VIENE VORREI ZIO
"""


@pytest.mark.parametrize("rule", ACCEPTED)
def test_what_the_rules_print_as_good_is_in_the_list(rule: str, italian_words: frozenset[str]) -> None:
    assert set(ACCEPTED[rule].split()) <= italian_words


@pytest.mark.parametrize("rule", REFUSED)
def test_what_the_rules_print_as_bad_is_not_in_the_list(rule: str, italian_words: frozenset[str]) -> None:
    assert not set(REFUSED[rule].split()) & italian_words


def test_words_that_need_a_blank_are_in_the_list(italian_words: frozenset[str]) -> None:
    assert {"TAXI", "BABY", "JAZZ", "JEANS", "WAFER", "YOGURT", "KOALA", "FAXAVO"} <= italian_words


def test_everyday_words_are_in_the_list(italian_words: frozenset[str]) -> None:
    assert set(EVERYDAY.split()) <= italian_words


@pytest.mark.parametrize(
    "word",
    ["ANDIAMOCENE", "APRIRSI", "FATTASI", "FILOSOFARVI", "GIOBERTI", "VOLAPLE", "STARTERS", "PSICO", "ALTISSIMAMENTE"],
)
def test_what_the_dictionary_holds_by_mistake_or_for_spelling_only_is_not_in_the_list(
    word: str, italian_words: frozenset[str]
) -> None:
    assert word not in italian_words


def test_the_list_is_as_large_as_the_sources_promise(italian_words: frozenset[str]) -> None:
    assert 470_000 < len(italian_words) < 480_000
    assert {2 <= len(word) <= 15 and word.isascii() and word.isupper() for word in italian_words} == {True}
    assert len([word for word in italian_words if len(word) == 2]) == 57


def test_what_is_still_wrong_is_known(italian_words: frozenset[str]) -> None:
    assert {word for words in STILL_ACCEPTED.values() for word in words.split()} <= italian_words
    assert not {word for words in STILL_MISSING.values() for word in words.split()} & italian_words
