"""Effects of judging again are derived without the lock and are current when they are stored."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection

from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.rejudged_game import decide_slip, find_differences, get_turn, place_first_turn
from tournaments.enums import SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.derivation import Decision
from tournaments.judging.queries import rejudging_effects
from tournaments.judging.queries.preview import ProposedChange, build_preview
from tournaments.judging.services.rejudging_forecast import MAX_ATTEMPTS, RejudgingForecast, locked_forecast
from tournaments.models import Turn
from tournaments.play.services import slips
from tournaments.play.services.slips import IncomingSlip
from tournaments.slip_content import SlipContent
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def club_game(transactional_db: None) -> ClubGame:
    """A game with one placed turn and the next one in play."""
    begun = create_club_game(first_judge())
    place_first_turn(begun)
    begun.begin_turn("AEIRSTO")
    return begun


class Finding:
    """The search for what follows from points for table 2, in which somebody does something else, and how often."""

    def __init__(self, club_game: ClubGame, meanwhile: Callable[[], object], *, times: int = 1) -> None:
        self._group, self._meanwhile, self._times = club_game.verdict(2, turn=1).group, meanwhile, times
        self.locked: list[bool] = []

    def __call__(self, turn: Turn) -> ProposedChange:
        self.locked.append(connection.in_atomic_block)
        if len(self.locked) <= self._times:
            self._meanwhile()
        return rejudging_effects.propose_decision(turn, self._group, Decision(30, "looked at again"))


def found_by(
    club_game: ClubGame, finding: Callable[[Turn], ProposedChange], seen: str | None = None
) -> RejudgingForecast:
    with locked_forecast(get_turn(club_game, 1), finding, seen) as found:
        assert connection.in_atomic_block
        return found


def late_slip(club_game: ClubGame) -> None:
    """Table 17 was away with its phone when turn 1 was played."""
    received = club_game.later()
    first = get_turn(club_game, 1)
    written = IncomingSlip(
        player_id=club_game.player(17).pk,
        turn_id=first.pk,
        client_id=uuid4(),
        source=SlipSource.PHONE,
        content=SlipContent("CESTAI", "8C", 20),
        received_at=received,
        sent_at=received,
        in_time=False,
    )
    slips.submit_batch([written], now=received)


def test_the_game_is_not_locked_while_effects_are_derived(club_game: ClubGame) -> None:
    finding = Finding(club_game, lambda: None)
    found = found_by(club_game, finding)
    assert finding.locked == [False]
    assert [one.as_json() for one in found.differences.points] == [[1, 2, 0, 30, "counts"], [1, 3, 0, 30, "counts"]]


def test_slips_of_the_turn_that_is_played_change_nothing_in_it(club_game: ClubGame) -> None:
    finding = Finding(club_game, lambda: club_game.phone(3, "SERATO", "9C", None), times=9)
    found_by(club_game, finding)
    assert finding.locked == [False]


def test_effects_include_decisions_made_meanwhile(club_game: ClubGame) -> None:
    finding = Finding(club_game, lambda: decide_slip(club_game, 1, 7))
    [facts] = found_by(club_game, finding).change.facts
    assert finding.locked == [False, False]
    assert sorted(decision.points for decision in facts.decisions.values()) == [7, 30]


def test_effects_include_a_late_slip_received_meanwhile(club_game: ClubGame) -> None:
    finding = Finding(club_game, lambda: late_slip(club_game))
    [facts] = found_by(club_game, finding).change.facts
    assert finding.locked == [False, False]
    assert club_game.player(17).pk in facts.slips


def test_effects_include_a_turn_closed_meanwhile(club_game: ClubGame) -> None:
    finding = Finding(club_game, club_game.close)
    found_by(club_game, finding)
    assert finding.locked == [False, False]


def test_after_repeated_changes_effects_are_derived_with_the_game_locked(club_game: ClubGame) -> None:
    points = iter(range(1, 10))
    finding = Finding(club_game, lambda: decide_slip(club_game, 1, next(points)), times=MAX_ATTEMPTS)
    found = found_by(club_game, finding)
    assert finding.locked == [False] * MAX_ATTEMPTS + [True]
    assert found.turn.number == 1
    assert club_game.verdict(1, turn=1).points == MAX_ATTEMPTS


def test_inconsistent_facts_after_a_concurrent_act_are_read_again(club_game: ClubGame) -> None:
    finding = Finding(club_game, lambda: decide_slip(club_game, 1, 7))

    def torn(turn: Turn) -> ProposedChange:
        change = finding(turn)
        if len(finding.locked) == 1:
            raise KeyError("a verdict that was there a moment ago")
        return change

    found_by(club_game, torn)
    assert finding.locked == [False, False]


def test_a_fault_of_the_program_is_not_tried_again(club_game: ClubGame) -> None:
    asked: list[Turn] = []

    def broken(turn: Turn) -> ProposedChange:
        asked.append(turn)
        raise KeyError("always")

    with pytest.raises(KeyError, match="always"):
        found_by(club_game, broken)
    assert len(asked) == 1


def test_a_preview_that_is_not_true_any_more_is_refused(club_game: ClubGame) -> None:
    group = club_game.verdict(2, turn=1).group
    seen = build_preview(
        rejudging_effects.propose_decision(get_turn(club_game, 1), group, Decision(30, "looked at again"))
    ).token
    assert found_by(club_game, Finding(club_game, lambda: None), seen).turn.number == 1
    with pytest.raises(Refused, match="Something has changed in the meantime"):
        found_by(club_game, Finding(club_game, lambda: decide_slip(club_game, 1, 7)), seen)


def test_of_two_judges_who_decide_the_same_at_once_the_second_is_refused(club_game: ClubGame) -> None:
    finding = Finding(club_game, lambda: decide_slip(club_game, 2, 30))

    def once(turn: Turn) -> ProposedChange:
        if club_game.verdict(2, turn=1).points == 30:
            raise AlreadyDone("This is decided already.")
        return finding(turn)

    with pytest.raises(AlreadyDone):
        found_by(club_game, once)
    assert [club_game.verdict(table, turn=1).points for table in (2, 3)] == [30, 30]
    assert find_differences(club_game) == []
