"""Protocol messages contain no secrets, even if the views do."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from referee.live.sockets import messages
from referee.views.hall import PublicView
from referee.views.last_moves import LastMove
from tournaments.play.queries.phases import Phase
from tournaments.results.queries.event_results import EventPlace
from tournaments.results.queries.results import StandingRow

NOON = datetime(2026, 11, 20, 12, 0, 0, 500_400, tzinfo=UTC)


def row(rank: int) -> StandingRow:
    return StandingRow(rank, rank, f"Player {rank}", "", "", 100 - rank, -rank, Decimal("87.5"), 0, 0, 0, 7000 + rank)


FULL = PublicView(
    event_name="Club night",
    event_code="BCDFG",
    game_number=1,
    seq=9,
    phase=Phase.RUNNING,
    turn=2,
    notation="8H",
    edition="it",
    language="it",
    values={"A": 1},
    board=["." * 15] * 15,
    new=[[7, 7]],
    rack="PLANTEDRACK",
    rack_size=7,
    open_dictionary=False,
    stock="PLANTEDSTOCK",
    clock_s=180,
    calls=[60, 30, 5],
    started_at=NOON,
    deadline=NOON,
    remaining_ms=None,
    players=40,
    slips_in=3,
    last=LastMove(1, "CORNO", "8D", 22, 30, "", 2, ["Anna", "Bruno"]),
    tiles_left=113,
    commitment="c" * 64,
    hall_word="",
    seed="PLANTEDSEED",
    end_why="",
    standings=[row(rank) for rank in range(1, 41)],
)


@pytest.mark.parametrize("phase", list(Phase))
def test_rack_and_seed_are_left_out_before_their_time_whatever_the_view_holds(phase: Phase) -> None:
    for text in (messages.phone_view(replace(FULL, phase=phase)), messages.wall_view(replace(FULL, phase=phase))):
        assert ("PLANTEDRACK" in text) is (phase not in (Phase.LOBBY, Phase.DRAWN))
        assert ("PLANTEDSTOCK" in text) is ("PLANTEDRACK" in text)
        assert ("PLANTEDSEED" in text) is (phase is Phase.FINISHED)


def test_a_phone_gets_ten_rows_of_the_standings_and_the_wall_all() -> None:
    phone, wall = json.loads(messages.phone_view(FULL)), json.loads(messages.wall_view(FULL))
    assert [len(view["standings"]) for view in (phone, wall)] == [10, 40]
    assert [view["standings_count"] for view in (phone, wall)] == [40, 40]
    assert wall.pop("season_on_wall") is False, "for the wall alone"
    assert {key: value for key, value in phone.items() if key != "standings"} == {
        key: value for key, value in wall.items() if key != "standings"
    }


def test_only_the_wall_gets_the_places_over_all_games() -> None:
    full = replace(FULL, event_places=[EventPlace(1, 17, "Anna", "Torino", 606, None, Decimal("71.24"))])
    assert json.loads(messages.phone_view(full))["event_places"] == []
    assert json.loads(messages.wall_view(full))["event_places"] == [
        {"rank": 1, "table": 17, "name": "Anna", "club": "Torino", "total": 606, "negative": None, "percent": 71.24}
    ]


def test_keys_of_the_database_stay_inside() -> None:
    assert "player_id" not in messages.wall_view(FULL)
    assert "7001" not in messages.wall_view(FULL)


def test_a_phones_state_is_small_with_forty_players() -> None:
    assert len(messages.state_message(9, NOON, messages.phone_view(FULL)).encode()) < 3000


def test_the_envelope_is_json_and_its_times_are_milliseconds() -> None:
    state = json.loads(messages.state_message(9, NOON, messages.phone_view(FULL)))
    assert (state["t"], state["seq"], state["now"]) == ("state", 9, 1795176000500)
    assert state["view"]["deadline"] == 1795176000500


def test_every_field_of_the_view_is_sent_or_left_out_on_purpose() -> None:
    sent = set(json.loads(messages.wall_view(FULL)))
    assert sent == {*PublicView.__slots__, "standings_count"} - {"closes_at", "game_id", "turn_id"}
