"""Settings of the public page: on or off, delay, address."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.form_values import parse_number
from referee.phone.join_address import base_of, qr_svg
from referee.security.permissions import DIRECTOR
from tournaments.errors import Refused
from tournaments.models import PublicPage
from tournaments.now import utc_now
from tournaments.results.queries.public_page import count_known_turns
from tournaments.results.queries.results import last_turn_shown
from tournaments.results.services import public_page as services


@desk_page("public-page", get=DIRECTOR, post=DIRECTOR, spoiler=True)
def public_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the settings of the public page; a POST changes them, or gives the page another address."""
    if request.method == "POST":
        try:
            messages.success(request, _change(request, desk))
        except Refused as refused:
            messages.error(request, refused.sentence)
        return redirect("desk:public-page", desk.code)
    page = PublicPage.objects.select_related("event").filter(event=desk.event).first()
    settings = page or PublicPage(event=desk.event)
    address = _address(request, page) if page is not None and page.is_on else ""
    context = {
        "event": desk.event,
        "page": "public-page",
        "public": settings,
        "address": address,
        "qr": qr_svg(address) if address else "",
        "known": count_known_turns(desk.game, settings.delay),
        "played": last_turn_shown(desk.game),
        "most": services.MAX_DELAY,
    }
    return render(request, "desk/results/public_page.html", context)


def _change(request: HttpRequest, desk: Desk) -> str:
    now = utc_now()
    if "another" in request.POST:
        services.change_address(event=desk.event, by=desk.user, now=now)
        return _("The public page has a new address; the old one no longer works.")
    delay = parse_number(request.POST.get("delay", "").strip() or "0")
    flags = {name: name in request.POST for name in ("is_on", "own_sheets", "may_be_found")}
    page = services.set_page(event=desk.event, delay=delay, **flags, by=desk.user, now=now)
    return _("Everybody who has the address can read the page.") if page.is_on else _("The public page is off.")


def _address(request: HttpRequest, page: PublicPage) -> str:
    base = base_of(request)
    return f"{base}{reverse('public:event', args=[page.token])}"
