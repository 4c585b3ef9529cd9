"""The line at the desk that says how old the newest backup is."""

from __future__ import annotations

import time

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from referee.serving.keeper import present_state


@require_GET
@at_desk
def backup(request: HttpRequest, desk: Desk) -> JsonResponse:
    """`{"sentence", "failed"}`; the sentence is empty where this process makes no backups."""
    state = present_state()
    if state is None:
        return JsonResponse({"sentence": "", "failed": False})
    return JsonResponse({"sentence": state.sentence(time.time()), "failed": bool(state.failed)})
