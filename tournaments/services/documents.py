"""Sheets that are asked for, made elsewhere, and fetched."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.enums import DocumentState
from tournaments.errors import Refused
from tournaments.models import Document, Game, Room
from tournaments.selectors.events import first_room

LOST_AFTER = timedelta(seconds=90)
"""A sheet is made in a few seconds: one that takes so long was lost with its worker or its queue."""
LONG_LOST_AFTER = timedelta(minutes=10)
"""The same of a file with a sheet for each of thousands of players."""
_ERROR_LENGTH = 300
_NAME = re.compile(r"[a-z][a-z-]{1,19}")
_PAPER = re.compile(r"[a-z0-9]{2,10}")
_CHOICE = re.compile(r"[\w.,:-]{0,40}")


def ask(
    *,
    game: Game,
    kind: str,
    language: str,
    now: datetime,
    choice: str = "",
    paper: str = "a4",
    room: Room | None = None,
    lost_after: timedelta = LOST_AFTER,
) -> Document:
    """Queue a sheet of this kind, with what may be known in a room (the drawing room when None). While the same one is
    waiting or in the making, that one is given again.

    Which kinds and choices there are is asked before (referee/pdf/catalogue.py); here only their form is. One that has
    not come after `lost_after` is given up and made anew.
    """
    if not (_NAME.fullmatch(kind) and _CHOICE.fullmatch(choice) and _PAPER.fullmatch(paper)):
        raise Refused(_("There is no such document."))
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=game.pk)
        room = room or first_room(game.event)
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
            fail(document=under_way, error=_("The sheet was lost on its way; it is made anew."), now=now)
        document = Document.objects.create(
            game=game, room=room, kind=kind, choice=choice, language=language, paper=paper, asked_at=now
        )
        signals.asked(document)
    return document


def start(*, document: Document, again: bool = False) -> bool:
    """Take a queued document in hand; False when somebody else has. `again`: also one whose maker has died."""
    waiting = [DocumentState.QUEUED, DocumentState.RUNNING] if again else [DocumentState.QUEUED]
    with transaction.atomic():
        queued = Document.objects.filter(pk=document.pk, state__in=waiting)
        if queued.update(state=DocumentState.RUNNING, progress=0) == 0:
            return False
        signals.went_on(document)
    return True


def progress(*, document: Document, percent: int) -> None:
    """Say how far the making has come, 0 to 100."""
    _go_on(document, progress=max(0, min(100, percent)))


def finish(*, document: Document, path: str, now: datetime) -> None:
    """The sheet is there, at `path` below the data folder."""
    _go_on(document, state=DocumentState.DONE, progress=100, path=path, error="", done_at=now)


def fail(*, document: Document, error: str, now: datetime) -> None:
    """The sheet could not be made; `error` is a sentence for the judge."""
    _go_on(document, state=DocumentState.FAILED, error=error[:_ERROR_LENGTH], done_at=now)


def give_up_unfinished(*, now: datetime) -> int:
    """After a restart: what a dead process had in hand has failed and can be asked for again. Gives their number."""
    error = _("The program was restarted before the document was ready; ask for it again.")
    with transaction.atomic():
        lost = list(Document.objects.filter(state__in=[DocumentState.QUEUED, DocumentState.RUNNING]))
        for document in lost:
            fail(document=document, error=error, now=now)
    return len(lost)


def _go_on(document: Document, **facts: object) -> None:
    with transaction.atomic():
        Document.objects.filter(pk=document.pk).update(**facts)
        signals.went_on(document)
