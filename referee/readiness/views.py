"""Page that a phone opens to confirm that it reaches this computer."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from referee.readiness.reach import reach_test
from referee.security.failure_throttle import address_of, count_failed_request
from referee.security.rate_limit import is_this_computer
from referee.server.addresses import lan_addresses
from tournaments.now import utc_now


@require_GET
def confirm_reach(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm that another device has reached this computer; the address works once. A wrong one does not exist."""
    device, now = address_of(request) or "", utc_now()
    if not reach_test.is_open(token, now, device):
        count_failed_request(request)
        raise Http404
    is_other = not is_this_computer(device) and device not in lan_addresses()
    if is_other:
        reach_test.confirm(now, device)
    return render(request, "reach.html", {"is_other": is_other})
