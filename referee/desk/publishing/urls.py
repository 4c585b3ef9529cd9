"""Addresses of the pages of the club's website, its API and messages to other programs."""

from __future__ import annotations

from django.urls import URLPattern

from referee.desk.access import page_path
from referee.desk.publishing import api_tokens, club, webhooks

urlpatterns: list[URLPattern] = [
    page_path("club/", club.club),
    page_path("club/logo/", club.club_logo),
    page_path("club/publish/", club.publish_website),
    page_path("club/progress/", club.website_progress),
    page_path("club/api/", api_tokens.api_tokens),
    page_path("club/webhooks/", webhooks.webhooks),
]
