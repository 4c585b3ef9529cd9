"""Romanian formats; E is the month in lower case."""

from __future__ import annotations

DATE_FORMAT = "j E Y"
