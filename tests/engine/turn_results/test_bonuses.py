"""Bonuses of a whole turn."""

from __future__ import annotations

from engine.judging.verdict import Verdict
from engine.turn_results.bonuses import apply_bonuses, find_solo_table
from engine.turn_results.other_rooms import OtherRooms
from engine.turn_results.settlement import settle_turn
from tests.engine.judging.positions import BOX, FISE, FISF

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
    assert find_solo_table(turn(30, 40, 20), 40) == 2
    assert find_solo_table(turn(40, 40, 20), 40) is None
    assert find_solo_table(turn(30, 30), 40) is None
    assert find_solo_table(turn(0, None), 0) is None
    assert find_solo_table(turn(99, None), 99) == 1


def test_a_solo_is_worth_ten_with_enough_players() -> None:
    """FISF 3.5: 16 players or more."""
    assert bonuses(apply_bonuses(turn(40, *[30] * 15), 40, FISF)) == [10] + [0] * 15
    assert bonuses(apply_bonuses(turn(40, *[30] * 14), 40, FISF)) == [0] * 15


def test_the_bonus_may_lift_a_player_above_the_top() -> None:
    judged = apply_bonuses(turn(40, 30, 30), 40, SPANISH)
    assert (judged[1].points, judged[1].move_score, judged[1].bonus) == (50, 40, 10)


def test_the_only_player_with_the_best_score_gets_five_where_nobody_found_the_top() -> None:
    """Spanish federation: "pero inferior a la jugada maestra"."""
    assert bonuses(apply_bonuses(turn(40, 30, 20, 20), 40, SPANISH)) == [10, 0, 0, 0]
    assert bonuses(apply_bonuses(turn(40, 40, 30, 20), 40, SPANISH)) == [0, 0, 0, 0]
    assert bonuses(apply_bonuses(turn(30, 20), 40, SPANISH, elsewhere=OtherRooms({40: 1}))) == [0, 0]
    assert bonuses(apply_bonuses(turn(30, 20), 40, SPANISH, elsewhere=OtherRooms({20: 1}))) == [5, 0]
    assert bonuses(apply_bonuses(turn(30, 30, 20), 40, SPANISH)) == [0, 0, 0]
    assert bonuses(apply_bonuses(turn(30, None, 20), 40, SPANISH)) == [5, 0, 0]
    assert bonuses(apply_bonuses(turn(None, 0), 40, SPANISH)) == [0, 0]


def test_the_bonuses_of_a_game_have_a_cap() -> None:
    """Spanish federation: at most 25 in a game."""
    assert bonuses(apply_bonuses(turn(40, 30), 40, SPANISH, {1: 20, 2: 25})) == [5, 0]
    assert bonuses(apply_bonuses(turn(20, 30), 40, SPANISH, {2: 25})) == [0, 0]


def test_bonuses_count_the_raw_score() -> None:
    """A move worth the top with a penalty is a solo."""
    judged = {1: Verdict("rescued", "rescued_by_score", 35, 40, penalty=5), 2: Verdict("valid", None, 30, 30)}
    assert apply_bonuses(judged, 40, SPANISH)[1].points == 45


def test_the_box_gives_no_bonus() -> None:
    assert apply_bonuses(turn(40, 30), 40, BOX) == turn(40, 30)


def test_points_of_a_judge_count_in_full_for_averages_and_get_no_bonus() -> None:
    """30 points for a move worth 20: the 10 more count for the average of the others like the rest."""
    rules = SPANISH.with_switches(average_for_second_zero=True)
    awarded = Verdict("valid", None, 30, 20, bonus=10)
    bad = Verdict("zero", "not_a_word", 0, None, word="ORCO")
    settled = settle_turn({1: awarded, 2: bad, 3: bad}, 20, rules, decided=[1], faults={2: ("not_a_word", "ORCO")})
    assert (settled.verdicts[1], settled.verdicts[2].points, settled.solo) == (awarded, 15, 1)


def test_a_disqualified_player_counts_for_no_average_solo_or_bonus_and_gets_none() -> None:
    rules = SPANISH.with_switches(average_for_second_zero=True)
    bad = Verdict("zero", "not_a_word", 0, None, word="ORCO")
    judged = turn(40, 40, 20) | {4: bad, 5: bad}
    fault = ("not_a_word", "ORCO")
    settled = settle_turn(judged, 40, rules, excluded=[1, 5], faults={4: fault, 5: fault})
    assert (settled.solo, bonuses(settled.verdicts)) == (2, [0, 10, 0, 0, 0])
    assert (settled.verdicts[4].points, settled.verdicts[5]) == (30, bad)
