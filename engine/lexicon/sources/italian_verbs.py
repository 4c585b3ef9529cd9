"""Grammar of Italian verbs, as far as the word rules need it and no package says it.

All functions take and return words as a package writes them: in small letters, with accents.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator

PREFIXES = ["ri", "re", "rin", "stra", "pre", "sopra", "sovra", "auto", "contro", "inter"]
"""Prefixes that Italian puts before verbs freely. Such a verb is a word only when a dictionary lists it."""

_PRONOUNS = (
    re.compile(r"(?:me|te|ce|ve|se|glie)(?:l[oaie]|ne)$"),
    re.compile(r"(?:mi|ti|ci|vi|si|l[oaie]|ne|gli)$"),
)
_DOUBLING = re.compile(
    r"(?:ri|pre|stra|ridi)?(?:da|di|fa|sta|va)"
    r"(?:mmi|tti|cci|vvi|ll[oaie]|nne|(?:mme|tte|cce|vve)(?:l[oaie]|ne)|gli(?:e(?:l[oaie]|ne))?)"
)
_IRREGULAR = re.compile(
    r"^(?:ri|pre|stra)?(?:ess|av|dov|pot|b)ere$"
    r"|(?:sap|vol|ten|val|riman|perman|ved|cad|viv|par|dol|piac|tac|giac|nuoc|cuoc)ere$"
)
_BASES = re.compile(
    r"venire$|^(?:ri|tra)?udire$|uscire$|^(?:ri)?escire$"
    r"|^(?:contra|pre|male|bene|dis|ri|inter|in|ad|stra|strabene|stramale)dire$"
    r"|^(?:mal|pre|dis|ridis|sodis|soddis|stra|contraf|sopraf|rare|tume|putre|lique|stupe|mansue|torre|assue)fare$"
)
_SUBJUNCTIVE_IMPERATIVES = ("abbiate", "sappiate", "siate", "vogliate")
_SHORT_IMPERATIVES = (("poni", "porre"), ("trai", "trarre"), ("duci", "durre"), ("ieni", "enire"), ("ieni", "enere"))
_CONTRACTED_PLURALS = (("traete", "trarre"), ("ponete", "porre"), ("ducete", "durre"))
_GERUNDS = (("ando", "are"), ("endo", "ere"), ("endo", "ire"))
_CONTRACTED_GERUNDS = (("facendo", "fare"), ("dicendo", "dire"), ("ponendo", "porre"), ("traendo", "trarre"))
_WITH_UO = re.compile(r"(.*)uo([vct])ere")
_AFTER_O = [
    "evo",
    "evi",
    "eva",
    "evamo",
    "evate",
    "evano",
    "esti",
    "emmo",
    "este",
    "iamo",
    "iate",
    "ete",
    "erò",
    "erai",
    "erà",
    "eremo",
    "erete",
    "eranno",
    "erei",
    "eresti",
    "erebbe",
    "eremmo",
    "ereste",
    "erebbero",
    "essi",
    "esse",
    "essimo",
    "essero",
    "endo",
    "ente",
    "enti",
]
_WEAK = re.compile(r"(?:etti|ette|ettero|ei|é|erono)$")
# -ETTI is not said after T (BATTEI, not BATTETTI), but it is in -SISTETTI; nor after I (ADEMPIEI, not ADEMPIETTI).
_NO_ETTI = re.compile(r"(?:(?<!sis)t|i)ett(?:i|e|ero)$")
_STRONG = re.compile(
    r"(?:conosc|cresc|piac|giac|tac|nuoc|ten|vol|sap|par|av|bev|ved|viv|piov|romp|rimu?ov|nasc|cad|dol)ere$"
)


def is_verb_with_pronoun(word: str, infinitives: Collection[str], participles: Collection[str]) -> bool:
    """Return True if ``word`` is an imperative, an infinitive, a gerund, a participle or ECCO with pronouns (rule 8.1).

    The answer is about the shape alone: FALLO and MEDICI have it, too, and are words of their own.
    """
    if _DOUBLING.fullmatch(word):
        return True
    found = [match for pronouns in _PRONOUNS if (match := pronouns.search(word))]
    return any(_takes_pronoun(word[: match.start()], match[0], infinitives, participles) for match in found)


def is_form_with_si(word: str, forms: Container[str]) -> bool:
    """Return True if ``word`` is a third person with SI, as in old books: DAVASI, VEDASI, CERCANSI (rule 8.1).

    ``forms`` are those of all verbs. Words in -ESI are never taken for one: many are nouns (DIATESI).
    """
    verb = word.removesuffix("si")
    if verb == word:
        return False
    return verb in forms if verb.endswith("a") else verb.endswith("n") and verb + "o" in forms


def _takes_pronoun(verb: str, pronoun: str, infinitives: Collection[str], participles: Collection[str]) -> bool:
    if verb.endswith("r"):
        return verb + "e" in infinitives or verb + "re" in infinitives
    return (
        verb == "ecco"
        or verb[:-1] + "o" in participles
        or _is_gerund(verb, infinitives)
        or (pronoun != "si" and is_imperative(verb, infinitives))
    )


def needs_proof(form: str, infinitive: str) -> bool:
    """Return True if ``form`` follows a regular rule that many verbs like ``infinitive`` do not follow.

    ARRICCHO (ARRICCHISCO), TENERAI (TERRAI), COGLIO (COLGO): such a form is a word only if another source has it.
    """
    if infinitive.endswith("ire"):
        return form.removeprefix(infinitive[:-3]) in ("o", "e", "ono", "a", "ano")
    return bool(_IRREGULAR.search(infinitive)) or (
        infinitive.endswith("gliere") and form.removeprefix(infinitive[:-3]) in ("o", "ono", "a", "ano")
    )


def is_compound_of_irregular(infinitive: str) -> bool:
    """Return True if the verb is conjugated like VENIRE, DIRE, FARE, USCIRE or UDIRE."""
    return bool(_BASES.search(infinitive))


def is_imperative(verb: str, infinitives: Collection[str]) -> bool:
    """Return True if ``verb`` is BEVI, TOGLI, FINISCI, PONI, GUARDATE or ANDIAMO, of one of the ``infinitives``.

    GUARDA and the like are left out: too many nouns look like one with a pronoun (PORTALE).
    """
    if verb in _SUBJUNCTIVE_IMPERATIVES:
        return True
    if verb.endswith(("ate", "ete", "ite")):
        contracted = (verb.removesuffix(end) + long for end, long in _CONTRACTED_PLURALS if verb.endswith(end))
        return verb[:-2] + "re" in infinitives or any(infinitive in infinitives for infinitive in contracted)
    if verb.endswith("iamo"):
        return any(verb[:-4] + ending in infinitives for ending in ("are", "iare", "ere", "ire"))
    if not verb.endswith("i") or len(verb) < 3:
        return False
    stem = verb.removesuffix("i").removesuffix("sc").removesuffix("i") if verb.endswith("isci") else verb[:-1]
    candidates = [stem + "ire", verb[:-1] + "ere", verb[:-1] + "ire", verb + "ere"]
    candidates += [verb.removesuffix(short) + long for short, long in _SHORT_IMPERATIVES if verb.endswith(short)]
    return any(candidate in infinitives for candidate in candidates)


def _is_gerund(verb: str, infinitives: Collection[str]) -> bool:
    pairs = (*_GERUNDS, *_CONTRACTED_GERUNDS)
    return any(verb.endswith(end) and verb.removesuffix(end) + long in infinitives for end, long in pairs)


def is_gerund_without_verb(word: str, infinitives: Collection[str]) -> bool:
    """Return True for the gerund of a verb in -ARE that is not among the ``infinitives`` (RAGRUPPANDO)."""
    return word.endswith("ando") and word.removesuffix("ando") + "are" not in infinitives


def forms_as_entries(infinitive: str) -> set[str]:
    """The infinitive, the participles and the gerund: the forms of a verb that a dictionary has as entries."""
    stem = infinitive[:-3]
    endings = {"are": ("ato", "ando", "ante"), "ere": ("uto", "endo", "ente"), "ire": ("ito", "endo", "ente")}
    return {infinitive, *(stem + ending for ending in endings.get(infinitive[-3:], ()))}


def without_prefix(word: str) -> Iterator[tuple[str, str]]:
    """The ways to take a free prefix off: "riesclamare" -> ("ri", "esclamare")."""
    for prefix in PREFIXES:
        if word.startswith(prefix) and len(word) > len(prefix) + 3:
            yield prefix, word[len(prefix) :]


def forms_with_o(infinitive: str) -> Iterator[str]:
    """RIMUOVERE -> RIMOVEVANO, RIMOVENDO ...: UO may be O where the stress is on the ending."""
    found = _WITH_UO.fullmatch(infinitive)
    if found:
        for ending in _AFTER_O:
            yield f"{found[1]}o{found[2]}{ending}"


def is_weak_preterite(form: str, infinitive: str, participle: bool) -> bool | None:
    """Return True if a verb in -ERE has the past tense ``form``; None when it is no weak past tense at all.

    TEMETTI, TEMEI: the weak past tense goes with a participle in -UTO (or -SISTITO), which ``participle`` tells,
    except with verbs that have a strong past tense all the same (CONOBBI, TENNI).
    """
    if not _WEAK.search(form):
        return None
    return participle and not _STRONG.search(infinitive) and not _NO_ETTI.search(form)
