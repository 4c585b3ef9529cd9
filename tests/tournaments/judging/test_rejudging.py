"""Judging a placed turn again: everything but the board changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.archive.replay import verify
from engine.archive.schema import check_archive
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.rejudged_game import (
    accept_word,
    decide_slip,
    find_differences,
    get_turn,
    judging_results,
    place_first_turn,
    set_warning,
)
from tournaments.enums import JudgeWarningCode, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import rule_changes
from tournaments.judging.queries import rejudging_effects
from tournaments.judging.queries.differences import read_differences
from tournaments.judging.queries.preview import build_preview
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import word_lists
from tournaments.models import GivenWarning, LedgerEntry, SlipRuling, WordRuling
from tournaments.play.services.game_end import end_game
from tournaments.results.queries.archive import export_game
from tournaments.results.queries.results import standings_of


def test_a_word_accepted_later_counts_for_all_who_wrote_it_and_the_board_stays(club_game: ClubGame) -> None:
    place_first_turn(club_game)
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    entry = accept_word(club_game)
    assert [club_game.verdict(table, turn=1).points for table in (1, 2, 3)] == [20, 76, 76]
    turn = get_turn(club_game, 1)
    assert (turn.master_word, turn.top) == ("CESTAI", 76)
    assert [one.as_json() for one in read_differences(entry.data)] == [
        [1, 2, 0, 76, "counts"],
        [1, 3, 0, 76, "counts"],
    ]
    assert entry.data["tops"][0] == [1, 24, 76]
    assert entry.data["reason"] == "it is in the other dictionary"
    assert {line.table: line.total for line in standings_of(club_game.game)} == {1: 20, 2: 76, 3: 76, 17: 0}
    assert find_differences(club_game) == []


def test_a_word_struck_later_counts_no_more_and_lies_on_the_board(club_game: ClubGame) -> None:
    place_first_turn(club_game)
    entry = accept_word(club_game, "CESTAI", ruling=Ruling.STRUCK)
    assert club_game.verdict(1, turn=1).reason == "not_a_word"
    assert get_turn(club_game, 1).master_word == "CESTAI"
    assert [one.as_json() for one in read_differences(entry.data)] == [[1, 1, 20, 0, "counts_not"]]
    assert entry.data["solos"] == []
    assert find_differences(club_game) == []
    club_game.begin_turn()
    assert any("CESTAI" in "".join(row) for row in get_turn(club_game, 2).board)
    assert find_differences(club_game) == []


def test_points_given_later_leave_the_decision_that_chose_the_move(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, "CARTE", "8D", 16)
    club_game.close()
    rulings.decide_groups(
        turn=club_game.turn,
        groups=[club_game.verdict(2).group],
        points=10,
        request=RulingRequest(reason="unclear", by=club_game.judge, now=club_game.later()),
    )
    club_game.place()
    decide_slip(club_game, 1, 0)
    assert club_game.verdict(1, turn=1).points == 0
    assert find_differences(club_game) == []
    decide_slip(club_game, 2, None)
    assert (club_game.verdict(2, turn=1).points, club_game.verdict(2, turn=1).decided_by) == (20, "rule")
    assert find_differences(club_game) == []
    assert SlipRuling.objects.filter(revoked_at=None).count() == 3
    with pytest.raises(AlreadyDone, match="decided already"):
        decide_slip(club_game, 2, None)


def test_taking_the_move_back_makes_late_decisions_timely(club_game: ClubGame) -> None:
    place_first_turn(club_game)
    accept_word(club_game)
    decide_slip(club_game, 1, 5)
    club_game.undo()
    assert WordRuling.objects.get(revoked_at=None).known_since == 1
    assert SlipRuling.objects.get(revoked_at=None).known_since == 1
    turn = club_game.place()
    assert turn.master_word == "TRISCEA"
    assert find_differences(club_game) == []


def test_a_warning_given_later_costs_what_the_rule_says_in_every_later_turn(judge: Any) -> None:
    club_game = create_club_game(judge, profile="fisf", switches={"free_warnings": 1, "solo_min_players": 2})
    for rack in ("ACEIRST", None):
        turn = club_game.begin_turn(rack)
        assert turn.tops
        top = turn.tops[0]
        club_game.phone(1, top["word"], top["ref"], top["score"] + 1)
        club_game.close()
        club_game.place()
    before = judging_results(club_game)
    assert [club_game.verdict(1, turn=number).penalty for number in (1, 2)] == [0, 5]
    entry = set_warning(club_game, 1, JudgeWarningCode.DISCIPLINE, given=True)
    assert [club_game.verdict(1, turn=number).penalty for number in (1, 2)] == [5, 5]
    assert [one.as_json()[-1] for one in read_differences(entry.data)] == ["warnings"]
    assert find_differences(club_game) == []
    set_warning(club_game, 1, JudgeWarningCode.DISCIPLINE, given=False)
    assert judging_results(club_game) == before
    assert GivenWarning.objects.filter(revoked_at=None).count() == 0
    assert find_differences(club_game) == []


def test_a_lost_solo_is_in_the_differences(judge: Any) -> None:
    club_game = create_club_game(judge, profile="fisf", switches={"solo_min_players": 2})
    club_game.begin_turn("ACEIRST")
    best = club_game.turn.tops[0]  # type: ignore[index]
    club_game.phone(1, best["word"], best["ref"], best["score"])
    club_game.phone(2, "TRISCEA", "H4", 76)
    club_game.close()
    club_game.place()
    assert (club_game.turn.solo, club_game.verdict(1).bonus) == (1, 10)
    preview = build_preview(rejudging_effects.propose_word(get_turn(club_game, 1), "TRISCEA", Ruling.ACCEPTED))
    assert [(one.turn, one.before, one.after) for one in preview.solos] == [(1, 1, 2)]
    assert [(one.table, one.rank_before, one.rank_after) for one in preview.ranks] == [
        (2, 2, 1),
        (1, 1, 2),
        (3, 2, 3),
        (17, 2, 3),
    ]
    entry = accept_word(club_game, seen=preview.token)
    assert entry.data["solos"] == [[1, 1, 2]]
    assert {one.table: one.why for one in read_differences(entry.data)} == {1: "bonus", 2: "counts"}
    assert find_differences(club_game) == []


def test_a_finished_game_is_judged_again_and_verifies(club_game: ClubGame) -> None:
    place_first_turn(club_game)
    end_game(game=club_game.refresh(), why="judge", by=club_game.judge, now=club_game.later())
    accept_word(club_game)
    assert club_game.verdict(2, turn=1).points == 76
    # The rack was forced by the test, and with the end the seed is public.
    assert [line for line in find_differences(club_game) if "rack" not in line] == []


def test_what_was_confirmed_by_an_old_preview_is_refused(club_game: ClubGame) -> None:
    place_first_turn(club_game)
    preview = build_preview(rejudging_effects.propose_word(get_turn(club_game, 1), "TRISCEA", Ruling.ACCEPTED))
    decide_slip(club_game, 1, 7)
    with pytest.raises(Refused, match="Something has changed in the meantime"):
        accept_word(club_game, seen=preview.token)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda club_game: accept_word(club_game, reason=" "), "Give a reason"),
        (lambda club_game: accept_word(club_game, "CESTAI"), "counts as a word already"),
        (lambda club_game: decide_slip(club_game, 17, 5), "Nothing was handed in here"),
        (lambda club_game: decide_slip(club_game, 1, 2001), "Points go from 0 to 2000"),
        (
            lambda club_game: set_warning(club_game, 1, JudgeWarningCode.DISCIPLINE, given=False),
            "does not have this warning",
        ),
    ],
)
def test_impossible_rulings_are_refused(club_game: ClubGame, act: Callable[[ClubGame], object], sentence: str) -> None:
    place_first_turn(club_game)
    entries = LedgerEntry.objects.count()
    with pytest.raises((Refused, AlreadyDone), match=sentence):
        act(club_game)
    assert LedgerEntry.objects.count() == entries


def test_a_turn_that_is_not_on_the_board_is_judged_in_the_game(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    with pytest.raises(Refused, match="not on the board"):
        accept_word(club_game)


def test_the_rules_may_still_change_once_a_turn_was_judged_again(club_game: ClubGame) -> None:
    place_first_turn(club_game)
    accept_word(club_game)
    rule_changes.change_rules_in_play(
        game=club_game.refresh(), switches={"wrong_score": "zero"}, by=club_game.judge, now=club_game.later()
    )
    assert get_turn(club_game, 1).master_word == "CESTAI"
    assert find_differences(club_game) == []


def found_in(club_game: ClubGame, archive: Any) -> list[str]:
    base = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    return [one.where for one in verify(check_archive(archive), base)]


def test_verify_finds_a_late_ruling_stored_as_timely(club_game: ClubGame) -> None:
    place_first_turn(club_game)
    accept_word(club_game)
    decide_slip(club_game, 1, 0)
    archive = export_game(club_game.refresh())
    assert archive["lexicon"]["accepted"][0].pop("ruled_in") == 2
    assert "turn 1, master" in found_in(club_game, archive)
    archive = export_game(club_game.refresh())
    slip = next(slip for slip in archive["turns"][0]["slips"] if "when_placed" in slip)
    assert slip.pop("when_placed") is None
    assert "turn 1, master" in found_in(club_game, archive)


def test_verify_finds_a_late_ruling_without_a_ledger_entry(club_game: ClubGame) -> None:
    place_first_turn(club_game)
    archive = export_game(club_game.refresh())
    archive["lexicon"]["accepted"].append({"word": "ZZZ", "from_turn": 1, "reason": "", "ruled_in": 2})
    archive["turns"][0]["slips"][0]["when_placed"] = 5
    expected = {"ledger, ZZZ accepted from turn 1, ruled in turn 2", "ledger, turn 1, table 1, decision"}
    assert expected <= set(found_in(club_game, archive))
