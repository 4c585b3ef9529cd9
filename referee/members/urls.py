"""A member's own page and the turns to play again."""

from __future__ import annotations

from django.urls import path

from referee.members import views

app_name = "members"
urlpatterns = [
    path("<str:token>/", views.member_page, name="page"),
    path("<str:token>/turn/<int:turn>/", views.turn_page, name="turn"),
    path("<str:token>/turn/<int:turn>/start/", views.start_turn, name="start"),
    path("<str:token>/turn/<int:turn>/slip/", views.submit_slip, name="slip"),
]
