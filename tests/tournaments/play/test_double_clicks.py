"""Two requests at the same moment, each on a connection of its own: every act happens once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection

from tests.tournaments.club_game import ClubGame, create_club_game
from tests.waiting import PATIENCE_S
from tournaments.enums import SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import LedgerEntry, Player, Slip, Turn
from tournaments.play.services import clocks, draw_rack, placement, slips
from tournaments.play.services.slips import IncomingSlip
from tournaments.players.services import players
from tournaments.slip_content import SlipContent
from tournaments.staff.services.login_links import first_judge

AT_ONCE = 4


@pytest.fixture
def open_club_game(transactional_db: None) -> ClubGame:
    return create_club_game(first_judge())


def at_once(act: Callable[[], object]) -> list[str]:
    """Run the act in several threads. Return "done" or the name of the refusal for each."""
    barrier = Barrier(AT_ONCE)

    def once() -> str:
        try:
            barrier.wait(PATIENCE_S)
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
def test_every_button_of_a_turn_works_once(open_club_game: ClubGame) -> None:
    club_game = open_club_game
    game, room, judge = club_game.game, club_game.room, club_game.judge
    assert at_once(lambda: draw_rack.draw_turn(game=game, now=club_game.now, by=judge)) == ONCE
    turn = club_game.turn
    assert at_once(lambda: clocks.announce_turn(turn=turn, room=room, now=club_game.now, by=judge)) == ONCE
    now = club_game.later(10)
    assert at_once(lambda: clocks.close_clock(turn=turn, room=room, now=now, by=judge)) == ONCE
    now = club_game.later()
    assert at_once(lambda: placement.place_move(turn=turn, now=now, by=judge)) == ONCE
    kinds = list(LedgerEntry.objects.filter(game=game).values_list("kind", flat=True))
    assert kinds == ["created", "players", "draw", "announce", "close", "place"]
    assert Turn.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_clock_that_is_due_is_closed_by_one(open_club_game: ClubGame) -> None:
    open_club_game.begin_turn()
    now = open_club_game.later(200)
    closed: list[int] = []
    at_once(lambda: closed.append(len(clocks.close_due_clocks(now=now))))
    assert sorted(closed) == [0] * (AT_ONCE - 1) + [1]
    assert LedgerEntry.objects.filter(kind="close").count() == 1


@pytest.mark.django_db(transaction=True)
def test_slips_of_one_player_over_several_connections_get_versions_of_their_own(open_club_game: ClubGame) -> None:
    open_club_game.begin_turn()
    player_id, turn_id, now = open_club_game.player(1).pk, open_club_game.turn.pk, open_club_game.later()

    def hand_in() -> None:
        batch = [
            IncomingSlip(player_id, turn_id, uuid4(), SlipSource.PHONE, SlipContent("CASA", "8H", 10), now, None, True)
            for _ in range(5)
        ]
        assert all(receipt.new for receipt in slips.submit_batch(batch, now=now))

    assert at_once(hand_in) == ["done"] * AT_ONCE
    versions = Slip.objects.order_by("version").values_list("version", flat=True)
    assert list(versions) == list(range(1, 5 * AT_ONCE + 1))


@pytest.mark.django_db(transaction=True)
def test_one_slip_sent_over_several_connections_is_stored_once(open_club_game: ClubGame) -> None:
    open_club_game.begin_turn()
    player_id, turn_id, now = open_club_game.player(1).pk, open_club_game.turn.pk, open_club_game.later()
    slip = IncomingSlip(player_id, turn_id, uuid4(), SlipSource.PHONE, SlipContent("CASA", "8H", 10), now, None, True)
    new: list[bool] = []
    at_once(lambda: new.append(slips.submit_batch([slip], now=now)[0].new))
    assert sorted(new) == [False] * (AT_ONCE - 1) + [True]
    assert Slip.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_newcomers_at_the_same_moment_get_tables_of_their_own(open_club_game: ClubGame) -> None:
    names = iter(["Elio", "Fosca", "Gino", "Ida"])
    event, now = open_club_game.event, open_club_game.now
    at_once(lambda: players.join_event(event=event, name=next(names), table=None, now=now, token=uuid4().hex))
    assert sorted(Player.objects.values_list("table", flat=True)) == [1, 2, 3, 4, 5, 6, 7, 17]


@pytest.mark.django_db(transaction=True)
def test_the_ledger_stays_one_chain(open_club_game: ClubGame) -> None:
    from engine.archive.ledger import find_bad_link_number
    from tournaments.results.queries.archive import export_game

    open_club_game.begin_turn()
    turn, room, judge, now = open_club_game.turn, open_club_game.room, open_club_game.judge, open_club_game.later()
    at_once(lambda: clocks.add_time(turn=turn, room=room, seconds=1, now=now, by=judge))
    entries = export_game(open_club_game.game)["ledger"]["entries"]
    assert [entry["n"] for entry in entries] == list(range(1, len(entries) + 1))
    assert find_bad_link_number(entries) is None
