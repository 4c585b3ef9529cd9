"""Names of editions, rules and variants on pages and sheets, in the active language."""

from __future__ import annotations

from django.utils.text import capfirst
from django.utils.translation import get_language_info, gettext, gettext_noop, ngettext

from engine.archive.schema import LexiconEntry, WordRuling, agreed_words
from engine.rules.profile import Profile
from engine.rules.rules_text import changed_switches, clock_text
from engine.tiles.edition import Edition
from engine.variants.variant import Variant

# The names stand in TOML files of the engine, where gettext does not look; here it finds them. Those of profiles:
# engine/rules/source_names.py.
_NAMES = (
    gettext_noop("Italian, 120 tiles"),
    gettext_noop("Catalan, 100 tiles"),
    gettext_noop("Romanian, 100 tiles, older federation values"),
    gettext_noop("Romanian, 100 tiles, newer values"),
    gettext_noop("French, 102 tiles"),
    gettext_noop("Spanish, 100 tiles"),
    gettext_noop("English, 100 tiles"),
    gettext_noop("German, 102 tiles"),
    gettext_noop("German 2024, five blanks"),
    gettext_noop("Dutch, 102 tiles"),
    gettext_noop("Portuguese, 120 tiles"),
)


def language_name(code: str) -> str:
    """The name of a language in the active one; the code of a language that Django does not know."""
    try:
        return capfirst(str(get_language_info(code)["name_translated"]))
    except KeyError:
        return code


def edition_name(edition: Edition) -> str:
    """The name of an edition, with a remark if its letters were not compared with a printed box."""
    name = gettext(edition.name)
    if edition.verified:
        return name
    return gettext("%(name)s – unverified: check the letter counts") % {"name": name}


def profile_name(profile: Profile) -> str:
    """The name of a rules profile."""
    return gettext(profile.title)


def rules_name(profile: Profile, variant: Variant) -> str:
    """The name of the rules of a game, with the number of switches that differ from the profile."""
    changed = len(changed_switches(profile, variant))
    if not changed:
        return profile_name(profile)
    text = ngettext("%(rules)s, %(n)d switch changed", "%(rules)s, %(n)d switches changed", changed)
    return text % {"rules": profile_name(profile), "n": changed}


def setup_name(rules: Profile | None, variant: Variant | None, seconds: int | None) -> str:
    """Return the rules, variant and time of a turn as the sheets name them; None is left out."""
    changed = rules_name(rules, variant) if rules and variant else profile_name(rules) if rules else ""
    named = gettext("Variant: %(variant)s") % {"variant": variant_name(variant)} if variant else ""
    time = gettext("%(time)s a turn") % {"time": clock_text(seconds)} if seconds else ""
    return " · ".join(part for part in (changed, named, time) if part)


def word_list_sentences(entry: LexiconEntry, profile: Profile) -> list[str]:
    """The word lists of a game and its agreed words, for the page and the sheet of its rules."""
    sentences = [_lists_in_words(entry, profile)]
    agreed = [_agreed_in_words(ruling) for ruling in agreed_words(entry)]
    return sentences + [gettext("Words agreed besides: %(words)s.") % {"words": ", ".join(agreed)}] * bool(agreed)


def _lists_in_words(entry: LexiconEntry, profile: Profile) -> str:
    if "parts" not in entry:
        return gettext("Word list: %(name)s.") % {"name": entry["name"]}
    first, second = (part["name"] for part in entry["parts"])
    if profile.two_dictionaries == "both":
        sentence = gettext("Word lists: %(first)s and %(second)s. A word is valid only if both have it.")
    else:
        sentence = gettext("Word lists: %(first)s and %(second)s. A word is valid if at least one of them has it.")
    return sentence % {"first": first, "second": second}


def _agreed_in_words(ruling: WordRuling) -> str:
    if ruling["from_turn"] == 1:
        return ruling["word"]
    return gettext("%(word)s (from turn %(turn)d on)") % {"word": ruling["word"], "turn": ruling["from_turn"]}


def variant_name(variant: Variant) -> str:
    """The name of a variant."""
    return gettext(variant.title)
