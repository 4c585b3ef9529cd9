"""Extraction of the texts of a page."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser


class Texts(HTMLParser):
    """Parser that collects the texts of a page that people see or hear."""

    SPOKEN = ("aria-label", "placeholder", "title", "alt", "hx-confirm")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0

    @classmethod
    def of(cls, page: str) -> set[str]:
        reader = cls()
        reader.feed(page)
        return {text for each in reader.found if (text := " ".join(each.split()))}

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style")
        self.found += [value for name, value in attrs if name in self.SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.found.append(data)
