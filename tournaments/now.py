"""The only place that reads the wall clock for the callers of services."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The present moment, in UTC, with microseconds."""
    return datetime.now(UTC)
