"""Age of the newest backup, shown on the desk."""

from __future__ import annotations

import time

from django.http import HttpRequest, JsonResponse

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.security.permissions import STAFF
from referee.server.backup_scheduler import get_backup_state


@desk_page("backup", get=STAFF, spoiler=False)
def backup(request: HttpRequest, desk: Desk) -> JsonResponse:
    """Return `{"sentence", "failed"}`; the sentence is empty if this process makes no backups."""
    state = get_backup_state()
    if state is None:
        return JsonResponse({"sentence": "", "failed": False})
    return JsonResponse({"sentence": state.sentence(time.time()), "failed": bool(state.failed)})
