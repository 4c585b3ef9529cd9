"""Slips as they were written."""

from __future__ import annotations

from engine.board.coordinates import Direction, Notation, Reference
from engine.slips.slip import Slip


def test_slips_that_say_the_same_have_one_key() -> None:
    assert Slip(" CORNO", "8d ", 22).key == Slip("CORNO", "8 D", 22).key
    assert Slip("CORNO", "8D", 22).key != Slip("CORNo", "8D", 22).key
    assert Slip("CORNO", "8D", 22).key != Slip("CORNO", "8D", None).key
    assert Slip("CORNO", "8D", 22).key != Slip("CORNO", "8D", 22, received="late").key
    assert Slip("CORNO", "8D", 22).key != Slip("CORNO", "8D", 22, Direction.DOWN).key
    assert Slip("CORNO", "", 22, hook="ors").key == Slip("CORNO", "", 22, hook="ORS ").key


def test_a_slip_is_blank_when_nothing_is_written() -> None:
    assert Slip(" ", "", None).is_blank
    assert Slip("", "", None, Direction.DOWN).is_blank
    assert not Slip("", "", 0).is_blank
    assert not Slip("", "8H", None).is_blank
    assert not Slip("", "", None, hook="ORA").is_blank


def test_the_direction_in_the_grid_wins_over_the_reference() -> None:
    """Order of judging, 4."""
    written = Slip("CORNO", "8D", 22, Direction.DOWN)
    assert written.reference(Notation.NUMBER_FIRST) == Reference(7, 3, Direction.DOWN)
    assert Slip("CORNO", "8D", 22).reference(Notation.NUMBER_FIRST) == Reference(7, 3, Direction.ACROSS)
    assert Slip("CORNO", "Z99", 22).reference(Notation.NUMBER_FIRST) is None
    assert Slip("CORNO", "", 22).reference(Notation.NUMBER_FIRST) is None
