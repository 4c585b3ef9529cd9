"""E-mail with a member's result of an event, in the language of the event."""

from __future__ import annotations

import smtplib

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.models import Member, PublicPage, ResultMail
from tournaments.publishing.queries.result_mails import find_result
from tournaments.seasons.queries.results import EventResult


class Unsent(Exception):
    """E-mail that was not sent; `error` is the reason, as `explain_error` of the e-mails reads it."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


def send_result_mail(mail: ResultMail) -> None:
    """Hand an e-mail to the mail server. Raises Unsent."""
    result = find_result(mail)
    if result is None:
        raise Unsent("not_wanted")
    try:
        compose(mail, result).send()
    except (smtplib.SMTPRecipientsRefused, ValueError):  # ValueError: an address that no header may have
        raise Unsent("address") from None
    except smtplib.SMTPAuthenticationError:
        raise Unsent("login") from None
    except smtplib.SMTPConnectError:
        raise Unsent("no_server") from None
    except smtplib.SMTPResponseException:
        raise Unsent("refused") from None
    except OSError:
        raise Unsent("no_server") from None


def compose(mail: ResultMail, result: EventResult) -> EmailMessage:
    """Write the e-mail."""
    summary, member = mail.summary, mail.member
    with translation.override(summary.event.language if summary.event else settings.LANGUAGE_CODE):
        name = " ".join(summary.name.split())
        text = render_to_string(
            "publishing/result_mail.txt",
            {
                "member": member,
                "summary": summary,
                "result": result,
                "page": _member_address(member),
                "standings": _standings_address(summary.event_id),
            },
        )
        return EmailMessage(_("Your result: %s") % name, text, settings.DEFAULT_FROM_EMAIL, [member.email])


def _member_address(member: Member) -> str:
    return f"{settings.PUBLIC_URL}/m/{member.page_token}/" if settings.PUBLIC_URL else ""


def _standings_address(event: int | None) -> str:
    page = PublicPage.objects.filter(event=event, is_on=True).first() if event else None
    path = reverse("public:event", args=[page.token]) if page is not None else ""
    return f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL and path else ""
