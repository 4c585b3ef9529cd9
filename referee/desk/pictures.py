"""A look at a document that was made: its first pages as pictures."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.text import capfirst
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from referee.pdf.catalogue import DOCUMENTS, Printable
from referee.pdf.pictures import MOST_PAGES, number_of_pages, picture_path
from tournaments.enums import DocumentState
from tournaments.models import Document


@require_GET
@at_desk
def document_look(request: HttpRequest, desk: Desk, pk: int) -> HttpResponse:
    """The first pages under each other, and how many there are."""
    stored, wanted, path = _found(desk, pk)
    shown = [number for number in range(1, MOST_PAGES + 1) if picture_path(path, number).is_file()]
    context = {
        "event": desk.event,
        "page": "documents",
        "document": stored,
        "title": capfirst(str(wanted.title)),
        "choice": wanted.label_of(stored.choice),
        "shown": shown,
        "pages": number_of_pages(path),
    }
    return render(request, "desk/document_look.html", context)


@require_GET
@at_desk
def document_page(request: HttpRequest, desk: Desk, pk: int, number: int) -> HttpResponseBase:
    """One of these pictures."""
    picture = picture_path(_found(desk, pk)[2], number)
    if not picture.is_file():
        raise Http404
    return FileResponse(picture.open("rb"), content_type="image/png")


def _found(desk: Desk, pk: int) -> tuple[Document, Printable, Path]:
    """A finished PDF of this room that this role may have."""
    stored = get_object_or_404(Document, pk=pk, game__event=desk.event, room=desk.room, state=DocumentState.DONE)
    wanted, path = DOCUMENTS.get(stored.kind), settings.DATA_DIR / stored.path
    if wanted is None or desk.role not in wanted.may or path.suffix != ".pdf" or not path.is_file():
        raise Http404
    return stored, wanted, path
