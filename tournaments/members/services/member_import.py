"""Import of a list of members: new ones are added, known ones updated, nobody is removed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.members.member_changes import Answers, MemberChange, compare_members
from tournaments.members.member_fields import MEMBER_FIELDS
from tournaments.members.member_table import MEMBER_HEADINGS, MemberSheet
from tournaments.members.services.member_acts import record_acts
from tournaments.models import ColumnChoice, Member, MemberAct
from tournaments.players.column_headings import normalise_heading


@dataclass(frozen=True, slots=True)
class MemberImportResult:
    """The number of members that were added, and of those that were updated."""

    added: int
    changed: int


@transaction.atomic
def import_members(
    *, sheet: MemberSheet, answers: Answers, shown: str, by: User | None, now: datetime
) -> MemberImportResult:
    """Add and update the members of a file, and remember its columns. `shown` is the digest of the differences that
    the user has seen; refused when they are others by now. Rows with a fault are left out."""
    list(Member.objects.select_for_update().values_list("pk"))
    changes = compare_members(sheet, answers, now.date())
    if not changes.is_ready or changes.digest != shown:
        raise _outdated()
    changed = [_changed_member(change) for change in changes.changed]
    added = [Member(**{name: getattr(each.details, name) for name in MEMBER_FIELDS}) for each in changes.added]
    try:
        with transaction.atomic():
            Member.objects.bulk_update(changed, MEMBER_FIELDS, batch_size=500)
            Member.objects.bulk_create(added, batch_size=500)
    except IntegrityError:  # a licence number that another organiser has stored in the same instant
        raise _outdated() from None
    record_acts(changed, MemberAct.Kind.IMPORTED, by=by, now=now)
    record_acts(added, MemberAct.Kind.CREATED, by=by, now=now)
    remember_columns(sheet)
    return MemberImportResult(len(added), len(changed))


def _outdated() -> Refused:
    return Refused(_("The members have changed in the meantime: look at the differences again."))


def remember_columns(sheet: MemberSheet) -> None:
    """Store the field of each heading that means something else than the program takes it for, so that the next import
    assigns the same."""
    if not sheet.has_header:
        return
    titles = [column.heading for column in sheet.headings]
    assigned = {normalise_heading(column.heading): column.field for column in sheet.headings if column.heading}
    chosen = {heading: field for heading, field in assigned.items() if not MEMBER_HEADINGS.column_of(heading)}
    usual = MEMBER_HEADINGS.header_of(titles, chosen) or [""] * len(titles)
    for title, expected in zip(titles, usual, strict=True):
        heading = normalise_heading(title)
        if title and assigned[heading] != expected:
            chosen[heading] = assigned[heading]
    ColumnChoice.objects.filter(heading__in=assigned).delete()
    ColumnChoice.objects.bulk_create(ColumnChoice(heading=heading, field=field) for heading, field in chosen.items())


def _changed_member(change: MemberChange) -> Member:
    for each in change.fields:
        setattr(change.member, each.field, each.new)
    return change.member
