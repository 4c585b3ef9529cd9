"""Guard against formula injection in exported tables: an apostrophe before texts that look like formulas.

Every writer of cells uses `guarded`, every reader of lists `unguarded`, so that texts survive export and import.
"""

from __future__ import annotations

import re

# The signs that begin a formula, also in their full-width and small forms, which spreadsheets and conversions fold.
_FORMULA = re.compile("['\\s\\0-\\x20]*[=+\\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−]|'*[\\t\\r\\n]")


def escape_formula(text: str) -> str:
    """A text for a cell; one that may be taken for a formula begins with an apostrophe."""
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_formula(text: str) -> str:
    """The text of a cell without the apostrophe added by `guarded`."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
