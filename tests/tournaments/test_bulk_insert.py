"""Many rows at once are stored as Django itself would store them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments import bulk_insert
from tournaments.models import Player, Slip, Verdict

pytestmark = pytest.mark.django_db

SLIP: dict[str, Any] = {
    "version": 1,
    "source": "phone",
    "word": "CITTÀ",
    "ref": "8H",
    "direction": "",
    "hook": "",
    "declared": None,
    "several": False,
    "received_at": datetime(2026, 11, 22, 20, 15, 3, 123456, tzinfo=UTC),
    "sent_at": None,
    "in_time": True,
    "sent_in_time": False,
    "batch": 3,
    "batch_room_id": None,
}


@pytest.fixture
def live_game() -> LiveGame:
    live_game = make_live_game()
    live_game.draw("CORNORE")
    return live_game


def values(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if field.attname != "id"}


def test_a_slip_is_stored_as_an_object_would_be(live_game: LiveGame) -> None:
    first, second = Player.objects.order_by("table")[:2]
    row = {**SLIP, "turn_id": live_game.turn.pk, "player_id": first.pk, "client_id": UUID(int=7)}
    bulk_insert.insert_rows(Slip, tuple(row), [tuple(row.values())])
    Slip.objects.create(**{**row, "player_id": second.pk, "client_id": UUID(int=8)})
    stored = [values(slip) for slip in Slip.objects.order_by("player__table")]
    assert stored[0] == row
    assert {**stored[0], "player_id": 0, "client_id": 0} == {**stored[1], "player_id": 0, "client_id": 0}
    assert Slip.objects.get(client_id=UUID(int=7)).player_id == first.pk
    assert Slip.objects.filter(received_at__lte=SLIP["received_at"]).count() == 2


def test_a_verdict_keeps_its_lists_and_details(live_game: LiveGame) -> None:
    player = Player.objects.earliest("table")
    row = {
        "turn_id": live_game.turn.pk,
        "player_id": player.pk,
        "slip_id": None,
        "group": "g" * 64,
        "result": "zero",
        "reason": "word",
        "points": 0,
        "move_score": 22,
        "warnings": ["score"],
        "penalty": 0,
        "bonus": 0,
        "word": "XYZ",
        "rule": "",
        "details": {"was": 22, "word": "È"},
        "move_word": "",
        "move_ref": "",
        "decided_by": "rule",
        "decision_reason": "",
    }
    bulk_insert.insert_rows(Verdict, tuple(row), [tuple(row.values())])
    assert values(Verdict.objects.get()) == row
    assert Verdict.objects.exclude(warnings=[]).count() == 1


def test_rows_keep_their_order(live_game: LiveGame) -> None:
    players = list(Player.objects.order_by("-table").values_list("pk", flat=True))
    rows = [
        {**SLIP, "turn_id": live_game.turn.pk, "player_id": player, "client_id": UUID(int=player)} for player in players
    ]
    bulk_insert.insert_rows(Slip, tuple(rows[0]), [tuple(row.values()) for row in rows])
    assert list(Slip.objects.order_by("pk").values_list("player", flat=True)) == players


@pytest.mark.parametrize("wrong", [("in_time",), ("batch", "hook")])
def test_a_column_that_is_left_out_is_no_row(live_game: LiveGame, wrong: tuple[str, ...]) -> None:
    names = [name for name in ("turn_id", "player_id", "client_id", *SLIP) if name not in wrong]
    with pytest.raises(ValueError, match=", ".join(sorted(wrong))):
        bulk_insert.insert_rows(Slip, names, [tuple(names)])
    assert not Slip.objects.exists()


def test_no_rows_are_no_work(django_assert_num_queries: Any, live_game: LiveGame) -> None:
    with django_assert_num_queries(0):
        bulk_insert.insert_rows(Slip, ("turn_id",), [])
