"""Italian formats without a leading zero in the day of the month."""

from __future__ import annotations

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "l j F Y H:i"
