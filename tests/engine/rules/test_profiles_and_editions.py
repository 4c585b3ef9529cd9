"""Every set of rules with every set of tiles: racks are drawn by its minimum and slips are judged."""

from __future__ import annotations

from itertools import product

import pytest

from engine.board.board import Board
from engine.draw.reproducible import DrawnRack, draw_next_rack, find_shortage, required_minimum
from engine.judging.placement import Position
from engine.judging.verdict import Verdict, judge_slip
from engine.rules.profile import load_profile, profile_codes
from engine.slips.slip import Slip
from engine.tiles.edition import edition_codes, load_edition
from engine.tiles.tiles import Tiles

BOTH = list(product(profile_codes(), edition_codes()))


class Every:
    """A word list that has every word."""

    def __contains__(self, word: object) -> bool:
        return True


class NoWord:
    """A word list that has none."""

    def __contains__(self, word: object) -> bool:
        return False


@pytest.mark.parametrize(("profile", "edition"), BOTH)
@pytest.mark.parametrize("turn", [1, 16])
def test_a_rack_is_drawn_that_meets_the_minimum_of_the_turn(profile: str, edition: str, turn: int) -> None:
    rules, tiles = load_profile(profile), load_edition(edition)
    bag = Tiles.full_bag(tiles)
    drawn = draw_next_rack(bytes(range(32)), turn, Tiles.none(tiles), bag, rules)
    assert isinstance(drawn, DrawnRack)
    assert drawn.rack.total == rules.rack_size
    minimum = required_minimum(bag, turn, rules)
    assert minimum is not None
    assert minimum.each == (rules.min_early if turn <= (rules.last_early_turn or 0) else rules.min_late)
    assert find_shortage(drawn.rack, minimum) is None
    assert all(find_shortage(rack, minimum) for rack in drawn.rejected)


def judged(profile: str, edition: str, *, declared: int | None = None, words: object = None, ref: str = "") -> Verdict:
    """A word of the first two letters of a rack that has no blank, laid across through the centre."""
    rules, tiles = load_profile(profile), load_edition(edition)
    plain = next(kind for kind, face in enumerate(tiles.letters, 1) if len(face) == 1)
    rack = Tiles.of_kinds(tiles, [plain] * 2)
    slip = Slip(word=tiles.letters[plain - 1] * 2, ref=ref or rules.notation.value, declared=declared)
    return judge_slip(slip, Position(Board.empty(tiles), rack, 1), rules, words or Every())  # type: ignore[arg-type]


@pytest.mark.parametrize(("profile", "edition"), BOTH)
def test_slips_are_judged_by_the_switches(profile: str, edition: str) -> None:
    rules = load_profile(profile)
    real = judged(profile, edition, declared=4).move_score
    assert real is not None
    right = judged(profile, edition, declared=real)
    assert (right.result, right.points, right.warnings) == ("valid", real, ())
    wrong, missing = judged(profile, edition, declared=real + 1), judged(profile, edition)
    for verdict, value in ((wrong, rules.wrong_score), (missing, rules.missing_score)):
        assert (verdict.points == 0) is (value == "zero")
        assert bool(verdict.warnings) is (value == "warn")
    assert judged(profile, edition, declared=real, words=NoWord()).reason == "not_a_word"
    nowhere = judged(profile, edition, declared=real + 100, ref="?")
    if rules.first_move_maximum:
        assert nowhere.reason == "first_move_maximum"
    else:
        assert (nowhere.points, nowhere.reason) == (0, "wrong_reference")
