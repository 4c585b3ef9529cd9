"""The lists that are really installed, each against what is known of its language.

Whoever changes a language builds its list and proves it (the folder is var/lexicons):

    python3 manage.py lexicon build de
    python3 manage.py test tests/engine/lexicon/sources/test_installed_lists.py -v

A list that is not installed is skipped, also by CI, which has the Italian one alone. `test_italian_list.py` and the
like look deeper into one language.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES
from engine.tiles.edition import load_edition
from tests.engine.lexicon.sources.installed_words import BUILT


@dataclass(frozen=True)
class Facts:
    """Expected number of words, of words of two tiles, and words in tile text that the list has and has not."""

    at_least: int
    at_most: int
    two_tiles: int
    words: str
    no_words: str


FACTS = {
    "ca": Facts(560_000, 590_000, 101, "AIGUA CO[L·L]OCAR A[NY] ESTRENAR MIRAR PARAULA REESTRENAR TREN", "KIWI MADRID"),
    # ENABLE has 172,820 words, 4,272 of them longer than a row.
    "en": Facts(
        168_548, 168_548, 96, "AA CRWTH CWM QAT QOPH RETINAS WORDS ZYZZYVAS", "CAN'T EMAIL LONDON OK QI QIS ZA"
    ),
    "de": Facts(
        335_000,
        345_000,
        72,
        "BAHNHOF BÄUME BINÄRE FLUGZEUG FRÜHSTÜCK GEHENS GRÖSSTE HUNDES KIWI QUIZ SCHÖNSTE STRASSE XYLOFON YOGI",
        "AUFM BERLIN BERLINS BONNS GÜNSTIGST HANS LONDON UNIX VLSI ZERBISSS",
    ),
    "es": Facts(
        530_000,
        590_000,
        91,
        "A[RR]OZ APP CASA [CH]ICO EMAIL FANS [LL]AMAR NIÑO PE[RR]O QUESO SPAM SUSHI",
        "KILO MADRID DARSELO WEB",
    ),
    "fr": Facts(
        360_000,
        390_000,
        81,
        "APP APPS CHANTERAIENT ETRE GEEK HASHTAGS KAYAK MAISON OEUF SMARTPHONE SPAM SUSHIS TWEETS WASABI WHISKY YEUX",
        "BERLIN MADRID SNCF VIVENDI",
    ),
    "it": Facts(463_000, 468_000, 68, "ACQUA CITTA CORNO PANE PERCHE TAXI", "FIN GUARDARLO MARIO VENEZIA"),
    "nl": Facts(
        255_000,
        270_000,
        76,
        "AUTOOTJE FIETSEN GEUPDATET HAVO KATTEN KOOKKUNSTEN PRIJZEN STADSDIENST SUSHI TWEET WACHTKAMER ZIJN",
        "AMSTERDAM COUNTY GLAZEKE LCD VITAE",
    ),
    "pt": Facts(
        640_000,
        680_000,
        70,
        "AÇAO APP BURILADA CABEÇA CANTAREMOS CORAÇOES JABUTICABEIRA LARANJA SPAM SUSHI",
        "BRASIL CANTALO CANTAREMO KILO LISBOA XVIII",
    ),
    "ro": Facts(
        600_000,
        720_000,
        77,
        "APA APP CASA FRUMOS HACKERI MASA OM SPAMURI SUSHI TARA TWEET WEB",
        "AMERICA BUCURESTI CAPITANE DRACE ETC GOOGLE ROMANIA ROMANIEI XX",
    ),
}
FACES = re.compile(r"\[[^\]]+\]|.")


@dataclass(frozen=True)
class Installed:
    code: str
    content: bytes
    words: list[str]


@pytest.fixture(scope="module", params=sorted(FACTS))
def installed(request: pytest.FixtureRequest) -> Installed:
    code: str = request.param
    path = BUILT / f"{code}.txt"
    if not path.is_file() or json.loads(Path(f"{path}.json").read_text())["name"] != f"Multiplo {code}":
        pytest.skip(f"the list is not built here: python3 manage.py lexicon build {code}")
    content = path.read_bytes()
    return Installed(code, content, content.decode().splitlines())


def test_there_are_facts_of_every_language() -> None:
    assert set(FACTS) == set(LANGUAGES)


def test_the_list_is_as_large_as_its_sources_promise(installed: Installed) -> None:
    facts = FACTS[installed.code]
    assert facts.at_least <= len(installed.words) <= facts.at_most


def test_words_of_two_tiles_are_those_of_the_curated_list(installed: Installed) -> None:
    short = [word for word in installed.words if len(word) <= 9]
    assert len([word for word in short if len(FACES.findall(word)) == 2]) == FACTS[installed.code].two_tiles


def test_words_that_must_be_there_are_there_and_others_are_not(installed: Installed) -> None:
    facts, words = FACTS[installed.code], set(installed.words)
    assert set(facts.words.split()) - words == set()
    assert set(facts.no_words.split()) & words == set()


@pytest.mark.endurance
def test_every_word_is_two_to_fifteen_tiles_of_the_edition(installed: Installed) -> None:
    faces = {f"[{face}]" if len(face) > 1 else face for face in load_edition(installed.code).letters}
    spelled = [FACES.findall(word) for word in installed.words]
    assert set().union(*spelled) <= faces
    assert {2 <= len(tiles) <= 15 for tiles in spelled} == {True}


def test_a_tile_of_several_letters_is_never_spelled_with_single_ones(installed: Installed) -> None:
    several = [face for face in load_edition(installed.code).letters if len(face) > 1]
    plain = re.compile("|".join(rf"(?<!\[){re.escape(face)}(?!\])" for face in several) or r"(?!)")
    assert [word for word in installed.words if plain.search(word)] == []


def test_the_list_is_sorted_by_code_point_without_doubles(installed: Installed) -> None:
    assert installed.words == sorted(set(installed.words))


def test_what_is_told_of_the_list_is_true(installed: Installed) -> None:
    metadata = json.loads((BUILT / f"{installed.code}.txt.json").read_text(encoding="utf-8"))
    assert (metadata["words"], metadata["sha256"]) == (len(installed.words), sha256(installed.content).hexdigest())
    assert (metadata["official"], metadata["language"]) == (False, installed.code)
    assert [source["package"].lower() for source in metadata["sources"]] == list(LANGUAGES[installed.code].packages)
    assert "not official" in metadata["note"]
