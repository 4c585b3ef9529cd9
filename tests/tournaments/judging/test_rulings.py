"""Rulings of judges, and judging again by them."""

from __future__ import annotations

import pytest
from django.utils import translation

from referee.views.desk import list_tops
from referee.views.player import get_personal_view
from tests.tournaments.club_game import ClubGame
from tournaments.enums import Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons.word_lists import Rulings, rulings_of
from tournaments.models import LedgerEntry, SlipRuling, WordRuling
from tournaments.results.queries.archive import export_game


@pytest.fixture
def judged(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.phone(3, "TRISCEA", "8H", 76)
    club_game.close()
    return club_game


def revoke(club_game: ClubGame, word: str) -> None:
    rulings.revoke_word(
        turn=club_game.turn, word=word, request=RulingRequest(by=club_game.judge, now=club_game.later())
    )


def decide(club_game: ClubGame, table: int, points: int, reason: str = "seen on the slip") -> SlipRuling:
    group = club_game.verdict(table).group
    request = RulingRequest(reason=reason, by=club_game.judge, now=club_game.later())
    [ruling] = rulings.decide_groups(turn=club_game.turn, groups=[group], points=points, request=request)
    return ruling


def test_an_accepted_word_helps_all_who_wrote_it_and_the_tops(judged: ClubGame) -> None:
    judged.rule(" tríscea ", Ruling.ACCEPTED)
    assert [judged.verdict(table).points for table in (1, 2, 3)] == [20, 76, 76]
    assert list_tops(judged.turn)[0].word == "TRISCEA"
    assert rulings_of(judged.game, 1) == Rulings(frozenset({"TRISCEA"}), frozenset())


def test_a_struck_word_is_told_as_struck_to_the_player_and_in_the_archive(judged: ClubGame) -> None:
    judged.rule("CESTAI", Ruling.STRUCK)
    judged.place()
    with translation.override("it"):
        mine = get_personal_view(judged.game, judged.player(1).pk)
    assert mine is not None
    assert mine.verdict is not None
    assert mine.verdict.sentence.endswith("Il giudice ha escluso CESTAI.")
    [turn] = export_game(judged.refresh(), language="it")["turns"]
    texts = {slip["table"]: slip["verdict"]["text"] for slip in turn["slips"]}
    assert texts[1] == mine.verdict.sentence
    assert "TRISCEA non è nella lista di parole." in texts[2]


def test_a_ruling_taken_back_in_its_turn_was_never_made(judged: ClubGame) -> None:
    before = judged.turn.tops
    judged.rule("TRISCEA", Ruling.ACCEPTED)
    revoke(judged, "TRISCEA")
    assert judged.verdict(2).reason == "not_a_word"
    assert judged.turn.tops == before
    assert not rulings_of(judged.game, 1)
    with pytest.raises(AlreadyDone, match="no ruling on TRISCEA"):
        revoke(judged, "TRISCEA")


def test_a_ruling_of_an_earlier_turn_stays_true_there(judged: ClubGame) -> None:
    judged.rule("TRISCEA", Ruling.ACCEPTED)
    judged.place()
    judged.begin_turn()
    revoke(judged, "TRISCEA")
    assert rulings_of(judged.game, 1) == Rulings(frozenset({"TRISCEA"}), frozenset())
    assert rulings_of(judged.game, 2) == Rulings(frozenset(), frozenset({"TRISCEA"}))
    assert judged.verdict(2, turn=1).points == 76


def test_the_last_ruling_on_a_word_counts(judged: ClubGame) -> None:
    judged.rule("TRISCEA", Ruling.ACCEPTED)
    judged.rule("TRISCEA", Ruling.STRUCK)
    assert judged.verdict(2).reason == "not_a_word"
    assert WordRuling.objects.filter(revoked_at=None).count() == 1


def test_a_ruling_can_be_made_while_the_turn_is_played(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    top = list_tops(club_game.turn)[0].word
    club_game.rule(top, Ruling.STRUCK)
    assert top not in [line.word for line in list_tops(club_game.turn)]


def test_rulings_of_one_turn_all_count_together(judged: ClubGame) -> None:
    best = [line.word for line in list_tops(judged.turn)]
    judged.rule("TRISCEA", Ruling.ACCEPTED)
    judged.rule("CESTAI", Ruling.STRUCK)
    assert [judged.verdict(table).points for table in (1, 2, 3)] == [0, 76, 76]
    judged.rule("TRISCEA", Ruling.STRUCK)
    for word in set(best) - {"CESTAI"}:
        judged.rule(word, Ruling.STRUCK)
    assert not set(best) & {line.word for line in list_tops(judged.turn)}
    judged.rule("CESTAI", Ruling.ACCEPTED)
    assert [judged.verdict(table).points for table in (1, 2, 3)] == [20, 0, 0]


def test_a_ruling_without_effect_is_refused(judged: ClubGame) -> None:
    with pytest.raises(AlreadyDone, match="CESTAI counts as a word already"):
        judged.rule("CESTAI", Ruling.ACCEPTED)
    with pytest.raises(AlreadyDone, match="TRISCEA is not a valid word here anyway"):
        judged.rule("TRISCEA", Ruling.STRUCK)
    assert not WordRuling.objects.exists()


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("", "A word has 2 to 15 letters."),
        ("A", "A word has 2 to 15 letters."),
        ("A" * 16, "A word has 2 to 15 letters."),
        ("🂡A", "No tile of this edition shows 🂡."),
    ],
)
def test_text_that_is_not_a_word_is_refused(judged: ClubGame, word: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        judged.rule(word, Ruling.ACCEPTED)
    assert refused.value.sentence == sentence


def test_nothing_is_ruled_on_a_turn_that_lies_on_the_board(judged: ClubGame) -> None:
    judged.place()
    with pytest.raises(Refused, match="take its move back, or rule in the next turn"):
        judged.rule("TRISCEA", Ruling.ACCEPTED)
    with pytest.raises(Refused, match="take its move back"):
        decide(judged, 1, 5)
    first = judged.turn
    judged.draw()
    with pytest.raises(Refused, match="This turn is over"):
        rulings.rule_word(
            turn=first,
            word="ZZZ",
            ruling=Ruling.ACCEPTED,
            request=RulingRequest(reason="", by=judged.judge, now=judged.later()),
        )


def test_a_group_is_decided_once_for_all_its_tables(judged: ClubGame) -> None:
    decide(judged, 2, 30, "agreed before the game")
    assert [(judged.verdict(t).points, judged.verdict(t).result, judged.verdict(t).decided_by) for t in (1, 2, 3)] == [
        (20, "valid", "rule"),
        (30, "valid", "judge"),
        (30, "valid", "judge"),
    ]
    assert judged.verdict(2).decision_reason == "agreed before the game"
    assert judged.place().master_word == "CESTAI"


def test_points_taken_off_a_legal_move_are_a_penalty(judged: ClubGame) -> None:
    decide(judged, 1, 12)
    verdict = judged.verdict(1)
    assert (verdict.points, verdict.move_score, verdict.penalty, verdict.bonus) == (12, 20, 8, 0)
    decide(judged, 1, 25)
    verdict = judged.verdict(1)
    assert (verdict.points, verdict.move_score, verdict.penalty, verdict.bonus) == (25, 20, 0, 5)


def test_a_slip_that_the_judge_gives_nothing_is_not_laid(judged: ClubGame) -> None:
    decide(judged, 1, 0)
    assert (judged.verdict(1).result, judged.verdict(1).reason) == ("zero", "judge")
    placed = judged.place()
    assert placed.master_chosen_by == "engine"


def test_a_decision_stays_after_a_ruling_on_a_word(judged: ClubGame) -> None:
    decide(judged, 1, 7)
    judged.rule("TRISCEA", Ruling.ACCEPTED)
    assert judged.verdict(1).points == 7


def test_a_decision_needs_a_reason_points_and_a_slip(judged: ClubGame) -> None:
    for points, reason, sentence in (
        (5, "  ", "Give a reason for the decision."),
        (-1, "because", "Points go from 0 to 2000."),
        (5000, "because", "Points go from 0 to 2000."),
        (5, "x" * 301, "The field “reason” has 301 characters; at most 300 fit."),
    ):
        with pytest.raises(Refused) as refused:
            decide(judged, 1, points, reason)
        assert refused.value.sentence == sentence
    with pytest.raises(Refused, match="Nothing was handed in"):
        decide(judged, 17, 5)
    with pytest.raises(Refused, match="no longer exists"):
        rulings.decide_groups(
            turn=judged.turn,
            groups=["nope"],
            points=1,
            request=RulingRequest(reason="x", by=judged.judge, now=judged.later()),
        )
    assert not SlipRuling.objects.exists()


def test_the_same_decision_twice_is_one(judged: ClubGame) -> None:
    decide(judged, 1, 5)
    with pytest.raises(AlreadyDone):
        decide(judged, 1, 5)
    assert LedgerEntry.objects.filter(kind="slip_ruling").count() == 1


def test_the_rule_decides_again_when_the_judge_takes_it_back(judged: ClubGame) -> None:
    decide(judged, 1, 5)
    group = judged.verdict(1).group
    rulings.revoke_group(turn=judged.turn, group=group, request=RulingRequest(by=judged.judge, now=judged.later()))
    assert (judged.verdict(1).points, judged.verdict(1).decided_by) == (20, "rule")
    with pytest.raises(AlreadyDone):
        rulings.revoke_group(turn=judged.turn, group=group, request=RulingRequest(by=judged.judge, now=judged.later()))
