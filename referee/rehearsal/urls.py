from __future__ import annotations

from django.urls import path

from referee.rehearsal import conducting

app_name = "rehearsal"
urlpatterns = [
    path("<str:token>/", conducting.conduct, name="conduct"),
    path("<str:token>/<slug:step>/", conducting.act, name="act"),
]
