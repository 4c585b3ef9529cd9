"""Downloads: the archive of a game, all files of the event, the standings as a spreadsheet."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from tempfile import TemporaryFile
from typing import IO
from weakref import finalize

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.results.event_files import write_event_files
from referee.desk.results.game_choice import read_game
from referee.desk.results.printing import read_language, read_paper
from referee.desk.results.standings import chosen_view
from referee.results.standings_table import as_csv, results_table
from referee.security.permissions import JUDGES
from tournaments.now import utc_now
from tournaments.results.queries.archive import export_game

CHUNK = 1 << 16


@desk_page("archive", get=JUDGES, spoiler=True)
def archive(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Send the archive of a game (docs/formats.md) without a turn that is being played, for `verify`."""
    game = read_game(desk, request.GET).game
    text = json.dumps(export_game(game, desk.room, shown_only=True, now=utc_now()), ensure_ascii=False, indent=1)
    name = f"{desk.event.code}-{game.number}.json"
    return HttpResponse(
        text,
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@desk_page("event-files", get=JUDGES, spoiler=True)
def event_files(request: HttpRequest, desk: Desk) -> StreamingHttpResponse:
    """Send a ZIP file with the files of all games. It is written to the disk first, so its size takes no memory."""
    paper, language = read_paper(request.GET), read_language(desk, request.GET)
    written = TemporaryFile()  # noqa: SIM115  closed with the response
    write_event_files(written, desk.event, desk.room, language=language, paper=paper)
    name = f"{desk.event.code}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(written.tell())}
    written.seek(0)
    response = StreamingHttpResponse(_chunks(written), content_type="application/zip", headers=headers)
    finalize(response, written.close)
    return response


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    """Return the content in pieces; an iterator that is not asynchronous would be read whole before it is sent."""
    while piece := file.read(CHUNK):
        yield piece


@desk_page("standings-csv", get=JUDGES, spoiler=False)
def standings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Send the standings that the address names as CSV."""
    view = chosen_view(request, desk)
    name = f"{desk.event.code}-{view.choice.text.replace('.', '-')}.csv"
    return HttpResponse(
        as_csv(results_table(view)).encode("utf-8-sig"),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
