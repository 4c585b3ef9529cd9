"""Tokens of the read-only API: create one, see when each was last used, revoke one."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.bounded_input import parse_whole_number
from referee.api.access import valid_tokens
from referee.desk.access import general_page, user_of
from referee.desk.registry import Access
from referee.phone.join_address import base_of
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.publishing.queries.api_tokens import list_tokens
from tournaments.publishing.services.api_tokens import create_token, revoke_token


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("api-tokens", access=Access.ORGANISER)
def api_tokens(request: HttpRequest) -> HttpResponse:
    """List the tokens; a POST creates the token `name`, which is shown once, or revokes the token `revoke`."""
    refusal, created = "", ""
    if request.method == "POST":
        try:
            if "revoke" in request.POST:
                return _revoke(request)
            created = _create(request)
        except Refused as refused:
            refusal = refused.sentence
    tokens = list(list_tokens())
    context = {
        "page": "api-tokens",
        "tokens": tokens,
        "is_on": any(token.revoked_at is None for token in tokens),
        "root": base_of(request) + reverse("api:list_events"),
        "created": created,
        "refusal": refusal,
        "name": request.POST.get("name", "") if refusal else "",
    }
    return render(request, "desk/publishing/api_tokens.html", context, status=422 if refusal else 200)


def _create(request: HttpRequest) -> str:
    user = user_of(request)
    token = secrets.token_urlsafe(32)
    create_token(name=request.POST.get("name", ""), token=token, by=user, now=utc_now())
    valid_tokens.forget()
    return token


def _revoke(request: HttpRequest) -> HttpResponse:
    try:
        token = revoke_token(pk=parse_whole_number(request.POST["revoke"], digits=9) or 0, now=utc_now())
        messages.success(request, _("The token “%s” is revoked.") % token.name)
    except Refused as refused:
        messages.error(request, refused.sentence)
    valid_tokens.forget()
    return redirect("desk:api-tokens")
