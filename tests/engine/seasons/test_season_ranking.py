"""Rankings of a season: examples computed by hand, then every rule against a plain recomputation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.seasons.ranking_rule import (
    COMBINATIONS,
    GROUPINGS,
    MEASURES,
    TIE_BREAKS,
    RankingRule,
    RuleError,
    read_rule,
    rule_as_json,
)
from engine.seasons.season_ranking import MemberResult, RankingLine, SeasonEventResults, rank_members
from engine.standings.ranking_points import points_scale

ANNA, BRUNO, CARLA, DARIO = 1, 2, 3, 4
GRAND_PRIX = (25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
PRINTED_FOR_14 = (606, 438, 370, 317, 273, 235, 201, 169, 141, 114, 88, 64, 42, 20)


def _event(
    number: int, tops: int, *results: tuple[int, int | None, int], guests: Sequence[int] = ()
) -> SeasonEventResults:
    """Build an event from (member, rank, points) and the ranks of guests."""
    listed = [MemberResult(member, rank, points, tops) for member, rank, points in results]
    return SeasonEventResults(number, listed, [*(rank for _, rank, _ in results if rank is not None), *guests])


def _table(lines: Sequence[RankingLine]) -> list[tuple[int | None, int, Fraction | int]]:
    return [(line.rank, line.member, line.value) for line in lines]


EVENINGS = (
    _event(10, 1000, (ANNA, 1, 800), (BRUNO, 2, 700), (CARLA, 3, 600)),
    _event(11, 900, (ANNA, 3, 450), (BRUNO, 1, 630), (CARLA, 2, 540)),
    _event(12, 800, (BRUNO, 2, 640), (CARLA, 1, 720)),
)


def test_points_are_added() -> None:
    assert _table(rank_members(EVENINGS, RankingRule())) == [(1, BRUNO, 1970), (2, CARLA, 1860), (3, ANNA, 1250)]


def test_the_mean_of_the_two_best_percents_with_a_minimum_of_three_events() -> None:
    rule = RankingRule(measure="percent", combination="mean", best=2, minimum=3)
    lines = rank_members(EVENINGS, rule)
    assert _table(lines) == [(1, CARLA, 75), (2, BRUNO, 75), (None, ANNA, 65)]
    counted = {line.member: [each.event for each in line.events if each.counts] for line in lines}
    assert counted == {CARLA: [10, 12], BRUNO: [10, 12], ANNA: [10, 11]}


def test_points_by_place_of_a_printed_grand_prix_table_with_a_bonus_for_attendance() -> None:
    rule = RankingRule(measure="place", table=GRAND_PRIX, bonus=2, best=2)
    lines = rank_members(EVENINGS, rule)
    assert _table(lines) == [(1, BRUNO, 25 + 20 + 6), (1, CARLA, 25 + 20 + 6), (3, ANNA, 25 + 16 + 4)]


def test_equal_members_are_told_apart_by_the_tie_breaks_in_their_order() -> None:
    both = (_event(1, 100, (ANNA, 1, 60), (BRUNO, 2, 50)), _event(2, 100, (BRUNO, 1, 60), (ANNA, 2, 50)))
    assert _table(rank_members(both, RankingRule(ties=()))) == [(1, ANNA, 110), (1, BRUNO, 110)]
    assert _table(rank_members(both, RankingRule(ties=("best_event", "last_event")))) == [
        (1, BRUNO, 110),
        (2, ANNA, 110),
    ]


def test_the_romanian_scale_counts_guests_as_participants_and_shares_equal_places() -> None:
    winners = [(member, 1, 500) for member in (ANNA, BRUNO, CARLA, DARIO)]
    shared = _event(1, 1000, *winners, guests=range(5, 15))
    alone = _event(2, 1000, (ANNA, 2, 400), (BRUNO, 14, 10), guests=[1, *range(3, 14)])
    values = {line.member: line.value for line in rank_members((shared, alone), RankingRule(measure="scale"))}
    assert values == {ANNA: 432 + 438, BRUNO: 432 + PRINTED_FOR_14[13], CARLA: 432, DARIO: 432}


@pytest.mark.parametrize("measure", MEASURES)
def test_an_event_in_which_a_member_was_disqualified_has_the_value_nothing(measure: Any) -> None:
    event = _event(1, 100, (ANNA, 1, 50), (BRUNO, None, 90))
    rule = RankingRule(measure=measure, table=(25, 20) if measure == "place" else ())
    assert [line.member for line in rank_members((event,), rule)] == [ANNA, BRUNO]
    assert rank_members((event,), rule)[1].value == 0


def test_an_evening_without_a_sum_of_tops_does_not_lower_a_mean_of_percents() -> None:
    evenings = (_event(1, 0, (ANNA, 1, 700)), _event(2, 1000, (ANNA, 1, 700)))
    (line,) = rank_members(evenings, RankingRule(measure="percent", combination="mean", ties=("percent",)))
    assert line.value == 70
    assert [each.counts for each in line.events] == [False, True]


def test_ranks_are_those_within_the_group_and_members_without_one_are_left_out() -> None:
    groups = {ANNA: "B", BRUNO: "A", CARLA: "B", DARIO: ""}
    event = _event(1, 100, (DARIO, 1, 90), (ANNA, 2, 80), (BRUNO, 3, 70), (CARLA, 4, 60))
    lines = rank_members((event,), RankingRule(grouping="category"), groups)
    assert _table(lines) == [(1, BRUNO, 70), (1, ANNA, 80), (2, CARLA, 60)]


@st.composite
def rules(draw: st.DrawFn) -> RankingRule:
    """Draw any valid rule."""
    measure = draw(st.sampled_from(MEASURES))
    table = draw(st.lists(st.integers(0, 30), min_size=1, max_size=6)) if measure == "place" else []
    return RankingRule(
        measure=measure,
        combination=draw(st.sampled_from(COMBINATIONS)),
        best=draw(st.none() | st.integers(1, 4)),
        table=tuple(sorted(table, reverse=True)),
        bonus=draw(st.integers(0, 30)),
        minimum=draw(st.integers(0, 4)),
        ties=tuple(draw(st.permutations(TIE_BREAKS))[: draw(st.integers(0, 6))]),
        grouping=draw(st.sampled_from(GROUPINGS)),
    )


@st.composite
def evenings(draw: st.DrawFn) -> tuple[SeasonEventResults, ...]:
    """Draw events with changing attendance, guests, equal ranks, a disqualified member, and unknown tops."""
    events = []
    for number in range(draw(st.integers(0, 5))):
        present = draw(st.lists(st.integers(1, 8), max_size=8, unique=True))
        points = {member: draw(st.integers(-2, 5)) * 10 for member in present}
        guests = draw(st.lists(st.integers(-2, 5).map(lambda ten: ten * 10), max_size=6))
        out = set(draw(st.lists(st.sampled_from(present), max_size=1))) if present else set()
        ranked = [points[member] for member in present if member not in out] + guests
        ranks = {each: 1 + sum(other > each for other in ranked) for each in ranked}
        tops = draw(st.sampled_from([0, 70, 100]))
        events.append(
            SeasonEventResults(
                100 - number,  # numbers of events do not follow their dates
                [
                    MemberResult(
                        member, None if member in out else ranks[points[member]], points[member], tops, member % 3
                    )
                    for member in present
                ],
                [ranks[each] for each in ranked],
            )
        )
    return tuple(events)


def _plain_value(event: SeasonEventResults, result: MemberResult, rule: RankingRule) -> Fraction | None:
    """Compute the value of an event for a member once more; None if it is unknown."""
    if rule.measure == "percent" and result.tops == 0:
        return None
    if result.rank is None:
        return Fraction(0)
    if rule.measure == "points":
        return Fraction(result.points)
    if rule.measure == "percent":
        return Fraction(result.points * 100, result.tops)
    if rule.measure == "place":
        padded = [*rule.table, *([0] * 100)]
        return Fraction(padded[result.rank - 1])
    scale = [*points_scale(len(event.ranks)), *([0] * 100)]
    equal = event.ranks.count(result.rank)
    return Fraction(sum(scale[result.rank - 1 + step] for step in range(equal)) // equal)


def _plain_line(member: int, events: Sequence[SeasonEventResults], rule: RankingRule) -> dict[str, Any]:
    """Compute the value and the tie-breaks of a member once more."""
    played = [(event, result) for event in events for result in event.results if result.member == member]
    values = [(event.event, _plain_value(event, result, rule)) for event, result in played]
    left = [value for _, value in values if value is not None]
    best: list[Fraction] = []
    while left and (rule.best is None or len(best) < rule.best):
        best.append(max(left))
        left.remove(max(left))
    value = sum(best, Fraction(0))
    if rule.combination == "mean" and best:
        value = value / len(best)
    tops = sum(result.tops for _, result in played)
    scored = sum(result.points for _, result in played if result.tops and result.rank is not None)
    last = [value or Fraction(0) for event, value in values if event == events[-1].event]
    return {
        "value": value + rule.bonus * len(played),
        "counted": sorted(best),
        "events": len(played),
        "first_places": len([result for _, result in played if result.rank == 1]),
        "best_event": max(value or Fraction(0) for _, value in values),
        "percent": Fraction(100 * scored, tops) if tops else Fraction(0),
        "solos": sum(result.solos for _, result in played),
        "last_event": last[0] if last else Fraction(-(10**12)),
    }


@given(evenings(), rules(), st.lists(st.sampled_from(["", "A", "B"]), min_size=8, max_size=8))
def test_every_rule_gives_what_a_plain_recomputation_gives(
    events: tuple[SeasonEventResults, ...], rule: RankingRule, named: list[str]
) -> None:
    groups = dict(enumerate(named, 1)) if rule.grouping else {}
    members = {result.member for event in events for result in event.results}
    plain = {member: _plain_line(member, events, rule) for member in members if not rule.grouping or groups[member]}

    def is_better(one: int, other: int) -> bool:
        for key in ("value", *rule.ties):
            if plain[one][key] != plain[other][key]:
                return bool(plain[one][key] > plain[other][key])
        return False

    lines = rank_members(events, rule, groups)
    assert {line.member for line in lines} == plain.keys()
    for line in lines:
        expected = plain[line.member]
        assert line.value == expected["value"]
        assert line.bonus == rule.bonus * expected["events"]
        assert sorted(each.value for each in line.events if each.counts) == expected["counted"]
        rivals = [
            other
            for other in plain
            if groups.get(other) == groups.get(line.member) and plain[other]["events"] >= rule.minimum
        ]
        rank = 1 + sum(is_better(other, line.member) for other in rivals)
        assert line.rank == (rank if expected["events"] >= rule.minimum else None)
    places = [(groups.get(line.member, ""), line.rank is None, line.rank or 0) for line in lines]
    assert places == sorted(places)
    for above, below in pairwise(lines):
        if above.rank is None and groups.get(above.member) == groups.get(below.member):
            assert not is_better(below.member, above.member)


@given(rules())
def test_a_rule_survives_its_json(rule: RankingRule) -> None:
    assert read_rule(rule_as_json(rule)) == rule


@pytest.mark.parametrize(
    "stored",
    [
        {"measure": "luck"},
        {"measure": "place"},
        {"measure": "points", "table": [3]},
        {"measure": "place", "table": [3, 5]},
        {"best": 0},
        {"best": True},
        {"bonus": "5"},
        {"ties": ["solos", "solos"]},
        {"ties": "solos"},
        {"grouping": ["club"]},
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(stored: dict[str, object]) -> None:
    with pytest.raises(RuleError):
        read_rule(stored)
