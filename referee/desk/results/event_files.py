"""All files of an event as one ZIP: archives, results and sheets of each game, and the results of the event.

A turn that has not been shown in the room is in none of them: archives are exported with `shown_only`, and sheets are
drawn from these archives.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from typing import IO, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive.schema import Archive
from referee.pdf.catalogue import DOCUMENTS, DocumentSource, Printable
from referee.results.files import FILES, file_name
from tournaments.models import Event, Game, Room
from tournaments.now import utc_now
from tournaments.play.queries.phases import is_over_in
from tournaments.results.queries.archive import export_game
from tournaments.results.queries.event_export import EventExport, event_export
from tournaments.results.queries.event_results import StandingsChoice

log = logging.getLogger(__name__)
SHEETS = ("match", "analysis", "rulings", "rules")
SHEETS_AT_THE_END = ("player-sheets",)
_MADE = (1980, 1, 1, 0, 0, 0)  # no time in the file: the same content gives the same bytes
File = tuple[str, bytes]


def write_event_files(target: IO[bytes], event: Event, room: Room, *, language: str, paper: str) -> None:
    """Write the ZIP; only one of its files is in memory at a time."""
    with ZipFile(target, "w", ZIP_DEFLATED) as packed, override(language):
        for name, content in list_event_files(event, room, language=language, paper=paper):
            packed.writestr(ZipInfo(f"{event.code}/{name}", _MADE), content, ZIP_DEFLATED)


def list_event_files(event: Event, room: Room, *, language: str, paper: str) -> Iterator[File]:
    """Return name and content of each file, in the active language: those of the event, then those of each game."""
    games = list(Game.objects.filter(event=event).select_related("event").order_by("number"))
    yield from _results(event, None, room)
    yield _standings_sheet(games[-1], None, room, language, paper)
    for game in games:
        folder = f"game-{game.number}"
        files = (*_results(event, game, room), _standings_sheet(game, game.number, room, language, paper))
        yield from ((f"{folder}/{name}", content) for name, content in files)
        for name, content in _archive_and_sheets(game, room, language, paper):
            yield f"{folder}/{event.code}-{game.number}-{name}", content


def _results(event: Event, game: Game | None, room: Room) -> Iterable[File]:
    where = None if room.is_drawing else room
    export = cast(EventExport, event_export(event, game=game.number if game else None, room=where))
    return ((file_name(export, kind), FILES[kind].write(export)) for kind in FILES)


def _standings_sheet(game: Game, number: int | None, room: Room, language: str, paper: str) -> File:
    choice = StandingsChoice(number, room=None if room.is_drawing else room.number)
    make = DOCUMENTS["standings"].make_chosen or DOCUMENTS["standings"].make
    part = "" if number is None else f"-{number}"
    return f"{game.event.code}{part}-standings.pdf", make(game, room, choice.text, language=language, paper=paper)


def _archive_and_sheets(game: Game, room: Room, language: str, paper: str) -> Iterator[File]:
    archive = cast(Archive, export_game(game, room, language=language, shown_only=True, now=utc_now()))
    yield "archive.json", json.dumps(archive, ensure_ascii=False, indent=1).encode()
    names = SHEETS + (SHEETS_AT_THE_END if is_over_in(game, room) else ())
    for printable in (DOCUMENTS[name] for name in names) if archive["turns"] else ():
        yield _sheet(printable, game, room, archive, language, paper)


def _sheet(printable: Printable, game: Game, room: Room, archive: Archive, language: str, paper: str) -> File:
    """Return a sheet, or a text that says that it could not be created: the other files are not lost with it."""
    try:
        if printable.needs is DocumentSource.EVENT:
            content = printable.make(game, room, language=language, paper=paper)
        else:
            content = printable.make(archive, language=language, paper=paper)
    except Exception:
        log.exception("sheet %s of game %s could not be made", printable.name, game.pk)
        sentence = _("The sheet could not be created. Try again; the log of the program says more.")
        return f"{printable.name}.txt", sentence.encode()
    return f"{printable.name}.{printable.suffix}", content
