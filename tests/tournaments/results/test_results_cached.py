"""Standings are computed again when a shown turn changes, and not whenever slips are judged."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.now import utc_now
from tournaments.play.services import slips
from tournaments.results.queries.results import get_results_key, load_results
from tournaments.slip_content import SlipContent

pytestmark = pytest.mark.django_db


@pytest.fixture
def live_game() -> LiveGame:
    live_game = make_live_game()
    turn(live_game, "CORNORE")
    live_game.place()
    return live_game


def turn(live_game: LiveGame, rack: str | None = None) -> None:
    live_game.draw(rack)
    live_game.announce()
    live_game.close()


def test_the_close_of_a_turn_that_nobody_was_shown_changes_no_standings(live_game: LiveGame) -> None:
    before = get_results_key(live_game.game)
    turn(live_game, "TEREMAR")
    assert get_results_key(live_game.game) == before
    live_game.place()
    assert get_results_key(live_game.game) != before


def test_a_late_slip_of_a_shown_turn_is_seen_at_once(live_game: LiveGame) -> None:
    before = get_results_key(live_game.game)
    totals = {line.table: line.total for line in load_results(before).standings}
    late = live_game.turn
    turn(live_game, "TEREMAR")
    player = live_game.event.players.get(table=1)
    started = late.clocks.get().started_at
    assert started is not None
    incoming = slips.IncomingSlip(
        player_id=player.pk,
        turn_id=late.pk,
        client_id=player_uuid(),
        source="phone",
        content=SlipContent("CORNO", "8D", 22),
        received_at=started,
        sent_at=None,
        in_time=True,
    )
    slips.submit_batch([incoming], now=utc_now())
    after = get_results_key(live_game.game)
    assert after != before
    assert {line.table: line.total for line in load_results(after).standings} != totals


def player_uuid() -> UUID:
    return UUID(int=77)
