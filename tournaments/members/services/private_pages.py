"""The private address of a member's page."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.members.models import new_page_token
from tournaments.members.queries.identities import get_records_of
from tournaments.members.services.member_acts import record_acts
from tournaments.models import Member, MemberAct


@transaction.atomic
def renew_page_token(*, member: Member, by: User, now: datetime) -> None:
    """Give the page a new address; those before, also on printed sheets and of merged records, lead nowhere now."""
    records = list(Member.objects.select_for_update().filter(pk__in=get_records_of(member)))
    for record in records:
        record.page_token = new_page_token()
    Member.objects.bulk_update(records, ["page_token"])
    record_acts([member], MemberAct.Kind.PAGE_RENEWED, by=by, now=now)
