"""The head of the ledger as the hall sees it: of each turn, in every later archive, and silent on secrets."""

from __future__ import annotations

import dataclasses
import json

import pytest

from engine.ledger import SHOWN_AFTER, short
from tests.tournaments.night import Night
from tournaments.models import LedgerEntry
from tournaments.selectors.archive import export_game
from tournaments.selectors.hall import HallView, hall_view

pytestmark = pytest.mark.django_db


def view(night: Night) -> HallView:
    return hall_view(night.game, night.room, night.now)


def head(night: Night) -> tuple[int, str]:
    seen = view(night)
    return seen.ledger_entry, seen.ledger_head


def test_each_turn_shows_a_head_that_every_later_archive_has(night: Night) -> None:
    shown = [head(night)]
    for _turn in range(2):
        night.begin_turn()
        shown.append(head(night))
        night.phone(1, "CASA", "8H", 10)
        night.close()
        night.place()
        shown.append(head(night))
    assert len(set(shown)) == 5
    entries = {entry["n"]: entry["hash"] for entry in export_game(night.game)["ledger"]["entries"]}
    assert [short(entries[number]) for number, _text in shown] == [text for _number, text in shown]
    assert len(shown[0][1]) == 19


def test_it_stands_still_while_slips_come_in_and_the_clock_is_moved(night: Night) -> None:
    night.begin_turn()
    announced, entries = head(night), LedgerEntry.objects.count()
    for table in (1, 2, 3):
        night.phone(table, "CASA", "8H", 10)
        assert head(night) == announced
    night.close()
    assert head(night) == announced
    assert LedgerEntry.objects.count() == entries + 4


def test_no_hash_that_hangs_on_a_rack_is_shown_before_the_rack(night: Night) -> None:
    """Whoever knows the rest of an entry could try all racks."""
    before = head(night)
    night.draw()
    drawn = LedgerEntry.objects.get(kind="draw")
    assert head(night) == before
    assert short(drawn.hash) not in json.dumps(dataclasses.asdict(view(night)), default=str)
    assert "draw" not in SHOWN_AFTER
