"""Standings are worked out anew when a shown turn changes, and not whenever slips are judged."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.referee.live.evening import Evening, make_evening
from tournaments.now import utc_now
from tournaments.selectors.results import results_at, stand_of
from tournaments.services import slips

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    evening = make_evening()
    turn(evening, "CORNORE")
    evening.place()
    return evening


def turn(evening: Evening, rack: str | None = None) -> None:
    evening.draw(rack)
    evening.announce()
    evening.close()


def test_the_close_of_a_turn_that_nobody_was_shown_changes_no_standings(evening: Evening) -> None:
    before = stand_of(evening.game)
    turn(evening, "TEREMAR")
    assert stand_of(evening.game) == before
    evening.place()
    assert stand_of(evening.game) != before


def test_a_late_slip_of_a_shown_turn_is_seen_at_once(evening: Evening) -> None:
    before = stand_of(evening.game)
    totals = {line.table: line.total for line in results_at(before).standings}
    late = evening.turn
    turn(evening, "TEREMAR")
    player = evening.event.players.get(table=1)
    started = late.clocks.get().started_at
    assert started is not None
    incoming = slips.Incoming(
        player_id=player.pk,
        turn_id=late.pk,
        client_id=player_uuid(),
        source="phone",
        word="CORNO",
        ref="8D",
        direction="",
        declared=22,
        hook="",
        received_at=started,
        sent_at=None,
        in_time=True,
    )
    slips.hand_in_batch([incoming], now=utc_now())
    after = stand_of(evening.game)
    assert after != before
    assert {line.table: line.total for line in results_at(after).standings} != totals


def player_uuid() -> UUID:
    return UUID(int=77)
