from __future__ import annotations

from django.urls import path

from referee.wall import charts, views

app_name = "wall"
urlpatterns = [
    path("<str:token>/", views.show, name="show"),
    path("<str:token>/texts.js", views.texts, name="texts"),
    path("<str:token>/charts/", charts.charts, name="charts"),
    path("<str:token>/calls.json", views.calls, name="calls"),
]
