"""Bonuses of a whole turn."""

from __future__ import annotations

from engine.rules.bonuses import solo_table, with_bonuses
from engine.rules.verdict import Verdict
from tests.engine.rules.positions import BOX, FISE, FISF

SPANISH = FISE.with_switches(solo_min_players=0)


def turn(*scores: int | None) -> dict[int, Verdict]:
    """Tables 1, 2 ... with these scores, None a zero."""
    return {
        table: Verdict("zero", "late", 0, 99) if score is None else Verdict("valid", None, score, score)
        for table, score in enumerate(scores, 1)
    }


def bonuses(judged: dict[int, Verdict]) -> list[int]:
    return [verdict.bonus for verdict in judged.values()]


def test_a_solo_is_the_only_player_with_the_top() -> None:
    assert solo_table(turn(30, 40, 20), 40) == 2
    assert solo_table(turn(40, 40, 20), 40) is None
    assert solo_table(turn(30, 30), 40) is None
    assert solo_table(turn(0, None), 0) is None
    assert solo_table(turn(99, None), 99) == 1


def test_a_solo_is_worth_ten_with_enough_players() -> None:
    """FISF 3.5: 16 players or more."""
    assert bonuses(with_bonuses(turn(40, *[30] * 15), 40, FISF)) == [10] + [0] * 15
    assert bonuses(with_bonuses(turn(40, *[30] * 14), 40, FISF)) == [0] * 15


def test_the_bonus_may_lift_a_player_above_the_top() -> None:
    judged = with_bonuses(turn(40, 30, 30), 40, SPANISH)
    assert (judged[1].points, judged[1].move_score, judged[1].bonus) == (50, 40, 10)


def test_the_only_player_with_the_best_score_below_the_top_gets_five() -> None:
    """Spanish federation; also when nobody found the top."""
    assert bonuses(with_bonuses(turn(40, 30, 20, 20), 40, SPANISH)) == [10, 5, 0, 0]
    assert bonuses(with_bonuses(turn(40, 40, 30, 20), 40, SPANISH)) == [0, 0, 5, 0]
    assert bonuses(with_bonuses(turn(30, 30, 20), 40, SPANISH)) == [0, 0, 0]
    assert bonuses(with_bonuses(turn(30, None, 20), 40, SPANISH)) == [5, 0, 0]
    assert bonuses(with_bonuses(turn(None, 0), 40, SPANISH)) == [0, 0]


def test_the_bonuses_of_a_game_have_a_cap() -> None:
    """Spanish federation: at most 25 in a game."""
    assert bonuses(with_bonuses(turn(40, 30), 40, SPANISH, {1: 20, 2: 25})) == [5, 0]


def test_bonuses_count_the_raw_score() -> None:
    """A move worth the top with a penalty is a solo."""
    judged = {1: Verdict("rescued", "rescued_by_score", 35, 40, penalty=5), 2: Verdict("valid", None, 30, 30)}
    assert with_bonuses(judged, 40, SPANISH)[1].points == 45


def test_the_box_gives_no_bonus() -> None:
    assert with_bonuses(turn(40, 30), 40, BOX) == turn(40, 30)
