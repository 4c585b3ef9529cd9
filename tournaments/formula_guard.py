"""The guard of texts in exported tables: an apostrophe before what a spreadsheet would take for a formula.

Every writer of cells uses `guarded`, every reader of lists `unguarded`, so that what is exported and read in again is
the same.
"""

from __future__ import annotations

import re

# The signs that begin a formula, also in their full-width and small forms, which spreadsheets and conversions fold.
_FORMULA = re.compile("['\\s\\0-\\x20]*[=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−]|'*[\\t\\r\\n]")


def guarded(text: str) -> str:
    """A text for a cell; one that may be taken for a formula begins with an apostrophe."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """The text of a cell without the apostrophe that `guarded` has put before it."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
