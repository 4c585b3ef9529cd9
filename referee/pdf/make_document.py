"""Production of a requested document: read the game, draw the PDF, store the file and report the progress."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive.schema import Archive
from referee.pdf.catalogue import DOCUMENTS, EVERY_GAME, DocumentSource, Printable
from referee.pdf.drawing.letterhead import use_letterhead
from referee.pdf.pictures import join_documents, store_pictures
from tournaments.documents.queries import letterhead_of
from tournaments.documents.services import documents
from tournaments.errors import Refused
from tournaments.models import Document, Event, Game, Room
from tournaments.now import utc_now
from tournaments.play.queries.phases import turns_in
from tournaments.results.queries.archive import export_game

log = logging.getLogger(__name__)
PROGRESS_STEP = 4
SIGN_EVERY_S = 5.0


def make_stored_document(document_id: int, *, again: bool = False, patient: bool = False) -> None:
    """Make the document with this number unless another worker has claimed it; report a failure to the judge.

    `again`: this task had claimed it before and gave it up. If `patient`, an unreachable database does not fail the
    document: its error is raised so that the caller can retry later.
    """
    document = Document.objects.select_related("game__event", "room").get(pk=document_id)
    if not documents.claim_document(document=document, again=again):
        return
    try:
        with _signs_of_work(document_id):
            path = _draw_stored_document(document)
    except Refused as refused:
        documents.fail_document(document=document, error=refused.sentence, now=utc_now())
    except Exception as error:
        if patient and isinstance(error, InterfaceError | OperationalError):
            raise
        log.exception("sheet %s could not be made", document_id)
        with override(document.language):
            sentence = _("The sheet could not be created. Try again; the log of the program says more.")
        documents.fail_document(document=document, error=sentence, now=utc_now())
    else:
        documents.finish_document(document=document, path=path, now=utc_now())


@contextmanager
def _signs_of_work(document_id: int) -> Iterator[None]:
    """Record every few seconds that a worker makes the document, so that it is queued again if the worker ends."""
    if settings.EMBEDDED:  # the thread that makes it ends with the server, whose next start fails it
        yield
        return
    ended = threading.Event()

    def record() -> None:
        while not ended.wait(SIGN_EVERY_S):
            try:
                documents.record_work(document_id)
            except DatabaseError as error:
                log.warning("a sign of work on sheet %s was not stored: %r", document_id, error)
            finally:
                connection.close()

    thread = threading.Thread(target=record, name=f"multiplo-sheet-{document_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def draw_document(
    wanted: Printable,
    game: Game,
    room: Room,
    *,
    choice: str,
    language: str,
    paper: str,
    progress: Callable[[int], None] = lambda percent: None,
) -> bytes:
    """Return the document with the letterhead of its event, limited to what may be known in the room.

    `progress` is called with the percentage that is done. Raises `Refused` if the chosen turn does not exist.
    """
    with use_letterhead(letterhead_of(game.event)):
        if choice == EVERY_GAME:
            return _draw_games(wanted, game.event, room, language=language, paper=paper, progress=progress)
        return _draw(wanted, game, room, choice=choice, language=language, paper=paper, progress=progress)


def _draw_games(
    wanted: Printable, event: Event, room: Room, *, language: str, paper: str, progress: Callable[[int], None]
) -> bytes:
    """Return the documents of all games of which the room knows a turn, one after the other."""
    games = list(Game.objects.filter(event=event).select_related("event").order_by("number"))
    played = [game for game in games if turns_in(game, room).exists()] or games[-1:]
    drawn = []
    for done, game in enumerate(played):

        def report(percent: int, done: int = done) -> None:
            progress((100 * done + percent) // len(played))

        drawn.append(_draw(wanted, game, room, choice="", language=language, paper=paper, progress=report))
    return join_documents(drawn) if len(drawn) > 1 else drawn[0]


def _draw(
    wanted: Printable,
    game: Game,
    room: Room,
    *,
    choice: str,
    language: str,
    paper: str,
    progress: Callable[[int], None],
) -> bytes:
    if wanted.needs is DocumentSource.EVENT or (wanted.make_chosen is not None and (choice or wanted.always_chosen)):
        make_chosen = wanted.make_chosen or wanted.make
        options = {"progress": progress} if wanted.tells_progress else {}
        return make_chosen(game, room, choice, language=language, paper=paper, **options)
    archive = cast(Archive, export_game(game, room, language=language, with_slips=wanted.of_slips, now=utc_now()))
    with override(language):
        numbers = [_turn(archive, choice)] if wanted.needs is DocumentSource.TURN else []
    progress(40)
    return wanted.make(archive, *numbers, language=language, paper=paper)


def _turn(archive: Archive, choice: str) -> int:
    """Return the number of the chosen turn, or of the last turn if the choice is empty."""
    numbers = [turn["number"] for turn in archive["turns"]]
    number = int(choice) if choice else max(numbers, default=0)
    if number not in numbers:
        raise Refused(_("This turn has not been drawn yet: draw its rack, then ask for the sheet again."))
    return number


def _draw_stored_document(document: Document) -> str:
    wanted = DOCUMENTS[document.kind]
    content = draw_document(
        wanted,
        document.game,
        document.room,
        choice=document.choice,
        language=document.language,
        paper=document.paper,
        progress=_build_progress_reporter(document),
    )
    documents.record_progress(document=document, percent=90)
    return _store_file(document, wanted, content)


def _build_progress_reporter(document: Document) -> Callable[[int], None]:
    """Return a function that stores the progress, up to 90 percent, in steps of `PROGRESS_STEP` or more."""
    last = 0

    def report(percent: int) -> None:
        nonlocal last
        if percent * 9 // 10 >= last + PROGRESS_STEP:
            last = percent * 9 // 10
            documents.record_progress(document=document, percent=last)

    return report


def _store_file(document: Document, wanted: Printable, content: bytes) -> str:
    """Write the file atomically; return its path relative to the data folder."""
    name = f"{document.game.event.code}-{document.game.number}-{document.kind}-{document.pk}.{wanted.suffix}"
    relative = Path("documents") / name
    path = Path(settings.DATA_DIR) / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(f".{uuid4().hex}.part")  # of this worker only
    unfinished.write_bytes(content)
    unfinished.replace(path)
    if wanted.suffix == "pdf":
        store_pictures(path, content)
    return str(relative)
