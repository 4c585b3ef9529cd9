from __future__ import annotations

from django.urls import path

from referee.desk import downloads, events, prepared, preview, rules, standings, views, words

app_name = "desk"
urlpatterns = [
    path("", events.event_list, name="events"),
    path("locked/", events.locked, name="locked"),
    path("new/", events.new_event, name="new"),
    path("rules/", rules.rules_of_profile, name="rules-of-profile"),
    path("prepared/", prepared.prepared_games, name="prepared"),
    path("prepared/bring/", prepared.bring, name="prepared-bring"),
    path("prepared/<int:pk>/", prepared.inside, name="prepared-inside"),
    path("prepared/<int:pk>/play/", prepared.play, name="prepared-play"),
    path("prepared/<int:pk>/turn/", prepared.choose_master, name="prepared-choose"),
    path("prepared/<int:pk>/sheet.pdf", prepared.sheet, name="prepared-sheet"),
    path("prepared/<int:pk>/game.json", prepared.save, name="prepared-save"),
    path("prepared/<int:pk>/practice/", prepared.practice, name="prepared-practice"),
    path("prepared/<int:pk>/throw-away/", prepared.throw_away, name="prepared-throw-away"),
    path("<str:code>/", views.console, name="console"),
    path("<str:code>/main/", views.console_main, name="main"),
    path("<str:code>/do/<slug:action>/", views.act, name="act"),
    path("<str:code>/preview/<slug:action>/", preview.preview, name="preview"),
    path("<str:code>/echo/", views.echo, name="echo"),
    path("<str:code>/tops/", views.peek, name="peek"),
    path("<str:code>/players/", views.players, name="players"),
    path("<str:code>/standings/", standings.standings, name="standings"),
    path("<str:code>/standings.csv", downloads.standings, name="standings-csv"),
    path("<str:code>/field/", prepared.field, name="field"),
    path("<str:code>/practice/", prepared.practise_game, name="practise-game"),
    path("<str:code>/log/", views.log, name="log"),
    path("<str:code>/words/", words.words, name="words"),
    path("<str:code>/rules/", rules.rules_of_event, name="rules"),
    path("<str:code>/archive.json", downloads.archive, name="archive"),
    path("<str:code>/documents/", downloads.documents, name="documents"),
    path("<str:code>/documents/<int:pk>/", downloads.document, name="document"),
]
