"""Judging a turn again affects all rooms at once; a room that plays later learns nothing early."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from referee.views.player import get_personal_view
from tests.tournaments.rooms_game import RoomsGame, create_three_rooms
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.judging.services import appeals, rejudging
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import LedgerEntry, Turn

NO_WORD = "TRISCEA", "8H", 76


@pytest.fixture
def live_game(judge: User) -> RoomsGame:
    """A and B have been shown turn 1, C has not begun it."""
    live_game = create_three_rooms(judge)
    club_game = live_game.club_game
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, *NO_WORD)
    club_game.close()
    club_game.place()
    live_game.play("B", [(11, *NO_WORD)])
    return live_game


def accept(live_game: RoomsGame, **options: Any) -> LedgerEntry:
    club_game = live_game.club_game
    turn = Turn.objects.get(game=club_game.refresh(), number=1)
    turn.game = club_game.game
    return rejudging.rule_word(
        turn=turn,
        word="TRISCEA",
        ruling=Ruling.ACCEPTED,
        request=RulingRequest(reason="page 1204", by=club_game.judge, now=club_game.later(), **options),
    )


def points(live_game: RoomsGame, table: int) -> int:
    return live_game.club_game.verdict(table, turn=1).points


def test_equal_slips_of_all_rooms_get_the_same(live_game: RoomsGame) -> None:
    entry = accept(live_game)
    assert [points(live_game, table) for table in (2, 11)] == [76, 76]
    assert [row[1] for row in entry.data["differences"]] == [2, 11]
    assert live_game.verified("A") == []
    assert live_game.verified("B") == []


def test_a_room_that_plays_the_turn_later_is_judged_by_the_same_words(live_game: RoomsGame) -> None:
    accept(live_game)
    live_game.play("C", [(21, *NO_WORD)])
    assert points(live_game, 21) == 76
    view = get_personal_view(live_game.club_game.refresh(), live_game.club_game.player(21).pk)
    assert view is not None
    assert list(view.changes) == []
    for name in "ABC":
        assert live_game.verified(name) == []


def test_who_has_closed_but_not_been_shown_a_turn_has_no_difference(live_game: RoomsGame) -> None:
    live_game.announce("C")
    live_game.phone(21, *NO_WORD)
    live_game.close("C")
    entry = accept(live_game)
    assert points(live_game, 21) == 76
    assert 21 not in [row[1] for row in entry.data["differences"]]
    with pytest.raises(Refused, match="has no verdict in turn 1"):
        appeals.submit_paper_appeal(
            player=live_game.club_game.player(21),
            turn=Turn.objects.get(game=live_game.club_game.game, number=1),
            sentence="",
            by=None,
            now=live_game.club_game.later(),
        )


def test_the_time_of_a_room_runs_from_when_it_was_shown_the_turn(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    later = club_game.later(3600)
    live_game.play("C", [(21, *NO_WORD)])
    turn = Turn.objects.get(game=club_game.game, number=1)
    turn.game = club_game.refresh()
    with pytest.raises(Refused, match="is over"):
        appeals.submit_paper_appeal(player=club_game.player(2), turn=turn, sentence="", by=None, now=later)
    made = appeals.submit_paper_appeal(
        player=club_game.player(21), turn=turn, sentence="", by=None, now=club_game.now + timedelta(minutes=14)
    )
    assert made.player.table == 21
