"""Printing at a desk: the documents on offer, the requested ones, and their preview."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import count
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils.text import capfirst
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.events.rooms import require_visible
from referee.desk.registry import desk_action
from referee.desk.results.game_choice import GAME, GameChoice, Tab, find_game, read_games
from referee.pdf.catalogue import (
    DOCUMENTS,
    EVERY_GAME,
    MEDIA_TYPES,
    Choices,
    Group,
    Printable,
    find_printable,
    list_printables,
)
from referee.pdf.drawing.sheet import PAPERS
from referee.pdf.make_document import draw_document
from referee.results.files import FILES
from referee.security.permissions import JUDGES
from tournaments.documents.services import documents as document_services
from tournaments.enums import DocumentState
from tournaments.errors import Refused
from tournaments.models import Document, Game
from tournaments.results.queries.event_results import WHOLE_EVENT, StandingsChoice

PAPER_NAMES = {"a4": "A4", "letter": "Letter"}
MOST_LISTED = 20
UNFINISHED_STATES = (DocumentState.QUEUED, DocumentState.RUNNING)


@dataclass(frozen=True, slots=True)
class PrintOrder:
    """A document that a user requests and may have."""

    game: Game
    printable: Printable
    choice: str
    paper: str
    language: str


@dataclass(frozen=True, slots=True)
class Line:
    """A requested document."""

    title: str
    game: int
    choice: str
    stored: Document

    @property
    def is_pdf(self) -> bool:
        """True if the document is a PDF, which has a preview."""
        return self.stored.path.endswith(".pdf")


@dataclass(frozen=True, slots=True)
class Offer:
    """A document on offer: its choices, and its number on the page from 1, which its keys contain."""

    number: int
    wanted: Printable
    choices: Choices


def read_order(desk: Desk, fields: QueryDict) -> PrintOrder:
    """Read the fields `game`, `kind`, `choice`, `paper` and `language` (by default that of the event).

    `Refused` if there is no such document, or not for this role or in this room.
    """
    printable = find_printable(fields.get("kind", ""))
    if printable is None:
        raise Refused(_("There is no such sheet."))
    if desk.role not in printable.may:
        raise Refused(_("Your role may not print this: ask the director."))
    choice, paper = fields.get("choice", "").strip(), fields.get("paper", "") or printable.papers[0]
    game_text = fields.get(GAME, "")
    if game_text == WHOLE_EVENT:
        choice = choice or printable.whole_event
        game_text = ""
        if not choice:
            raise Refused(_("This sheet is about one game: choose the game above, then ask for it again."))
    game = find_game(desk, game_text)
    if printable.name == "standings" and not choice:
        choice = StandingsChoice(game.number, room=None if desk.room.is_drawing else desk.room.number).text
    if not printable.understands(choice) or paper not in printable.papers:
        raise Refused(_("There is no such document."))
    require_visible(desk, choice)
    return PrintOrder(game, printable, choice, paper, read_language(desk, fields))


@desk_page("documents", get=JUDGES, spoiler=True)
def documents(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the documents on offer, by group, and the requested ones."""
    chosen = read_games(desk, request.GET)
    lines = [line for line in _lines(desk, chosen) if desk.role in DOCUMENTS[line.stored.kind].may]
    waiting = any(line.stored.state in UNFINISHED_STATES for line in lines)
    context = {"event": desk.event, "lines": lines, "waiting": waiting, "page": "documents", "chosen": chosen}
    if getattr(request, "htmx", False):
        return render(request, "desk/results/_documents.html", context)
    paper, language = read_paper(request.GET), read_language(desk, request.GET)
    context |= {
        "paper": paper,
        "language": language,
        "games": chosen.tabs(with_event=True, link=lambda text: _address(paper, language, text)),
        "papers": _papers(paper, language, chosen),
        "languages": _languages(paper, language, chosen),
        "groups": _groups(desk, paper, chosen),
        "files": [(name, each.title) for name, each in FILES.items()],
    }
    return render(request, "desk/results/documents.html", context)


@desk_page("document", get=JUDGES, spoiler=True)
def document(request: HttpRequest, desk: Desk, pk: int) -> HttpResponse:
    """Send one finished document. referee/pdf/catalogue.py names the roles for each kind."""
    stored = get_object_or_404(Document, pk=pk, game__event=desk.event, room=desk.room, state=DocumentState.DONE)
    printable, path = DOCUMENTS.get(stored.kind), settings.DATA_DIR / stored.path
    if printable is None or desk.role not in printable.may or not path.is_file():
        raise Http404
    return _file(printable, path.read_bytes(), path.name)


@desk_page("document-preview", get=JUDGES, spoiler=True)
def document_preview(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Send a document as it would be printed now; it is not stored."""
    try:
        order = read_order(desk, request.GET)
        printable = order.printable
        if not printable.previewed:
            raise Refused(_("This sheet takes too long for a preview: create it instead."))
        is_long = printable.sample is not None and order.choice in ("", EVERY_GAME)
        choice = printable.sample(order.game, desk.room) if printable.sample and is_long else order.choice
        content = draw_document(
            printable, order.game, desk.room, choice=choice, language=order.language, paper=order.paper
        )
    except Refused as refused:
        return render(
            request, "desk/staff/not_allowed.html", {"event": desk.event, "sentence": refused.sentence}, status=404
        )
    name = f"{desk.event.code}-{order.game.number}-{printable.name}.{printable.suffix}"
    return _file(printable, content, name)


def _file(printable: Printable, content: bytes, name: str) -> HttpResponse:
    disposition = "inline" if printable.suffix == "pdf" else "attachment"
    headers = {"Content-Disposition": f'{disposition}; filename="{name}"'}
    return HttpResponse(content, content_type=MEDIA_TYPES[printable.suffix], headers=headers)


def _lines(desk: Desk, chosen: GameChoice) -> list[Line]:
    requested = Document.objects.filter(game__in=chosen.games, room=desk.room, kind__in=DOCUMENTS)
    return [_line(stored) for stored in requested.select_related("game")[:MOST_LISTED]]


def _line(stored: Document) -> Line:
    printable = DOCUMENTS[stored.kind]
    return Line(capfirst(str(printable.title)), stored.game.number, printable.label_of(stored.choice), stored)


def _groups(desk: Desk, paper: str, chosen: GameChoice) -> list[tuple[Group, list[Offer]]]:
    """Return the documents of the chosen game, or those that a whole event has."""
    numbers = count(1)
    groups = []
    for group, listed in list_printables(desk.role):
        fitting = [each for each in listed if paper in each.papers and (chosen.only or each.whole_event)]
        offers = [Offer(next(numbers), each, _choices(desk, each, chosen)) for each in fitting]
        groups.append((group, offers))
    return [(group, offers) for group, offers in groups if offers or group is Group.ARCHIVE]


def _choices(desk: Desk, printable: Printable, chosen: GameChoice) -> Choices:
    """Return what can be chosen of the chosen game, or of the whole event; nothing if there is one choice only."""
    offered = printable.offers(chosen.game, desk.room)
    fitting = [(text, label) for text, label in offered if printable.is_of_event(text) is (chosen.only is None)]
    return fitting if [text for text, _label in fitting] not in ([""], [printable.whole_event]) else ()


def _address(paper: str, language: str, game: str) -> str:
    return "?" + urlencode({GAME: game, "paper": paper, "language": language})


def _papers(paper: str, language: str, chosen: GameChoice) -> list[Tab]:
    return [Tab(PAPER_NAMES[name], _address(name, language, chosen.text), name == paper) for name in PAPERS]


def _languages(paper: str, language: str, chosen: GameChoice) -> list[Tab]:
    """Return the languages, each by its own name."""
    codes = [code for code, _name in settings.LANGUAGES]
    named = [(code, capfirst(str(get_language_info(code)["name_local"]))) for code in codes]
    return [Tab(name, _address(paper, code, chosen.text), code == language) for code, name in named]


def read_paper(fields: QueryDict) -> str:
    """Return the paper size that an address names, by default A4."""
    paper = fields.get("paper", "")
    return paper if paper in PAPERS else "a4"


def read_language(desk: Desk, fields: QueryDict) -> str:
    """Return the language that an address names, by default that of the event."""
    language = fields.get("language", "")
    return language if language in dict(settings.LANGUAGES) else desk.event.language


@desk_action("make-document", roles=JUDGES, spoiler=True)
def make_document(desk: Desk, post: QueryDict, now: datetime) -> None:
    order = read_order(desk, post)
    document_services.request_document(
        game=order.game,
        kind=order.printable.name,
        language=order.language,
        now=now,
        choice=order.choice,
        paper=order.paper,
        room=desk.room,
        lost_after=document_services.LONG_STALE_AFTER
        if order.printable.tells_progress
        else document_services.STALE_AFTER,
    )
