"""Addresses of the pages of the club's website, its API and messages to other programs."""

from __future__ import annotations

from django.urls import URLPattern

from referee.desk.access import page_path
from referee.desk.publishing import api_tokens, webhooks

urlpatterns: list[URLPattern] = [
    page_path("club/api/", api_tokens.api_tokens),
    page_path("club/webhooks/", webhooks.webhooks),
]
