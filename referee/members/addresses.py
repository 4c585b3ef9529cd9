"""Addresses of members' private pages, for sheets and for the desk."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse

from tournaments.members.queries.private_pages import list_page_tokens
from tournaments.models import Event, Member


def private_path(member: Member) -> str:
    """Return the path of a member's own page."""
    return reverse("members:page", args=[member.page_token])


def private_addresses_of(event: Event) -> dict[int, str]:
    """Return the addresses of the members' own pages by table; empty if no public address is known."""
    if not settings.PUBLIC_URL:
        return {}
    tokens = list_page_tokens(event.pk)
    return {table: settings.PUBLIC_URL + reverse("members:page", args=[token]) for table, token in tokens.items()}
