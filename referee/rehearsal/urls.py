from __future__ import annotations

from django.urls import path

from referee.rehearsal import control

app_name = "rehearsal"
urlpatterns = [
    path("<str:token>/", control.rehearsal_status, name="conduct"),
    path("<str:token>/<slug:step>/", control.act, name="act"),
]
