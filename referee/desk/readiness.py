"""The page “Is everything ready?”: the checks of `manage.py doctor`, and the QR code by which a phone confirms."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from referee.desk.access import general_page
from referee.desk.registry import Access
from referee.phone.join_address import base_of, local_name, qr_svg
from referee.readiness.finding import Finding
from referee.readiness.network import check_phones
from referee.readiness.reach import reach_test
from referee.readiness.report import TITLES, make_report
from referee.server.addresses import is_loopback, lan_addresses
from tournaments.now import utc_now

PHONES = "phones"


@dataclass(frozen=True, slots=True)
class Row:
    """A finding with its title."""

    title: str
    finding: Finding


@require_http_methods(["GET", "POST"])
@general_page("readiness", access=Access.ORGANISER)
def readiness(request: HttpRequest) -> HttpResponse:
    """Show all checks, the worst first; a post asks for another phone."""
    if request.method == "POST":
        reach_test.start_again()
        return redirect("desk:readiness")
    report = make_report(_port_of(request), is_serving=True, confirmation=reach_test.confirmation)
    rows = [Row(str(TITLES[finding.name]), finding) for finding in report.findings if finding.name != PHONES]
    context = {
        "faults": [row for row in rows if row.finding.state == "fault"],
        "warnings": [row for row in rows if row.finding.state == "warning"],
        "good": [row for row in rows if row.finding.state == "ok"],
        "remedies": report.remedies,
        "page": "readiness",
    }
    return render(request, "desk/readiness/readiness.html", context | _phone_context(request))


@require_GET
@general_page("readiness-phone", access=Access.ORGANISER)
def phone_reach(request: HttpRequest) -> HttpResponse:
    """Answer the page that waits for a phone: without content until one has confirmed, or the address has changed."""
    context = _phone_context(request)
    if reach_test.confirmation is None and request.GET.get("shown") == context["reach_url"]:
        return HttpResponse(status=204)
    return render(request, "desk/readiness/_phone.html", context)


def _phone_context(request: HttpRequest) -> dict[str, object]:
    """Return the finding about phones, and the address and QR code that wait for one; empty without a network."""
    base, confirmation = base_of(request), reach_test.confirmation
    addresses = [] if is_loopback(urlsplit(base).hostname or "") else lan_addresses()
    token = reach_test.get_token(utc_now())
    url = base + reverse("reach", args=[token]) if addresses and confirmation is None else ""
    return {
        "phone": check_phones(confirmation, addresses, _port_of(request)),
        "reach_url": url,
        "reach_qr": qr_svg(url) if url else "",
        "local_name": local_name(),
    }


def _port_of(request: HttpRequest) -> int:
    return int(request.get_port())
