"""What a judge's own warnings do: listed, counted, costing beyond the free ones, taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive import check_archive
from engine.replay import verify
from engine.rules.profile import load_profile
from tests.tournaments.night import Night, begin
from tournaments import lexicons
from tournaments.enums import GivenCode
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import GivenWarning, LedgerEntry, Verdict
from tournaments.selectors.archive import export_game
from tournaments.selectors.preview import shown, with_decision, with_rules
from tournaments.services import players, rulings
from tournaments.services.rules import change_in_play
from tournaments.services.warning import give_warning, take_warning_back

UNCLEAR, DISCIPLINE = GivenCode.UNREADABLE, GivenCode.DISCIPLINE


@pytest.fixture
def night(judge: User) -> Night:
    """FISF: three warnings a game are free."""
    return begin(judge, profile="fisf")


def warn(night: Night, table: int, code: str = UNCLEAR, reason: str = "") -> GivenWarning:
    return give_warning(
        turn=night.turn, player=night.player(table), code=code, reason=reason, by=night.judge, now=night.later()
    )


def take_back(night: Night, table: int, code: str = UNCLEAR) -> None:
    take_warning_back(turn=night.turn, player=night.player(table), code=code, by=night.judge, now=night.later())


def best(night: Night) -> dict[str, Any]:
    tops = night.turn.tops
    assert tops
    first: dict[str, Any] = tops[0]
    return first


def play(night: Night, rack: str = "ACEIRST") -> None:
    """A turn in which tables 1 and 2 hand in the top and 3 a word that is none."""
    night.begin_turn(rack)
    top = best(night)
    night.phone(1, top["word"], top["ref"], top["score"])
    night.phone(2, top["word"], top["ref"], top["score"])
    night.phone(3, "ZZZ", "H8", 9)


def row(night: Night, table: int) -> tuple[int, int, list[str]]:
    verdict = night.verdict(table)
    return verdict.points, verdict.penalty, verdict.warnings


def test_a_warning_given_while_the_turn_is_played_counts_at_the_close(night: Night) -> None:
    play(night)
    warn(night, 1)
    assert not Verdict.objects.exists()
    night.close()
    top = night.turn.top
    assert row(night, 1) == (top, 0, ["unreadable"])
    assert row(night, 2) == (top, 0, [])


def test_three_are_free_and_the_fourth_costs_five(night: Night) -> None:
    for number in range(1, 5):
        play(night) if number == 1 else play(night, "AEIORST")
        night.close()
        warn(night, 1)
        top = night.turn.top or 0
        assert row(night, 1) == (top - 5 * (number == 4), 5 * (number == 4), ["unreadable"])
        assert row(night, 2) == (top, 0, [])
        night.place()


def test_taken_back_it_was_never_given(night: Night) -> None:
    play(night)
    night.close()
    before = list(Verdict.objects.order_by("player").values("points", "warnings", "details", "rule"))
    warn(night, 1, DISCIPLINE, "talked to his neighbour")
    take_back(night, 1, DISCIPLINE)
    assert list(Verdict.objects.order_by("player").values("points", "warnings", "details", "rule")) == before
    warning = GivenWarning.objects.get()
    assert (warning.reason, warning.revoked_at) == ("talked to his neighbour", night.now)
    warn(night, 1, DISCIPLINE)
    assert night.verdict(1).warnings == ["discipline"]


def test_a_zero_and_no_slip_list_discipline_alone(night: Night) -> None:
    play(night)
    night.close()
    for table in (3, 17):
        warn(night, table, DISCIPLINE)
        warn(night, table, UNCLEAR)
        assert row(night, table) == (0, 0, ["discipline"])


def test_discipline_of_a_zero_uses_the_free_ones_up(night: Night) -> None:
    for number in range(1, 5):
        play(night) if number == 1 else play(night, "AEIORST")
        night.close()
        warn(night, 3, DISCIPLINE)
        if number < 4:
            night.place()
    top = best(night)
    night.paper(f"3 {top['ref']} {top['word']} {top['score']}")
    assert row(night, 3) == (top["score"] - 5, 5, ["discipline"])


def test_discipline_costs_the_points_that_the_organiser_set(judge: User) -> None:
    """Also under the box rules, by which other warnings never cost; not below zero, and a zero costs nothing."""
    night = begin(judge, switches={"discipline_points": 10})
    play(night)
    night.close()
    top = night.turn.top or 0
    for table in (1, 2, 3):
        warn(night, table, DISCIPLINE if table != 2 else UNCLEAR)
    assert [row(night, table)[:2] for table in (1, 2, 3)] == [(top - 10, 10), (top, 0), (0, 0)]
    assert verify(check_archive(export_game(night.refresh())), lexicons.graph_of(lexicons.of_game(night.game))) == []
    take_back(night, 1, DISCIPLINE)
    assert row(night, 1)[:2] == (top, 0)
    change_in_play(game=night.game, switches={"discipline_points": 1000}, by=night.judge, now=night.later())
    warn(night, 2, DISCIPLINE)
    assert row(night, 2)[:2] == (0, top)


def test_the_ledger_tells_what_was_given_and_taken_back(night: Night) -> None:
    play(night)
    warn(night, 17, DISCIPLINE, "a telephone")
    take_back(night, 17, DISCIPLINE)
    told = {"turn": 1, "table": 17, "code": "discipline", "reason": "a telephone"}
    entries = LedgerEntry.objects.filter(kind="warning").order_by("n")
    assert [entry.data for entry in entries] == [{**told, "given": True}, {**told, "given": False}]


def test_once_for_each_code_and_not_twice(night: Night) -> None:
    play(night)
    warn(night, 1, UNCLEAR)
    warn(night, 1, DISCIPLINE)
    with pytest.raises(AlreadyDone, match="Table 1 has this warning already"):
        warn(night, 1, UNCLEAR)
    with pytest.raises(AlreadyDone, match="Table 2 does not have this warning"):
        take_back(night, 2)
    night.close()
    assert night.verdict(1).warnings == ["unreadable", "discipline"]


def test_warnings_belong_to_a_turn_that_is_played_or_judged(night: Night) -> None:
    night.draw()
    with pytest.raises(Refused, match="Announce turn 1 first"):
        warn(night, 1)
    night.announce()
    night.close()
    night.place()
    with pytest.raises(Refused, match="Turn 1 is on the board"):
        warn(night, 1)
    assert not GivenWarning.objects.exists()


def test_only_who_plays_the_turn_is_warned(night: Night) -> None:
    night.begin_turn()
    night.close()
    night.place()
    players.leave(player=night.player(2), now=night.later(), by=night.judge)
    night.begin_turn()
    with pytest.raises(Refused, match="Table 2 does not play turn 2"):
        warn(night, 2)


def test_another_code_is_none_of_the_judges(night: Night) -> None:
    night.begin_turn()
    with pytest.raises(ValueError, match="'score_wrong' is no warning of a judge"):
        warn(night, 1, "score_wrong")


@pytest.mark.parametrize(("points", "kept"), [(0, ["discipline"]), (3, ["unreadable", "discipline"])])
def test_the_judges_points_keep_his_warnings(night: Night, points: int, kept: list[str]) -> None:
    play(night)
    night.close()
    for table in (1, 3):
        warn(night, table, UNCLEAR)
        warn(night, table, DISCIPLINE)
        group = night.verdict(table).group
        rulings.decide_group(
            turn=night.turn, group=group, points=points, reason="seen", by=night.judge, now=night.later()
        )
        assert (night.verdict(table).points, night.verdict(table).warnings) == (points, kept)


def test_a_preview_that_a_warning_made_untrue_is_refused(night: Night) -> None:
    play(night)
    night.close()
    group = night.verdict(3).group
    token = shown(with_decision(night.turn, group, None)).token
    warn(night, 1)
    assert shown(with_decision(night.turn, group, None)).token != token


def test_a_preview_of_other_rules_counts_the_judges_warnings(night: Night) -> None:
    play(night)
    night.close()
    warn(night, 1)
    preview = shown(with_rules(night.game, load_profile("fisf").with_switches(free_warnings=0)))
    assert [(shift.table, shift.gain) for shift in preview.shifts] == [(1, -5)]
