"""A turn that is judged again changes all rooms together; a room that is behind learns nothing before its time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from tests.tournaments.hall_of_rooms import Evening, three_rooms
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.models import LedgerEntry, Turn
from tournaments.selectors.personal import personal_view
from tournaments.services import appeals, reopening

NO_WORD = "TRISCEA", "8H", 76


@pytest.fixture
def evening(judge: User) -> Evening:
    """A and B have been shown turn 1, C has not begun it."""
    evening = three_rooms(judge)
    night = evening.night
    night.begin_turn("ACEIRST")
    night.phone(1, "CESTAI", "8C", 20)
    night.phone(2, *NO_WORD)
    night.close()
    night.place()
    evening.play("B", [(11, *NO_WORD)])
    return evening


def accept(evening: Evening, **options: object) -> LedgerEntry:
    night = evening.night
    turn = Turn.objects.get(game=night.refresh(), number=1)
    turn.game = night.game
    return reopening.rule_word(
        turn=turn,
        word="TRISCEA",
        ruling=Ruling.ACCEPTED,
        reason="page 1204",
        by=night.judge,
        now=night.later(),
        **options,  # type: ignore[arg-type]
    )


def points(evening: Evening, table: int) -> int:
    return evening.night.verdict(table, turn=1).points


def test_equal_slips_of_all_rooms_get_the_same(evening: Evening) -> None:
    entry = accept(evening)
    assert [points(evening, table) for table in (2, 11)] == [76, 76]
    assert [row[1] for row in entry.data["differences"]] == [2, 11]
    assert evening.verified("A") == []
    assert evening.verified("B") == []


def test_a_room_that_plays_the_turn_later_is_judged_by_the_same_words(evening: Evening) -> None:
    accept(evening)
    evening.play("C", [(21, *NO_WORD)])
    assert points(evening, 21) == 76
    view = personal_view(evening.night.refresh(), evening.night.player(21).pk)
    assert view is not None
    assert list(view.changes) == []
    for name in "ABC":
        assert evening.verified(name) == []


def test_who_has_closed_but_not_been_shown_a_turn_has_no_difference(evening: Evening) -> None:
    evening.announce("C")
    evening.phone(21, *NO_WORD)
    evening.close("C")
    entry = accept(evening)
    assert points(evening, 21) == 76
    assert 21 not in [row[1] for row in entry.data["differences"]]
    with pytest.raises(Refused, match="has no verdict in turn 1"):
        appeals.appeal_on_paper(
            player=evening.night.player(21),
            turn=Turn.objects.get(game=evening.night.game, number=1),
            sentence="",
            by=None,
            now=evening.night.later(),
        )


def test_the_time_of_a_room_runs_from_when_it_was_shown_the_turn(evening: Evening) -> None:
    night = evening.night
    later = night.later(3600)
    evening.play("C", [(21, *NO_WORD)])
    turn = Turn.objects.get(game=night.game, number=1)
    turn.game = night.refresh()
    with pytest.raises(Refused, match="is over"):
        appeals.appeal_on_paper(player=night.player(2), turn=turn, sentence="", by=None, now=later)
    made = appeals.appeal_on_paper(
        player=night.player(21), turn=turn, sentence="", by=None, now=night.now + timedelta(minutes=14)
    )
    assert made.player.table == 21
