"""History of a member at the desk, with the private address of the member's own page."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from referee.desk.access import general_page, user_of
from referee.desk.event_links import standings_paths
from referee.desk.registry import Access
from referee.members.addresses import private_path
from referee.members.history_page import history_context
from referee.phone.join_address import base_of, qr_svg
from tournaments.members.services.private_pages import renew_page_token
from tournaments.models import Member
from tournaments.now import utc_now
from tournaments.seasons.services.summaries import try_refresh_summaries


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("member-history", access=Access.ORGANISER)
def member_history_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the history of a member; a POST gives the member's own page a new private address."""
    member = get_object_or_404(Member, pk=pk)
    if member.merged_into_id is not None:
        return redirect("desk:member-history", member.merged_into_id)
    user, now = user_of(request), utc_now()
    if request.method == "POST":
        renew_page_token(member=member, by=user, now=now)
        messages.success(request, _("The page has a new private address. The one before leads nowhere now."))
        return redirect("desk:member-history", pk)
    try_refresh_summaries()
    links, with_all = standings_paths(user), "all" in request.GET
    context = history_context(member, today=timezone.localdate(now), with_all=with_all, links=links)
    context |= {"page": "members", "token": ""} | _private_address(request, member)
    return render(request, "desk/members/history.html", context)


def _private_address(request: HttpRequest, member: Member) -> dict[str, object]:
    """Return the private address and its QR code; an anonymised member has none."""
    if member.anonymised_at is not None:
        return {}
    address = base_of(request) + private_path(member)
    return {"private_address": address, "private_qr": qr_svg(address), "is_on_sheets": bool(settings.PUBLIC_URL)}
