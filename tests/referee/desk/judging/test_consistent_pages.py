"""A page of the desk while another connection judges the same slips again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client

from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.consistent_read import consistent_read
from tournaments.judging.services.judge_slips import judge_turn
from tournaments.models import Event, Verdict
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db(transaction=True)
READS_GROUPS = 'SELECT "tournaments_verdict"."group"'


@pytest.fixture
def club_game(transactional_db: None) -> ClubGame:
    """A closed turn with a slip that a judge has to review."""
    club_game = create_club_game(first_judge())
    club_game.begin_turn()
    club_game.phone(1, "ZZZZ", "8H", 20)
    club_game.phone(2, "ZZZZ", "8H", 20)
    club_game.close()
    return club_game


def elsewhere(act: Callable[[], object]) -> None:
    """Run on a second connection to the database."""

    def run() -> None:
        try:
            act()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


class AfterFirstRead:
    """Wrapper of this connection's queries: acts elsewhere after the first one that reads the groups of slips."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act, self.acted = act, 0

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        if READS_GROUPS in sql and not self.acted:
            self.acted += 1
            elsewhere(self.act)
        return result


def test_the_desk_shows_one_state_while_its_verdicts_are_replaced(client: Client, club_game: ClubGame) -> None:
    turn, room = club_game.turn, club_game.room

    def replace_verdicts() -> None:
        with transaction.atomic():
            Verdict.objects.filter(turn=turn).delete()
            judge_turn(turn=turn, room=room)

    client.force_login(club_game.judge)
    before = set(Verdict.objects.values_list("pk", flat=True))
    between_queries = AfterFirstRead(replace_verdicts)
    with connection.execute_wrapper(between_queries):
        answer = client.get(f"/desk/{club_game.event.code}/main/")
    assert between_queries.acted == 1
    assert answer.status_code == 200
    assert b"ZZZZ" in answer.content
    assert not before & set(Verdict.objects.values_list("pk", flat=True))


def test_a_consistent_read_refuses_to_write_and_hinders_no_writer(club_game: ClubGame) -> None:
    with consistent_read():
        name = Event.objects.get().name
        elsewhere(lambda: Event.objects.update(name="Another"))
        assert Event.objects.get().name == name
    assert Event.objects.get().name == "Another"
    with pytest.raises(DatabaseError), consistent_read():
        Event.objects.update(name="Third")
    Event.objects.update(name="Third")
    assert Event.objects.get().name == "Third"
