"""Pages of the handbook by language: one Markdown file for each task in `docs/handbook`."""

from __future__ import annotations

from functools import cache

from django.utils.translation import get_language

from referee import program_files
from referee.handbook.rendering import INDEX, RenderedPage, render_page

_FALLBACK = "en"


def handbook_language() -> str:
    """Return the language of the page if there is a handbook in it, else English."""
    language = (get_language() or _FALLBACK)[:2]
    return language if (program_files.HANDBOOK / language).is_dir() else _FALLBACK


@cache
def page_names() -> frozenset[str]:
    """Return the names of all pages but the index, the same in each language."""
    return frozenset(path.stem for path in (program_files.HANDBOOK / _FALLBACK).glob("*.md")) - {INDEX}


@cache
def get_page(language: str, name: str) -> RenderedPage:
    """Return a page by its language and name; both must exist."""
    return render_page(program_files.HANDBOOK / language / f"{name}.md")
