"""The last request to write the website, for the page of the desk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.enums import RunState
from tournaments.models import WebsiteRun

STALE_AFTER = timedelta(seconds=90)
"""Time without progress after which a run counts as lost with its process."""


@dataclass(frozen=True, slots=True)
class WebsiteStatus:
    """The last run: `sentence` is its state, with the remedy after a failure."""

    run: WebsiteRun
    is_under_way: bool
    has_failed: bool
    sentence: str


def get_website_status(now: datetime) -> WebsiteStatus | None:
    """Return the state of the last run; None before the first."""
    run = WebsiteRun.objects.order_by("-pk").first()
    if run is None:
        return None
    under_way = is_under_way(run, now)
    return WebsiteStatus(
        run=run,
        is_under_way=under_way,
        has_failed=not under_way and run.state != RunState.DONE,
        sentence=_sentence(run, under_way),
    )


def is_under_way(run: WebsiteRun, now: datetime) -> bool:
    """Tell if the run waits or runs, and its process has not died."""
    return run.state in (RunState.QUEUED, RunState.RUNNING) and now - run.changed_at <= STALE_AFTER


def _sentence(run: WebsiteRun, under_way: bool) -> str:
    if under_way:
        text = ngettext(
            "The website is being written: %(n)d file so far. You can leave this page.",
            "The website is being written: %(n)d files so far. You can leave this page.",
            run.files,
        )
        return text % {"n": run.files}
    if run.state == RunState.DONE:
        return describe_changes(run.files, run.changed, run.removed)
    return run.error or _("The program ended before the website was complete: publish it again.")


def describe_changes(files: int, changed: int, removed: int) -> str:
    """Return the result of a run in one sentence."""
    if not changed and not removed:
        text = ngettext(
            "The website is up to date: its %(n)d file is unchanged.",
            "The website is up to date: its %(n)d files are unchanged.",
            files,
        )
        return text % {"n": files}
    text = ngettext("The website has %(n)d file.", "The website has %(n)d files.", files)
    sentences = [text % {"n": files}]
    if changed:
        text = ngettext("%(n)d file has changed.", "%(n)d files have changed.", changed)
        sentences.append(text % {"n": changed})
    if removed:
        text = ngettext("%(n)d file was removed.", "%(n)d files were removed.", removed)
        sentences.append(text % {"n": removed})
    return " ".join(sentences)
