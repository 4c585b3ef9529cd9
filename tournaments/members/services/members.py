"""Add and change members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.members.member_fields import MEMBER_FIELDS, MemberDetails, clean_details, details_of
from tournaments.members.queries.identities import find_licence_holder
from tournaments.members.queries.namesakes import find_namesakes
from tournaments.members.services.member_acts import record_acts
from tournaments.models import Member, MemberAct

__all__ = ["MemberDetails", "NamesakeFound", "change_member", "create_member", "details_of"]


class NamesakeFound(Refused):
    """There are members of this name already. The request is met when it is repeated with `is_namesake`."""

    def __init__(self, namesakes: Sequence[Member]) -> None:
        self.namesakes = namesakes
        name = namesakes[0].name
        sentence = _(
            "There is a member called %(name)s already: edit that member, or confirm that this is somebody else."
        )
        super().__init__(sentence % {"name": name})


@transaction.atomic
def create_member(*, details: MemberDetails, by: User | None, now: datetime, is_namesake: bool = False) -> Member:
    """Add a member. A member of the same name raises `NamesakeFound` unless `is_namesake`."""
    cleaned = clean_details(details, now.date())
    _require_free_licence(cleaned.licence, None)
    if not is_namesake:
        _require_no_namesake(cleaned, None)
    with licence_still_free(cleaned.licence, None):
        member = Member.objects.create(**{name: getattr(cleaned, name) for name in MEMBER_FIELDS})
    record_acts([member], MemberAct.Kind.CREATED, by=by, now=now)
    return member


@transaction.atomic
def change_member(
    *, member: Member, details: MemberDetails, by: User | None, now: datetime, is_namesake: bool = False
) -> list[str]:
    """Store other details of a member; return the fields that are different. To change one field, pass
    `replace(details_of(member), club="…")`."""
    stored = Member.objects.select_for_update().get(pk=member.pk)
    require_not_anonymised(stored)
    cleaned, before = clean_details(details, now.date()), details_of(stored)
    _require_free_licence(cleaned.licence, stored)
    changed = [name for name in MEMBER_FIELDS if getattr(cleaned, name) != getattr(before, name)]
    if not is_namesake and not {"surname", "first_name"}.isdisjoint(changed):
        _require_no_namesake(cleaned, stored)
    if not changed:
        return []
    for name in changed:
        setattr(member, name, getattr(cleaned, name))
    with licence_still_free(cleaned.licence, stored):
        member.save(update_fields=changed)
    record_acts([member], MemberAct.Kind.CHANGED, by=by, now=now)
    return changed


def require_not_anonymised(member: Member) -> None:
    """Refuse to write about a person whose name was removed."""
    if member.anonymised_at is not None:
        raise Refused(_("This member was anonymised and cannot be changed: add the person as a new member."))


def _require_free_licence(licence: str, member: Member | None) -> None:
    holder = find_licence_holder(licence, member)
    if holder is not None:
        raise Refused(
            _("The licence number %(licence)s belongs to %(name)s: check the number, or edit that member.")
            % {"licence": licence, "name": holder.name}
        )


@contextmanager
def licence_still_free(licence: str, member: Member | None) -> Iterator[None]:
    """Refuse a licence number that somebody else has stored since it was checked. PostgreSQL lets two write at once."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        _require_free_licence(licence, member)
        raise


def _require_no_namesake(details: MemberDetails, member: Member | None) -> None:
    namesakes = find_namesakes(details.surname, details.first_name, member)
    if namesakes:
        raise NamesakeFound(namesakes)
