"""Two requests at the same moment, each on a connection of its own: every act happens once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection

from tests.tournaments.night import Night, begin
from tournaments.enums import SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import LedgerEntry, Player, Slip, Turn
from tournaments.services import clocks, drawing, placing, players, slips
from tournaments.services.access import first_judge
from tournaments.services.slips import Incoming

AT_ONCE = 4


@pytest.fixture
def open_night(transactional_db: None) -> Night:
    return begin(first_judge())


def at_once(act: Callable[[], object]) -> list[str]:
    """What each of several threads gets from the act: "done", or the name of the refusal."""
    barrier = Barrier(AT_ONCE)

    def once() -> str:
        try:
            barrier.wait(10)
            act()
            return "done"
        except Refused as refused:
            return type(refused).__name__
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return sorted(future.result() for future in [pool.submit(once) for _ in range(AT_ONCE)])


ONCE = [AlreadyDone.__name__] * (AT_ONCE - 1) + ["done"]


@pytest.mark.django_db(transaction=True)
def test_every_button_of_a_turn_works_once(open_night: Night) -> None:
    night = open_night
    game, room, judge = night.game, night.room, night.judge
    assert at_once(lambda: drawing.draw_turn(game=game, now=night.now, by=judge)) == ONCE
    turn = night.turn
    assert at_once(lambda: clocks.announce(turn=turn, room=room, now=night.now, by=judge)) == ONCE
    now = night.later(10)
    assert at_once(lambda: clocks.close_now(turn=turn, room=room, now=now, by=judge)) == ONCE
    now = night.later()
    assert at_once(lambda: placing.place(turn=turn, now=now, by=judge)) == ONCE
    kinds = list(LedgerEntry.objects.filter(game=game).values_list("kind", flat=True))
    assert kinds == ["created", "players", "draw", "announce", "close", "place"]
    assert Turn.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_is_due_is_closed_by_one(open_night: Night) -> None:
    open_night.begin_turn()
    now = open_night.later(200)
    closed: list[int] = []
    at_once(lambda: closed.append(len(clocks.close_due(now=now))))
    assert sorted(closed) == [0] * (AT_ONCE - 1) + [1]
    assert LedgerEntry.objects.filter(kind="close").count() == 1


@pytest.mark.django_db(transaction=True)
def test_slips_of_one_player_over_several_connections_get_versions_of_their_own(open_night: Night) -> None:
    open_night.begin_turn()
    player_id, turn_id, now = open_night.player(1).pk, open_night.turn.pk, open_night.later()

    def hand_in() -> None:
        batch = [
            Incoming(player_id, turn_id, uuid4(), SlipSource.PHONE, "CASA", "8H", "", 10, "", now, None, True)
            for _ in range(5)
        ]
        assert all(receipt.new for receipt in slips.hand_in_batch(batch, now=now))

    assert at_once(hand_in) == ["done"] * AT_ONCE
    versions = Slip.objects.order_by("version").values_list("version", flat=True)
    assert list(versions) == list(range(1, 5 * AT_ONCE + 1))


@pytest.mark.django_db(transaction=True)
def test_one_slip_sent_over_several_connections_is_stored_once(open_night: Night) -> None:
    open_night.begin_turn()
    player_id, turn_id, now = open_night.player(1).pk, open_night.turn.pk, open_night.later()
    slip = Incoming(player_id, turn_id, uuid4(), SlipSource.PHONE, "CASA", "8H", "", 10, "", now, None, True)
    new: list[bool] = []
    at_once(lambda: new.append(slips.hand_in_batch([slip], now=now)[0].new))
    assert sorted(new) == [False] * (AT_ONCE - 1) + [True]
    assert Slip.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_newcomers_at_the_same_moment_get_tables_of_their_own(open_night: Night) -> None:
    names = iter(["Elio", "Fosca", "Gino", "Ida"])
    event, now = open_night.event, open_night.now
    at_once(lambda: players.join(event=event, name=next(names), table=None, now=now, token=uuid4().hex))
    assert sorted(Player.objects.values_list("table", flat=True)) == [1, 2, 3, 4, 5, 6, 7, 17]


@pytest.mark.django_db(transaction=True)
def test_the_ledger_stays_one_chain(open_night: Night) -> None:
    from engine.ledger import first_bad_link
    from tournaments.selectors.archive import export_game

    open_night.begin_turn()
    turn, room, judge, now = open_night.turn, open_night.room, open_night.judge, open_night.later()
    at_once(lambda: clocks.add_time(turn=turn, room=room, seconds=1, now=now, by=judge))
    entries = export_game(open_night.game)["ledger"]["entries"]
    assert [entry["n"] for entry in entries] == list(range(1, len(entries) + 1))
    assert first_bad_link(entries) is None
