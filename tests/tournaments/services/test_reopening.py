"""A turn that is on the board is judged again: everything follows but the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.archive import check_archive
from engine.replay import verify
from tests.tournaments.night import Night, begin
from tests.tournaments.reopened import accept, decide, differences_in, first_turn, judged, turn_of, warn
from tournaments import lexicons
from tournaments.enums import GivenCode, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import GivenWarning, LedgerEntry, SlipRuling, WordRuling
from tournaments.selectors import again
from tournaments.selectors.archive import export_game
from tournaments.selectors.differences import read_differences
from tournaments.selectors.preview import shown
from tournaments.selectors.results import standings_of
from tournaments.services import rules, rulings
from tournaments.services.ending import end_game


def test_a_word_accepted_later_counts_for_all_who_wrote_it_and_the_board_stays(night: Night) -> None:
    first_turn(night)
    night.begin_turn()
    night.close()
    night.place()
    entry = accept(night)
    assert [night.verdict(table, turn=1).points for table in (1, 2, 3)] == [20, 76, 76]
    turn = turn_of(night, 1)
    assert (turn.master_word, turn.top) == ("CESTAI", 76)
    assert [one.as_json() for one in read_differences(entry.data)] == [
        [1, 2, 0, 76, "counts"],
        [1, 3, 0, 76, "counts"],
    ]
    assert entry.data["tops"][0] == [1, 24, 76]
    assert entry.data["reason"] == "it is in the other dictionary"
    assert {line.table: line.total for line in standings_of(night.game)} == {1: 20, 2: 76, 3: 76, 17: 0}
    assert differences_in(night) == []


def test_a_word_struck_later_counts_no_more_and_lies_on_the_board(night: Night) -> None:
    first_turn(night)
    entry = accept(night, "CESTAI", ruling=Ruling.STRUCK)
    assert night.verdict(1, turn=1).reason == "not_a_word"
    assert turn_of(night, 1).master_word == "CESTAI"
    assert [one.as_json() for one in read_differences(entry.data)] == [[1, 1, 20, 0, "counts_not"]]
    assert entry.data["solos"] == []
    assert differences_in(night) == []
    night.begin_turn()
    assert any("CESTAI" in "".join(row) for row in turn_of(night, 2).board)
    assert differences_in(night) == []


def test_points_given_later_leave_the_decision_that_chose_the_move(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, "CESTAI", "8C", 20)
    night.phone(2, "CARTE", "8D", 16)
    night.close()
    rulings.decide_group(
        turn=night.turn,
        group=night.verdict(2).group,
        points=10,
        reason="unclear",
        by=night.judge,
        now=night.later(),
    )
    night.place()
    decide(night, 1, 0)
    assert night.verdict(1, turn=1).points == 0
    assert differences_in(night) == []
    decide(night, 2, None)
    assert (night.verdict(2, turn=1).points, night.verdict(2, turn=1).decided_by) == (20, "rule")
    assert differences_in(night) == []
    assert SlipRuling.objects.filter(revoked_at=None).count() == 3
    with pytest.raises(AlreadyDone, match="decided so already"):
        decide(night, 2, None)


def test_taking_the_move_back_makes_late_decisions_timely(night: Night) -> None:
    first_turn(night)
    accept(night)
    decide(night, 1, 5)
    night.undo()
    assert WordRuling.objects.get(revoked_at=None).ruled_in is None
    assert SlipRuling.objects.get(revoked_at=None).again is False
    turn = night.place()
    assert turn.master_word == "TRISCEA"
    assert differences_in(night) == []


def test_a_warning_given_later_costs_what_the_rule_says_in_every_later_turn(judge: Any) -> None:
    night = begin(judge, profile="fisf", switches={"free_warnings": 1, "solo_min_players": 2})
    for rack in ("ACEIRST", None):
        turn = night.begin_turn(rack)
        assert turn.tops
        top = turn.tops[0]
        night.phone(1, top["word"], top["ref"], top["score"] + 1)
        night.close()
        night.place()
    before = judged(night)
    assert [night.verdict(1, turn=number).penalty for number in (1, 2)] == [0, 5]
    entry = warn(night, 1, GivenCode.DISCIPLINE, given=True)
    assert [night.verdict(1, turn=number).penalty for number in (1, 2)] == [5, 5]
    assert [one.as_json()[-1] for one in read_differences(entry.data)] == ["warnings"]
    assert differences_in(night) == []
    warn(night, 1, GivenCode.DISCIPLINE, given=False)
    assert judged(night) == before
    assert GivenWarning.objects.filter(revoked_at=None).count() == 0
    assert differences_in(night) == []


def test_who_loses_a_solo_is_told_before_and_after(judge: Any) -> None:
    night = begin(judge, profile="fisf", switches={"solo_min_players": 2})
    night.begin_turn("ACEIRST")
    best = night.turn.tops[0]  # type: ignore[index]
    night.phone(1, best["word"], best["ref"], best["score"])
    night.phone(2, "TRISCEA", "H4", 76)
    night.close()
    night.place()
    assert (night.turn.solo, night.verdict(1).bonus) == (1, 10)
    preview = shown(again.with_word(turn_of(night, 1), "TRISCEA", Ruling.ACCEPTED))
    assert [(one.turn, one.before, one.after) for one in preview.solos] == [(1, 1, 2)]
    assert [(one.table, one.rank_before, one.rank_after) for one in preview.ranks] == [
        (2, 2, 1),
        (1, 1, 2),
        (3, 2, 3),
        (17, 2, 3),
    ]
    entry = accept(night, seen=preview.token)
    assert entry.data["solos"] == [[1, 1, 2]]
    assert {one.table: one.why for one in read_differences(entry.data)} == {1: "bonus", 2: "counts"}
    assert differences_in(night) == []


def test_a_finished_game_is_judged_again_and_verifies(night: Night) -> None:
    first_turn(night)
    end_game(game=night.refresh(), why="judge", by=night.judge, now=night.later())
    accept(night)
    assert night.verdict(2, turn=1).points == 76
    # The rack was forced by the test, and with the end the seed is public.
    assert [line for line in differences_in(night) if "rack" not in line] == []


def test_what_was_confirmed_by_an_old_preview_is_refused(night: Night) -> None:
    first_turn(night)
    preview = shown(again.with_word(turn_of(night, 1), "TRISCEA", Ruling.ACCEPTED))
    decide(night, 1, 7)
    with pytest.raises(Refused, match="Something has changed since you looked"):
        accept(night, seen=preview.token)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda night: accept(night, reason=" "), "Give a reason"),
        (lambda night: accept(night, "CESTAI"), "counts as a word already"),
        (lambda night: decide(night, 17, 5), "Nothing was handed in here"),
        (lambda night: decide(night, 1, 2001), "Points go from 0 to 2000"),
        (lambda night: warn(night, 1, GivenCode.DISCIPLINE, given=False), "does not have this warning"),
    ],
)
def test_what_cannot_be_done_is_refused(night: Night, act: Callable[[Night], object], sentence: str) -> None:
    first_turn(night)
    entries = LedgerEntry.objects.count()
    with pytest.raises((Refused, AlreadyDone), match=sentence):
        act(night)
    assert LedgerEntry.objects.count() == entries


def test_a_turn_that_is_not_on_the_board_is_judged_in_the_game(night: Night) -> None:
    night.begin_turn("ACEIRST")
    with pytest.raises(Refused, match="not on the board"):
        accept(night)


def test_the_rules_may_still_change_once_a_turn_was_judged_again(night: Night) -> None:
    first_turn(night)
    accept(night)
    rules.change_in_play(game=night.refresh(), switches={"wrong_score": "zero"}, by=night.judge, now=night.later())
    assert turn_of(night, 1).master_word == "CESTAI"
    assert differences_in(night) == []


def found_in(night: Night, archive: Any) -> list[str]:
    base = lexicons.graph_of(lexicons.of_game(night.game))
    return [one.where for one in verify(check_archive(archive), base)]


def test_a_late_ruling_that_is_passed_off_as_timely_is_found_out(night: Night) -> None:
    first_turn(night)
    accept(night)
    decide(night, 1, 0)
    archive = export_game(night.refresh())
    assert archive["lexicon"]["accepted"][0].pop("ruled_in") == 2
    assert "turn 1, master" in found_in(night, archive)
    archive = export_game(night.refresh())
    slip = next(slip for slip in archive["turns"][0]["slips"] if "when_placed" in slip)
    assert slip.pop("when_placed") is None
    assert "turn 1, master" in found_in(night, archive)


def test_a_late_ruling_of_which_the_ledger_does_not_tell_is_found_out(night: Night) -> None:
    first_turn(night)
    archive = export_game(night.refresh())
    archive["lexicon"]["accepted"].append({"word": "ZZZ", "from_turn": 1, "reason": "", "ruled_in": 2})
    archive["turns"][0]["slips"][0]["when_placed"] = 5
    expected = {"ledger, ZZZ accepted from turn 1, ruled in turn 2", "ledger, turn 1, table 1, decision"}
    assert expected <= set(found_in(night, archive))
