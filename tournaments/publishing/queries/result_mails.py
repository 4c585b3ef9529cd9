"""E-mails with results: the members who asked for them, and the state of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.models import Event, EventSummary, Game, Member, ResultMail
from tournaments.results.queries.standings_state import state_of_standings
from tournaments.seasons.queries.results import EventResult, load_event_results

CLAIM = timedelta(minutes=10)


class MailState(StrEnum):
    """`interrupted`: the program ended while the e-mail was being sent, so it may or may not have left."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class MailLine:
    """An e-mail of an event with its state, and the reason if it failed."""

    mail: ResultMail
    state: MailState
    reason: str


def get_summary(event: Event) -> EventSummary | None:
    """Return the stored results of an event; None until all its games are over."""
    return EventSummary.objects.filter(event=event).first()


def are_results_final(event: Event, now: datetime) -> bool:
    """Return True if the standings of the event do not change any more."""
    games = list(Game.objects.filter(event=event).select_related("event").order_by("number"))
    return bool(games) and state_of_standings(games, None, now, whole_event=True).is_final


def list_receivers(summary: EventSummary) -> list[Member]:
    """Return the members who played, asked for their results and have no e-mail of this event yet."""
    [results] = load_event_results([summary])
    served = ResultMail.objects.filter(summary=summary).values("member")
    played = Member.objects.filter(pk__in=[result.member for result in results.results])
    asked = played.filter(wants_mail=True, anonymised_at=None, merged_into=None).exclude(email="")
    return list(asked.exclude(pk__in=served).order_by("surname", "first_name", "pk"))


def find_result(mail: ResultMail) -> EventResult | None:
    """Return the result of the e-mail's member; None if they have none any more or do not want e-mail now."""
    member = mail.member
    if not member.wants_mail or not member.email or member.anonymised_at or member.merged_into_id:
        return None
    [results] = load_event_results([mail.summary])
    return next((result for result in results.results if result.member == member.pk), None)


def list_mails(summary: EventSummary, now: datetime) -> Sequence[MailLine]:
    """Return the e-mails of an event in the order of names."""
    mails = ResultMail.objects.filter(summary=summary).select_related("member")
    ordered = mails.order_by("member__surname", "member__first_name", "pk")
    return [MailLine(mail, _state(mail, now), explain_error(mail.error)) for mail in ordered]


def is_retryable() -> Q:
    """The e-mails that may be sent again: those that have failed or were interrupted."""
    return Q(sent_at=None) & ~Q(claimed_at=None)


def explain_error(error: str) -> str:
    """Return the sentence for the reason why an e-mail was not sent."""
    sentences = {
        "no_server": _("The mail server did not answer: check EMAIL_URL and the network."),
        "login": _("The mail server refused the user name or the password: check EMAIL_URL."),
        "address": _("The mail server refused the address: check it on the member's page."),
        "refused": _("The mail server refused the e-mail."),
        "not_wanted": _("The member does not want e-mail any more, or has no result in this event."),
    }
    return sentences.get(error, "")


def _state(mail: ResultMail, now: datetime) -> MailState:
    if mail.sent_at is not None:
        return MailState.SENT
    if mail.error:
        return MailState.FAILED
    is_old = mail.claimed_at is not None and mail.claimed_at < now - CLAIM
    return MailState.INTERRUPTED if is_old else MailState.WAITING
