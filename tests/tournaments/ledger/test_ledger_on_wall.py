"""The head of the ledger on the wall: part of every later archive, and without secrets."""

from __future__ import annotations

import dataclasses
import json

import pytest

from engine.archive.ledger import KINDS_WITH_SHOWN_HASH, format_short_hash
from referee.views.hall import PublicView, get_public_view
from tests.tournaments.club_game import ClubGame
from tournaments.models import LedgerEntry
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db


def view(club_game: ClubGame) -> PublicView:
    return get_public_view(club_game.game, club_game.room, club_game.now)


def head(club_game: ClubGame) -> tuple[int, str]:
    seen = view(club_game)
    return seen.ledger_entry, seen.ledger_head


def test_each_turn_shows_a_head_that_every_later_archive_has(club_game: ClubGame) -> None:
    shown = [head(club_game)]
    for _turn in range(2):
        club_game.begin_turn()
        shown.append(head(club_game))
        club_game.phone(1, "CASA", "8H", 10)
        club_game.close()
        club_game.place()
        shown.append(head(club_game))
    assert len(set(shown)) == 5
    entries = {entry["n"]: entry["hash"] for entry in export_game(club_game.game)["ledger"]["entries"]}
    assert [format_short_hash(entries[number]) for number, _text in shown] == [text for _number, text in shown]
    assert len(shown[0][1]) == 19


def test_it_stands_still_while_slips_come_in_and_the_clock_is_moved(club_game: ClubGame) -> None:
    club_game.begin_turn()
    announced, entries = head(club_game), LedgerEntry.objects.count()
    for table in (1, 2, 3):
        club_game.phone(table, "CASA", "8H", 10)
        assert head(club_game) == announced
    club_game.close()
    assert head(club_game) == announced
    assert LedgerEntry.objects.count() == entries + 4


def test_no_hash_that_hangs_on_a_rack_is_shown_before_the_rack(club_game: ClubGame) -> None:
    """Otherwise the rack could be found by hashing the entry with all possible racks."""
    before = head(club_game)
    club_game.draw()
    drawn = LedgerEntry.objects.get(kind="draw")
    assert head(club_game) == before
    assert format_short_hash(drawn.hash) not in json.dumps(dataclasses.asdict(view(club_game)), default=str)
    assert "draw" not in KINDS_WITH_SHOWN_HASH
