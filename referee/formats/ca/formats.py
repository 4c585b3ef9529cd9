"""Catalan formats; E is the month with its “de” or “d’”."""

from __future__ import annotations

DATE_FORMAT = r"j E \d\e Y"
