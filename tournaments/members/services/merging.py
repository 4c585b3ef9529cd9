"""Merge two records of one person, and separate them again.

A merged record keeps all its data, results and links; queries count them for the member at the root
(`tournaments.members.queries.identities`). Only empty fields of that member are filled, and each is emptied again when
the record that gave it is separated.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.errors import AlreadyDone, Refused
from tournaments.members.member_fields import MEMBER_FIELDS, MemberDetails
from tournaments.members.queries.identities import get_records_of
from tournaments.members.services.member_acts import record_acts
from tournaments.members.services.members import licence_still_free
from tournaments.models import DistinctMembers, Member, MemberAct

GIVEN_FIELDS = tuple(
    name for name in MEMBER_FIELDS if name not in ("surname", "left_on", "may_be_published", "wants_mail")
)
"""The fields that a merged record fills: neither the consent of the person nor the end of a membership is among
them."""

_NOTHING = MemberDetails()


@transaction.atomic
def merge_members(*, kept: Member, duplicate: Member, by: User | None, now: datetime) -> None:
    """Make `duplicate` a record of the member `kept`, whose empty fields it fills."""
    rows = Member.objects.select_for_update().in_bulk([kept.pk, duplicate.pk])
    root, record = rows[kept.pk], rows[duplicate.pk]
    _require_can_merge(root, record)
    given = [name for name in GIVEN_FIELDS if _is_empty(getattr(root, name)) and not _is_empty(getattr(record, name))]
    record.merged_into, record.given_fields = root, given
    record.save(update_fields=["merged_into", "given_fields"])
    for name in given:
        setattr(root, name, getattr(record, name))
    root.save(update_fields=given)
    DistinctMembers.objects.filter(first=min(rows), second=max(rows)).delete()
    record_acts([root, record], MemberAct.Kind.MERGED, by=by, now=now)


@transaction.atomic
def unmerge_member(*, record: Member, by: User | None, now: datetime) -> None:
    """Separate a merged record: it is a member of its own again, with what it brought."""
    record = Member.objects.select_for_update().get(pk=record.pk)
    into = record.merged_into
    if into is None:
        raise AlreadyDone(_("This record is separate already."))
    _require_not_anonymised(record, into)
    _take_back(into, {name: getattr(record, name) for name in record.given_fields}, without=record)
    _require_free_licence(record)
    record.merged_into, record.given_fields = None, []
    with licence_still_free(record.licence, record):
        record.save(update_fields=["merged_into", "given_fields"])
    record_acts([into, record], MemberAct.Kind.UNMERGED, by=by, now=now)


@transaction.atomic
def mark_distinct(*, first: Member, second: Member, by: User | None, now: datetime) -> None:
    """Remember that two members are not the same person, so that they are not proposed as duplicates again."""
    low, high = sorted([first, second], key=lambda member: member.pk)
    if low == high:
        raise Refused(_("Choose two different members."))
    _pair, is_new = DistinctMembers.objects.get_or_create(first=low, second=high)
    if is_new:
        record_acts([low, high], MemberAct.Kind.DISTINCT, by=by, now=now)


def _take_back(member: Member, given: Mapping[str, Any], *, without: Member) -> None:
    """Empty the fields that the record `without` gave, if they are still as it gave them, or let another record of the
    member give them. What the member gave on to others follows."""
    member = Member.objects.select_for_update().get(pk=member.pk)
    lost = {name: value for name, value in given.items() if getattr(member, name) == value}
    others = list(Member.objects.filter(merged_into=member).exclude(pk=without.pk).order_by("pk"))
    for name in lost:
        giver = next((other for other in others if not _is_empty(getattr(other, name))), None)
        setattr(member, name, getattr(giver or _NOTHING, name))
        if giver is not None:
            giver.given_fields = [*giver.given_fields, name]
            giver.save(update_fields=["given_fields"])
    passed_on = {name: lost[name] for name in member.given_fields if name in lost}
    member.given_fields = [name for name in member.given_fields if name not in passed_on]
    member.save(update_fields=[*lost, "given_fields"])
    if member.merged_into is not None and passed_on:
        _take_back(member.merged_into, passed_on, without=without)


def _require_can_merge(root: Member, record: Member) -> None:
    if record.pk in get_records_of(root) or root.pk in get_records_of(record):
        raise AlreadyDone(_("These are records of one member already."))
    if root.merged_into_id or record.merged_into_id:
        raise Refused(_("One of these records was merged into a third one: look at the duplicates again."))
    _require_not_anonymised(root, record)


def _require_not_anonymised(*members: Member) -> None:
    if any(member.anonymised_at for member in members):
        raise Refused(_("A member who was anonymised is neither merged nor separated."))


def _require_free_licence(record: Member) -> None:
    """Refuse a separation after which two members would have one licence."""
    members = Member.objects.filter(merged_into=None).exclude(licence="")
    holder = members.filter(licence__iexact=record.licence).exclude(pk=record.pk).first()
    if holder is not None:
        raise Refused(
            _("Both records have the licence number %(licence)s: correct that of %(name)s, then separate them.")
            % {"licence": record.licence, "name": holder.name}
        )


def _is_empty(value: object) -> bool:
    return value in ("", None)
