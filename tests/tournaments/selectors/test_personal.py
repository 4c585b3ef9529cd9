"""What a single phone may know beyond the hall."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from tests.tournaments.night import FOUR, Night, begin
from tournaments.selectors.personal import personal_view, personal_views
from tournaments.services import players, rulings
from tournaments.services.players import NewPlayer


@pytest.fixture
def closed(night: Night) -> Night:
    night.begin_turn("ACEIRST")
    night.phone(1, "CASA", "8H", 5)
    night.phone(1, "CARTE", "8H", 20)
    night.phone(2, "TRISCEA", "8H", 76)
    night.close()
    return night


def test_until_the_move_is_placed_a_phone_knows_its_own_slip_only(closed: Night) -> None:
    mine = personal_view(closed.game, closed.player(1).pk)
    assert mine is not None
    assert mine.slip is not None
    assert (mine.slip.word, mine.slip.version, mine.slip.declared, mine.slip.in_time) == ("CARTE", 2, 20, True)
    assert (mine.verdict, mine.rank, mine.total, mine.turn) == (None, None, 0, 1)
    assert "TRISCEA" not in str(mine)


def test_then_it_knows_verdict_top_and_place(closed: Night) -> None:
    closed.place()
    mine = personal_view(closed.game, closed.player(1).pk)
    assert mine is not None
    assert mine.verdict is not None
    assert (mine.verdict.points, mine.verdict.top, mine.verdict.word) == (18, closed.turn.top, "CARTE")
    assert mine.verdict.sentence == "The move is valid and worth 18. The slip says 20."
    top = closed.turn.top or 0
    assert (mine.rank, mine.total, mine.negative) == (1, 18, 18 - top)
    assert mine.percent == Decimal(1800 / top).quantize(Decimal("0.1"))
    assert mine.slip is None


def test_a_zero_says_why_and_a_decision_says_the_reason(closed: Night) -> None:
    group = closed.verdict(1).group
    rulings.decide_group(
        turn=closed.turn, group=group, points=0, reason="two words on it", by=closed.judge, now=closed.later()
    )
    closed.place()
    views = personal_views(closed.game)
    wrong, decided, absent = (views[closed.player(table).pk].verdict for table in (2, 1, 17))
    assert wrong is not None
    assert decided is not None
    assert absent is not None
    assert (wrong.reason, wrong.sentence) == ("not_a_word", "Box rules, Multiplo: TRISCEA is not in the word list.")
    assert (decided.decided_by, decided.decision_reason) == ("judge", "two words on it")
    assert absent.sentence == "Box rules, Multiplo: No slip was handed in."


def test_sentences_are_in_the_active_language(closed: Night) -> None:
    closed.place()
    with translation.override("it"):
        assert personal_view(closed.game, closed.player(2).pk) is not None


def test_in_the_next_turn_the_last_verdict_stays(closed: Night) -> None:
    closed.place()
    closed.begin_turn()
    closed.phone(1, "SERA", "1A", 4)
    mine = personal_view(closed.game, closed.player(1).pk)
    assert mine is not None
    assert mine.slip is not None
    assert mine.verdict is not None
    assert (mine.turn, mine.slip.word, mine.verdict.turn, mine.rank) == (2, "SERA", 1, 1)


def test_all_views_at_once_are_those_of_each(closed: Night) -> None:
    closed.place()
    views = personal_views(closed.game)
    assert views == {pk: personal_view(closed.game, pk) for pk in views}
    assert len(views) == 4
    assert personal_view(closed.game, 999_999) is None


def test_a_late_comer_knows_from_which_turn_on_he_plays(closed: Night) -> None:
    [late] = players.add_players(
        event=closed.event, players=[NewPlayer(9, "Elio")], now=closed.later(), by=closed.judge
    )
    mine = personal_view(closed.game, late.pk)
    assert mine is not None
    assert (mine.first_turn, mine.turn, mine.verdict) == (2, 1, None)


def test_queries_do_not_grow_with_players(judge: User) -> None:
    def queries(new: tuple[NewPlayer, ...]) -> int:
        night = begin(judge, players=new)
        night.begin_turn("ACEIRST")
        night.phone(1, "CARTE", "8H", 18)
        night.close()
        night.place()
        night.begin_turn()
        with CaptureQueriesContext(connection) as captured:
            personal_views(night.game)
        return len(captured)

    assert queries(FOUR[:1]) == queries(FOUR)
