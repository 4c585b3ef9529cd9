"""Dates as people write them into headings and names of files: `2024-10-03`, `3.10.24`, `3 ottobre 2024`, `3/10`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from django.conf import settings
from django.utils import translation
from django.utils.dates import MONTHS

from tournaments.players.name_folding import fold_text

FIRST_MONTH_OF_SEASON = 7
_SHORTEST_MONTH = 3
_CENTURY = 2000
_YEAR = r"(?:[\s./_-]+(?:de\s+|del\s+)?(?P<year>\d{4}|\d{2}))?"
_PATTERNS = (
    re.compile(r"(?<!\d)(?P<year>\d{4})[./_-](?P<month>\d{1,2})[./_-](?P<day>\d{1,2})(?!\d)(?:[T ]00:00(?::00)?)?"),
    re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})[./_-](?P<month>\d{{1,2}}){_YEAR}(?!\d)"),
    re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})\.?\s*(?:de\s+|d['’])?(?P<word>[^\W\d_]{{3,}})\.?{_YEAR}(?!\d)"),
)


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text, and the text without it. `day` is None if the year is missing and was not given."""

    day: date | None
    rest: str


def find_date(text: str, first_year: int | None = None) -> FoundDate | None:
    """Find the first date in a text; None if there is none. The day stands before the month.

    A date without a year is one of the season that begins in July of `first_year`.
    """
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = int(parts["month"]) if parts.get("month") else _month_of(parts.get("word") or "")
            if month is None or not 1 <= month <= 12 or not 1 <= int(parts["day"]) <= 31:
                continue
            rest = " ".join(f"{text[: match.start()]} {text[match.end() :]}".split()).strip(" -–·,:_()")
            return FoundDate(_make_date(parts["year"], month, int(parts["day"]), first_year), rest)
    return None


def _make_date(written: str | None, month: int, day: int, first_year: int | None) -> date | None:
    if written is not None:
        year: int | None = int(written) + (_CENTURY if len(written) == 2 else 0)
    else:
        year = None if first_year is None else first_year + (month < FIRST_MONTH_OF_SEASON)
    try:
        return None if year is None else date(year, month, day)
    except ValueError:
        return None


def _month_of(word: str) -> int | None:
    """Return the month that a word, perhaps shortened, names in any of the program's languages."""
    folded = fold_text(word)
    found = {month for name, month in _month_names() if name.startswith(folded)}
    return found.pop() if len(folded) >= _SHORTEST_MONTH and len(found) == 1 else None


@lru_cache(maxsize=1)
def _month_names() -> tuple[tuple[str, int], ...]:
    names = set()
    for language, _title in settings.LANGUAGES:
        with translation.override(language):
            names |= {(fold_text(str(name)), month) for month, name in MONTHS.items()}
    return tuple(sorted(names))
