"""Record of acts on members."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User

from tournaments.models import Member, MemberAct


def record_acts(members: Iterable[Member], kind: MemberAct.Kind, *, by: User | None, now: datetime) -> None:
    """Record the same act on each of these members."""
    MemberAct.objects.bulk_create(MemberAct(member=member, kind=kind, at=now, by=by) for member in members)
