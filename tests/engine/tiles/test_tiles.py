"""Handfuls of tiles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tiles.edition import Edition, TileClass, UnknownLetter, load_edition
from engine.tiles.tiles import MissingTilesError, Tiles, tiles_of

IT, CA, ES = load_edition("it"), load_edition("ca"), load_edition("es")
handfuls = st.lists(st.integers(0, len(IT.kinds) - 1), max_size=12).map(lambda kinds: Tiles.of_kinds(IT, kinds))


@pytest.mark.parametrize(
    ("code", "written", "text"),
    [
        ("it", "", ""),
        ("it", "ONROC", "CNOOR"),
        ("it", "corno?", "?CNOOR"),
        ("it", "a ? b ?", "??AB"),
        ("ca", "ABL·L?NYQU", "?AB[L·L][NY][QU]"),
        ("ca", "[QU]LL", "LL[QU]"),
        ("es", "HCLLRR", "CHLLRR"),
        ("es", "H[CH]C[LL]L", "C[CH]HL[LL]"),
        ("es", "[ch]?ñ", "?[CH]Ñ"),
    ],
)
def test_tiles_are_listed_in_the_order_of_the_edition(code: str, written: str, text: str) -> None:
    assert Tiles.parse(load_edition(code), written).text == text


@pytest.mark.parametrize(("text", "sign"), [("J", "J"), ("A😀", "😀"), ("A1", "1"), ("A-B", "-")])
def test_a_sign_that_is_no_tile_is_named(text: str, sign: str) -> None:
    """J exists by blank only: there is no such tile."""
    with pytest.raises(UnknownLetter) as refused:
        Tiles.parse(IT, text)
    assert str(refused.value) == f"{sign!r} is not a letter of the edition it"


def test_the_full_bag_holds_every_tile() -> None:
    bag = Tiles.full_bag(IT)
    assert (bag.total, bag.blanks) == (120, 2)
    assert (bag.count_of(TileClass.VOWEL), bag.count_of(TileClass.CONSONANT)) == (57, 61)
    assert bag.kinds()[:3] == [0, 0, 1]


def test_what_is_missing_is_named() -> None:
    with pytest.raises(MissingTilesError) as refused:
        Tiles.parse(IT, "ABC") - Tiles.parse(IT, "AAC?")
    assert refused.value.missing == "?A"
    assert str(refused.value) == "these tiles are not there: ?A"


def test_a_blank_on_the_board_is_a_blank_tile() -> None:
    assert tiles_of(IT, IT.parse_word("CoRNO")).text == "?CNOR"
    assert tiles_of(IT, IT.parse_word("j")).text == "?"
    with pytest.raises(UnknownLetter, match=r"^'J' is not a letter of the edition it$"):
        tiles_of(IT, IT.parse_word("J"))


@given(handfuls)
def test_what_is_written_is_read_back(tiles: Tiles) -> None:
    assert Tiles.parse(IT, tiles.text) == tiles
    assert Tiles.of_kinds(IT, tiles.kinds()) == tiles


@given(st.lists(st.integers(0, len(ES.kinds) - 1), max_size=12))
def test_tiles_of_several_letters_are_read_back_beside_their_letters(kinds: list[int]) -> None:
    """C and H, or two L, on a rack are not the tile CH or LL."""
    tiles = Tiles.of_kinds(ES, kinds)
    assert Tiles.parse(ES, tiles.text) == tiles


@given(st.sampled_from([IT, CA, ES]), st.text() | st.text(alphabet="CHL·[]()?ßñ \0", max_size=12))
def test_no_text_breaks_the_reader(edition: Edition, text: str) -> None:
    try:
        tiles = Tiles.parse(edition, text)
    except UnknownLetter:
        return
    assert Tiles.parse(edition, tiles.text) == tiles


@given(handfuls, handfuls)
def test_taking_out_undoes_putting_in(one: Tiles, other: Tiles) -> None:
    both = one + other
    assert both - other == one
    assert both.holds(one)
    assert both.total == one.total + other.total


@given(handfuls, handfuls)
def test_nothing_is_taken_that_is_not_there(one: Tiles, other: Tiles) -> None:
    if one.holds(other):
        assert (one - other) + other == one
    else:
        with pytest.raises(MissingTilesError):
            one - other


def test_nothing_is_falsy() -> None:
    assert not Tiles.none(CA)
    assert Tiles.parse(CA, "NY")
