"""Report of an upgrade of the data, on the first page of the desk until it is hidden."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from referee.desk.access import general_page
from referee.desk.registry import Access
from tournaments.backups.upgrade_record import UpgradeRecord, delete_record, read_record
from tournaments.staff.queries import owns_installation


def find_upgrade(user: User) -> UpgradeRecord | None:
    """Return the upgrade that the owner of the installation has not yet hidden; None for other users."""
    return read_record(Path(settings.DATA_DIR)) if owns_installation(user) else None


@require_POST
@general_page("upgrade-hide", access=Access.OWNER)
def hide_upgrade(request: HttpRequest) -> HttpResponse:
    """Hide the report."""
    delete_record(Path(settings.DATA_DIR))
    return redirect("desk:events")
