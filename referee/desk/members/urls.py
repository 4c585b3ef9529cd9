"""Addresses of the pages of members of the club."""

from __future__ import annotations

from django.urls import URLPattern

from referee.desk.access import page_path
from referee.desk.members import history

urlpatterns: list[URLPattern] = [
    page_path("members/<int:pk>/history/", history.member_history_page),
]
