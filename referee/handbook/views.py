"""The handbook in the browser; anybody may read it, since it holds nothing of an event."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from referee.handbook.pages import get_page, page_language, page_names
from referee.handbook.rendering import INDEX


@gzip_page
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List all tasks."""
    return _page(request, INDEX)


@gzip_page
@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show the page of a task."""
    if name not in page_names():
        raise Http404
    return _page(request, name)


def _page(request: HttpRequest, name: str) -> HttpResponse:
    language = page_language(name)
    context = {
        "page": get_page(language, name),
        "language": language,
        "is_foreign": not (get_language() or language).startswith(language),
        "is_index": name == INDEX,
    }
    return render(request, "handbook/page.html", context)
