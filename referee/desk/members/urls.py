"""Addresses of the pages of members of the club."""

from __future__ import annotations

from django.urls import URLPattern

from referee.desk.access import page_path
from referee.desk.members import event_members, review

urlpatterns: list[URLPattern] = [
    page_path("members/review/", review.members_review),
    page_path("<str:code>/players/members/", event_members.event_members),
]
