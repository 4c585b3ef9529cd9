"""A tour of pages, each looked at by axe-core and as who hears or enlarges it has it."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.e2e.axe import grave_faults
from tests.e2e.reading import find_reading_faults

PLAYERS = "\n".join(
    f"{table}, {name}, {club}, {series}"
    for table, name, club, series in (
        (1, "Anna Rossi", "Torino", "A"),
        (2, "Bruno Neri", "Ivrea", "A"),
        (3, "Carla Blu", "Torino", "B"),
        (4, "Zoë Fontana", "", ""),
    )
)


class Tour:
    """A browser that visits the pages, and the findings on them."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.faults: dict[str, list[str]] = {}

    def look(self, page: Page, name: str, state: str = "") -> None:
        """Note the faults of the page that is open, the one of this name in the URLconf."""
        is_new = name not in self.seen
        self.seen.add(name)
        if found := [*grave_faults(page, is_new=is_new), *find_reading_faults(page)]:
            self.faults[f"{name} {state}".strip()] = found

    def go(self, page: Page, name: str, address: str, state: str = "") -> None:
        page.goto(address)
        self.look(page, name, state)

    def ends(self, pages: set[str]) -> None:
        """Fail unless these pages were looked at and have no faults."""
        told = "\n".join(f"{name}\n  " + "\n  ".join(found) for name, found in self.faults.items())
        assert not self.faults, told
        assert self.seen == pages
