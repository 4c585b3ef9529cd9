from __future__ import annotations

from django.urls import path

from referee.live import fallback
from referee.phone import views

app_name = "phone"
urlpatterns = [
    path("", views.join, name="join"),
    path("j/<str:code>/", views.join_event, name="join_event"),
    path("play/", views.play, name="play"),
    path("play/my-data.json", views.my_data, name="my_data"),
    path("play/state.json", fallback.state, name="state"),
    path("play/slip", fallback.slip, name="slip"),
]
