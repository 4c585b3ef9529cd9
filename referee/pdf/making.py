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
from referee.pdf.catalogue import DOCUMENTS, Needs, Printable
from referee.pdf.pictures import keep_pictures
from tournaments.errors import Refused
from tournaments.models import Document, Game, Room
from tournaments.now import utc_now
from tournaments.selectors.archive import export_game
from tournaments.services import documents

log = logging.getLogger(__name__)
STEP = 4


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
    except Refused as refused:
        documents.fail(document=document, error=refused.sentence, now=utc_now())
    except Exception as error:
        if patient and isinstance(error, InterfaceError | OperationalError):
            raise
        log.exception("sheet %s could not be made", document_id)
        with override(document.language):
            sentence = _("The sheet could not be made. Ask for it again; the log of the program tells more.")
        documents.fail(document=document, error=sentence, now=utc_now())
    else:
        documents.finish(document=document, path=path, now=utc_now())


def drawn(
    wanted: Printable,
    game: Game,
    room: Room,
    *,
    choice: str,
    language: str,
    paper: str,
    progress: Callable[[int], None] = lambda percent: None,
) -> bytes:
    """The document as bytes, with what may be known in the room; `progress` is told the percents that are done.
    `Refused` for a turn that there is not."""
    if wanted.needs is Needs.EVENT or (wanted.make_chosen is not None and (choice or wanted.always_chosen)):
        make_chosen = wanted.make_chosen or wanted.make
        told = {"progress": progress} if wanted.tells_progress else {}
        return make_chosen(game, room, choice, language=language, paper=paper, **told)
    archive = cast(Archive, export_game(game, room, language=language, with_slips=wanted.of_slips))
    with override(language):
        numbers = [_turn(archive, choice)] if wanted.needs is Needs.TURN else []
    progress(40)
    return wanted.make(archive, *numbers, language=language, paper=paper)


def _turn(archive: Archive, choice: str) -> int:
    """The number of the turn that was chosen, of the last one when none was."""
    numbers = [turn["number"] for turn in archive["turns"]]
    number = int(choice) if choice else max(numbers, default=0)
    if number not in numbers:
        raise Refused(_("This turn has not been drawn yet: draw its rack, then ask for the sheet again."))
    return number


def _drawn(document: Document) -> str:
    wanted = DOCUMENTS[document.kind]
    content = drawn(
        wanted,
        document.game,
        document.room,
        choice=document.choice,
        language=document.language,
        paper=document.paper,
        progress=_told(document),
    )
    documents.progress(document=document, percent=90)
    return _keep(document, wanted, content)


def _told(document: Document) -> Callable[[int], None]:
    """Writes down the percents of the making, up to 90; a few times, however often they are told."""
    last = 0

    def tell(percent: int) -> None:
        nonlocal last
        if percent * 9 // 10 >= last + STEP:
            last = percent * 9 // 10
            documents.progress(document=document, percent=last)

    return tell


def _keep(document: Document, wanted: Printable, content: bytes) -> str:
    """Write the file whole or not at all; its path below the data folder."""
    name = f"{document.game.event.code}-{document.game.number}-{document.kind}-{document.pk}.{wanted.suffix}"
    relative = Path("documents") / name
    path = Path(settings.DATA_DIR) / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(content)
    unfinished.replace(path)
    if wanted.suffix == "pdf":
        keep_pictures(path, content)
    return str(relative)
