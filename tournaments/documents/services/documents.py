"""Requested sheets: queueing, progress, completion and failure. A background task makes the files."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import override

from tournaments import signals
from tournaments.enums import DocumentState
from tournaments.errors import Refused
from tournaments.events.queries.events import get_drawing_room
from tournaments.models import Document, Game, Room

STALE_AFTER = timedelta(seconds=90)
"""Time after which a sheet counts as lost with its worker or queue; most take a few seconds."""
LONG_STALE_AFTER = timedelta(minutes=10)
"""The same for a file with a sheet for each of thousands of players."""
LOST_AFTER = timedelta(seconds=20)
"""Time without a sign of its worker after which a sheet is queued again."""
MOST_RESTARTS = 3
_ERROR_LENGTH = 300
_NAME = re.compile(r"[a-z][a-z-]{1,19}")
_PAPER = re.compile(r"[a-z0-9]{2,10}")
_CHOICE = re.compile(r"[\w.,:-]{0,40}")


def request_document(
    *,
    game: Game,
    kind: str,
    language: str,
    now: datetime,
    choice: str = "",
    paper: str = "a4",
    room: Room | None = None,
    lost_after: timedelta = STALE_AFTER,
) -> Document:
    """Queue a sheet of this kind with the data of a room (default: the drawing room).

    If the same sheet is queued or in progress, it is returned instead. The caller validates kind and choice
    (`referee/pdf/catalogue.py`); only their form is checked here. A sheet not finished after `lost_after` fails and is
    queued again.
    """
    if not (_NAME.fullmatch(kind) and _CHOICE.fullmatch(choice) and _PAPER.fullmatch(paper)):
        raise Refused(_("There is no such document."))
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=game.pk)
        room = room or get_drawing_room(game.event)
        under_way = Document.objects.filter(
            game=game,
            room=room,
            kind=kind,
            choice=choice,
            language=language,
            paper=paper,
            state__in=[DocumentState.QUEUED, DocumentState.RUNNING],
        ).first()
        if under_way is not None and now - under_way.asked_at < lost_after:
            return under_way
        if under_way is not None:
            fail_document(document=under_way, error=_("The sheet was lost and is being created again."), now=now)
        document = Document.objects.create(
            game=game, room=room, kind=kind, choice=choice, language=language, paper=paper, asked_at=now
        )
        signals.send_document_requested(document)
    return document


def claim_document(*, document: Document, again: bool = False) -> bool:
    """Claim a queued document; False if another worker has. `again`: also claim one that this worker gave up before."""
    waiting = [DocumentState.QUEUED, DocumentState.RUNNING] if again else [DocumentState.QUEUED]
    with transaction.atomic():
        queued = Document.objects.filter(pk=document.pk, state__in=waiting)
        if queued.update(state=DocumentState.RUNNING, progress=0, worked_at=Now()) == 0:
            return False
        signals.send_document_changed(document)
    return True


def record_work(document_id: int) -> None:
    """Store a sign of the worker; called every few seconds while a document is made."""
    Document.objects.filter(pk=document_id).update(worked_at=Now())


def queue_lost_documents(*, now: datetime) -> int:
    """Queue documents again whose worker has given no sign for `LOST_AFTER`; return their number.

    May be called by several processes. A document that has lost `MOST_RESTARTS` workers fails, because it may be what
    ends them.
    """
    lost = Document.objects.filter(state=DocumentState.RUNNING, worked_at__lt=Now() - LOST_AFTER)
    return sum(_queue_again(document, now) for document in lost)


def _queue_again(document: Document, now: datetime) -> bool:
    present = Document.objects.filter(pk=document.pk, state=DocumentState.RUNNING, worked_at=document.worked_at)
    with transaction.atomic():
        if document.restarts >= MOST_RESTARTS:
            with override(document.language):
                error = _("The sheet could not be created. Try again; the log of the program says more.")
            if present.update(state=DocumentState.FAILED, error=error, done_at=now):
                signals.send_document_changed(document)
            return False
        if not present.update(state=DocumentState.QUEUED, progress=0, restarts=F("restarts") + 1):
            return False
        signals.send_document_changed(document)
        signals.send_document_requested(document)
    return True


def record_progress(*, document: Document, percent: int) -> None:
    """Store the progress, from 0 to 100."""
    _update_document(document, progress=max(0, min(100, percent)))


def finish_document(*, document: Document, path: str, now: datetime) -> None:
    """Mark the sheet as finished, at `path` below the data folder."""
    _update_document(document, state=DocumentState.DONE, progress=100, path=path, error="", done_at=now)


def fail_document(*, document: Document, error: str, now: datetime) -> None:
    """Mark the sheet as failed; `error` is a sentence for the judge."""
    _update_document(document, state=DocumentState.FAILED, error=error[:_ERROR_LENGTH], done_at=now)


def fail_unfinished(*, now: datetime) -> int:
    """Mark unfinished documents as failed after a restart; return their number."""
    error = _("The program was restarted before the document was ready; ask for it again.")
    with transaction.atomic():
        lost = list(Document.objects.filter(state__in=[DocumentState.QUEUED, DocumentState.RUNNING]))
        for document in lost:
            fail_document(document=document, error=error, now=now)
    return len(lost)


def _update_document(document: Document, **facts: object) -> None:
    with transaction.atomic():
        Document.objects.filter(pk=document.pk).update(**facts)
        signals.send_document_changed(document)
