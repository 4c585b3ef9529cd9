"""Writing of the website: at once for the command, or for a run that was requested at the desk."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from django.utils import translation
from django.utils.translation import gettext as _

from referee.website.site import website_files
from tournaments.errors import Refused
from tournaments.models import WebsiteRun
from tournaments.now import utc_now
from tournaments.publishing.queries.club import get_club
from tournaments.publishing.services.website_runs import claim_run, fail_run, finish_run, record_progress
from tournaments.publishing.website_folder import WebsiteChanges, write_website

logger = logging.getLogger(__name__)
REPORT_S = 1.0


def publish(folder: str | Path, now: datetime, report: Callable[[int], None] = lambda files: None) -> WebsiteChanges:
    """Write the website into a folder, in the language of the club; `Refused` if the folder cannot be used."""
    with translation.override(get_club().language):
        return write_website(folder, website_files(now), report)


def run_website(run_id: int) -> None:
    """Do a requested run, unless another worker does it or it is not wanted any more."""
    run = WebsiteRun.objects.filter(pk=run_id).first()
    if run is None or not claim_run(run=run, now=utc_now()):
        return
    try:
        changes = publish(run.folder, utc_now(), _Reporter(run))
    except Refused as refused:
        fail_run(run=run, error=refused.sentence, now=utc_now())
    except Exception as error:
        logger.exception("The website was not written.")
        text = _("The website is not complete (%(why)s): publish it again, or report the fault.")
        fail_run(run=run, error=text % {"why": type(error).__name__}, now=utc_now())
    else:
        finish_run(run=run, changes=changes, now=utc_now())


class _Reporter:
    """Stores the progress of a run, once a second."""

    def __init__(self, run: WebsiteRun) -> None:
        self._run, self._next = run, 0.0

    def __call__(self, files: int) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + REPORT_S
            record_progress(run=self._run, files=files, now=utc_now())
