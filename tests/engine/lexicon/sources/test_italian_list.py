"""The really built Italian list against the examples that the tournament rules of October 1999 print (rule 8)."""

from __future__ import annotations

import pytest

ACCEPTED = {
    "8, conjugated verbs": "TEMETTI PERDETTE RICEVETTERO RIMOVEVANO DISFACEVANO TERRAI ARRICCHISCO EMPIVA",
    "8, interjections and sounds": "BOH BAU BRR HMM PSST UFF",
    "8, names of letters and notes": "ACCA EFFE ZETA BI GI VU RE FA SOL UT",
    "8, short nouns": "LUE CRU GAP",
    "8, nouns and verbs conjugated by rule": "AGLIANICI BURRACHI IDENTITARI OMOFOBICHE SPAMMAVO CRUDISTE",
    "8, words that look like a verb that does not exist": "ALLORQUANDO CAPEZZALE PRETESTO",
    "8, words that only the grammar of verbs hides": "APRILE PARENTESI SEGALE MANDRAGORA VIEPPIU",
    "8.2, present participles with their plural": "GUARDANTI MANGIANTI",
    "8.3, participles of verbs with an object or with essere": "GUARDATA COMPRATE ANDATI ESISTITA",
    "8.5, inhabitants of provincial capitals": "MILANESE CATANESE AQUILANO",
    "8.6, everyday words from other languages": "KEBAB WEBCAM ROUTER APP",
    "8.8, ordinal numbers": "VENTESIMO TRENTASEIESIME DUEMILLESIMO VENTITREESIMA CENTESIMO",
    "8.9, cardinal numbers": "CENTOTRE ZERI VENTUNMILA SEICENTOTTO",
    "8.10, diminutives with an entry": "ZUCCHERINO TELEFONINO",
    "8.13, initials with an entry": "ABS LSD",
}
REFUSED = {
    "8, forms that no verb has": "REDAESSERO TENERAI SAPERAI ARRICCHO ADEMPIETTI SUBO ESSONO SCEGLIETTI",
    "8, misspelt words": "IDENTITARII OMOFOBICE VENTIUNO UNESIMO RAGRUPPANDO INCARROCULO",
    "8.1, verbs with a pronoun": "GUARDARLO MANGIANDOLA DAMMI DIMMI BEVILO BEVILA METTITELO ECCOLO",
    "8.3, participles of verbs without an object": "ADERITI COLLABORATI NUOTATI VIAGGIATI RESISTITA",
    "8.4, forms of defective verbs": "SOCCOMBUTO STRIDUTO CALERE",
    "8.5, inhabitants of other towns": "SESTESE ANDRIESE",
    "8.8, ordinals that nobody says": "QUATTRESIMO DUESIMO QUARANTAOTTENNE",
    "8.9, cardinals do not change": "CENTI QUATTRI",
    "8.10, diminutives without an entry": "GIALLINO PALAZZONE",
    "8.11, truncated words": "FIN FIL CANTAR TRENTOTTOMILAUN",
    "8.13, initials without an entry": "FFSS SPQR",
    "9, names": "MARIO VENEZIA",
    "9, verbs with prefixes added": "RIESCLAMARE RIESCLAMAVO STRADISDICENTE RISOMMO",
}

# What is still wrong, so that the program's documents do not promise more; whoever mends it changes this, too.
STILL_ACCEPTED = {"8.10, diminutives that newspapers use": "RAGAZZACCIO LIBRONE SORRISETTO"}
STILL_MISSING = {"8, rare entries": "RAUNARE RATTEZZA", "8.13, initials with an entry": "IRPEF"}

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
    assert 465_000 < len(italian_words) < 470_000
    assert {2 <= len(word) <= 15 and word.isascii() and word.isupper() for word in italian_words} == {True}
    assert len([word for word in italian_words if len(word) == 2]) == 68


def test_what_is_still_wrong_is_known(italian_words: frozenset[str]) -> None:
    assert {word for words in STILL_ACCEPTED.values() for word in words.split()} <= italian_words
    assert not {word for words in STILL_MISSING.values() for word in words.split()} & italian_words
