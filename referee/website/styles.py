"""The style sheet of the website: the tokens, the board and its own rules in one file."""

from __future__ import annotations

from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured

from referee.server.minifiers import cssmin

SHEETS = ("common/tokens.css", "common/board.css", "common/charts.css", "website/website.css")


def write_styles() -> bytes:
    """Return the style sheet."""
    return "\n".join(cssmin(_source(name)) for name in SHEETS).encode()


def _source(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise ImproperlyConfigured(f"There is no static file {name}.")
    return Path(path).read_text(encoding="utf-8")
