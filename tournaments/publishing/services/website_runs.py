"""Requests to write the website: queueing, progress, completion and failure. A background task writes the files."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.enums import RunState
from tournaments.errors import Refused
from tournaments.models import WebsiteRun
from tournaments.publishing.queries.club import get_club
from tournaments.publishing.queries.website_runs import is_under_way
from tournaments.publishing.website_folder import WebsiteChanges, require_website_folder

_ERROR_LENGTH = 500


def request_website(*, now: datetime) -> WebsiteRun:
    """Queue the writing of the website into the club's folder; the run under way is returned if there is one."""
    club = get_club()
    if not club.folder:
        raise Refused(_("Choose a folder for the website first."))
    require_website_folder(club.folder)
    with transaction.atomic():
        runs = WebsiteRun.objects.select_for_update().order_by("-pk")
        last = runs.first()
        if last is not None and is_under_way(last, now):
            return last
        runs.delete()
        run = WebsiteRun.objects.create(folder=club.folder, requested_at=now, changed_at=now)
        signals.send_website_requested(run)
    return run


def claim_run(*, run: WebsiteRun, now: datetime) -> bool:
    """Claim a queued run; False if another worker has."""
    queued = WebsiteRun.objects.filter(pk=run.pk, state=RunState.QUEUED)
    return queued.update(state=RunState.RUNNING, changed_at=now) == 1


def record_progress(*, run: WebsiteRun, files: int, now: datetime) -> None:
    """Store the number of files that are done."""
    WebsiteRun.objects.filter(pk=run.pk).update(files=files, changed_at=now)


def finish_run(*, run: WebsiteRun, changes: WebsiteChanges, now: datetime) -> None:
    """Store the result of a run."""
    WebsiteRun.objects.filter(pk=run.pk).update(
        state=RunState.DONE,
        files=changes.files,
        changed=changes.changed,
        removed=changes.removed,
        error="",
        changed_at=now,
    )


def fail_run(*, run: WebsiteRun, error: str, now: datetime) -> None:
    """Mark a run as failed; `error` is a sentence with the remedy."""
    WebsiteRun.objects.filter(pk=run.pk).update(state=RunState.FAILED, error=error[:_ERROR_LENGTH], changed_at=now)


def fail_unfinished() -> None:
    """Mark an unfinished run as failed, after a restart of the only process."""
    WebsiteRun.objects.filter(state__in=[RunState.QUEUED, RunState.RUNNING]).update(state=RunState.FAILED)
