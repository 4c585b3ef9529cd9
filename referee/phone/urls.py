from __future__ import annotations

from django.urls import path

from referee.live.sockets import http_fallback
from referee.phone import appeals, dictionary, player_sheet, views

app_name = "phone"
urlpatterns = [
    path("", views.join, name="join"),
    path("j/<str:code>/", views.join_event, name="join_event"),
    path("play/", views.play, name="play"),
    path("play/my-data.json", views.my_data, name="my_data"),
    path("play/dictionary/", dictionary.dictionary, name="dictionary"),
    path("play/my-sheet/", player_sheet.my_sheet, name="my_sheet"),
    path("play/card/", player_sheet.card, name="card"),
    path("play/state.json", http_fallback.state, name="state"),
    path("play/slip", http_fallback.slip, name="slip"),
    path("play/appeals.json", appeals.own_verdicts, name="appeals"),
    path("play/appeal", appeals.submit_appeal, name="appeal"),
]
