"""Columns of lists of members, as the user assigned them in earlier imports."""

from __future__ import annotations

from tournaments.models import ColumnChoice


def get_column_choices() -> dict[str, str]:
    """Return the field of each heading (`tournaments.players.column_headings.normalise_heading`), empty for a column
    that is left out."""
    return dict(ColumnChoice.objects.values_list("heading", "field"))
