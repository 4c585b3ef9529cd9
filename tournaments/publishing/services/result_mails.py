"""E-mails with results, in a queue from which a sender takes one at a time. Each is sent at most once."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import Refused
from tournaments.models import Event, EventSummary, ResultMail
from tournaments.publishing.queries.result_mails import (
    CLAIM,
    are_results_final,
    get_summary,
    is_retryable,
    list_receivers,
)

SERVER_FAULTS = ("no_server", "login")


def request_mails(*, event: Event, now: datetime) -> int:
    """Queue an e-mail for each member who asked for results and has none of this event; return their number."""
    summary = _require_results(event, now)
    mails = [ResultMail(summary=summary, member=member, requested_at=now) for member in list_receivers(summary)]
    if not mails:
        raise Refused(
            _("No member is waiting for an e-mail. Whether a member wants e-mail is set on the member’s page.")
        )
    ResultMail.objects.bulk_create(mails, ignore_conflicts=True)
    signals.send_message_queued()
    return len(mails)


def retry_mails(*, event: Event, now: datetime) -> int:
    """Send the e-mails that failed or were interrupted again; return their number."""
    summary = _require_results(event, now)
    failed = ResultMail.objects.filter(is_retryable(), summary=summary)
    number = failed.exclude(error="", claimed_at__gte=now - CLAIM).update(claimed_at=None, error="", requested_at=now)
    if not number:
        raise Refused(_("No e-mail has failed: load the page again."))
    signals.send_message_queued()
    return number


def has_waiting_mail() -> bool:
    """Return True if an e-mail is to be sent."""
    return ResultMail.objects.filter(sent_at=None, claimed_at=None).exists()


def claim_mail(*, now: datetime) -> ResultMail | None:
    """Take the next e-mail; of several processes only one gets it. It is never taken twice by itself."""
    waiting = ResultMail.objects.filter(sent_at=None, claimed_at=None)
    while (found := waiting.select_related("member", "summary__event").order_by("pk").first()) is not None:
        if ResultMail.objects.filter(pk=found.pk, claimed_at=None).update(claimed_at=now):
            return found
    return None


def record_sent(*, mail: ResultMail, now: datetime) -> None:
    """Store that the mail server has accepted the e-mail."""
    ResultMail.objects.filter(pk=mail.pk).update(sent_at=now, error="")


def record_failed(*, mail: ResultMail, error: str, now: datetime) -> None:
    """Store why an e-mail was not sent. If the mail server is the reason, the waiting ones have failed, too: each would
    take as long to find out."""
    ResultMail.objects.filter(pk=mail.pk).update(error=error)
    if error in SERVER_FAULTS:
        ResultMail.objects.filter(sent_at=None, claimed_at=None).update(claimed_at=now, error=error)


def _require_results(event: Event, now: datetime) -> EventSummary:
    summary = get_summary(event)
    if summary is None:
        raise Refused(_("The event is not over: send the results when all its games are finished."))
    if not are_results_final(event, now):
        raise Refused(_("The standings are still provisional: send the results once the time for appeals is over."))
    return summary
