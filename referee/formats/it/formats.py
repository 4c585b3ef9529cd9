"""Italian formats without a leading zero in the day of the month; E is the month in lower case."""

from __future__ import annotations

DATE_FORMAT = "j E Y"
DATETIME_FORMAT = "l j E Y H:i"
