"""Previews of rulings and rule changes: nothing is written, and an outdated preview is refused."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive.replay import verify
from engine.archive.schema import check_archive
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.enums import Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import rule_changes
from tournaments.judging.derivation import Decision
from tournaments.judging.queries.preview import Preview, build_preview, propose_decisions, propose_rules, propose_word
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import word_lists
from tournaments.models import LedgerEntry, SlipRuling, Verdict, WordRuling
from tournaments.play.position import profile_of
from tournaments.results.queries.archive import export_game
from tournaments.results.queries.results import standings_of


@pytest.fixture
def judged(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.phone(3, "TRISCEA", "8H", 76)
    club_game.close()
    return club_game


def told(preview: Preview) -> list[tuple[int, int, int, int | None, int | None]]:
    return [(one.table, one.before, one.after, one.rank_before, one.rank_after) for one in preview.shifts]


def stored() -> list[tuple[Any, ...]]:
    return list(Verdict.objects.order_by("pk").values_list())


def test_an_accepted_word_shows_who_gains_and_the_new_top(judged: ClubGame) -> None:
    before = stored()
    preview = build_preview(propose_word(judged.turn, "TRISCEA", Ruling.ACCEPTED))
    assert told(preview) == [(2, 0, 76, 2, 1), (3, 0, 76, 2, 1)]
    assert preview.moved == 2
    assert (preview.top_before, preview.top_after) == (judged.turn.top, 76)
    assert "TRISCEA 8H" in preview.tops_after
    assert (preview.master_before, preview.master_after) == ("CESTAI 8C", "TRISCEA 8H")
    assert stored() == before
    assert not WordRuling.objects.exists()


def test_a_struck_word_shows_who_loses(judged: ClubGame) -> None:
    preview = build_preview(propose_word(judged.turn, "CESTAI", Ruling.STRUCK))
    assert told(preview) == [(1, 20, 0, 1, 1)]
    assert preview.shifts[0].gain == -20


def test_a_decision_shows_the_whole_group(judged: ClubGame) -> None:
    group = judged.verdict(2).group
    preview = build_preview(propose_decisions(judged.turn, [group], Decision(30, "agreed")))
    assert told(preview) == [(2, 0, 30, 2, 1), (3, 0, 30, 2, 1)]
    assert not SlipRuling.objects.exists()
    assert told(build_preview(propose_decisions(judged.turn, [group], None))) == []


def test_a_confirmed_preview_is_applied(judged: ClubGame) -> None:
    """Points, ranks and tops after the act are those of the preview."""
    preview = build_preview(propose_word(judged.turn, "TRISCEA", Ruling.ACCEPTED))
    rulings.rule_word(
        turn=judged.turn,
        word="TRISCEA",
        ruling=Ruling.ACCEPTED,
        request=RulingRequest(reason="x", by=judged.judge, now=judged.later(), seen=preview.token),
    )
    assert [judged.verdict(table).points for table in (1, 2, 3)] == [20, 76, 76]
    assert judged.turn.top == preview.top_after
    placed = judged.place()
    assert f"{placed.master_word} {placed.master_ref}" == preview.master_after
    ranks = {line.table: line.rank for line in standings_of(judged.game)}
    assert {one.table: one.rank_after for one in preview.shifts} == {2: ranks[2], 3: ranks[3]}


def test_an_outdated_preview_is_refused(judged: ClubGame) -> None:
    token = build_preview(propose_word(judged.turn, "TRISCEA", Ruling.ACCEPTED)).token
    judged.paper("17 8H TRISCEA 76")
    group = judged.verdict(1).group
    for act in (
        lambda: rulings.rule_word(
            turn=judged.turn,
            word="TRISCEA",
            ruling=Ruling.ACCEPTED,
            request=RulingRequest(reason="x", by=judged.judge, now=judged.later(), seen=token),
        ),
        lambda: rulings.decide_groups(
            turn=judged.turn,
            groups=[group],
            points=3,
            request=RulingRequest(reason="x", by=judged.judge, now=judged.later(), seen=token),
        ),
    ):
        with pytest.raises(Refused, match="Something has changed in the meantime: check again"):
            act()
    assert not WordRuling.objects.exists()
    assert not SlipRuling.objects.exists()


def test_a_decision_and_a_ruling_are_taken_back_as_seen(judged: ClubGame) -> None:
    judged.rule("TRISCEA", Ruling.ACCEPTED)
    revoked = word_lists.ruling_after_revocation(judged.game, 1, "TRISCEA")
    assert revoked is None
    preview = build_preview(propose_word(judged.turn, "TRISCEA", revoked))
    assert told(preview) == [(2, 76, 0, 1, 2), (3, 76, 0, 1, 2)]
    rulings.revoke_word(
        turn=judged.turn, word="TRISCEA", request=RulingRequest(by=judged.judge, now=judged.later(), seen=preview.token)
    )
    assert judged.verdict(2).points == 0
    group = judged.verdict(1).group
    rulings.decide_groups(
        turn=judged.turn,
        groups=[group],
        points=7,
        request=RulingRequest(reason="x", by=judged.judge, now=judged.later()),
    )
    preview = build_preview(propose_decisions(judged.turn, [group], None))
    assert told(preview) == [(1, 7, 20, 1, 1)]
    with pytest.raises(Refused, match="check again"):
        rulings.revoke_group(
            turn=judged.turn, group=group, request=RulingRequest(by=judged.judge, now=judged.later(), seen="")
        )
    rulings.revoke_group(
        turn=judged.turn, group=group, request=RulingRequest(by=judged.judge, now=judged.later(), seen=preview.token)
    )
    assert judged.verdict(1).points == 20


def test_while_the_turn_is_played_nothing_is_shown(club_game: ClubGame) -> None:
    """There are slips and a top to give away."""
    club_game.begin_turn("ACEIRST")
    top = club_game.turn.tops
    assert top
    club_game.phone(1, top[0]["word"], top[0]["ref"], top[0]["score"])
    preview = build_preview(propose_word(club_game.turn, top[0]["word"].upper(), Ruling.STRUCK))
    assert (preview.judged, preview.shifts, preview.tops_before, preview.tops_after) == (False, [], [], [])
    assert (preview.top_before, preview.top_after, preview.master_after) == (None, None, "")


def test_a_rule_changed_in_play_judges_every_turn_again(judge: User) -> None:
    club_game = create_club_game(judge, profile="club")
    rng = seeded_random(5)
    for _turn in range(5):
        play_turn(club_game, rng)
    before = {line.table: line.total for line in standings_of(club_game.game)}
    strict = rule_changes.rules_in_play(club_game.refresh(), {"wrong_score": "zero", "missing_score": "zero"})
    preview = build_preview(propose_rules(club_game.game, strict))
    assert preview.shifts
    assert all(one.after < one.before for one in preview.shifts)
    rule_changes.change_rules_in_play(
        game=club_game.game,
        switches={"wrong_score": "zero", "missing_score": "zero"},
        by=judge,
        now=club_game.later(),
        seen=preview.token,
    )
    after = {line.table: (line.total, line.rank) for line in standings_of(club_game.refresh())}
    for one in preview.shifts:
        assert (before[one.table], after[one.table]) == (one.before, (one.after, one.rank_after))
    entry = LedgerEntry.objects.filter(kind="rules").get()
    assert entry.data["switches"] == {"wrong_score": "zero", "missing_score": "zero"}
    archive = check_archive(export_game(club_game.game))
    assert verify(archive, word_lists.graph_of(word_lists.word_list_of_game(club_game.game))) == []


def test_warnings_are_carried_through_the_turns_when_a_quota_is_set(judge: User) -> None:
    club_game = create_club_game(judge, profile="club")
    for _turn in range(3):
        club_game.begin_turn()
        tops = club_game.turn.tops
        assert tops
        club_game.phone(1, tops[0]["word"], tops[0]["ref"], 999)
        club_game.close()
        club_game.place()
    rule_changes.change_rules_in_play(
        game=club_game.refresh(), switches={"free_warnings": 1}, by=judge, now=club_game.later()
    )
    assert [club_game.verdict(1, turn=number).penalty for number in (1, 2, 3)] == [0, 5, 5]


def test_placed_moves_do_not_change(judge: User) -> None:
    """The best slip went on the board; by other rules it would have been another one."""
    club_game = create_club_game(judge)
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.phone(2, "CARTE", "", 18)
    club_game.phone(3, "CESTAI", "8C", 99)
    club_game.close()
    club_game.place()
    with pytest.raises(Refused, match="another word would have been placed in turn 1"):
        rule_changes.change_rules_in_play(
            game=club_game.refresh(), switches={"wrong_score": "zero"}, by=judge, now=club_game.later()
        )
    assert profile_of(club_game.refresh()).wrong_score == "real"


@pytest.mark.parametrize("switch", ["rack_size", "board_takes", "min_early", "clock_s", "nobody_correct", "bonuses"])
def test_draw_search_and_clock_cannot_change_in_play(judged: ClubGame, switch: str) -> None:
    with pytest.raises(Refused, match="cannot change once a game has begun"):
        rule_changes.change_rules_in_play(
            game=judged.refresh(), switches={switch: 1}, by=judged.judge, now=judged.later(), seen=None
        )


def test_a_rule_change_without_effect_is_refused(judged: ClubGame) -> None:
    with pytest.raises(AlreadyDone):
        rule_changes.change_rules_in_play(
            game=judged.refresh(), switches={"wrong_score": "real"}, by=judged.judge, now=judged.later()
        )
    with pytest.raises(Refused, match="cannot be set so"):
        rule_changes.change_rules_in_play(
            game=judged.refresh(), switches={"wrong_score": "maybe"}, by=judged.judge, now=judged.later()
        )
    with pytest.raises(Refused, match="check again"):
        rule_changes.change_rules_in_play(
            game=judged.refresh(),
            switches={"wrong_score": "zero"},
            by=judged.judge,
            now=judged.later(),
            seen="another preview",
        )
