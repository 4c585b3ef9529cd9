"""Warnings by judges: listed, counted, with penalties beyond the free ones, and revoked."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive.replay import verify
from engine.archive.schema import check_archive
from engine.rules.profile import load_profile
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.enums import JudgeWarningCode
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services.rule_changes import change_rules_in_play
from tournaments.judging.queries.preview import build_preview, propose_decisions, propose_rules
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.judging.services.warnings import set_warning
from tournaments.lexicons import word_lists
from tournaments.models import GivenWarning, LedgerEntry, Verdict
from tournaments.players.services import players
from tournaments.results.queries.archive import export_game

UNCLEAR, DISCIPLINE = JudgeWarningCode.UNREADABLE, JudgeWarningCode.DISCIPLINE


@pytest.fixture
def club_game(judge: User) -> ClubGame:
    """FISF: three warnings a game are free."""
    return create_club_game(judge, profile="fisf")


def warn(club_game: ClubGame, table: int, code: str = UNCLEAR, reason: str = "") -> GivenWarning:
    return set_warning(
        turn=club_game.turn,
        player=club_game.player(table),
        code=code,
        given=True,
        request=RulingRequest(reason=reason, by=club_game.judge, now=club_game.later()),
    )


def take_back(club_game: ClubGame, table: int, code: str = UNCLEAR) -> None:
    set_warning(
        turn=club_game.turn,
        player=club_game.player(table),
        code=code,
        given=False,
        request=RulingRequest(by=club_game.judge, now=club_game.later()),
    )


def best(club_game: ClubGame) -> dict[str, Any]:
    tops = club_game.turn.tops
    assert tops
    first: dict[str, Any] = tops[0]
    return first


def play(club_game: ClubGame, rack: str = "ACEIRST") -> None:
    """A turn in which tables 1 and 2 hand in the top and 3 a word that is none."""
    club_game.begin_turn(rack)
    top = best(club_game)
    club_game.phone(1, top["word"], top["ref"], top["score"])
    club_game.phone(2, top["word"], top["ref"], top["score"])
    club_game.phone(3, "ZZZ", "H8", 9)


def row(club_game: ClubGame, table: int) -> tuple[int, int, list[str]]:
    verdict = club_game.verdict(table)
    return verdict.points, verdict.penalty, verdict.warnings


def test_a_warning_given_while_the_turn_is_played_counts_at_the_close(club_game: ClubGame) -> None:
    play(club_game)
    warn(club_game, 1)
    assert not Verdict.objects.exists()
    club_game.close()
    top = club_game.turn.top
    assert row(club_game, 1) == (top, 0, ["unreadable"])
    assert row(club_game, 2) == (top, 0, [])


def test_three_are_free_and_the_fourth_costs_five(club_game: ClubGame) -> None:
    for number in range(1, 5):
        play(club_game) if number == 1 else play(club_game, "AEIORST")
        club_game.close()
        warn(club_game, 1)
        top = club_game.turn.top or 0
        assert row(club_game, 1) == (top - 5 * (number == 4), 5 * (number == 4), ["unreadable"])
        assert row(club_game, 2) == (top, 0, [])
        club_game.place()


def test_a_revoked_warning_has_no_effect(club_game: ClubGame) -> None:
    play(club_game)
    club_game.close()
    before = list(Verdict.objects.order_by("player").values("points", "warnings", "details", "rule"))
    warn(club_game, 1, DISCIPLINE, "talked to his neighbour")
    take_back(club_game, 1, DISCIPLINE)
    assert list(Verdict.objects.order_by("player").values("points", "warnings", "details", "rule")) == before
    warning = GivenWarning.objects.get()
    assert (warning.reason, warning.revoked_at) == ("talked to his neighbour", club_game.now)
    warn(club_game, 1, DISCIPLINE)
    assert club_game.verdict(1).warnings == ["discipline"]


def test_a_zero_and_no_slip_list_discipline_alone(club_game: ClubGame) -> None:
    play(club_game)
    club_game.close()
    for table in (3, 17):
        warn(club_game, table, DISCIPLINE)
        warn(club_game, table, UNCLEAR)
        assert row(club_game, table) == (0, 0, ["discipline"])


def test_discipline_of_a_zero_uses_the_free_ones_up(club_game: ClubGame) -> None:
    for number in range(1, 5):
        play(club_game) if number == 1 else play(club_game, "AEIORST")
        club_game.close()
        warn(club_game, 3, DISCIPLINE)
        if number < 4:
            club_game.place()
    top = best(club_game)
    club_game.paper(f"3 {top['ref']} {top['word']} {top['score']}")
    assert row(club_game, 3) == (top["score"] - 5, 5, ["discipline"])


def test_discipline_costs_the_points_that_the_organiser_set(judge: User) -> None:
    """The penalty also applies under box rules, not below zero points, and not to a zero."""
    club_game = create_club_game(judge, switches={"discipline_points": 10})
    play(club_game)
    club_game.close()
    top = club_game.turn.top or 0
    for table in (1, 2, 3):
        warn(club_game, table, DISCIPLINE if table != 2 else UNCLEAR)
    assert [row(club_game, table)[:2] for table in (1, 2, 3)] == [(top - 10, 10), (top, 0), (0, 0)]
    assert (
        verify(
            check_archive(export_game(club_game.refresh())),
            word_lists.graph_of(word_lists.word_list_of_game(club_game.game)),
        )
        == []
    )
    take_back(club_game, 1, DISCIPLINE)
    assert row(club_game, 1)[:2] == (top, 0)
    change_rules_in_play(
        game=club_game.game, switches={"discipline_points": 1000}, by=club_game.judge, now=club_game.later()
    )
    warn(club_game, 2, DISCIPLINE)
    assert row(club_game, 2)[:2] == (0, top)


def test_the_ledger_tells_what_was_given_and_taken_back(club_game: ClubGame) -> None:
    play(club_game)
    warn(club_game, 17, DISCIPLINE, "a telephone")
    take_back(club_game, 17, DISCIPLINE)
    told = {"turn": 1, "table": 17, "code": "discipline", "reason": "a telephone"}
    entries = LedgerEntry.objects.filter(kind="warning").order_by("n")
    assert [entry.data for entry in entries] == [{**told, "given": True}, {**told, "given": False}]


def test_once_for_each_code_and_not_twice(club_game: ClubGame) -> None:
    play(club_game)
    warn(club_game, 1, UNCLEAR)
    warn(club_game, 1, DISCIPLINE)
    with pytest.raises(AlreadyDone, match="Table 1 has this warning already"):
        warn(club_game, 1, UNCLEAR)
    with pytest.raises(AlreadyDone, match="Table 2 does not have this warning"):
        take_back(club_game, 2)
    club_game.close()
    assert club_game.verdict(1).warnings == ["unreadable", "discipline"]


def test_warnings_belong_to_a_turn_that_is_played_or_judged(club_game: ClubGame) -> None:
    club_game.draw()
    with pytest.raises(Refused, match="Announce turn 1 first"):
        warn(club_game, 1)
    club_game.announce()
    club_game.close()
    club_game.place()
    with pytest.raises(Refused, match="Turn 1 is on the board"):
        warn(club_game, 1)
    assert not GivenWarning.objects.exists()


def test_only_players_of_the_turn_can_be_warned(club_game: ClubGame) -> None:
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    players.leave_game(player=club_game.player(2), now=club_game.later(), by=club_game.judge)
    club_game.begin_turn()
    with pytest.raises(Refused, match="Table 2 does not play turn 2"):
        warn(club_game, 2)


def test_an_unknown_code_is_refused(club_game: ClubGame) -> None:
    club_game.begin_turn()
    with pytest.raises(ValueError, match="'score_wrong' is no warning of a judge"):
        warn(club_game, 1, "score_wrong")


@pytest.mark.parametrize(("points", "kept"), [(0, ["discipline"]), (3, ["unreadable", "discipline"])])
def test_the_judges_points_keep_his_warnings(club_game: ClubGame, points: int, kept: list[str]) -> None:
    play(club_game)
    club_game.close()
    for table in (1, 3):
        warn(club_game, table, UNCLEAR)
        warn(club_game, table, DISCIPLINE)
        group = club_game.verdict(table).group
        rulings.decide_groups(
            turn=club_game.turn,
            groups=[group],
            points=points,
            request=RulingRequest(reason="seen", by=club_game.judge, now=club_game.later()),
        )
        assert (club_game.verdict(table).points, club_game.verdict(table).warnings) == (points, kept)


def test_a_preview_that_a_warning_made_untrue_is_refused(club_game: ClubGame) -> None:
    play(club_game)
    club_game.close()
    group = club_game.verdict(3).group
    token = build_preview(propose_decisions(club_game.turn, [group], None)).token
    warn(club_game, 1)
    assert build_preview(propose_decisions(club_game.turn, [group], None)).token != token


def test_a_preview_of_other_rules_counts_the_judges_warnings(club_game: ClubGame) -> None:
    play(club_game)
    club_game.close()
    warn(club_game, 1)
    preview = build_preview(propose_rules(club_game.game, load_profile("fisf").with_switches(free_warnings=0)))
    assert [(shift.table, shift.gain) for shift in preview.shifts] == [(1, -5)]
