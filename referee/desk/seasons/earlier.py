"""Page of earlier evenings: import from spreadsheets and archives with a preview, and the list of imported ones."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from referee.desk.access import general_page
from referee.desk.registry import Access
from referee.desk.seasons.earlier_preview import EarlierPreview, is_confirmed, read_earlier_preview
from tournaments.errors import Refused
from tournaments.models import EventSummary
from tournaments.seasons.earlier_tables import earlier_field_titles
from tournaments.seasons.queries.earlier_evenings import count_results, list_imported_evenings
from tournaments.seasons.services.earlier_evenings import (
    ImportedEvenings,
    delete_imported_evening,
    import_evenings,
)

MOST_SHOWN_ERRORS = 50


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("earlier-evenings", access=Access.ORGANISER)
def earlier_evenings(request: HttpRequest) -> HttpResponse:
    """Show the form and the imported evenings; a POST previews files or, with `import`, stores their evenings."""
    preview, refusal = None, ""
    if request.method == "POST":
        try:
            preview = read_earlier_preview(request)
            if is_confirmed(request, preview) and not preview.errors:
                done = import_evenings(preview.chosen, replace="replace" in request.POST)
                _report(request, done)
                return redirect("desk:earlier-evenings")
        except Refused as refused:
            refusal = refused.sentence
    return _page(request, preview, refusal)


@require_POST
@general_page("earlier-evening-delete", access=Access.ORGANISER)
def delete_earlier(request: HttpRequest, summary: int) -> HttpResponse:
    """Delete an imported evening with its results."""
    stored = get_object_or_404(EventSummary, pk=summary, event=None)
    delete_imported_evening(stored)
    messages.success(request, _("The evening “%(name)s” is deleted.") % {"name": stored.name})
    return redirect("desk:earlier-evenings")


def _report(request: HttpRequest, done: ImportedEvenings) -> None:
    """Say what was stored, and what is left to do."""
    sentences = []
    if done.stored:
        sentences.append(
            ngettext("%(n)d evening imported.", "%(n)d evenings imported.", done.stored) % {"n": done.stored}
        )
    if done.replaced:
        sentences.append(
            ngettext("%(n)d evening replaced.", "%(n)d evenings replaced.", done.replaced) % {"n": done.replaced}
        )
    if not sentences:
        sentences.append(_("All these evenings are stored already: nothing was changed."))
    if done.unlinked:
        sentences.append(
            ngettext(
                "%(n)d result belongs to no member yet: link it on the page “Guests and members”.",
                "%(n)d results belong to no member yet: link them on the page “Guests and members”.",
                done.unlinked,
            )
            % {"n": done.unlinked}
        )
    messages.success(request, " ".join(sentences))


def _page(request: HttpRequest, preview: EarlierPreview | None, refusal: str) -> HttpResponse:
    imported = list_imported_evenings()
    counts = count_results(imported)
    context = {
        "page": "seasons",
        "preview": preview,
        "refusal": refusal,
        "held": preview.files if preview is not None else request.POST.get("held", ""),
        "errors": preview.errors[:MOST_SHOWN_ERRORS] if preview is not None else (),
        "fields": list(earlier_field_titles().items()),
        "imported": [(each, *counts.get(each.pk, (0, 0))) for each in imported],
    }
    failed = bool(refusal) or (preview is not None and not preview.is_ready and "import" in request.POST)
    return render(request, "desk/seasons/earlier.html", context, status=422 if failed else 200)
