"""Public pages of events whose director has turned them on."""

from __future__ import annotations

from django.urls import path

from referee.public import views

app_name = "public"
urlpatterns = [
    path("<str:token>/", views.event_page, name="event"),
    path("<str:token>/standings/", views.standings_page, name="standings"),
    path("<str:token>/game/<int:game>/", views.game_page, name="game"),
    path("<str:token>/game/<int:game>/turn/<int:turn>/", views.turn_page, name="turn"),
    path("<str:token>/table/<int:table>/<str:key>/", views.player_page, name="player"),
]
