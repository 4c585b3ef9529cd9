from __future__ import annotations

from django.urls import path

from referee.wall import charts, season, views

app_name = "wall"
urlpatterns = [
    path("<str:token>/", views.wall_page, name="show"),
    path("<str:token>/texts.js", views.script_texts, name="texts"),
    path("<str:token>/charts/", charts.charts, name="charts"),
    path("<str:token>/calls.json", views.calls, name="calls"),
    path("<str:token>/season.json", season.season, name="season"),
]
