"""The public list of events."""

from __future__ import annotations

from django.urls import path

from referee.website import views

app_name = "events"
urlpatterns = [
    path("", views.event_list, name="list"),
    path("events.ics", views.calendar, name="calendar"),
    path("events.atom", views.feed, name="feed"),
]
