"""Making a sheet that was asked for: read the game, draw, keep the file, say how far it is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import cast

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive import Archive
from referee.pdf.match import match_pdf
from referee.pdf.rules import rules_pdf
from referee.pdf.standings import event_standings_pdf, standings_pdf
from tournaments.enums import DocumentKind
from tournaments.models import Document
from tournaments.now import utc_now
from tournaments.selectors.archive import export_game
from tournaments.selectors.event_results import Choice, event_view, read_choice
from tournaments.selectors.ledger import seals_of
from tournaments.services import documents

log = logging.getLogger(__name__)

DRAWERS: dict[str, Callable[..., bytes]] = {
    DocumentKind.STANDINGS: standings_pdf,
    DocumentKind.MATCH: match_pdf,
    DocumentKind.RULES: rules_pdf,
}


def make(document_id: int, *, again: bool = False, patient: bool = False) -> None:
    """Make the sheet with this number, unless another worker has begun it; a failure is told to the judge.

    `again`: the worker that had begun it is dead. Of one that is `patient` a database that is out of reach is no
    failure of the sheet: its error is passed on, to try again later.
    """
    document = Document.objects.select_related("game__event", "room").get(pk=document_id)
    if not documents.start(document=document, again=again):
        return
    try:
        path = _drawn(document)
    except Exception as error:
        if patient and isinstance(error, InterfaceError | OperationalError):
            raise
        log.exception("sheet %s could not be made", document_id)
        with override(document.language):
            sentence = _("The sheet could not be made. Ask for it again; the log of the program tells more.")
        documents.fail(document=document, error=sentence, now=utc_now())
    else:
        documents.finish(document=document, path=path, now=utc_now())


def _drawn(document: Document) -> str:
    chosen = read_choice(document.choice)
    content = _drawn_standings(document, chosen) if chosen else _drawn_archive(document)
    documents.progress(document=document, percent=90)
    return _keep(document, content)


def _drawn_archive(document: Document) -> bytes:
    archive = cast(Archive, export_game(document.game, document.room))
    documents.progress(document=document, percent=40)
    return DRAWERS[document.kind](archive, language=document.language)


def _drawn_standings(document: Document, choice: Choice) -> bytes:
    """Standings of the whole event, or by groups or teams."""
    view = event_view(document.game.event, choice)
    if view is None:
        raise LookupError(f"the event has no game {choice.game}")
    event = document.game.event
    return event_standings_pdf(view, event, seals_of(event), language=document.language)


def _keep(document: Document, content: bytes) -> str:
    """Write the file whole or not at all; its path below the data folder."""
    name = f"{document.game.event.code}-{document.game.number}-{document.kind}-{document.pk}.pdf"
    relative = Path("documents") / name
    path = Path(settings.DATA_DIR) / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(content)
    unfinished.replace(path)
    return str(relative)
