"""Pages of the handbook by language: Markdown files in `docs/handbook`, and pages written from the rule profiles.

A page that a language does not have is shown in English.
"""

from __future__ import annotations

from functools import cache

from django.utils.translation import get_language, gettext, override

from referee import program_files
from referee.handbook.rendering import INDEX, RenderedPage, render_page
from referee.handbook.rule_sets import LIST, rule_set_list, rule_set_names, rule_set_text

_FALLBACK = "en"


def page_language(name: str) -> str:
    """Return the language in which a page is shown: that of the browser if it has the page, else English."""
    language = (get_language() or _FALLBACK)[:2]
    file = INDEX if name in rule_set_names() else name
    return language if (program_files.HANDBOOK / language / f"{file}.md").is_file() else _FALLBACK


@cache
def page_names() -> frozenset[str]:
    """Return the names of all pages but the index."""
    files = {path.stem for path in (program_files.HANDBOOK / _FALLBACK).glob("*.md")} - {INDEX}
    return frozenset(files | set(rule_set_names()))


@cache
def get_page(language: str, name: str) -> RenderedPage:
    """Return a page by its language and name; both must exist."""
    with override(language):
        return render_page(_text(language, name), program_files.HANDBOOK / language)


def _text(language: str, name: str) -> str:
    if name in rule_set_names():
        return rule_set_text(name, gettext)
    text = (program_files.HANDBOOK / language / f"{name}.md").read_text(encoding="utf-8")
    text = text.replace(program_files.CHECKOUT_COMMAND, program_files.COMMAND)
    return f"{text}\n{rule_set_list(gettext)}\n" if name == LIST else text
