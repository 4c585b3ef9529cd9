"""Addresses of the pages of seasons and their rankings."""

from __future__ import annotations

from django.urls import URLPattern

from referee.desk.access import page_path
from referee.desk.seasons import files

urlpatterns: list[URLPattern] = [
    page_path("seasons/<int:season>/rankings/<int:ranking>/file.<slug:file_format>", files.season_file),
]
