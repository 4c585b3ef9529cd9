"""The pages of editions: the list, copies, and the editor of an own edition."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.board.premiums import read_premiums
from engine.tiles.edition import Edition, EditionError, edition_codes, find_edition_errors, load_edition
from engine.tiles.edition_file import is_edition_code
from referee.desk.access import general_page
from referee.desk.registry import Access
from tournaments.errors import Refused
from tournaments.lexicons import own_editions
from tournaments.lexicons.names import edition_name, language_name
from tournaments.lexicons.word_lists import lists_for_edition


@dataclass(frozen=True, slots=True)
class EditionRow:
    """An edition in the list. `lists`: the titles of the word lists that serve it."""

    edition: Edition
    name: str
    language: str
    is_own: bool
    has_usual_board: bool
    lists: str


@dataclass(frozen=True, slots=True)
class TextError:
    """The reason why a text is no edition, and its line from 1, if it is known."""

    reason: str
    line: int | None = None
    text: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("editions", access=Access.ORGANISER)
def editions(request: HttpRequest) -> HttpResponse:
    """List the editions; a POST copies the edition `code` under the new code `name`."""
    refusal, name = "", request.POST.get("name", "").strip()
    if request.method == "POST":
        try:
            if not is_edition_code(name):
                raise Refused(
                    _("The code of an edition has small letters, digits and hyphens, 20 at most, such as my-club.")
                )
            copy = own_editions.copy_to_edit(request.POST.get("code", ""), name)
            messages.success(request, _("The copy is made: edit its text, then save it."))
            return redirect("desk:edition", copy.stem)
        except Refused as refused:
            refusal = refused.sentence
    context = {
        "rows": [_row(load_edition(code)) for code in edition_codes()],
        "bad": sorted((code, error.explain_with_place(_)) for code, error in find_edition_errors().items()),
        "refusal": refusal,
        "code": request.POST.get("code") or (get_language() or "it")[:2],
        "name": name,
    }
    return render(request, "desk/words/editions.html", context, status=422 if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("edition", access=Access.ORGANISER)
def edition_editor(request: HttpRequest, edition: str) -> HttpResponse:
    """Show the text of an edition; a POST checks the text or, with `save`, stores it if it is valid."""
    try:
        stored = own_editions.read_text(edition)
    except Refused as refused:
        messages.error(request, refused.sentence)
        return redirect("desk:editions")
    text, error, checked = stored, None, None
    if request.method == "POST":
        text = request.POST.get("text", "").replace("\r\n", "\n")
        save = own_editions.save_text if "save" in request.POST else own_editions.check_text
        try:
            checked = save(edition, text)
        except EditionError as fault:
            error = TextError(fault.explain(_), fault.line, _line(text, fault.line))
        except Refused as refused:
            error = TextError(refused.sentence)
        if error is None and "save" in request.POST:
            messages.success(request, _("The edition is saved. Games that have begun keep their letters."))
            return redirect("desk:edition", edition)
    context = {
        "code": edition,
        "is_own": own_editions.is_own(edition),
        "text": text,
        "numbers": range(1, text.count("\n") + 2),
        "error": error,
        "checked": checked,
    }
    return render(request, "desk/words/edition.html", context, status=422 if error else 200)


def _row(edition: Edition) -> EditionRow:
    return EditionRow(
        edition=edition,
        name=edition_name(edition),
        language=language_name(edition.language),
        is_own=own_editions.is_own(edition.code),
        has_usual_board=edition.premiums == read_premiums(None),
        lists=", ".join(entry.title for entry in lists_for_edition(edition)),
    )


def _line(text: str, number: int | None) -> str:
    lines = text.split("\n")
    return lines[number - 1].strip() if number and number <= len(lines) else ""
