"""Addresses of the pages of simultaneous games at the desk."""

from __future__ import annotations

from django.urls import URLPattern

from referee.desk.access import page_path
from referee.desk.simultaneous import club, hub

urlpatterns: list[URLPattern] = [
    page_path("simultaneous/", hub.simultaneous_games),
    page_path("simultaneous/new/", hub.new_simultaneous),
    page_path("simultaneous/<int:pk>/", hub.simultaneous),
    page_path("simultaneous/<int:pk>/invite/", hub.invite),
    page_path("simultaneous/<int:pk>/delete/", hub.delete),
    page_path("simultaneous/<int:pk>/package/", hub.package),
    page_path("simultaneous/<int:pk>/codes/", hub.codes),
    page_path("simultaneous/<int:pk>/club/<int:number>/", hub.club),
    page_path("simultaneous/<int:pk>/return/<int:returned>/", hub.returned_file),
    page_path("simultaneous/<int:pk>/comments/<int:number>/", hub.comments),
    page_path("simultaneous/open/", club.open_package),
    page_path("simultaneous/played/<int:pk>/", club.opened_package),
    page_path("simultaneous/played/<int:pk>/next/", club.next_game),
    page_path("simultaneous/played/<int:pk>/return/", club.return_result),
]
