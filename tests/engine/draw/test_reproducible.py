from __future__ import annotations

import hashlib
import hmac
import json
import math
from argparse import ArgumentParser
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.board import EMPTY, Board
from engine.board.coordinates import Direction, Reference
from engine.commands import draw as command
from engine.draw.reproducible import (
    MAX_DRAW_ATTEMPTS,
    DrawnRack,
    GameOver,
    RackBreaksRule,
    TypedRackError,
    check_typed_rack,
    commitment,
    draw_key,
    draw_next_rack,
    find_rejection_reason,
    required_minimum,
    take_random_tiles,
)
from engine.rules.profile import Profile, load_profile, profile_codes
from engine.tiles.edition import BLANK_BIT, Edition, load_edition
from engine.tiles.tiles import BLANK_KIND, Tiles
from engine.variants.variant import load_variant
from tests.examples import examples

IT = load_edition("it")
BOX = load_profile("it-box")
SEED = bytes(range(32))


def tiles(text: str, edition: Edition = IT) -> Tiles:
    return Tiles.parse(edition, text)


def full(edition: Edition = IT) -> Tiles:
    return Tiles.full_bag(edition)


def seed_number(number: int) -> bytes:
    return hashlib.sha256(f"seed {number}".encode()).digest()


def drawn(outcome: DrawnRack | GameOver) -> DrawnRack:
    assert isinstance(outcome, DrawnRack)
    return outcome


# ---------------------------------------------------------------------------------------------------------------
# The definition, written once more from docs/formats.md alone; it shares nothing with the engine but plain text.

ITALIAN = "??" + "".join(
    face * number
    for face, number in zip(
        "ABCDEFGHILMNOPQRSTUVZ",
        (14, 3, 6, 3, 11, 3, 2, 2, 12, 5, 5, 5, 15, 3, 1, 6, 6, 6, 5, 3, 2),
        strict=True,
    )
)


def by_hand(key: bytes, turn: int, kept: str, bag: str, *, joker: bool = False) -> tuple[list[str], str]:
    """(rejected racks, rack) of the Italian box: 2+2 through turn 15, then 1+1. `joker`: by the joker variant."""
    order, need = ITALIAN.index, 2 if turn <= 15 else 1
    rejected: list[str] = []
    for attempt in range(10_000):
        numbers = (
            int.from_bytes(hmac.new(key, b"draw" + b"".join(n.to_bytes(4, "big") for n in (turn, attempt, block)),
                                    hashlib.sha256).digest()[i:i + 4], "big")
            for block in range(10_000) for i in range(0, 32, 4)
        )  # fmt: skip
        left, rack = sorted(bag, key=order), list(kept)
        if joker:
            left = [tile for tile in left if tile != "?"]
            rack += ["?"] * ("?" in bag and "?" not in kept)
        while left and len(rack) < 7:
            rack.append(left.pop(next(r for r in numbers if r < len(left) * (2**32 // len(left))) % len(left)))
        vowels = sum(tile in "AEIOU" for tile in rack)
        gaps = max(0, need - vowels) + max(0, need - (len(rack) - vowels - rack.count("?")))
        if gaps <= rack.count("?"):
            return rejected, "".join(sorted(rack, key=order))
        rejected.append("".join(sorted(rack, key=order)))
        kept, bag = "", kept + bag
    raise AssertionError("no lawful rack in 10,000 attempts")


@pytest.mark.parametrize("turn", [1, 15, 16, 300])
def test_the_draw_is_what_ten_independent_lines_say(turn: int) -> None:
    for number in range(150):
        key = seed_number(number)
        rejected, rack = by_hand(key, turn, "", ITALIAN)
        outcome = drawn(draw_next_rack(key, turn, Tiles.none(IT), full(), BOX))
        assert outcome.rack.text == rack
        assert [one.text for one in outcome.rejected] == rejected
        assert outcome.attempts == len(rejected) + 1


@pytest.mark.parametrize("kept", ["A", "QZ", "AEIOU", "BCDFG", "?", "??", "AEIOUAE"])
def test_what_is_kept_is_filled_up_and_goes_back_too_when_the_rack_is_rejected(kept: str) -> None:
    bag = full() - tiles(kept)
    for number in range(100):
        key = seed_number(number)
        outcome = drawn(draw_next_rack(key, 3, tiles(kept), bag, BOX))
        assert ([one.text for one in outcome.rejected], outcome.rack.text) == by_hand(key, 3, kept, bag.text)


@pytest.mark.parametrize("kept", ["", "A", "QZ", "BCDFG", "?AE", "?BCDFG"])
def test_the_draw_of_a_joker_game_is_what_the_same_lines_say(kept: str) -> None:
    bag = full() - tiles(kept)
    for number in range(100):
        key = seed_number(number)
        outcome = drawn(draw_next_rack(key, 3, tiles(kept), bag, BOX, variant=load_variant("joker")))
        by_lines = by_hand(key, 3, kept, bag.text, joker=True)
        assert ([one.text for one in outcome.rejected], outcome.rack.text) == by_lines


def test_a_small_bag_gives_all_that_is_left() -> None:
    for number in range(50):
        key = seed_number(number)
        outcome = drawn(draw_next_rack(key, 30, tiles("AB"), tiles("OCE"), BOX))
        assert ([one.text for one in outcome.rejected], outcome.rack.text) == by_hand(key, 30, "AB", "OCE")
        assert outcome.rack.text == "ABCEO"


def test_the_first_number_points_into_the_bag_in_the_order_of_the_edition() -> None:
    first = int.from_bytes(hmac.new(bytes(32), b"draw" + bytes((0, 0, 0, 1)) + bytes(8), "sha256").digest()[:4], "big")
    assert take_random_tiles(bytes(32), 1, 0, full(), 1).text == ITALIAN[first % 120]


@pytest.mark.endurance
@pytest.mark.parametrize(("turn", "chance"), [(1, 0.105279), (16, 0.011778)])
def test_the_share_of_rejected_first_racks_is_the_exact_chance(turn: int, chance: float) -> None:
    seeds = 20_000
    none, bag = Tiles.none(IT), full()
    rejected = sum(drawn(draw_next_rack(seed_number(n), turn, none, bag, BOX)).attempts > 1 for n in range(seeds))
    assert abs(rejected / seeds - chance) < 4 * math.sqrt(chance * (1 - chance) / seeds)


def exact_chance(edition: Edition, need: int) -> float:
    """Share of racks of seven that fail, counted by classes; blanks count as either."""
    classes = [kind.tile_class.value for kind in edition.kinds for _ in range(kind.count)]
    v, c, b = classes.count("vowel"), classes.count("consonant"), classes.count("blank")
    good = sum(
        math.comb(v, i) * math.comb(b, j) * math.comb(c, 7 - i - j)
        for i in range(8)
        for j in range(min(b, 7 - i) + 1)
        if max(0, need - i) + max(0, need - (7 - i - j)) <= j
    )
    return 1 - good / math.comb(v + c + b, 7)


def test_the_printed_chances_are_those_of_the_tile_set() -> None:
    assert round(exact_chance(IT, 2), 6) == 0.105279
    assert round(exact_chance(IT, 1), 6) == 0.011778


CHANCES = [
    ("it", 57, 61, 2, 0.105279, 0.011778),
    ("ca", 42, 56, 2, 0.124426, 0.016173),
    ("ro", 41, 57, 2, 0.131972, 0.017921),
    ("ro-2", 40, 58, 2, 0.140533, 0.019948),
    ("fr", 44, 55, 3, 0.109016, 0.013064),
    ("es", 44, 54, 2, 0.112371, 0.013457),
    ("en", 42, 56, 2, 0.124426, 0.016173),
    ("de", 38, 62, 2, 0.170038, 0.027315),
    ("de-2024", 38, 62, 5, 0.146427, 0.022162),
    ("nl", 37, 63, 2, 0.182193, 0.030518),
    ("pt", 52, 65, 3, 0.113592, 0.013952),
]


@pytest.mark.parametrize(("code", "v", "c", "e", "early", "late"), CHANCES)
def test_a_fresh_rack_of_each_edition_is_rejected_with_its_exact_chance(
    code: str, v: int, c: int, e: int, early: float, late: float
) -> None:
    """Seven of v vowels, c consonants and e that count as either, without putting back: the racks that the rule of the
    turn rejects weigh as much as the hypergeometric distribution says."""
    everything = full(load_edition(code))
    tiles_of = {
        kind: [Tiles.of_kinds(everything.edition, [n]) for n in everything.kinds() if is_of(everything, n, kind)]
        for kind in ("vowel", "consonant", "either")
    }
    assert [len(found) for found in tiles_of.values()] == [v, c, e]
    for turn, chance in ((1, early), (16, late)):
        rejected = 0
        for vowels in range(8):
            for either in range(min(e, 7 - vowels) + 1):
                consonants = 7 - vowels - either
                numbers = {"vowel": vowels, "consonant": consonants, "either": either}
                rack = (tile for kind, number in numbers.items() for tile in tiles_of[kind][:number])
                if find_rejection_reason(sum(rack, Tiles.none(everything.edition)), turn, BOX) is not None:
                    rejected += math.comb(v, vowels) * math.comb(c, consonants) * math.comb(e, either)
        assert rejected / math.comb(v + c + e, 7) == pytest.approx(chance, abs=1e-6)


def is_of(everything: Tiles, kind: int, wanted: str) -> bool:
    """Return the class of a kind: vowel, consonant, or one that counts as either (the blank too)."""
    tile_class = everything.edition.kinds[kind].tile_class.value
    return ("either" if tile_class == "blank" else tile_class) == wanted


def test_every_tile_comes_equally_often() -> None:
    """A taken tile is A in 14 cases of 120: no tile is favoured by its place in the list."""
    draws = 6_000
    counts = [0] * len(IT.kinds)
    for number in range(draws):
        for kind, times in enumerate(take_random_tiles(seed_number(number), 1, 0, full(), 7).counts):
            counts[kind] += times
    for tile, times in zip(IT.kinds, counts, strict=True):
        share = tile.count / 120
        sigma = math.sqrt(7 * draws * share * (1 - share))
        assert abs(times - 7 * draws * share) < 4.5 * sigma, tile.face


# ---------------------------------------------------------------------------------------------------------------


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_hall_word_changes_the_key_and_no_hall_word_leaves_the_seed() -> None:
    assert draw_key(SEED, None) == draw_key(SEED, "") == SEED
    assert draw_key(SEED, "città") == hashlib.sha256(SEED + b"citt\xc3\xa0").digest()


RULE = [
    ("AEIOUAE", "consonants"),
    ("BCDFGLM", "vowels"),
    ("ABCDFGL", "vowels"),
    ("AEBCDFG", None),
    ("AEIOUAB", "consonants"),
    ("A?BCDFG", None),
    ("??BCDFG", None),
    ("AEIOUB?", None),
    ("AEIOU??", None),
    ("AB?", "both"),
    ("A?", "both"),
    ("", "both"),
]


@pytest.mark.parametrize(("rack", "lacks"), RULE)
def test_an_early_rack_needs_two_vowels_and_two_consonants_and_a_blank_fills_one_gap(
    rack: str, lacks: str | None
) -> None:
    assert find_rejection_reason(tiles(rack), 15, BOX) == lacks


@pytest.mark.parametrize(
    ("rack", "lacks"), [("AEIOUAE", "consonants"), ("AEIOUAB", None), ("?", "both"), ("??", None), ("?A", None)]
)
def test_a_late_rack_needs_one_of_each(rack: str, lacks: str | None) -> None:
    assert find_rejection_reason(tiles(rack), 16, BOX) == lacks


def test_blanks_that_are_not_counted_fill_no_gap() -> None:
    fise = BOX.with_switches(blanks_late="not_counted")
    assert find_rejection_reason(tiles("A?BCDFG"), 15, fise) is None
    assert find_rejection_reason(tiles("AEIOUA?"), 16, fise) == "consonants"
    assert find_rejection_reason(tiles("AEIOUB?"), 16, fise) is None


def test_a_letter_that_counts_as_either_fills_one_gap_of_the_two() -> None:
    either = BOX.with_switches(either_letters=["U"])
    assert find_rejection_reason(tiles("AUBCDFG"), 1, either) is None
    assert find_rejection_reason(tiles("AEIOAEU"), 1, either) == "consonants"
    assert find_rejection_reason(tiles("AEIOABU"), 1, either) is None
    assert find_rejection_reason(tiles("UBCDFGL"), 1, either) == "vowels"


def test_an_early_minimum_that_cannot_be_met_is_relaxed_to_the_late_one() -> None:
    outcome = drawn(draw_next_rack(SEED, 4, tiles("BC"), tiles("DFGLMA"), BOX))
    assert outcome.rack.counts[1] == 1, "the only vowel must be on the rack"
    assert find_rejection_reason(outcome.rack, 4, BOX) == "vowels"
    assert find_rejection_reason(outcome.rack, 4, BOX, tiles("BCDFGLMA")) is None


def test_the_late_minimum_comes_before_the_end_of_the_game_in_every_profile() -> None:
    """FISF, turn 14, one vowel and nine consonants left: the minimum of turn 16 can be met, so the game goes on."""
    for code in profile_codes():
        rules = load_profile(code)
        assert isinstance(draw_next_rack(SEED, 14, tiles("BC"), tiles("DFGLMNPA"), rules), DrawnRack)


def test_where_the_late_minimum_cannot_be_met_either_the_profile_decides() -> None:
    two = BOX.with_switches(min_early=3, min_late=2)
    for turn in (4, 20):
        assert drawn(draw_next_rack(SEED, turn, tiles("BC"), tiles("DFGLMA"), two)).rack.counts[1] == 1
        strict = two.with_switches(early_minimum_fails="end")
        assert draw_next_rack(SEED, turn, tiles("BC"), tiles("DFGLMA"), strict) == GameOver("minimum")


@pytest.mark.parametrize("left", ["BCDFG", "AEIOU", "B", "?", "AAAAAAAAAAAA"])
def test_the_game_is_over_when_vowels_or_consonants_are_missing(left: str) -> None:
    assert draw_next_rack(SEED, 20, Tiles.none(IT), tiles(left), BOX) == GameOver("minimum")
    assert draw_next_rack(SEED, 20, tiles(left[:7]), tiles(left[7:]), BOX) == GameOver("minimum")


def test_a_blank_stands_in_for_the_missing_kind_to_the_end() -> None:
    assert drawn(draw_next_rack(SEED, 20, tiles("?"), tiles("B"), BOX)).rack.text == "?B"
    assert drawn(draw_next_rack(SEED, 20, tiles("??"), Tiles.none(IT), BOX)).rack.text == "??"


def test_the_game_is_over_when_all_tiles_are_used() -> None:
    assert draw_next_rack(SEED, 20, Tiles.none(IT), Tiles.none(IT), BOX) == GameOver("tiles_out")


def test_where_real_letters_are_demanded_a_blank_does_not_save_the_game() -> None:
    fise = BOX.with_switches(blanks_late="not_counted", end_rule="fise")
    assert draw_next_rack(SEED, 20, tiles("?B"), tiles("C"), fise) == GameOver("minimum")
    assert draw_next_rack(SEED, 3, tiles("??B"), tiles("CDF"), fise) == GameOver("minimum"), "all vowels are used"


def test_the_french_rule_goes_on_as_long_as_a_joker_is_left() -> None:
    fisf = BOX.with_switches(blanks_late="not_counted", end_rule="fisf")
    assert drawn(draw_next_rack(SEED, 20, tiles("?B"), tiles("C"), fisf)).rack.text == "?BC"
    assert draw_next_rack(SEED, 20, tiles("?"), Tiles.none(IT), fisf) == GameOver("minimum"), "one tile is not two"


def test_the_dutch_rule_ends_with_less_than_a_rack_or_without_a_vowel() -> None:
    ntsv = BOX.with_switches(end_rule="ntsv", min_early=0, min_late=0, put_back="always")
    assert draw_next_rack(SEED, 20, tiles("ABC"), tiles("DEF"), ntsv) == GameOver("tiles_out")
    assert draw_next_rack(SEED, 20, tiles("BCD"), tiles("BCDFG"), ntsv) == GameOver("minimum")
    assert drawn(draw_next_rack(SEED, 20, tiles("BCD"), tiles("BCDFA"), ntsv)).attempts == 1


def test_where_the_leftover_always_goes_back_the_rack_is_whole_and_new() -> None:
    always_back = BOX.with_switches(put_back="always")
    kept = tiles("QZZ")
    for number in range(20):
        fresh = draw_next_rack(seed_number(number), 2, Tiles.none(IT), full(), always_back)
        assert draw_next_rack(seed_number(number), 2, kept, full() - kept, always_back) == fresh


def test_a_minimum_that_no_rack_can_hold_ends_the_game_instead_of_drawing_for_ever() -> None:
    four = BOX.with_switches(min_late=4, early_minimum_fails="end")
    assert draw_next_rack(SEED, 20, Tiles.none(IT), full(), four) == GameOver("minimum")


def test_a_lawful_rack_without_a_move_goes_back_like_a_rejected_one() -> None:
    plain = drawn(draw_next_rack(SEED, 1, Tiles.none(IT), full(), BOX))
    outcome = drawn(draw_next_rack(SEED, 1, Tiles.none(IT), full(), BOX, lambda rack: rack != plain.rack))
    assert outcome.rejected[: plain.attempts] == (*plain.rejected, plain.rack)
    assert outcome.rack != plain.rack


def test_the_game_is_over_when_a_rack_without_a_move_is_all_there_is() -> None:
    assert draw_next_rack(SEED, 20, tiles("AB"), tiles("CDE"), BOX, lambda rack: False) == GameOver("no_move")
    assert draw_next_rack(SEED, 20, tiles("AB"), Tiles.none(IT), BOX, lambda rack: False) == GameOver("no_move")


def test_or_at_the_first_rack_without_a_move_where_the_profile_says_so() -> None:
    strict = BOX.with_switches(no_legal_move="end")
    assert draw_next_rack(SEED, 1, Tiles.none(IT), full(), strict, lambda rack: False) == GameOver("no_move")


def test_a_blocked_board_ends_the_game_after_a_thousand_racks() -> None:
    asked: list[Tiles] = []

    def never(rack: Tiles) -> bool:
        asked.append(rack)
        return False

    assert draw_next_rack(SEED, 1, Tiles.none(IT), full(), BOX, never) == GameOver("no_move")
    assert len(asked) == MAX_DRAW_ATTEMPTS


def test_digraph_tiles_are_drawn_whole() -> None:
    ca = load_edition("ca")
    for number in range(200):
        outcome = drawn(draw_next_rack(seed_number(number), 1, Tiles.none(ca), full(ca), BOX))
        assert outcome.rack.total == 7
        assert Tiles.parse(ca, outcome.rack.text) == outcome.rack


# ---------------------------------------------------------------------------------------------------------------
# Typed racks.

BAG = full() - tiles("AEBC")


@pytest.mark.parametrize("text", ["AEBCDFG", "gfd cbea", "A,E,B,C,D,F,G", "DFG", " d f g "])
def test_the_whole_rack_and_only_the_new_letters_are_both_understood(text: str) -> None:
    assert check_typed_rack(text, tiles("AEBC"), BAG, 1, BOX).text == "ABCDEFG"


def test_a_first_rack_is_typed_whole() -> None:
    assert check_typed_rack("acei?rst"[:7], Tiles.none(IT), full(), 1, BOX).text == "?ACEIRS"


def test_the_last_tiles_need_no_seven() -> None:
    assert check_typed_rack("DE", tiles("AB"), tiles("DE"), 30, BOX).text == "ABDE"
    assert check_typed_rack("", tiles("AB"), Tiles.none(IT), 30, BOX).text == "AB"


def test_after_a_rejected_rack_all_tiles_may_come() -> None:
    assert check_typed_rack("ABCDEFG", Tiles.none(IT), full(), 1, BOX).text == "ABCDEFG"


IMPOSSIBLE = [
    ("AEBCDF", "Type the whole rack of 7 tiles, or only the new ones (3); 6 were typed."),
    ("", "Type the whole rack of 7 tiles, or only the new ones (3); 0 were typed."),
    ("A" * 10_000, "Type the whole rack of 7 tiles, or only the new ones (3); 10000 were typed."),
    ("AEDFGHI", "These tiles were left on the rack but are not in what was typed: BC."),
    ("QQD", "These tiles are not in the bag any more: Q. Check the letters and type them again."),
    ("???", "These tiles are not in the bag any more: ?. Check the letters and type them again."),
    ("JDF", "There is no tile J in this edition; type letters of the tiles, and ? for a blank."),
    ("D😀F", "There is no tile 😀 in this edition; type letters of the tiles, and ? for a blank."),
]


@pytest.mark.parametrize(("text", "sentence"), IMPOSSIBLE)
def test_what_cannot_have_been_drawn_is_refused_with_the_remedy(text: str, sentence: str) -> None:
    with pytest.raises(TypedRackError) as refused:
        check_typed_rack(text, tiles("AEBC"), BAG, 1, BOX)
    assert str(refused.value) == sentence


def test_the_sentence_can_be_said_in_another_language() -> None:
    with pytest.raises(TypedRackError) as refused:
        check_typed_rack("QQD", tiles("AEBC"), BAG, 1, BOX)
    italian = {refused.value.template: "Non sono nel sacchetto: %(tiles)s."}
    assert refused.value.sentence(italian.__getitem__) == "Non sono nel sacchetto: Q."


def test_without_kept_tiles_the_sentence_speaks_of_the_rack_only() -> None:
    with pytest.raises(TypedRackError, match="The rack has 7 tiles, but 3 were typed"):
        check_typed_rack("ABC", Tiles.none(IT), full(), 1, BOX)


def test_a_rack_that_breaks_the_rule_goes_back_whole_and_is_told_apart_from_a_mistake() -> None:
    with pytest.raises(RackBreaksRule, match="The rack AAEEIOU has too few consonants: all its tiles go") as broken:
        check_typed_rack("UOIEEAA", Tiles.none(IT), full(), 1, BOX)
    assert broken.value.rack.text == "AAEEIOU"
    assert broken.value.lacks == "consonants"


def test_a_typed_rack_may_have_less_when_no_more_is_left() -> None:
    left = tiles("BCDFGLMA")
    assert check_typed_rack("ABCDFGL", Tiles.none(IT), left, 3, BOX).text == "ABCDFGL"
    with pytest.raises(RackBreaksRule):
        check_typed_rack("BCDFGLM", Tiles.none(IT), left, 3, BOX)


def test_where_the_leftover_goes_back_a_typed_rack_is_always_whole() -> None:
    always_back = BOX.with_switches(put_back="always")
    assert check_typed_rack("ABCDEFG", tiles("QZ"), full() - tiles("QZ"), 2, always_back).text == "ABCDEFG"


def test_digraph_tiles_are_typed_with_brackets_or_without() -> None:
    ca = load_edition("ca")
    rack = check_typed_rack("ANYL·LESRT", Tiles.none(ca), full(ca), 1, BOX)
    assert rack.total == 7
    assert check_typed_rack("a[ny][l·l]esrt", Tiles.none(ca), full(ca), 1, BOX) == rack


# ---------------------------------------------------------------------------------------------------------------
# Whole random games: no tile is ever lost, doubled or changed.


def lay_some(rng: Random, board: Board, rack: Tiles) -> Board:
    """The board after some random tiles of the rack are laid on empty squares; blanks stand for random letters."""
    edition = rack.edition
    kinds = rng.sample(rack.kinds(), rng.randint(0, rack.total))
    free = [place for place, code in enumerate(board.squares) if code == EMPTY]
    for kind, place in zip(kinds, rng.sample(free, len(kinds)), strict=True):
        code = rng.randrange(len(edition.letters)) | BLANK_BIT if kind == BLANK_KIND else kind - 1
        board = board.with_word(Reference(*divmod(place, 15), Direction.ACROSS), (code,))
    return board


def typed(rng: Random, kept: Tiles, bag: Tiles, turn: int, profile: Profile) -> DrawnRack | GameOver:
    """The next rack called out of a physical bag: whole or only the new letters, rejected ones going back."""
    rejected: list[Tiles] = []
    if required_minimum(kept + bag, turn, profile) is None:
        return GameOver("minimum")
    while True:
        new = Tiles.of_kinds(bag.edition, rng.sample(bag.kinds(), min(7 - kept.total, bag.total)))
        called = (kept + new if rng.random() < 0.5 else new).text
        try:
            rack = check_typed_rack(called, kept, bag, turn, profile)
        except RackBreaksRule as broken:
            rejected.append(broken.rack)
            kept, bag = Tiles.none(bag.edition), kept + bag
            continue
        return DrawnRack(rack, tuple(rejected), len(rejected) + 1)


@pytest.mark.endurance
@examples(60)
@given(
    st.randoms(use_true_random=False),
    st.sampled_from(["it", "ca", "es", "fr", "de-2024"]),
    st.sampled_from(["rejected", "always"]),
    st.sampled_from(["relax", "end"]),
)
def test_over_a_whole_random_game_no_tile_is_lost_doubled_or_changed(
    rng: Random, code: str, put_back: str, early: str
) -> None:
    edition = load_edition(code)
    profile = BOX.with_switches(put_back=put_back, early_minimum_fails=early)
    everything = full(edition)
    board, kept = Board.empty(edition), Tiles.none(edition)
    history: list[tuple[Board, Tiles]] = []
    for turn in range(1, 40):
        bag = everything - board.tiles - kept
        outcome = (
            typed(rng, kept, bag, turn, profile)
            if rng.random() < 0.3
            else draw_next_rack(rng.randbytes(32), turn, kept, bag, profile, lambda rack: rng.random() < 0.9)
        )
        if isinstance(outcome, GameOver):
            assert kept + bag + board.tiles == everything
            return
        for rejected in outcome.rejected:
            assert (kept + bag).holds(rejected)
        rack, pool = outcome.rack, kept + bag
        assert rack.total == min(7, pool.total)
        assert pool.holds(rack)
        if not outcome.rejected and put_back == "rejected":
            assert rack.holds(kept)
        history.append((board, kept))
        after = lay_some(rng, board, rack)
        left = rack - (after.tiles - board.tiles)
        kept = left if put_back == "rejected" else Tiles.none(edition)
        board = after
        if rng.random() < 0.2:
            board, kept = history.pop()
        assert (everything - board.tiles).holds(kept)
        assert board.tiles.blanks + (everything - board.tiles).blanks == everything.blanks


# ---------------------------------------------------------------------------------------------------------------
# The command.


def run(*arguments: str) -> int:
    parser = ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(arguments))


def test_the_command_prints_what_ten_independent_lines_say(capsys: pytest.CaptureFixture[str]) -> None:
    key = seed_number(3)
    assert run("--edition", "it", "--seed", key.hex(), "--turn", "2", "--kept", "AEIOU", "--profile", "it-box") == 0
    rejected, rack = by_hand(key, 2, "AEIOU", (full() - tiles("AEIOU")).text)
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"rejected": rejected, "rack": rack, "attempts": len(rejected) + 1}


def test_the_command_takes_a_bag_and_a_hall_word(capsys: pytest.CaptureFixture[str]) -> None:
    run("--edition", "it", "--seed", SEED.hex(), "--turn", "20", "--kept", "A", "--bag", "BC", "--hall-word", "mare")
    assert json.loads(capsys.readouterr().out) == {"rejected": [], "rack": "ABC", "attempts": 1}


@pytest.mark.parametrize(("bag", "why"), [("BCD", "minimum"), ("", "tiles_out")])
def test_the_command_says_why_nothing_can_be_drawn(bag: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--edition", "it", "--seed", SEED.hex(), "--turn", "20", "--bag", bag) == 0
    assert json.loads(capsys.readouterr().out) == {"end": why}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--seed", "xyz", "--turn", "1"], "--seed must be hexadecimal digits only (0-9, a-f)."),
        (["--seed", "00", "--turn", "1"], "--seed must be 64 hexadecimal digits long, not 2."),
        (["--seed", "00" * 32, "--turn", "0"], "--turn counts from 1; there is no turn 0."),
        (["--seed", "00" * 32, "--turn", "1", "--kept", "QQ"], "--kept has tiles that the edition does not have: Q."),
        (["--seed", "00" * 32, "--turn", "1", "--kept", "AAAAAAAA"], "--kept has 8 tiles, but a rack holds 7."),
        (["--seed", "00" * 32, "--turn", "1", "--bag", "JA"], "'J' is not a letter of the edition it"),
    ],
)
def test_the_command_refuses_what_cannot_be_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--edition", "it", *arguments) == 2
    assert capsys.readouterr().err.strip() == sentence
