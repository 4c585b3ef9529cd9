"""A new login link with its QR code, for a page that shows it once."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse

from referee.phone.join_address import base_of, qr_svg
from referee.security.login import make_link_token
from tournaments.staff.queries import name_of


def link_card(request: HttpRequest, user: User, revoke_url: str) -> dict[str, object]:
    """Return the context of `_new_link.html`: a link for a user, and the address that revokes it."""
    address = base_of(request) + reverse("enter", args=[make_link_token(user)])
    return {"link": address, "link_qr": qr_svg(address), "link_name": name_of(user), "revoke_url": revoke_url}
