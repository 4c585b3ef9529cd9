"""Addresses of the pages of seasons and their rankings."""

from __future__ import annotations

from django.urls import URLPattern

from referee.desk.access import page_path
from referee.desk.seasons import records

urlpatterns: list[URLPattern] = [
    page_path("records/", records.records),
]
