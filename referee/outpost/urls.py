from __future__ import annotations

from django.urls import path

from referee.outpost import serving

app_name = "outpost"
urlpatterns = [
    path("<str:token>/", serving.feed, name="feed"),
    path("<str:token>/results", serving.results, name="results"),
]
