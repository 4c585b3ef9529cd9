from __future__ import annotations

from django.urls import path

from referee.practice import views

app_name = "practice"
urlpatterns = [
    path("<str:token>/", views.practice_page, name="show"),
    path("<str:token>/begin/", views.begin_game, name="begin"),
    path("<str:token>/next/", views.next_turn, name="next"),
    path("<str:token>/slip/", views.slip, name="slip"),
]
