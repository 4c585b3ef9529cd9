"""Sentences for a page that is only changed in part."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django_htmx.http import trigger_client_event


def with_notices(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The page outside of what is swapped draws these (static/desk/desk.js)."""
    notices = [{"kind": message.tags, "text": str(message)} for message in messages.get_messages(request)]
    return trigger_client_event(response, "notices", {"notices": notices})
