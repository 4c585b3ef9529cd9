"""What can be printed at a desk, what was asked for, and a look at a document before it is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils.text import capfirst
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from referee.desk.rooms import demand_visible
from referee.pdf.catalogue import DOCUMENTS, MEDIA, Choices, Group, Printable, offered, printable
from referee.pdf.making import drawn
from referee.pdf.sheet import PAPERS
from tournaments.enums import DocumentState
from tournaments.errors import Refused
from tournaments.models import Document

NAMES_OF_PAPERS = {"a4": "A4", "letter": "Letter"}
MOST_LISTED = 20
UNDER_WAY = (DocumentState.QUEUED, DocumentState.RUNNING)


@dataclass(frozen=True, slots=True)
class Order:
    """What somebody wants printed, and may have."""

    wanted: Printable
    choice: str
    paper: str
    language: str


@dataclass(frozen=True, slots=True)
class Tab:
    """A paper or a language that the page can be turned to."""

    title: str
    address: str
    on: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A document that was asked for."""

    title: str
    choice: str
    stored: Document

    @property
    def is_pdf(self) -> bool:
        """Whether there are pages to look at."""
        return self.stored.path.endswith(".pdf")


@dataclass(frozen=True, slots=True)
class Offer:
    """A document on the page, what can be chosen of it, and its number there from 1, which its keys have."""

    number: int
    wanted: Printable
    choices: Choices


def read_order(desk: Desk, fields: QueryDict) -> Order:
    """What the posted or asked fields mean: `kind`, `choice`, `paper`, `language` (that of the event when none is
    named). `Refused` with a sentence when there is no such document, or not for this role or in this room."""
    wanted = printable(fields.get("kind", ""))
    if wanted is None:
        raise Refused(_("There is no such sheet."))
    if desk.role not in wanted.may:
        raise Refused(_("Your role may not print this: ask the director."))
    choice, paper = fields.get("choice", "").strip(), fields.get("paper", "") or wanted.papers[0]
    if not wanted.understands(choice) or paper not in wanted.papers:
        raise Refused(_("There is no such document."))
    demand_visible(desk, choice)
    return Order(wanted, choice, paper, _language(desk, fields))


@require_GET
@at_desk
def documents(request: HttpRequest, desk: Desk) -> HttpResponse:
    """What can be printed, group by group, and what was asked for."""
    lines = [line for line in _lines(desk) if desk.role in DOCUMENTS[line.stored.kind].may]
    waiting = any(line.stored.state in UNDER_WAY for line in lines)
    context = {"event": desk.event, "lines": lines, "waiting": waiting, "page": "documents"}
    if getattr(request, "htmx", False):
        return render(request, "desk/_documents.html", context)
    paper, language = _paper(request.GET), _language(desk, request.GET)
    context |= {
        "paper": paper,
        "language": language,
        "papers": _papers(paper, language),
        "languages": _languages(paper, language),
        "groups": _groups(desk, paper),
    }
    return render(request, "desk/documents.html", context)


@require_GET
@at_desk
def document(request: HttpRequest, desk: Desk, pk: int) -> HttpResponse:
    """One finished document."""
    stored = get_object_or_404(Document, pk=pk, game__event=desk.event, room=desk.room, state=DocumentState.DONE)
    wanted, path = DOCUMENTS.get(stored.kind), settings.DATA_DIR / stored.path
    if wanted is None or desk.role not in wanted.may or not path.is_file():
        raise Http404
    return _file(wanted, path.read_bytes(), path.name)


@require_GET
@at_desk
def document_preview(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A document as it would be printed now, made at once and not kept."""
    try:
        order = read_order(desk, request.GET)
        wanted = order.wanted
        if not wanted.previewed:
            raise Refused(_("This sheet takes too long for a preview: make it."))
        choice = order.choice or (wanted.sample(desk.game, desk.room) if wanted.sample else "")
        content = drawn(wanted, desk.game, desk.room, choice=choice, language=order.language, paper=order.paper)
    except Refused as refused:
        return render(request, "desk/not_allowed.html", {"event": desk.event, "sentence": refused.sentence}, status=404)
    return _file(order.wanted, content, f"{desk.event.code}-{order.wanted.name}.{order.wanted.suffix}")


def _file(wanted: Printable, content: bytes, name: str) -> HttpResponse:
    how = "inline" if wanted.suffix == "pdf" else "attachment"
    headers = {"Content-Disposition": f'{how}; filename="{name}"'}
    return HttpResponse(content, content_type=MEDIA[wanted.suffix], headers=headers)


def _lines(desk: Desk) -> list[Line]:
    asked = Document.objects.filter(game=desk.game, room=desk.room, kind__in=DOCUMENTS)[:MOST_LISTED]
    return [_line(stored) for stored in asked]


def _line(stored: Document) -> Line:
    wanted = DOCUMENTS[stored.kind]
    return Line(capfirst(str(wanted.title)), wanted.label_of(stored.choice), stored)


def _groups(desk: Desk, paper: str) -> list[tuple[Group, list[Offer]]]:
    numbers = count(1)
    return [
        (
            group,
            [Offer(next(numbers), each, each.offers(desk.game, desk.room)) for each in listed if paper in each.papers],
        )
        for group, listed in offered(desk.role)
    ]


def _papers(paper: str, language: str) -> list[Tab]:
    return [Tab(NAMES_OF_PAPERS[name], f"?paper={name}&language={language}", name == paper) for name in PAPERS]


def _languages(paper: str, language: str) -> list[Tab]:
    """The languages there are, each called as it calls itself."""
    codes = [code for code, _name in settings.LANGUAGES]
    named = [(code, capfirst(str(get_language_info(code)["name_local"]))) for code in codes]
    return [Tab(name, f"?paper={paper}&language={code}", code == language) for code, name in named]


def _paper(fields: QueryDict) -> str:
    wanted = fields.get("paper", "")
    return wanted if wanted in PAPERS else "a4"


def _language(desk: Desk, fields: QueryDict) -> str:
    wanted = fields.get("language", "")
    return wanted if wanted in dict(settings.LANGUAGES) else desk.event.language
