"""Equal tops: each criterion by an example, and the reason that is shown."""

from __future__ import annotations

import pytest

from engine.board.board import Board
from engine.board.coordinates import parse_reference
from engine.board.move import Move
from engine.judging.placement import Position
from engine.judging.verdict_text import tie_sentence
from engine.rules.profile import Profile
from engine.tiles.edition import load_edition, read_edition
from engine.tiles.tiles import Tiles
from engine.turn_results.ties import RankedTop, order_tops
from tests.engine.judging.positions import BOX, IT, position, words


def move(text: str, score: int = 20) -> Move:
    ref, word = text.split()
    return Move(parse_reference(ref, IT.across), IT.parse_word(word), score)


def ranked(
    moves: list[str], order: list[str], rack: str = "CORNAES", at: Position | None = None, listed: str = ""
) -> list[tuple[str, str, int, int]]:
    place = at or position(rack, turn=1)
    profile = BOX.with_switches(tie_order=order)
    tops = order_tops([move(text) for text in moves], place.board, place.rack, words(IT, listed), profile)
    return [(top.move.word_text(IT), top.why, top.ahead, top.behind) for top in tops]


def test_a_single_top_is_the_only_one() -> None:
    assert ranked(["8H CORNA"], ["hooks"]) == [("CORNA", "only", 0, 0)]
    assert ranked([], ["hooks"]) == []


def test_a_move_that_keeps_the_blank_goes_first() -> None:
    """Spanish federation, equal tops, 1: without blank."""
    assert ranked(["8H CORNa", "8H CORNO", "8H cORNa"], ["keep_blank"], rack="CORNO??") == [
        ("CORNO", "keep_blank", 0, 1),
        ("CORNa", "keep_blank", 1, 2),
        ("cORNa", "", 0, 0),
    ]


def test_a_blank_that_lies_already_is_not_used() -> None:
    at = position("SCANRET", "8D CORNo")
    assert ranked(["8C SCORNo", "H8 oRA"], ["keep_blank", "alphabetical"], at=at)[0][1] == "alphabetical"


def test_more_hooks_go_first() -> None:
    """French practice: an open game. CORNA takes CORNAR, CORNAS and SCORNA; CARNO takes nothing."""
    listed = "CORNA CARNO CORNAR CORNAS SCORNA SCORNAS CARNOSO"
    assert ranked(["8D CARNO", "8D CORNA"], ["hooks"], listed=listed) == [
        ("CORNA", "hooks", 3, 0),
        ("CARNO", "", 0, 0),
    ]


def test_a_hook_needs_a_free_square_on_the_board() -> None:
    """At the left edge nothing goes in front; before a tile one square off, the longer word would be another."""
    listed = "CORNA CORNAS SCORNA"
    assert ranked(["8H CORNA", "1A CORNA"], ["hooks"], listed=listed)[0] == ("CORNA", "hooks", 2, 1)
    blocked = position("CORNAES", "9J OS")
    assert ranked(["9D CORNA", "1D CORNA"], ["hooks"], at=blocked, listed=listed)[0] == ("CORNA", "hooks", 2, 1)


def test_hooks_of_cross_words_count_too() -> None:
    """Both make CORNO, which takes an S; OSA takes an R besides."""
    at = position("OESAREI", "8D CORN")
    assert ranked(["8D CORNO", "H8 OSA"], ["hooks"], at=at, listed="CORNO CORNOS OSA ROSA") == [
        ("OSA", "hooks", 2, 1),
        ("CORNO", "", 0, 0),
    ]


def test_more_open_premiums_go_first() -> None:
    """Free premium squares beside a newly laid tile: D8, G7, I7, G9, I9 against I7 and I9."""
    at = position("CORNAES", turn=1)
    assert ranked(["8E CORNA", "8H CORNA"], ["premium_open"], at=at) == [
        ("CORNA", "premium_open", 5, 2),
        ("CORNA", "", 0, 0),
    ]


def test_a_balanced_leave_goes_first() -> None:
    """Spanish federation, 2: vowels against consonants of what stays; a blank fills one gap."""
    assert ranked(["8H CRS", "8H CAR"], ["leave"], rack="CARSEIT") == [("CAR", "leave", 0, 2), ("CRS", "", 0, 0)]
    assert ranked(["8H CRS", "8H CAR"], ["leave"], rack="CARSE?")[0] == ("CAR", "leave", 0, 1)


def test_a_letter_that_counts_as_either_fills_a_gap_of_the_leave() -> None:
    toml = """
name = "Y"
language = "xx"
across = "8H"
source = "test"
verified = false
[tiles]
"?" = { count = 2, value = 0, class = "blank" }
A = { count = 9, value = 1, class = "vowel" }
B = { count = 9, value = 1, class = "consonant" }
Y = { count = 9, value = 1, class = "either" }
"""
    edition = read_edition("xx", toml)
    place, board = parse_reference("8H", edition.across), Board.empty(edition)
    moves = [Move(place, edition.parse_word(word), 9) for word in ("AYY", "BBY")]
    tops = order_tops(
        moves, board, Tiles.parse(edition, "AABBYYY"), frozenset(), BOX.with_switches(tie_order=["leave"])
    )
    assert [(edition.word_text(top.move.word), top.why) for top in tops] == [("AYY", "alphabetical"), ("BBY", "")]


def test_fewer_tiles_go_first() -> None:
    """Spanish federation, 3: letters that lie already are not laid."""
    at = position("SCORNTA", "8D CORNO")
    assert ranked(["8C SCORNO", "H8 ORA"], ["fewest_tiles"], at=at)[0] == ("SCORNO", "fewest_tiles", 1, 2)


def test_the_alphabet_decides() -> None:
    """Spanish federation, 4. A blank stands where its letter stands."""
    tops = ranked(["8H ORa", "8H CORNA", "8H ARe"], ["alphabetical"], rack="CORNA??")
    assert [top[:2] for top in tops] == [("ARe", "alphabetical"), ("CORNA", "alphabetical"), ("ORa", "")]


def test_letters_with_signs_stand_with_their_plain_letters() -> None:
    catalan = load_edition("ca")
    place = parse_reference("H8", catalan.across)
    moves = [Move(place, catalan.parse_word(word), 9) for word in ("CEBA", "ÇA", "DA", "CA")]
    rack = Tiles.parse(catalan, "CÇADEBA")
    tops = order_tops(moves, Board.empty(catalan), rack, frozenset(), BOX.with_switches(tie_order=["alphabetical"]))
    assert [catalan.word_text(top.move.word) for top in tops] == ["CA", "ÇA", "CEBA", "DA"]


def test_nearer_to_the_upper_left_corner_goes_first() -> None:
    """Spanish federation, 5: fewest rows and columns from A1, then the upper row."""
    at = position("RASOOOO", "8D CORNO")
    tops = ranked(["H8 ORA", "E8 ORA", "F7 ORA"], ["nearest_a1"], at=at)
    assert [top[1:] for top in tops] == [("nearest_a1", 11, 11), ("nearest_a1", 11, 14), ("", 0, 0)]


@pytest.mark.parametrize("order", [[], ["keep_blank"], ["keep_blank", "hooks", "nearest_a1"]])
def test_what_the_profile_leaves_equal_is_never_left_to_chance(order: list[str]) -> None:
    """Then the place decides, then the alphabet, then across before down."""
    moves = ["8H ROSA", "8H CASA", "H8 CASA", "8G CASA"]
    orders = [ranked(list(shuffled), order, rack="ROSACSA") for shuffled in (moves, moves[::-1], moves[2:] + moves[:2])]
    assert orders[0] == orders[1] == orders[2]
    assert [top[0] for top in orders[0]] == ["CASA", "CASA", "CASA", "ROSA"]
    assert [top[1] for top in orders[0]] == ["nearest_a1", "", "alphabetical", ""]


def test_the_default_order_is_blank_then_hooks_then_place() -> None:
    assert BOX.tie_order == ("keep_blank", "hooks", "nearest_a1")


def test_the_reason_is_a_sentence() -> None:
    top = RankedTop(move("8H CORNA"), "hooks", 7, 3)
    assert tie_sentence(top) == "It leaves more hooks than the next one (7 against 3)."
    assert tie_sentence(RankedTop(move("8H CORNA"), "")) == ""


def test_a_profile_is_all_that_the_order_depends_on() -> None:
    strict: Profile = BOX.with_switches(tie_order=["nearest_a1"])
    at = position("CORNO??", turn=1)
    tops = [move("8D CORNa"), move("8H CORNO")]
    near = order_tops(tops, at.board, at.rack, frozenset(), strict)
    assert near[0].move.word_text(IT) == "CORNa"
