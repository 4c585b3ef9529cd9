"""Addresses of the pages of ratings and files for federations."""

from __future__ import annotations

from django.urls import URLPattern

from referee.desk.access import page_path
from referee.desk.ratings import federation_files, handicap_proposal, ratings, series_proposal, templates

urlpatterns: list[URLPattern] = [
    page_path("ratings/", ratings.ratings),
    page_path("ratings/explained/", ratings.explanation),
    page_path("export-templates/", templates.export_templates),
    page_path("export-templates/<int:pk>/", templates.export_template),
    page_path("<str:code>/series/", series_proposal.propose_series_page),
    page_path("<str:code>/handicap/", handicap_proposal.propose_handicap_page),
    page_path("<str:code>/federation-files/", federation_files.federation_files),
    page_path("<str:code>/federation-files/<int:pk>/", federation_files.federation_file),
]
