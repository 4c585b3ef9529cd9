from __future__ import annotations

from django.urls import path

from referee.wall import views

app_name = "wall"
urlpatterns = [
    path("<str:token>/", views.show, name="show"),
    path("<str:token>/texts.js", views.texts, name="texts"),
]
