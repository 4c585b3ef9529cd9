"""Preview of a finished document: its first pages as pictures."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.text import capfirst

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.pdf.catalogue import DOCUMENTS, Printable
from referee.pdf.pictures import MOST_PAGES, count_pages, picture_path
from referee.security.permissions import JUDGES
from tournaments.enums import DocumentState
from tournaments.models import Document


@desk_page("document-look", get=JUDGES, spoiler=True)
def document_pictures(request: HttpRequest, desk: Desk, pk: int) -> HttpResponse:
    """Show the first pages below each other, and the number of pages."""
    stored, printable, path = _find_document(desk, pk)
    pages = [number for number in range(1, MOST_PAGES + 1) if picture_path(path, number).is_file()]
    context = {
        "event": desk.event,
        "page": "documents",
        "document": stored,
        "title": capfirst(str(printable.title)),
        "choice": printable.label_of(stored.choice),
        "shown": pages,
        "pages": count_pages(path),
    }
    return render(request, "desk/results/document_preview.html", context)


@desk_page("document-page", get=JUDGES, spoiler=True)
def document_page(request: HttpRequest, desk: Desk, pk: int, number: int) -> HttpResponseBase:
    """Send the picture of one page."""
    picture = picture_path(_find_document(desk, pk)[2], number)
    if not picture.is_file():
        raise Http404
    return FileResponse(picture.open("rb"), content_type="image/png")


def _find_document(desk: Desk, pk: int) -> tuple[Document, Printable, Path]:
    """Return a finished PDF of this room that the role may read; 404 if there is none."""
    done = Document.objects.select_related("game").filter(room=desk.room, state=DocumentState.DONE)
    stored = get_object_or_404(done, pk=pk, game__event=desk.event)
    printable, path = DOCUMENTS.get(stored.kind), settings.DATA_DIR / stored.path
    if printable is None or desk.role not in printable.may or path.suffix != ".pdf" or not path.is_file():
        raise Http404
    return stored, printable, path
