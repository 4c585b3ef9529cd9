"""Notices in answers that change only a part of a page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django_htmx.http import trigger_client_event


def with_notices(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add the messages of the request to an htmx answer; static/desk/desk.js shows them outside the swapped part."""
    notices = [{"kind": message.tags, "text": str(message)} for message in messages.get_messages(request)]
    return trigger_client_event(response, "notices", {"notices": notices})
