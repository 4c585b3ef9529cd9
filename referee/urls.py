from __future__ import annotations

from django.urls import include, path
from django.views.decorators.gzip import gzip_page
from django.views.i18n import JavaScriptCatalog

from referee.desk.events.events import open_login_link
from referee.readiness.views import confirm_reach
from referee.server.tls import ca_page

handler400 = "referee.server.error_pages.bad_request"
handler404 = "referee.server.error_pages.not_found"
urlpatterns = [
    path("", include("referee.phone.urls")),
    path("desk/", include("referee.desk.urls")),
    path("wall/", include("referee.wall.urls")),
    path("practice/", include("referee.practice.urls")),
    path("p/", include("referee.public.urls")),
    path("simultaneous/", include("referee.simultaneous.urls")),
    path("events/", include("referee.website.urls")),
    path("m/", include("referee.members.urls")),
    path("api/v1/", include("referee.api.urls")),
    path("help/", include("referee.handbook.urls")),
    path("rehearsal/", include("referee.rehearsal.urls")),
    path("enter/<str:token>/", open_login_link, name="enter"),
    path("reach/<str:token>/", confirm_reach, name="reach"),
    path("ca/", ca_page.page, name="ca"),
    path("ca.crt", ca_page.certificate, name="ca-certificate"),
    path("texts.js", gzip_page(JavaScriptCatalog.as_view(packages=["referee"])), name="texts"),
]
