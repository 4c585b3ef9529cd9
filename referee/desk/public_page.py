"""The public page at the desk of the director: on or off, how far behind, and its address."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from referee.desk.access import Desk, at_desk
from referee.desk.posted import whole
from referee.joining import base_of, qr_svg
from tournaments.errors import Refused
from tournaments.models import PublicPage
from tournaments.now import utc_now
from tournaments.selectors.public_page import known_turns
from tournaments.selectors.results import turns_shown
from tournaments.services import public_page as services


@require_http_methods(["GET", "POST"])
@at_desk
def public_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """What anybody may read of the event; a POST sets it, or gives the page another address."""
    if request.method == "POST":
        try:
            messages.success(request, _change(request, desk))
        except Refused as refused:
            messages.error(request, refused.sentence)
        return redirect("desk:public-page", desk.code)
    page = PublicPage.objects.select_related("event").filter(event=desk.event).first()
    shown = page or PublicPage(event=desk.event)
    address = _address(request, page) if page is not None and page.is_on else ""
    context = {
        "event": desk.event,
        "page": "public-page",
        "public": shown,
        "address": address,
        "qr": qr_svg(address) if address else "",
        "known": known_turns(desk.game, shown.delay),
        "played": turns_shown(desk.game),
        "most": services.MOST_BEHIND,
    }
    return render(request, "desk/public_page.html", context)


def _change(request: HttpRequest, desk: Desk) -> str:
    now = utc_now()
    if "another" in request.POST:
        services.change_address(event=desk.event, by=desk.user, now=now)
        return _("The public page has another address; the old one opens nothing any more.")
    delay = whole(request.POST.get("delay", "").strip() or "0")
    given = {name: name in request.POST for name in ("is_on", "own_sheets", "may_be_found")}
    page = services.set_page(event=desk.event, delay=delay, **given, by=desk.user, now=now)
    return _("Everybody who has the address may read the page.") if page.is_on else _("The public page is off.")


def _address(request: HttpRequest, page: PublicPage) -> str:
    base = base_of(request)
    return f"{base}{reverse('public:event', args=[page.token])}"
