"""Public addresses of a simultaneous game."""

from __future__ import annotations

from django.urls import path

from referee.simultaneous import views

app_name = "simultaneous"
urlpatterns = [
    path("<str:token>/", views.results, name="show"),
    path("<str:token>/clubs/", views.clubs, name="clubs"),
    path("<str:token>/clubs/<int:number>/", views.club, name="club"),
    path("<str:token>/booklet/", views.booklet, name="booklet"),
    path("<str:token>/package/", views.package, name="package"),
    path("<str:token>/return/", views.return_file, name="return"),
]
