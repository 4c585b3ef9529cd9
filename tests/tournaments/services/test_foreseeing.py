"""What follows from judging a turn again is found while the game goes on, and holds when it is written."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection

from tests.tournaments.night import Night, begin
from tests.tournaments.reopened import decide, differences_in, first_turn, turn_of
from tournaments.enums import SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.judgements import Decision
from tournaments.models import Turn
from tournaments.selectors import again
from tournaments.selectors.preview import Change, shown
from tournaments.services import slips
from tournaments.services.access import first_judge
from tournaments.services.foreseeing import TRIES, Foreseen, foreseen
from tournaments.services.slips import Incoming

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night(transactional_db: None) -> Night:
    """One turn on the board, the next one being played."""
    begun = begin(first_judge())
    first_turn(begun)
    begun.begin_turn("AEIRSTO")
    return begun


class Finding:
    """The search for what follows from points for table 2, in which somebody does something else, and how often."""

    def __init__(self, night: Night, meanwhile: Callable[[], object], *, times: int = 1) -> None:
        self._group, self._meanwhile, self._times = night.verdict(2, turn=1).group, meanwhile, times
        self.locked: list[bool] = []

    def __call__(self, turn: Turn) -> Change:
        self.locked.append(connection.in_atomic_block)
        if len(self.locked) <= self._times:
            self._meanwhile()
        return again.with_decision(turn, self._group, Decision(30, "looked at again"))


def found_by(night: Night, finding: Callable[[Turn], Change], seen: str | None = None) -> Foreseen:
    with foreseen(turn_of(night, 1), finding, seen) as found:
        assert connection.in_atomic_block
        return found


def late_slip(night: Night) -> None:
    """Table 17 was away with its phone when turn 1 was played."""
    received = night.later()
    first = turn_of(night, 1)
    written = Incoming(
        player_id=night.player(17).pk,
        turn_id=first.pk,
        client_id=uuid4(),
        source=SlipSource.PHONE,
        word="CESTAI",
        ref="8C",
        direction="",
        declared=20,
        hook="",
        received_at=received,
        sent_at=received,
        in_time=False,
    )
    slips.hand_in_batch([written], now=received)


def test_nobody_waits_while_it_is_found(night: Night) -> None:
    finding = Finding(night, lambda: None)
    found = found_by(night, finding)
    assert finding.locked == [False]
    assert [one.as_json() for one in found.differences.points] == [[1, 2, 0, 30, "counts"], [1, 3, 0, 30, "counts"]]


def test_slips_of_the_turn_that_is_played_change_nothing_in_it(night: Night) -> None:
    finding = Finding(night, lambda: night.phone(3, "SERATO", "9C", None), times=9)
    found_by(night, finding)
    assert finding.locked == [False]


def test_what_was_decided_meanwhile_is_in_what_follows(night: Night) -> None:
    finding = Finding(night, lambda: decide(night, 1, 7))
    [facts] = found_by(night, finding).change.facts
    assert finding.locked == [False, False]
    assert sorted(decision.points for decision in facts.decisions.values()) == [7, 30]


def test_a_slip_that_came_late_meanwhile_is_in_what_follows(night: Night) -> None:
    finding = Finding(night, lambda: late_slip(night))
    [facts] = found_by(night, finding).change.facts
    assert finding.locked == [False, False]
    assert night.player(17).pk in facts.slips


def test_a_turn_that_was_closed_meanwhile_is_looked_at_too(night: Night) -> None:
    finding = Finding(night, night.close)
    found_by(night, finding)
    assert finding.locked == [False, False]


def test_when_somebody_acts_again_and_again_it_is_found_with_the_game_locked(night: Night) -> None:
    points = iter(range(1, 10))
    finding = Finding(night, lambda: decide(night, 1, next(points)), times=TRIES)
    found = found_by(night, finding)
    assert finding.locked == [False] * TRIES + [True]
    assert found.turn.number == 1
    assert night.verdict(1, turn=1).points == TRIES


def test_what_does_not_fit_together_because_somebody_acted_is_read_again(night: Night) -> None:
    finding = Finding(night, lambda: decide(night, 1, 7))

    def torn(turn: Turn) -> Change:
        change = finding(turn)
        if len(finding.locked) == 1:
            raise KeyError("a verdict that was there a moment ago")
        return change

    found_by(night, torn)
    assert finding.locked == [False, False]


def test_a_fault_of_the_program_is_not_tried_again(night: Night) -> None:
    asked: list[Turn] = []

    def broken(turn: Turn) -> Change:
        asked.append(turn)
        raise KeyError("always")

    with pytest.raises(KeyError, match="always"):
        found_by(night, broken)
    assert len(asked) == 1


def test_a_preview_that_is_not_true_any_more_is_refused(night: Night) -> None:
    group = night.verdict(2, turn=1).group
    seen = shown(again.with_decision(turn_of(night, 1), group, Decision(30, "looked at again"))).token
    assert found_by(night, Finding(night, lambda: None), seen).turn.number == 1
    with pytest.raises(Refused, match="Something has changed since you looked"):
        found_by(night, Finding(night, lambda: decide(night, 1, 7)), seen)


def test_of_two_judges_who_decide_the_same_at_once_the_second_one_hears_it(night: Night) -> None:
    finding = Finding(night, lambda: decide(night, 2, 30))

    def once(turn: Turn) -> Change:
        if night.verdict(2, turn=1).points == 30:
            raise AlreadyDone("It is decided so already.")
        return finding(turn)

    with pytest.raises(AlreadyDone):
        found_by(night, once)
    assert [night.verdict(table, turn=1).points for table in (2, 3)] == [30, 30]
    assert differences_in(night) == []
