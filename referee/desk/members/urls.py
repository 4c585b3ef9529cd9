"""Addresses of the pages of members of the club."""

from __future__ import annotations

from django.urls import URLPattern

from referee.desk.access import page_path
from referee.desk.members import duplicates, event_members, export, member_file, members, privacy, review

urlpatterns: list[URLPattern] = [
    page_path("members/review/", review.members_review),
    page_path("<str:code>/players/members/", event_members.event_members),
    page_path("members/", members.members),
    page_path("members/new/", members.new_member),
    page_path("members/file/", member_file.member_file),
    page_path("members/duplicates/", duplicates.duplicates),
    page_path("members/list.<slug:kind>", export.export_members),
    page_path("members/<int:pk>/", members.edit_member),
    page_path("members/<int:pk>/separate/", duplicates.unmerge),
    page_path("members/<int:pk>/data/", privacy.stored_data),
    page_path("members/<int:pk>/data.json", privacy.stored_data_file),
]
