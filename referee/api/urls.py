from __future__ import annotations

from referee.api.access import guard
from referee.api.endpoints import api

app_name = "api"
urlpatterns = guard(api.urls[0])
