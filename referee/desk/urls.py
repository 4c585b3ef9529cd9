from __future__ import annotations

from django.urls import path

from referee.desk import downloads, events, views

app_name = "desk"
urlpatterns = [
    path("", events.event_list, name="events"),
    path("locked/", events.locked, name="locked"),
    path("new/", events.new_event, name="new"),
    path("<str:code>/", views.console, name="console"),
    path("<str:code>/main/", views.console_main, name="main"),
    path("<str:code>/do/<slug:action>/", views.act, name="act"),
    path("<str:code>/echo/", views.echo, name="echo"),
    path("<str:code>/tops/", views.peek, name="peek"),
    path("<str:code>/players/", views.players, name="players"),
    path("<str:code>/standings/", views.standings, name="standings"),
    path("<str:code>/log/", views.log, name="log"),
    path("<str:code>/archive.json", downloads.archive, name="archive"),
    path("<str:code>/documents/", downloads.documents, name="documents"),
    path("<str:code>/documents/<int:pk>/", downloads.document, name="document"),
]
