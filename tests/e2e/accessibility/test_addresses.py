"""Every address is a page that a tour looks at, or listed as something else."""

from __future__ import annotations

from django.urls import get_resolver

from tests.e2e.accessibility.addresses import (
    ACTIONS,
    BEFORE_ANY_EVENT,
    CLUB,
    COLLEAGUES,
    EVENT,
    FILES,
    PARTS,
    SIMULTANEOUS,
    names_of_pages,
)


def test_every_page_is_looked_at() -> None:
    looked_at = BEFORE_ANY_EVENT | EVENT | COLLEAGUES | CLUB | SIMULTANEOUS
    assert set(names_of_pages(get_resolver().url_patterns)) == looked_at | ACTIONS | FILES | PARTS
