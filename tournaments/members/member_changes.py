"""Differences between a list of members in a file and the members, before the list is imported.

A row belongs to the member with its licence number, else to the member with its name whose club, year of birth and
licence are not different. A member of the same name with another club or year may be another person: the user is
asked. Empty cells change nothing, and nobody is removed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from engine.canonical_json import canonical_json
from tournaments import validators
from tournaments.errors import Refused
from tournaments.members.member_fields import MEMBER_FIELDS, MemberDetails, clean_details, details_of
from tournaments.members.member_table import MemberSheet, SheetMember
from tournaments.members.queries.identities import get_merged_records
from tournaments.members.queries.namesakes import NameKey, name_key
from tournaments.models import Member
from tournaments.players.name_folding import fold_text
from tournaments.players.near_names import is_near
from tournaments.players.table_columns import CellError

SOMEBODY_ELSE, LEAVE_OUT = "new", "leave"
_NAME_PARTS = ("surname", "first_name")

Answers = Mapping[int, str]
"""By row of the file: `SOMEBODY_ELSE`, `LEAVE_OUT`, or the number of the member that the row is about."""


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A field with its old and its new value."""

    field: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class MemberChange:
    """A member and what a row of the file changes."""

    read: SheetMember
    member: Member
    fields: Sequence[ValueChange]

    @property
    def details(self) -> MemberDetails:
        """The member after the change."""
        return replace(details_of(self.member), **{each.field: each.new for each in self.fields})

    @property
    def texts(self) -> list[list[str]]:
        """Each field with its old and its new value."""
        return [[each.field, str(each.old), str(each.new)] for each in self.fields]


@dataclass(frozen=True, slots=True)
class NamesakeQuestion:
    """A row whose name a member has, or another row: somebody else, or one of these members?"""

    read: SheetMember
    choices: Sequence[Member]
    answer: str


@dataclass(frozen=True, slots=True)
class MemberChanges:
    """All that an import would do. Rows with a fault are among the errors alone."""

    added: list[SheetMember] = field(default_factory=list)
    changed: list[MemberChange] = field(default_factory=list)
    unchanged: list[MemberChange] = field(default_factory=list)
    questions: list[NamesakeQuestion] = field(default_factory=list)
    errors: list[CellError] = field(default_factory=list)

    def sort(self) -> None:
        """Bring everything into the order of the file."""
        self.added.sort(key=lambda read: read.row)
        for changes in (self.changed, self.unchanged):
            changes.sort(key=lambda change: change.read.row)
        self.questions.sort(key=lambda question: question.read.row)

    @property
    def is_ready(self) -> bool:
        """Return True when every question is answered."""
        return all(question.answer for question in self.questions)

    @property
    def does_something(self) -> bool:
        """Return True when an import adds or changes a member."""
        return bool(self.added or self.changed)

    @property
    def digest(self) -> str:
        """A text that is the same for the same additions and changes."""
        added = [[each.row, _texts(each.values)] for each in self.added]
        changed = [[each.read.row, each.member.pk, each.texts] for each in self.changed]
        return hashlib.sha256(canonical_json([added, changed])).hexdigest()


def compare_members(sheet: MemberSheet, answers: Answers, today: date) -> MemberChanges:
    """Compare the rows of a file with the members."""
    comparison = _Comparison(answers, today)
    for read in sorted(sheet.members, key=comparison.has_known_licence, reverse=True):
        comparison.take(read)
    comparison.changes.sort()
    return comparison.changes


class _Comparison:
    """The members by licence and by name, and the changes found so far. A merged record stands for its member."""

    def __init__(self, answers: Answers, today: date) -> None:
        self.changes = MemberChanges()
        self._answers, self._today = answers, today
        records = {record.pk: record for record in Member.objects.filter(anonymised_at=None)}
        merged = get_merged_records()
        self._records: dict[int, list[Member]] = {}
        self._by_licence: dict[str, Member] = {}
        self._by_name: dict[NameKey, list[Member]] = {}
        for pk, record in records.items():
            member = records.get(merged.get(pk, pk))
            if member is None:
                continue
            self._records.setdefault(member.pk, []).append(record)
            if record.licence:
                self._by_licence[record.licence.casefold()] = member
            named = self._by_name.setdefault(name_key(record.surname, record.first_name), [])
            if member not in named:
                named.append(member)
        self._rows: dict[int, int] = {}
        self._read: dict[NameKey, list[SheetMember]] = {}

    def has_known_licence(self, read: SheetMember) -> bool:
        """Return True when a member has the licence number of a row. These rows are compared first: what they are about
        is certain."""
        return str(read.values.get("licence", "")).casefold() in self._by_licence

    def take(self, read: SheetMember) -> None:
        """Find the member that a row is about, or add one."""
        key = name_key(*(str(read.values.get(name, "")) for name in _NAME_PARTS))
        earlier = next((other for other in self._read.get(key, ()) if not _is_distinguished(read, other)), None)
        if earlier is not None:
            twice = _("%(name)s is there twice; the name is in cell %(cell)s already.")
            self._wrong(read, twice % {"name": _name(read), "cell": earlier.name_cell})
            return
        self._read.setdefault(key, []).append(read)
        member, choices = self._find(read, key)
        if choices:
            answer = self._answer(read, choices)
            if answer in ("", LEAVE_OUT):
                return
            member = next((choice for choice in choices if str(choice.pk) == answer), None)
        if member is None:
            self.changes.added.append(read)
        elif member.pk in self._rows:
            twice = _("Row %(row)d is about %(name)s too: delete one of the rows.")
            self._wrong(read, twice % {"row": self._rows[member.pk], "name": member.name})
        elif _is_another_person(read, member):
            sentence = _(
                "The licence number %(licence)s belongs to %(name)s: correct the number, or change the name of that "
                "member first."
            )
            self._wrong(read, sentence % {"licence": read.values["licence"], "name": member.name})
        else:
            self._rows[member.pk] = read.row
            self._compare(read, member)

    def _find(self, read: SheetMember, key: NameKey) -> tuple[Member | None, list[Member]]:
        """The member with the licence, or with the name; else the members who may be meant."""
        if self.has_known_licence(read):
            return self._by_licence[str(read.values["licence"]).casefold()], []
        named = [member for member in self._by_name.get(key, ()) if member.pk not in self._rows]
        same = [member for member in named if not self._is_different(read, member)]
        if len(same) > 1:
            same = [member for member in same if self._is_confirmed(read, member)] or same
        return (same[0], []) if len(same) == 1 else (None, named)

    def _is_different(self, read: SheetMember, member: Member) -> bool:
        return any(_differ(read.values.get(name), getattr(member, name)) for name in ("licence", "club", "birth_year"))

    def _is_confirmed(self, read: SheetMember, member: Member) -> bool:
        """Return True when club or year of birth are the same, not only unknown."""
        return any(read.values.get(name) and getattr(member, name) for name in ("club", "birth_year"))

    def _answer(self, read: SheetMember, choices: Sequence[Member]) -> str:
        answer = self._answers.get(read.row, "")
        allowed = {SOMEBODY_ELSE, LEAVE_OUT, *(str(choice.pk) for choice in choices)}
        answer = answer if answer in allowed else ""
        self.changes.questions.append(NamesakeQuestion(read, choices, answer))
        return answer

    def _compare(self, read: SheetMember, member: Member) -> None:
        known = self._records[member.pk]
        fields = [
            change for change in _changed_fields(read, member) if not any(_holds(record, change) for record in known)
        ]
        change = MemberChange(read, member, fields)
        try:
            clean_details(change.details, self._today)
        except Refused as refused:
            self._wrong(read, refused.sentence)
            return
        (self.changes.changed if fields else self.changes.unchanged).append(change)

    def _wrong(self, read: SheetMember, sentence: str) -> None:
        self.changes.errors.append(CellError(read.name_cell, sentence))


def _is_another_person(read: SheetMember, member: Member) -> bool:
    """Return True when surname and first name are both others than those of the member with the licence."""
    new, old = _words(read.values), _words(_parts(member))
    return not set(new) & set(old) and not is_near(" ".join(new), " ".join(old))


def _holds(record: Member, change: ValueChange) -> bool:
    """Return True when a record that was merged into the member has the name or licence of the file already."""
    is_merged = record.merged_into_id is not None and change.field in (*_NAME_PARTS, "licence")
    return is_merged and bool(getattr(record, change.field) == change.new)


def _changed_fields(read: SheetMember, member: Member) -> Iterator[ValueChange]:
    """The fields in which a row differs; a whole name only by its words, a note not by its line breaks."""
    for name in MEMBER_FIELDS:
        new, old = read.values.get(name), getattr(member, name)
        if new is None or new == old:
            continue
        if name in _NAME_PARTS and not read.states_surname and _words(read.values) == _words(_parts(member)):
            continue
        if name == "note" and validators.one_line(old) == new:
            continue
        yield ValueChange(name, old, new)


def _is_distinguished(read: SheetMember, other: SheetMember) -> bool:
    """Return True when licence, year of birth or club tell two rows of one name apart."""
    return any(_differ(read.values.get(name), other.values.get(name)) for name in ("licence", "club", "birth_year"))


def _differ(one: object, other: object) -> bool:
    """Return True for two known values that are different."""
    return bool(one and other) and _folded(one) != _folded(other)


def _folded(value: object) -> object:
    return fold_text(value) if isinstance(value, str) else value


def _name(read: SheetMember) -> str:
    return " ".join(str(read.values[name]) for name in reversed(_NAME_PARTS) if name in read.values)


def _parts(member: Member) -> dict[str, object]:
    return {name: getattr(member, name) for name in _NAME_PARTS}


def _words(values: Mapping[str, object]) -> list[str]:
    return sorted(fold_text(" ".join(str(values.get(name, "")) for name in _NAME_PARTS)).split())


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in sorted(values.items())}
