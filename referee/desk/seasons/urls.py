"""Addresses of the pages of seasons and their rankings."""

from __future__ import annotations

from django.urls import URLPattern

from referee.desk.access import page_path
from referee.desk.seasons import files, ranking_editing, records, season_editing, season_pages

urlpatterns: list[URLPattern] = [
    page_path("records/", records.records),
    page_path("seasons/", season_pages.seasons),
    page_path("seasons/new/", season_editing.new_season),
    page_path("seasons/<int:season>/", season_pages.season_page),
    page_path("seasons/<int:season>/edit/", season_editing.edit_season),
    page_path("seasons/<int:season>/events/", season_editing.season_events),
    page_path("seasons/<int:season>/delete/", season_editing.delete_season),
    page_path("seasons/<int:season>/rankings/new/", ranking_editing.new_ranking),
    page_path("seasons/<int:season>/rankings/<int:ranking>/", ranking_editing.edit_ranking),
    page_path("seasons/<int:season>/rankings/<int:ranking>/move/", ranking_editing.move_ranking),
    page_path("seasons/<int:season>/rankings/<int:ranking>/delete/", ranking_editing.delete_ranking),
    page_path("seasons/<int:season>/rankings/<int:ranking>/file.<slug:file_format>", files.season_file),
    page_path("seasons/<int:season>/rankings/<int:ranking>/members/<int:member>/", season_pages.season_member),
]
