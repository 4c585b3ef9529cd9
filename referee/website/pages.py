"""Rendering of the pages of the website: templates with relative links, in the language of the club."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.template.loader import render_to_string

from tournaments.models import Club
from tournaments.publishing.website_folder import WebsiteFile

ROWS_A_PAGE = 100
_LINE_BREAKS = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class Site:
    """The facts that every page needs. `sections` are those that have a page; `logo` is the name of its file, or "".

    `program` is the state of the program's files (`referee.website.program_state`).
    """

    club: Club
    name: str
    logo: str
    sections: frozenset[str]
    program: str
    now: datetime

    @property
    def state(self) -> str:
        """A text that changes with everything that every page shows."""
        facts = (self.name, self.club.language, self.logo, sorted(self.sections), self.program)
        return hashlib.sha256(repr(facts).encode()).hexdigest()


def render_page(site: Site, path: str, template: str, context: Mapping[str, object]) -> WebsiteFile:
    """Render the page at `path`; its links to the root of the site begin with `root`."""
    section = path.partition("/")[0].removesuffix(".html")
    given = {"site": site, "section": section, "root": "../" * path.count("/"), **context}
    text = render_to_string(f"website/{template}", given)
    return WebsiteFile(path, _LINE_BREAKS.sub("\n", text).strip().encode() + b"\n")


def render_parts(
    site: Site, path: str, template: str, rows: Sequence[object], context: Mapping[str, object]
) -> Iterator[WebsiteFile]:
    """Render long `rows` as several pages: `path`, then the same name with -2, -3 …"""
    count = max(1, -(-len(rows) // ROWS_A_PAGE))
    stem, name = path.removesuffix(".html"), path.rpartition("/")[2].removesuffix(".html")
    parts = [(number, f"{name}{_suffix(number)}.html") for number in range(1, count + 1)]
    for number in range(1, count + 1):
        start = (number - 1) * ROWS_A_PAGE
        shown = {"rows": rows[start : start + ROWS_A_PAGE], "part": number, "parts": parts if count > 1 else []}
        yield render_page(site, f"{stem}{_suffix(number)}.html", template, {**context, **shown})


def _suffix(number: int) -> str:
    return "" if number == 1 else f"-{number}"
