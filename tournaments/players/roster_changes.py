"""Differences between a list of players in a file and the players of an event, before the list is imported.

A row belongs to the player with its licence number, else to the player with its name and club. A player whose name is
the same but not the club or the licence may be another person: the judge is asked. Nobody is removed, empty cells
change nothing, and players keep their tables and rooms.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field

from django.utils.translation import gettext as _

from engine.canonical_json import canonical_json
from engine.standings.person_names import name_parts
from tournaments import validators
from tournaments.models import Event, Player, Room
from tournaments.players.name_folding import fold_text
from tournaments.players.roster_table import PlayerSheet, SheetPlayer
from tournaments.players.roster_text import NewPlayer
from tournaments.players.table_columns import CellError

SOMEBODY_ELSE = "new"
_COMPARED = ("name", "surname", "nickname", "licence", "club", "series", "age_class", "country", "team")

Answers = Mapping[int, str]
"""By row of the file: `SOMEBODY_ELSE`, or the table of the player that the row is about."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field with its old and its new text."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """A player of the event and what a row of the file changes. `elsewhere`: the file names another table or room,
    which is not changed."""

    read: SheetPlayer
    player: Player
    fields: Sequence[FieldChange]
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class NamesakeQuestion:
    """A row whose name is in the list, or in the file, already: somebody else, or one of these players?"""

    read: SheetPlayer
    choices: Sequence[Player]
    answer: str


@dataclass(frozen=True, slots=True)
class RosterChanges:
    """All that an import would do. `missing` are the players of the event that the file does not have."""

    added: list[SheetPlayer] = field(default_factory=list)
    changed: list[PlayerChange] = field(default_factory=list)
    unchanged: list[PlayerChange] = field(default_factory=list)
    missing: list[Player] = field(default_factory=list)
    questions: list[NamesakeQuestion] = field(default_factory=list)
    errors: list[CellError] = field(default_factory=list)

    @property
    def is_ready(self) -> bool:
        """Return True when nothing is wrong and every question is answered."""
        return not self.errors and all(question.answer for question in self.questions)

    @property
    def does_something(self) -> bool:
        """Return True when an import adds or changes a player."""
        return bool(self.added or self.changed)

    @property
    def digest(self) -> str:
        """A text that is the same for the same additions and changes."""
        added = [[each.row, *astuple(each.player)] for each in self.added]
        changed = [[c.read.row, c.player.pk, [[f.field, f.old, f.new] for f in c.fields]] for c in self.changed]
        return hashlib.sha256(canonical_json([added, changed])).hexdigest()


def compare_roster(event: Event | None, sheet: PlayerSheet, answers: Answers) -> RosterChanges:
    """Compare the players of a file with those of an event. None is a new event: it has no players, and it gets the
    rooms that the file names."""
    comparison = _Comparison(event, answers)
    for read in sheet.players:
        comparison.take(read)
    return comparison.finish()


class _Comparison:
    """The players of the event by licence and by name, and the changes found so far."""

    def __init__(self, event: Event | None, answers: Answers) -> None:
        self._answers = answers
        self._players = list(Player.objects.filter(event=event).select_related("room").order_by("table"))
        rooms = Room.objects.filter(event=event).values_list("name", flat=True)
        self._rooms = {name.casefold() for name in rooms} if event else None
        self._by_licence = {player.licence.casefold(): player for player in self._players if player.licence}
        self._by_name: dict[tuple[str, str], list[Player]] = {}
        for player in self._players:
            self._by_name.setdefault(_name_key(player.name, player.stated_surname), []).append(player)
        self._tables = {player.table: player for player in self._players}
        self._called = {
            text.casefold(): player for player in self._players for text in (player.name, player.nickname) if text
        }
        self._found: dict[int, int] = {}
        self._changes = RosterChanges()

    def take(self, read: SheetPlayer) -> None:
        """Find the player that a row is about, or add one."""
        player, choices = self._find(read)
        if choices or (read.namesake and player is None):
            answer = self._answers.get(read.row, "")
            allowed = {SOMEBODY_ELSE, *(str(choice.table) for choice in choices)}
            answer = answer if answer in allowed else ""
            self._changes.questions.append(NamesakeQuestion(read, choices, answer))
            if not answer:
                return
            player = next((choice for choice in choices if str(choice.table) == answer), None)
        if player is None:
            self._add(read)
        elif player.pk in self._found:
            twice = _("Row %(row)d is about %(name)s too, table %(table)d: delete one of the rows.")
            details = {"row": self._found[player.pk], "name": player.name, "table": player.table}
            self._wrong(read.cell("licence", "name", "surname"), twice % details)
        else:
            self._found[player.pk] = read.row
            self._compare(read, player)

    def finish(self) -> RosterChanges:
        """The changes, with the players that no row is about."""
        open_questions = [question for question in self._changes.questions if not question.answer]
        asked = {choice.pk for question in open_questions for choice in question.choices}
        known = self._found.keys() | asked
        self._changes.missing.extend(player for player in self._players if player.pk not in known)
        if len(self._players) + len(self._changes.added) > validators.MOST_PLAYERS:
            most = _("An event holds at most %(most)d players.") % {"most": validators.MOST_PLAYERS}
            self._wrong(self._changes.added[-1].cell(), most)
        return self._changes

    def _find(self, read: SheetPlayer) -> tuple[Player | None, list[Player]]:
        """The player with the licence, or with name and club; else the players who may be meant."""
        new = read.player
        licensed = self._by_licence.get(new.licence.casefold()) if new.licence else None
        if licensed is not None:
            return licensed, []
        named = self._by_name.get(_name_key(new.name, new.surname), [])
        same = [player for player in named if _is_same_club(player, new) and not (player.licence and new.licence)]
        if len(same) > 1:
            same = [player for player in same if player.table == new.table] or same
        if len(same) == 1 and not read.namesake:
            return same[0], []
        return None, [player for player in named if player.pk not in self._found]

    def _add(self, read: SheetPlayer) -> None:
        new = read.player
        holder = self._tables.get(new.table) if new.table is not None else None
        if holder is not None:
            taken = _("Table %(table)d is taken by %(name)s; choose another, or leave the cell empty.")
            self._wrong(read.cell("table"), taken % {"table": holder.table, "name": holder.name})
        if new.room and self._rooms is not None and new.room.casefold() not in self._rooms:
            absent = _("There is no room “%(room)s”: add it first, on the page of the players.")
            self._wrong(read.cell("room"), absent % {"room": new.room})
        self._require_free_nickname(read, None)
        self._changes.added.append(read)

    def _compare(self, read: SheetPlayer, player: Player) -> None:
        self._require_free_nickname(read, player)
        fields = list(_changed_fields(player, read.player))
        change = PlayerChange(read, player, fields, _elsewhere(player, read.player))
        (self._changes.changed if fields else self._changes.unchanged).append(change)

    def _require_free_nickname(self, read: SheetPlayer, player: Player | None) -> None:
        nickname = read.player.nickname
        if nickname and self._called.get(nickname.casefold(), player) != player:
            taken = _("Another player is called %(name)s; choose another nickname.") % {"name": nickname}
            self._wrong(read.cell("nickname"), taken)

    def _wrong(self, cell: str, sentence: str) -> None:
        self._changes.errors.append(CellError(cell, sentence))


def _name_key(name: str, surname: str) -> tuple[str, str]:
    """Names that are one whatever their order, accents and case: "ROSSI Anna" and "Anna Rossi"."""
    parts = name_parts(name, surname)
    return fold_text(parts.surname), fold_text(parts.first_name)


def _is_same_club(player: Player, new: NewPlayer) -> bool:
    return not player.club or not new.club or fold_text(player.club) == fold_text(new.club)


def _changed_fields(player: Player, new: NewPlayer) -> Iterator[FieldChange]:
    """The fields in which a row differs; an empty cell changes nothing, and a whole name only by its words."""
    for name in _COMPARED:
        old, text = getattr(player, name), getattr(new, name)
        if text and text != old and (name != "name" or new.surname or _name_words(text) != _name_words(old)):
            yield FieldChange(name, old, text)


def _name_words(name: str) -> list[str]:
    return sorted(name.casefold().replace(",", " ").split())


def _elsewhere(player: Player, new: NewPlayer) -> str:
    if new.table is not None and new.table != player.table:
        return _("stays at table %(table)d") % {"table": player.table}
    if new.room and new.room.casefold() != player.room.name.casefold():
        return _("stays in the room “%(room)s”") % {"room": player.room.name}
    return ""
