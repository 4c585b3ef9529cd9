"""The private address of a member's page."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.members.models import new_page_token
from tournaments.models import Member, MemberAct


@transaction.atomic
def renew_page_token(*, member: Member, by: User, now: datetime) -> None:
    """Give the page a new address; the one before, also on printed sheets, leads nowhere from now on."""
    Member.objects.filter(pk=member.pk).update(page_token=new_page_token())
    MemberAct.objects.create(member=member, kind="page_renewed", at=now, by=by)
