"""Replacements for the names of an event's people in places where the names must not appear."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.models import Event, Player

_SHORTEST_PART, _SHORTEST_CLUB = 3, 4
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_FREE_TEXTS = ("reason", "why")
_NAMING = (*_FREE_TEXTS, "name", "from", "to", "added", "players")  # the last ones in entries of older versions


class Scrubber:
    """The pseudonyms of an event, in its language: "Player 17" for table 17, clubs and teams by number.

    With a `player` and `names`, only these names of that player are replaced, and neither clubs nor teams.
    """

    def __init__(self, event: Event, player: Player | None = None, names: Iterable[str] = ()) -> None:
        players = [player] if player else list(Player.objects.filter(event=event).order_by("table"))
        groups = [] if player else players
        with translation.override(event.language):
            self._by_table = {player.table: pseudonym(player.table) for player in players}
            self.clubs = _numbered(_("Club %(n)d"), (player.club for player in groups))
            self.teams = _numbered(_("Team %(n)d"), (player.team for player in groups))
        self.names: dict[str, str] = {}
        self._parts: dict[str, str] = {}
        self._whole = {club.casefold(): other for club, other in self.clubs.items() if len(club) >= _SHORTEST_CLUB}
        for each in players:
            for name in filter(None, names if player else (each.name, each.nickname)):
                self._replace(name, self.player(each))

    def _replace(self, name: str, other: str) -> None:
        self.names.setdefault(name, other)
        if len(name.split()) > 1:
            self._whole.setdefault(name.casefold(), other)
        for part in _parts(name):
            self._parts.setdefault(part, other)

    def player(self, player: Player) -> str:
        """The pseudonym of a player."""
        return self._by_table[player.table]

    def text(self, text: str) -> str:
        """The text with pseudonyms for whole names in any case, and for parts of names that are written like names.

        A word in capitals is left, since it may be one that was played.
        """
        folded = text.casefold()
        for whole, other in self._whole.items():
            if whole in folded:
                text = re.sub(rf"(?<!\w){re.escape(whole)}(?!\w)", other, text, flags=re.IGNORECASE)
        return _WORD.sub(lambda found: self._part(found[0]), text)

    def _part(self, word: str) -> str:
        """The pseudonym of a part of a name, also of one in a word such as "Rossi-Verdi"."""
        return self._parts.get(word) or "-".join(self._parts.get(part, part) for part in word.split("-"))

    def has_names(self, facts: Mapping[str, object]) -> bool:
        """Return True when the data of a ledger entry holds a name of the event's players."""
        return any(self._contains_name(facts[name]) for name in _NAMING if name in facts)

    def reasons(self, value: object) -> object:
        """Replace names in all reasons of a JSON value, at any depth."""
        if isinstance(value, list):
            return [self.reasons(inner) for inner in value]
        if not isinstance(value, dict):
            return value
        return {
            name: self.text(inner) if name in _FREE_TEXTS and isinstance(inner, str) else self.reasons(inner)
            for name, inner in value.items()
        }

    def _contains_name(self, value: object) -> bool:
        if isinstance(value, str):
            return value in self.names or self.text(value) != value
        return isinstance(value, list | tuple) and any(map(self._contains_name, value))


def pseudonym(table: int) -> str:
    """The name shown for the player of a table after anonymisation, in the active language."""
    return _("Player %(table)d") % {"table": table}


def without_names(event: Event, facts: Mapping[str, object]) -> dict[str, object]:
    """Remove names of players from the reasons in the data of a ledger entry, which is stored for ever."""
    written = [name for name in _FREE_TEXTS if isinstance(facts.get(name), str) and facts[name]]
    if not written:
        return dict(facts)
    scrubber = Scrubber(event)
    return {**facts, **{name: scrubber.text(str(facts[name])) for name in written}}


def _parts(name: str) -> Iterable[str]:
    """The parts of a name by which people are spoken of, written like names: "Ferri", not "FERRI"; none of a name
    that the program gave, such as "Table 5"."""
    if any(sign.isdigit() for sign in name):
        return
    for part in _WORD.findall(name):
        if len(part) >= _SHORTEST_PART:
            yield part.capitalize()


def _numbered(template: str, names: Iterable[str]) -> dict[str, str]:
    return {name: template % {"n": n} for n, name in enumerate(dict.fromkeys(filter(None, names)), 1)}
