"""Results to players: the code that opens the public standings, and e-mails to members who asked for them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.outgoing.delivery import is_mail_configured
from referee.phone.join_address import base_of, qr_svg
from referee.security.permissions import DIRECTOR
from tournaments.errors import Refused
from tournaments.models import Event, PublicPage
from tournaments.now import utc_now
from tournaments.publishing.queries.result_mails import (
    MailState,
    are_results_final,
    get_summary,
    list_mails,
    list_receivers,
)
from tournaments.publishing.services import result_mails
from tournaments.seasons.services.summaries import refresh_summaries


@desk_page("results-to-players", get=DIRECTOR, post=DIRECTOR, spoiler=False)
def results_to_players(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the code and the state of the e-mails; a POST sends e-mails, or with `retry` the failed ones again. With
    `show`, the code alone, to be projected or printed."""
    refresh_summaries()
    if request.method == "POST":
        try:
            messages.success(request, _send(request, desk.event))
        except Refused as refused:
            messages.error(request, refused.sentence)
        return redirect("desk:results-to-players", desk.code)
    address = _standings_address(request, desk.event)
    context: dict[str, object] = {
        "event": desk.event,
        "page": "results-to-players",
        "address": address,
        "qr": qr_svg(address) if address else "",
    }
    if address and "show" in request.GET:
        return render(request, "desk/results/results_code.html", context)
    return render(request, "desk/results/results_to_players.html", {**context, **_mail_context(desk.event)})


def _send(request: HttpRequest, event: Event) -> str:
    if not is_mail_configured():
        raise Refused(_("No mail server is set up: the variable EMAIL_URL names it, see “Running Multiplo”."))
    if "retry" in request.POST:
        number = result_mails.retry_mails(event=event, now=utc_now())
    else:
        number = result_mails.request_mails(event=event, now=utc_now())
    sentence = ngettext(
        "%d e-mail is on its way: load the page again to see whether it arrived at the mail server.",
        "%d e-mails are on their way: load the page again to see whether they arrived at the mail server.",
        number,
    )
    return sentence % number


def _mail_context(event: Event) -> dict[str, object]:
    now, summary = utc_now(), get_summary(event)
    lines = list_mails(summary, now) if summary is not None else []
    return {
        "is_mail_configured": is_mail_configured(),
        "is_over": summary is not None,
        "is_final": summary is not None and are_results_final(event, now),
        "receivers": list_receivers(summary) if summary is not None else [],
        "mails": lines,
        "failed": sum(line.state in (MailState.FAILED, MailState.INTERRUPTED) for line in lines),
    }


def _standings_address(request: HttpRequest, event: Event) -> str:
    page = PublicPage.objects.filter(event=event, is_on=True).first()
    return "" if page is None else base_of(request) + reverse("public:event", args=[page.token])
