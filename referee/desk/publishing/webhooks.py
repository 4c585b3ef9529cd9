"""Webhooks: addresses of other programs that are told of placed turns and finished games, and what was sent to them."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.bounded_input import parse_whole_number
from referee.desk.access import general_page, user_of
from referee.desk.registry import Access
from tournaments.errors import Refused
from tournaments.models import Webhook, WebhookDelivery
from tournaments.now import utc_now
from tournaments.publishing.queries.webhooks import explain_error, list_deliveries, list_webhooks
from tournaments.publishing.services import webhooks as services


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A message in the list, with the sentence for the reason why the last try failed."""

    delivery: WebhookDelivery
    reason: str


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("webhooks", access=Access.ORGANISER)
def webhooks(request: HttpRequest) -> HttpResponse:
    """List addresses and messages; a POST adds the address `url`, whose secret is shown once, or acts on a listed
    one."""
    refusal, created = "", None
    if request.method == "POST":
        if "url" not in request.POST:
            return _act(request)
        try:
            created = _add(request)
        except Refused as refused:
            refusal = refused.sentence
    context = {
        "page": "webhooks",
        "webhooks": list_webhooks(),
        "deliveries": [DeliveryRow(each, explain_error(each.error)) for each in list_deliveries()],
        "created": created,
        "refusal": refusal,
        "url": request.POST.get("url", "") if refusal else "",
        "most_tries": services.MOST_TRIES,
    }
    return render(request, "desk/publishing/webhooks.html", context, status=422 if refusal else 200)


def _add(request: HttpRequest) -> Webhook:
    user = user_of(request)
    return services.add_webhook(url=request.POST["url"], secret=secrets.token_urlsafe(32), by=user, now=utc_now())


def _act(request: HttpRequest) -> HttpResponse:
    try:
        messages.success(request, _do(request, utc_now()))
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("desk:webhooks")


def _do(request: HttpRequest, now: datetime) -> str:
    pk = parse_whole_number(request.POST.get("pk", ""), digits=9) or 0
    match request.POST.get("act"):
        case "test":
            services.queue_test(pk=pk, now=now)
            return _("The test message is on its way: load the page again to see the answer.")
        case "on":
            services.set_webhook_on(pk=pk, is_on=True, now=now)
            return _("The address is told of turns and games from now on.")
        case "off":
            services.set_webhook_on(pk=pk, is_on=False, now=now)
            return _("Nothing is sent to the address any more.")
        case "delete":
            services.delete_webhook(pk=pk)
            return _("The address is deleted.")
        case "retry":
            services.retry_delivery(pk=pk, now=now)
            return _("The message is sent again: load the page again to see the answer.")
        case _:
            raise Refused(_("The page is old: load it again."))
