"""Presets of a new event: an edition with the rules that its clubs play by, chosen with one click."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.lexicon.sources import LANGUAGES
from engine.rules.profile import load_profile
from engine.tiles.edition import Edition, edition_codes, load_edition
from tournaments.lexicons.names import edition_name, language_name, profile_name
from tournaments.lexicons.word_lists import lists_for_edition
from tournaments.models import Game

OWN = "own"
"""The choice of edition and rules under “More choices”."""
_CLUB = "club"
_PROFILES: Mapping[str, Sequence[str]] = {
    "it": ("it-box", _CLUB),
    "fr": ("fisf", _CLUB),
    "es": ("fise", _CLUB),
    "ca": ("ca-club", "ca-manual"),
    "ro": ("ro", _CLUB),
    "nl": ("ntsv", _CLUB),
}
"""The profiles of an edition's language, the usual one first; other languages play by the rules of a club night."""


@dataclass(frozen=True, slots=True)
class Preset:
    """An edition and a rules profile. Without `has_list`, no word list of the edition is installed yet."""

    edition: Edition
    profile: str
    has_list: bool = True

    @property
    def code(self) -> str:
        """The value of the choice in the form."""
        return f"{self.edition.code}/{self.profile}"

    @property
    def title(self) -> str:
        """The edition and the rules by name."""
        return f"{edition_name(self.edition).partition(',')[0]} · {profile_name(load_profile(self.profile))}"

    @property
    def language(self) -> str:
        """The language of the edition by name."""
        return language_name(self.edition.language)

    @property
    def facts(self) -> str:
        """The number of tiles, and the move that goes on the board."""
        tiles = ngettext("%(n)d tile", "%(n)d tiles", self.edition.total) % {"n": self.edition.total}
        takes_top = load_profile(self.profile).board_takes == "top"
        placed = _("the top goes on the board") if takes_top else _("the best word of a player goes on the board")
        return f"{tiles} · {placed}"


def list_presets(user: User | None, language: str) -> list[Preset]:
    """List the presets whose word list is installed: the user's last one first, then those of the page's language.

    For the first event of a user they include those of the page's language, even if its list must be built first.
    """
    last = Game.objects.filter(event__memberships__user=user).order_by("-pk").first() if user is not None else None
    newest = f"{last.edition}/{last.profile}" if last is not None else ""
    found = list(_list_all(language if last is None else ""))
    return sorted(found, key=lambda preset: (preset.code != newest, preset.edition.language != language))


def _list_all(without_list: str) -> Iterator[Preset]:
    """List the presets with a word list, and those of the edition `without_list` if one can be built."""
    for code in edition_codes():
        edition = load_edition(code)
        has_list = bool(lists_for_edition(edition))
        if has_list or (code == without_list and code in LANGUAGES):
            yield from (Preset(edition, profile, has_list) for profile in _PROFILES.get(edition.language, (_CLUB,)))


def list_languages_without_list(language: str) -> list[tuple[str, str]]:
    """List code and name of the languages whose word list can be built and is not installed; the page's one first."""
    missing = [code for code in LANGUAGES if not lists_for_edition(load_edition(code))]
    return sorted(((code, language_name(code)) for code in missing), key=lambda named: (named[0] != language, named[1]))


def apply_preset(post: QueryDict) -> QueryDict:
    """Return the posted fields with the edition and rules of the chosen preset in place of those under More choices."""
    edition, _slash, profile = post.get("preset", "").partition("/")
    if not profile:
        return post
    applied = post.copy()
    if post.get("profile") != profile:
        for name in [name for name in applied if name.startswith("rule")]:
            del applied[name]
    applied["edition"], applied["profile"] = edition, profile
    return applied
