"""Sheets and the archive, for the judge to take away."""

from __future__ import annotations

import json

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from referee.desk.standings import chosen_view
from referee.results_table import as_csv, results_table
from tournaments.enums import DocumentKind, DocumentState
from tournaments.models import Document
from tournaments.selectors.archive import export_game


@require_GET
@at_desk
def documents(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The sheets that were asked for, and what can be asked for."""
    asked = Document.objects.filter(game=desk.game, room=desk.room)[:20]
    waiting = any(each.state in (DocumentState.QUEUED, DocumentState.RUNNING) for each in asked)
    context = {
        "event": desk.event,
        "documents": asked,
        "kinds": DocumentKind.choices,
        "waiting": waiting,
        "page": "documents",
    }
    template = "desk/_documents.html" if getattr(request, "htmx", False) else "desk/documents.html"
    return render(request, template, context)


@require_GET
@at_desk
def document(request: HttpRequest, desk: Desk, pk: int) -> HttpResponse:
    """One finished sheet as PDF."""
    wanted = get_object_or_404(Document, pk=pk, game__event=desk.event, room=desk.room, state=DocumentState.DONE)
    path = settings.DATA_DIR / wanted.path
    if not path.is_file():
        raise Http404
    return HttpResponse(
        path.read_bytes(),
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{path.name}"'},
    )


@require_GET
@at_desk
def archive(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The game as its archive (docs/formats.md), for `verify` and for other programs."""
    text = json.dumps(export_game(desk.game, desk.room), ensure_ascii=False, indent=1)
    name = f"{desk.event.code}-{desk.game.number}.json"
    return HttpResponse(
        text,
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_GET
@at_desk
def standings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The standings that the address asks for, for a spreadsheet."""
    view = chosen_view(request, desk)
    name = f"{desk.event.code}-{view.choice.text.replace('.', '-')}.csv"
    return HttpResponse(
        as_csv(results_table(view)).encode("utf-8-sig"),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
