"""The page of word lists: installed lists, looking up a word, building and importing a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from engine.lexicon.sources import LANGUAGES, Source, rules_fingerprint
from referee.desk.access import general_page, user_of
from referee.desk.registry import Access
from referee.desk.words.forms import ImportListForm
from tournaments.errors import Refused
from tournaments.lexicons.engine_build import get_engine_build, start_compiling
from tournaments.lexicons.list_builds import ListBuild, get_build, request_build
from tournaments.lexicons.list_import import ImportResult
from tournaments.lexicons.names import language_name
from tournaments.lexicons.word_lists import LexiconFile, installed_lists
from tournaments.now import utc_now
from tournaments.play.queries.playing_judge import is_playing_turn
from tournaments.search_box.words import WordAnswer, check_list

LIST_URL = "desk:word-lists"
MOST_REASONS = 5


@dataclass(frozen=True, slots=True)
class InstalledList:
    """A row of the table. `is_outdated`: the program would build the list by other rules today."""

    entry: LexiconFile
    language: str
    written_at: datetime
    is_outdated: bool


@dataclass(frozen=True, slots=True)
class BuildOffer:
    """A language whose list can be built. `list`: the one that is installed."""

    source: Source
    language: str
    list: InstalledList | None

    @property
    def packages(self) -> str:
        """The packages that the build downloads."""
        return ", ".join(self.source.packages)


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("word-lists", access=Access.ORGANISER)
def word_lists(request: HttpRequest) -> HttpResponse:
    """Show the lists, and answer the query `q`; a POST imports a list."""
    form = ImportListForm(request.POST, request.FILES) if request.method == "POST" else ImportListForm()
    if form.is_bound and form.is_valid():
        try:
            _report_import(request, form.install())
            return redirect(LIST_URL)
        except Refused as refused:
            form.add_error("file", refused.sentence)
    lists = [_installed(entry) for entry in installed_lists()]
    question = request.GET.get("q", "").strip()
    context = {
        "lists": lists,
        "offers": list_offers(lists),
        "build": get_build(utc_now()),
        "form": form,
        "question": question,
        "chosen": request.GET.get("list", ""),
        "answers": _look_up(request, lists, question) if question else [],
    }
    return render(request, "desk/words/word_lists.html", context, status=422 if form.errors else 200)


@require_POST
@general_page("word-list-build", access=Access.ORGANISER)
def build_word_list(request: HttpRequest) -> HttpResponse:
    """Request the build of a language's list; answer with its progress, or return to the page."""
    try:
        request_build(language=request.POST.get("language", ""), now=utc_now())
    except Refused as refused:
        if getattr(request, "htmx", False):
            return _progress(request, refused.sentence)
        messages.error(request, refused.sentence)
    return _progress(request) if getattr(request, "htmx", False) else redirect(LIST_URL)


@require_GET
@general_page("word-list-progress", access=Access.ORGANISER)
def build_progress(request: HttpRequest) -> HttpResponse:
    """Show the progress of the build; once it has ended, the pages that show it read the lists again."""
    response = _progress(request)
    build = get_build(utc_now())
    if build is None or not build.is_under_way:
        response["HX-Trigger"] = "list-built"
    return response


@require_POST
@general_page("engine-build", access=Access.USER)
def compile_engine(request: HttpRequest) -> HttpResponse:
    """Compile the engine again after a failure; answer with its progress, or return to the list of events."""
    start_compiling()
    return _engine_part(request) if getattr(request, "htmx", False) else redirect("desk:events")


@require_GET
@general_page("engine-progress", access=Access.USER)
def engine_progress(request: HttpRequest) -> HttpResponse:
    """Show the progress of the engine's compilation; once it has ended, the page of a game is read again."""
    return _engine_part(request)


def _engine_part(request: HttpRequest) -> HttpResponse:
    """Render the part of a page that shows the state of the engine."""
    build = get_engine_build()
    response = render(request, "desk/words/_engine_build.html", {"build": build, "was_shown": True})
    if build is None:
        response["HX-Trigger"] = "engine-ready"
    return response


def list_offers(lists: list[InstalledList]) -> list[BuildOffer]:
    """List the languages whose list can be built, by name."""
    built = {row.entry.name: row for row in lists}
    offers = [BuildOffer(source, language_name(code), built.get(code)) for code, source in LANGUAGES.items()]
    return sorted(offers, key=lambda offer: offer.language)


def _progress(request: HttpRequest, refusal: str = "") -> HttpResponse:
    build: ListBuild | None = get_build(utc_now())
    return render(request, "desk/words/_list_build.html", {"build": build, "refusal": refusal})


def _installed(entry: LexiconFile) -> InstalledList:
    code, rules = entry.edition.language, entry.origin.rules
    return InstalledList(
        entry=entry,
        language=language_name(code),
        written_at=datetime.fromtimestamp(entry.path.stat().st_mtime, timezone.get_current_timezone()),
        is_outdated=bool(rules) and code in LANGUAGES and rules != rules_fingerprint(code),
    )


def _look_up(request: HttpRequest, lists: list[InstalledList], question: str) -> list[WordAnswer]:
    """Return the answer of the chosen list, or of each; a judge who plays along gets none during a turn."""
    if is_playing_turn(user_of(request), utc_now()):
        return [WordAnswer(question, _("You play along: words can be looked up when the turn is over."))]
    name = request.GET.get("list", "")
    found = [check_list(row.entry, question) for row in lists if name in ("", row.entry.name)]
    whole = [answer for answer in found if answer.valid is not None]
    return whole or [WordAnswer(question, found[0].sentence or _("Type one whole word."))] if found else []


def _report_import(request: HttpRequest, imported: ImportResult) -> None:
    entry = imported.entry
    text = ngettext("%(name)s is installed: %(n)d word.", "%(name)s is installed: %(n)d words.", entry.words)
    messages.success(request, text % {"name": entry.title, "n": entry.words})
    for group in imported.refused[:MOST_REASONS]:
        text = ngettext(
            "%(n)d line is left out: %(why)s (%(examples)s).",
            "%(n)d lines are left out: %(why)s (%(examples)s).",
            group.count,
        )
        examples = ", ".join(example[:40] for example in group.examples)
        messages.warning(request, text % {"n": group.count, "why": group.why, "examples": examples})
