"""Who gains and loses before the judge confirms: nothing is written, and what is confirmed is what was seen."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive import check_archive
from engine.replay import verify
from tests.tournaments.night import Night, begin, chance, play_turn
from tournaments import lexicons
from tournaments.enums import Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.judgements import Decision
from tournaments.models import LedgerEntry, SlipRuling, Verdict, WordRuling
from tournaments.position import profile_of
from tournaments.selectors.archive import export_game
from tournaments.selectors.preview import Preview, shown, with_decision, with_rules, with_word
from tournaments.selectors.results import standings_of
from tournaments.services import rules, rulings


@pytest.fixture
def judged(night: Night) -> Night:
    night.begin_turn("ACEIRST")
    night.phone(1, "CESTAI", "8C", 20)
    night.phone(2, "TRISCEA", "8H", 76)
    night.phone(3, "TRISCEA", "8H", 76)
    night.close()
    return night


def told(preview: Preview) -> list[tuple[int, int, int, int | None, int | None]]:
    return [(one.table, one.before, one.after, one.rank_before, one.rank_after) for one in preview.shifts]


def stored() -> list[tuple[Any, ...]]:
    return list(Verdict.objects.order_by("pk").values_list())


def test_an_accepted_word_shows_who_gains_and_the_new_top(judged: Night) -> None:
    before = stored()
    preview = shown(with_word(judged.turn, "TRISCEA", Ruling.ACCEPTED))
    assert told(preview) == [(2, 0, 76, 2, 1), (3, 0, 76, 2, 1)]
    assert preview.moved == 2
    assert (preview.top_before, preview.top_after) == (judged.turn.top, 76)
    assert "TRISCEA 8H" in preview.tops_after
    assert (preview.master_before, preview.master_after) == ("CESTAI 8C", "TRISCEA 8H")
    assert stored() == before
    assert not WordRuling.objects.exists()


def test_a_struck_word_shows_who_loses(judged: Night) -> None:
    preview = shown(with_word(judged.turn, "CESTAI", Ruling.STRUCK))
    assert told(preview) == [(1, 20, 0, 1, 1)]
    assert preview.shifts[0].gain == -20


def test_a_decision_shows_the_whole_group(judged: Night) -> None:
    group = judged.verdict(2).group
    preview = shown(with_decision(judged.turn, group, Decision(30, "agreed")))
    assert told(preview) == [(2, 0, 30, 2, 1), (3, 0, 30, 2, 1)]
    assert not SlipRuling.objects.exists()
    assert told(shown(with_decision(judged.turn, group, None))) == []


def test_what_is_confirmed_is_what_was_seen(judged: Night) -> None:
    """Points, ranks and tops after the act are those of the preview."""
    preview = shown(with_word(judged.turn, "TRISCEA", Ruling.ACCEPTED))
    rulings.rule_word(
        turn=judged.turn,
        word="TRISCEA",
        ruling=Ruling.ACCEPTED,
        reason="x",
        by=judged.judge,
        now=judged.later(),
        seen=preview.token,
    )
    assert [judged.verdict(table).points for table in (1, 2, 3)] == [20, 76, 76]
    assert judged.turn.top == preview.top_after
    placed = judged.place()
    assert f"{placed.master_word} {placed.master_ref}" == preview.master_after
    ranks = {line.table: line.rank for line in standings_of(judged.game)}
    assert {one.table: one.rank_after for one in preview.shifts} == {2: ranks[2], 3: ranks[3]}


def test_what_changed_meanwhile_is_not_confirmed(judged: Night) -> None:
    token = shown(with_word(judged.turn, "TRISCEA", Ruling.ACCEPTED)).token
    judged.paper("17 8H TRISCEA 76")
    group = judged.verdict(1).group
    for act in (
        lambda: rulings.rule_word(
            turn=judged.turn,
            word="TRISCEA",
            ruling=Ruling.ACCEPTED,
            reason="x",
            by=judged.judge,
            now=judged.later(),
            seen=token,
        ),
        lambda: rulings.decide_group(
            turn=judged.turn, group=group, points=3, reason="x", by=judged.judge, now=judged.later(), seen=token
        ),
    ):
        with pytest.raises(Refused, match="Something has changed since you looked: look again"):
            act()
    assert not WordRuling.objects.exists()
    assert not SlipRuling.objects.exists()


def test_a_decision_and_a_ruling_are_taken_back_as_seen(judged: Night) -> None:
    judged.rule("TRISCEA", Ruling.ACCEPTED)
    revoked = lexicons.ruling_once_revoked(judged.game, 1, "TRISCEA")
    assert revoked is None
    preview = shown(with_word(judged.turn, "TRISCEA", revoked))
    assert told(preview) == [(2, 76, 0, 1, 2), (3, 76, 0, 1, 2)]
    rulings.revoke_word(turn=judged.turn, word="TRISCEA", by=judged.judge, now=judged.later(), seen=preview.token)
    assert judged.verdict(2).points == 0
    group = judged.verdict(1).group
    rulings.decide_group(turn=judged.turn, group=group, points=7, reason="x", by=judged.judge, now=judged.later())
    preview = shown(with_decision(judged.turn, group, None))
    assert told(preview) == [(1, 7, 20, 1, 1)]
    with pytest.raises(Refused, match="look again"):
        rulings.revoke_group(turn=judged.turn, group=group, by=judged.judge, now=judged.later(), seen="")
    rulings.revoke_group(turn=judged.turn, group=group, by=judged.judge, now=judged.later(), seen=preview.token)
    assert judged.verdict(1).points == 20


def test_while_the_turn_is_played_nothing_is_shown(night: Night) -> None:
    """There are slips and a top to give away."""
    night.begin_turn("ACEIRST")
    top = night.turn.tops
    assert top
    night.phone(1, top[0]["word"], top[0]["ref"], top[0]["score"])
    preview = shown(with_word(night.turn, top[0]["word"].upper(), Ruling.STRUCK))
    assert (preview.judged, preview.shifts, preview.tops_before, preview.tops_after) == (False, [], [], [])
    assert (preview.top_before, preview.top_after, preview.master_after) == (None, None, "")


def test_a_rule_changed_in_play_judges_every_turn_again(judge: User) -> None:
    night = begin(judge, profile="club")
    rng = chance(5)
    for _turn in range(5):
        play_turn(night, rng)
    before = {line.table: line.total for line in standings_of(night.game)}
    strict = rules.rules_in_play(night.refresh(), {"wrong_score": "zero", "missing_score": "zero"})
    preview = shown(with_rules(night.game, strict))
    assert preview.shifts
    assert all(one.after < one.before for one in preview.shifts)
    rules.change_in_play(
        game=night.game,
        switches={"wrong_score": "zero", "missing_score": "zero"},
        by=judge,
        now=night.later(),
        seen=preview.token,
    )
    after = {line.table: (line.total, line.rank) for line in standings_of(night.refresh())}
    for one in preview.shifts:
        assert (before[one.table], after[one.table]) == (one.before, (one.after, one.rank_after))
    entry = LedgerEntry.objects.filter(kind="rules").get()
    assert entry.data["switches"] == {"wrong_score": "zero", "missing_score": "zero"}
    archive = check_archive(export_game(night.game))
    assert verify(archive, lexicons.graph_of(lexicons.of_game(night.game))) == []


def test_warnings_are_carried_through_the_turns_when_a_quota_is_set(judge: User) -> None:
    night = begin(judge, profile="club")
    for _turn in range(3):
        night.begin_turn()
        tops = night.turn.tops
        assert tops
        night.phone(1, tops[0]["word"], tops[0]["ref"], 999)
        night.close()
        night.place()
    rules.change_in_play(game=night.refresh(), switches={"free_warnings": 1}, by=judge, now=night.later())
    assert [night.verdict(1, turn=number).penalty for number in (1, 2, 3)] == [0, 5, 5]


def test_what_lies_on_the_board_is_not_judged_away(judge: User) -> None:
    """The best slip went on the board; by other rules it would have been another one."""
    night = begin(judge)
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    night.phone(2, "CARTE", "", 18)
    night.phone(3, "CESTAI", "8C", 99)
    night.close()
    night.place()
    with pytest.raises(Refused, match="another word would have gone on the board in turn 1"):
        rules.change_in_play(game=night.refresh(), switches={"wrong_score": "zero"}, by=judge, now=night.later())
    assert profile_of(night.refresh()).wrong_score == "real"


@pytest.mark.parametrize("switch", ["rack_size", "board_takes", "min_early", "clock_s", "nobody_correct", "bonuses"])
def test_draw_search_and_clock_cannot_change_in_play(judged: Night, switch: str) -> None:
    with pytest.raises(Refused, match="cannot change once a game has begun"):
        rules.change_in_play(
            game=judged.refresh(), switches={switch: 1}, by=judged.judge, now=judged.later(), seen=None
        )


def test_a_change_in_play_that_changes_nothing_is_none(judged: Night) -> None:
    with pytest.raises(AlreadyDone):
        rules.change_in_play(
            game=judged.refresh(), switches={"wrong_score": "real"}, by=judged.judge, now=judged.later()
        )
    with pytest.raises(Refused, match="cannot be set so"):
        rules.change_in_play(
            game=judged.refresh(), switches={"wrong_score": "maybe"}, by=judged.judge, now=judged.later()
        )
    with pytest.raises(Refused, match="look again"):
        rules.change_in_play(
            game=judged.refresh(),
            switches={"wrong_score": "zero"},
            by=judged.judge,
            now=judged.later(),
            seen="another preview",
        )
