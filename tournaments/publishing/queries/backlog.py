"""Work that waits for background tasks: sheets, messages to other programs and members."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min

from tournaments.enums import DocumentState
from tournaments.models import Document, ResultMail, WebhookDelivery


@dataclass(frozen=True, slots=True)
class Backlog:
    """Number of sheets by state, number of waiting messages, and the request time of the oldest of each."""

    sheets: dict[str, int]
    oldest_sheet: datetime | None
    messages: int
    oldest_message: datetime | None


def get_backlog() -> Backlog:
    """Return the present backlog of the installation."""
    sheets = dict.fromkeys(DocumentState.values, 0)
    sheets |= dict(Document.objects.order_by().values_list("state").annotate(Count("pk")))
    unfinished = Document.objects.filter(state__in=[DocumentState.QUEUED, DocumentState.RUNNING])
    deliveries = WebhookDelivery.objects.filter(next_at__isnull=False).aggregate(
        n=Count("pk"), oldest=Min("created_at")
    )
    mails = ResultMail.objects.filter(claimed_at=None, error="").aggregate(n=Count("pk"), oldest=Min("requested_at"))
    return Backlog(
        sheets=sheets,
        oldest_sheet=unfinished.aggregate(oldest=Min("asked_at"))["oldest"],
        messages=deliveries["n"] + mails["n"],
        oldest_message=min(filter(None, (deliveries["oldest"], mails["oldest"])), default=None),
    )
