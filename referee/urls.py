from __future__ import annotations

from django.urls import include, path
from django.views.i18n import JavaScriptCatalog

urlpatterns = [
    path("", include("referee.phone.urls")),
    path("desk/", include("referee.desk.urls")),
    path("wall/", include("referee.wall.urls")),
    path("texts.js", JavaScriptCatalog.as_view(packages=["referee"]), name="texts"),
]
