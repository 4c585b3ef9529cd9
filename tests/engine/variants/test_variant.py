"""Variants: what each sets, and whole games in each of them."""

from __future__ import annotations

import json
import random
from argparse import ArgumentParser
from functools import partial
from io import BytesIO
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archive.replay import verify
from engine.archive.schema import Archive, read_archive
from engine.board.board import Board
from engine.board.coordinates import Direction, Reference
from engine.commands import draw as draw_command
from engine.commands import judge as judge_command
from engine.commands import solve as solve_command
from engine.draw.reproducible import (
    DrawnRack,
    GameOver,
    RackBreaksRule,
    TypedRackError,
    check_typed_rack,
    draw_next_rack,
    find_rejection_reason,
    find_shortage,
    required_minimum,
)
from engine.judging.placement import LegalMove, Position, place_word
from engine.judging.verdict import judge_slip
from engine.lexicon.graph import Lexicon
from engine.play.turn import apply_master_move
from engine.rules.profile import Profile
from engine.search.game_solver import GameSolver
from engine.slips.slip import Slip
from engine.tiles.edition import load_edition
from engine.tiles.tiles import Tiles
from engine.variants.time_control import apply_time_control, call_times
from engine.variants.variant import Variant, VariantError, load_variant, variant_codes
from tests.engine.archive.played_game import BOX, lexicon, play_game_archive
from tests.examples import examples, one_in

IT = load_edition("it")
every_variant = pytest.mark.parametrize("code", variant_codes())
JOKER_VARIANTS = [code for code in variant_codes() if load_variant(code).joker]
each_joker_variant = pytest.mark.parametrize("code", JOKER_VARIANTS)


def tiles(text: str) -> Tiles:
    return Tiles.parse(IT, text)


def laid(*moves: str) -> Board:
    """The board with these words, written "8H CASA"."""
    board = Board.empty(IT)
    for move in moves:
        ref, word = move.split()
        board = board.with_word(_reference(ref), IT.parse_word(word))
    return board


def _reference(ref: str) -> Reference:
    across = ref[0].isdigit()
    number, letter = (ref[:-1], ref[-1]) if across else (ref[1:], ref[0])
    return Reference(int(number) - 1, "ABCDEFGHIJKLMNO".index(letter), Direction.ACROSS if across else Direction.DOWN)


# ---------------------------------------------------------------------------------------------------------------
# What a variant sets.


def test_what_each_variant_sets_of_the_switches() -> None:
    found = {}
    for code in variant_codes():
        rules = load_variant(code).apply_to(BOX)
        found[code] = (rules.rack_size, load_variant(code).most_laid(rules), dict(rules.bonuses))
    assert found == {
        "normal": (7, 7, {7: 50}),
        "joker": (7, 7, {7: 50}),
        "7of8": (8, 7, {7: 50}),
        "7of8-joker": (8, 7, {7: 50}),
        "7and8": (8, 8, {7: 50, 8: 75}),
        "7and8-joker": (8, 8, {7: 50, 8: 75}),
        "7-8-9": (9, 9, {7: 50, 8: 75, 9: 100}),
        "7-8-9-joker": (9, 9, {7: 50, 8: 75, 9: 100}),
        "explosive": (7, 7, {7: 50}),
        "completive": (6, 7, {7: 50}),
        "six": (6, 6, {6: 50}),
    }


def test_the_normal_variant_leaves_a_larger_rack_of_the_house_alone_and_all_of_it_may_be_laid() -> None:
    house = BOX.with_switches(rack_size=8)
    assert load_variant("normal").apply_to(house) == house
    assert load_variant("normal").most_laid(house) == 8


def test_a_variant_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(VariantError, match="There is no variant 'chess'; there are normal, joker, 7of8"):
        load_variant("chess")


# ---------------------------------------------------------------------------------------------------------------
# The step to the next turn.

JOKER, NORMAL, COMPLETIVE = load_variant("joker"), load_variant("normal"), load_variant("completive")


def _after(board: Board, rack: str, move: str, variant: Variant, profile: Profile = BOX) -> tuple[list[str], str]:
    """(rows with tiles, kept) after a move "8H CASA"."""
    ref, word = move.split()
    found = place_word(IT.parse_word(word), _reference(ref), Position(board, tiles(rack), 1), profile, _Any())
    assert isinstance(found, LegalMove)
    after = apply_master_move(board, tiles(rack), found.move, profile, variant)
    return [row.strip(".") for row in after.board.rows if row.strip(".")], after.kept.text


class _Any:
    def __contains__(self, word: object) -> bool:
        return True


def test_in_a_joker_game_the_blank_becomes_its_letter_while_the_bag_has_one() -> None:
    assert _after(Board.empty(IT), "?CASBDF", "8H CASa", JOKER) == (["CASA"], "BDF")
    assert _after(Board.empty(IT), "?CASBDF", "8H CASa", NORMAL) == (["CASa"], "BDF")


def test_a_letter_that_is_kept_does_not_replace_the_joker() -> None:
    """The only Q lies on the rack: the bag has none."""
    assert _after(Board.empty(IT), "?QCASBF", "8H CASq", JOKER) == (["CASq"], "BFQ")


def test_letters_that_exist_by_blank_alone_stay_blanks() -> None:
    assert _after(Board.empty(IT), "?TAIBDF", "8H TAxI", JOKER) == (["TAxI"], "BDF")


RECYCLING = BOX.with_switches(recycle_blanks=True)


def test_by_the_house_rule_a_blank_on_the_board_is_exchanged_for_its_letter_on_the_rack() -> None:
    assert _after(Board.empty(IT), "?CASBAF", "8H CASa", NORMAL, RECYCLING) == (["CASA"], "?BF")
    assert _after(Board.empty(IT), "?CASBDF", "8H CASa", NORMAL, RECYCLING) == (["CASa"], "BDF")


def test_a_blank_laid_earlier_is_exchanged_as_soon_as_the_letter_is_left_over() -> None:
    board = laid("8H CASa")
    assert _after(board, "DTOABFG", "9K DOT", NORMAL, RECYCLING) == (["CASA", "DOT"], "?BFG")


def test_where_the_leftover_goes_back_so_does_the_recycled_blank() -> None:
    rules = RECYCLING.with_switches(put_back="always")
    assert _after(Board.empty(IT), "?CASBAF", "8H CASa", NORMAL, rules) == (["CASA"], "")


def test_in_a_joker_game_a_recycled_blank_lies_aside_when_the_rack_has_one() -> None:
    board = laid("8H CAsE")
    rows, kept = _after(board, "?DTOSBF", "K8 EDOT", JOKER, RECYCLING)
    assert rows[0] == "CASE"
    assert kept == "?BF"


def test_the_seventh_tile_leaves_the_stock() -> None:
    board = Board.empty(IT)
    found = place_word(
        IT.parse_word("CASE"), _reference("8H"), Position(board, tiles("CASBDF"), 1, tiles("E")), BOX, _Any()
    )
    assert isinstance(found, LegalMove)
    after = apply_master_move(board, tiles("CASBDF"), found.move, BOX, COMPLETIVE)
    assert after.kept.text == "BDF"
    assert after.bag == Tiles.full_bag(IT) - tiles("CASEBDF")


# ---------------------------------------------------------------------------------------------------------------
# The draw.


def drawn(outcome: DrawnRack | GameOver) -> DrawnRack:
    assert isinstance(outcome, DrawnRack)
    return outcome


def test_in_joker_variants_the_blank_lies_aside_and_the_rest_is_drawn_without_blanks() -> None:
    """The same six tiles come out of a bag without blanks, whoever draws them."""
    bag = Tiles.full_bag(IT)
    without = Tiles(IT, (0, *bag.counts[1:]))
    for turn in range(1, 40):
        rack = drawn(draw_next_rack(b"key", turn, Tiles.none(IT), bag, BOX, variant=JOKER))
        letters = draw_next_rack(
            b"key", turn, Tiles.none(IT), without, BOX.with_switches(rack_size=6, min_early=0, min_late=0)
        )
        assert rack.rack.blanks == 1
        if not rack.rejected:
            assert rack.rack == drawn(letters).rack + tiles("?")


def test_two_blanks_alone_are_no_rack() -> None:
    assert draw_next_rack(b"key", 20, Tiles.none(IT), tiles("??"), BOX, variant=JOKER) == GameOver("minimum")
    assert draw_next_rack(b"key", 20, tiles("?"), tiles("?"), BOX, variant=JOKER) == GameOver("minimum")
    assert drawn(draw_next_rack(b"key", 20, Tiles.none(IT), tiles("??B"), BOX, variant=JOKER)).rack.text == "?B"


def test_the_last_rack_of_a_joker_game_without_a_move_ends_it_though_a_blank_lies_aside() -> None:
    assert draw_next_rack(
        b"key", 20, Tiles.none(IT), tiles("??BC"), BOX, lambda rack: False, variant=JOKER
    ) == GameOver("no_move")


def test_a_typed_rack_of_a_joker_game_holds_exactly_one_blank() -> None:
    bag = Tiles.full_bag(IT)
    check = partial(check_typed_rack, turn=1, profile=BOX, variant=JOKER)
    assert check("?ABCEFI", Tiles.none(IT), bag).text == "?ABCEFI"
    assert check("?ABC", tiles("EFI"), bag - tiles("EFI")).text == "?ABCEFI"
    assert check("ABC", tiles("?EFI"), bag - tiles("?EFI")).text == "?ABCEFI"
    for text in ("DABCEFI", "??ABCEI"):
        with pytest.raises(TypedRackError, match=r"exactly one blank"):
            check(text, Tiles.none(IT), bag)
    with pytest.raises(RackBreaksRule):
        check("?BCDFGH", Tiles.none(IT), bag)
    last = tiles("ABCEFIO")
    assert check("ABCEFIO", Tiles.none(IT), last) == last, "without any blank left there is none to type"


EXPLOSIVE = load_variant("explosive")


def test_in_an_explosive_game_the_blank_becomes_the_letter_of_the_best_move() -> None:
    letter = IT.letters.index("Z") + 1
    plain = drawn(draw_next_rack(b"key", 1, Tiles.none(IT), Tiles.full_bag(IT), BOX, variant=JOKER))
    rack = drawn(
        draw_next_rack(
            b"key", 1, Tiles.none(IT), Tiles.full_bag(IT), BOX, variant=EXPLOSIVE, letters_of_blank=lambda _: [letter]
        )
    )
    assert (rack.rejected, rack.attempts) == (plain.rejected, plain.attempts)
    assert rack.rack == plain.rack - tiles("?") + tiles("Z")


def test_the_blank_of_an_explosive_game_stays_when_its_letter_is_used_up_or_the_rack_would_break_the_rule() -> None:
    bag = tiles("?BCDFGA")
    for letter in ("Z", "B"):
        kind = IT.letters.index(letter) + 1
        rack = draw_next_rack(
            b"key", 1, Tiles.none(IT), bag, BOX, variant=EXPLOSIVE, letters_of_blank=partial(_only, kind)
        )
        assert drawn(rack).rack == bag
    by_blank_alone = IT.letters.index("J") + 1
    rack = draw_next_rack(
        b"key", 1, Tiles.none(IT), bag, BOX, variant=EXPLOSIVE, letters_of_blank=partial(_only, by_blank_alone)
    )
    assert drawn(rack).rack == bag


def _only(kind: int, rack: Tiles) -> tuple[int, ...]:
    return (kind,)


def test_a_blank_that_was_kept_is_not_exchanged() -> None:
    kept = tiles("?BA")
    rack = drawn(
        draw_next_rack(
            b"key", 3, kept, Tiles.full_bag(IT) - kept, BOX, variant=EXPLOSIVE, letters_of_blank=lambda _: [3]
        )
    )
    assert rack.rejected or rack.rack.holds(kept)


# ---------------------------------------------------------------------------------------------------------------
# The search and the judge.


def _words(*words: str) -> Lexicon:
    return Lexicon.build(IT, words)


def test_of_eight_tiles_seven_may_be_laid() -> None:
    words, variant = _words("SENATORI", "SENATOR"), load_variant("7of8")
    rules = variant.apply_to(BOX)
    board, rack = Board.empty(IT), tiles("SENATORI")
    best = GameSolver(words, rules, variant).best(board, rack)
    assert {move.word_text(IT) for move in best} == {"SENATOR"}
    position = Position(board, rack, 1, largest_play=7)
    verdict = judge_slip(Slip("SENATORI", "8H", 60), position, rules, words)
    assert (verdict.result, verdict.reason) == ("zero", "letters_not_in_rack")
    assert "too many tiles: this variant allows 7" in str(verdict.as_json()["text"])


def test_eight_and_nine_tiles_have_bonuses_of_their_own() -> None:
    variant = load_variant("7-8-9")
    rules = variant.apply_to(BOX)
    solver = GameSolver(_words("SENATORIE", "SENATORI", "SENATOR"), rules, variant)
    moves = solver.ranked(Board.empty(IT), tiles("SENATORIE"))
    best = {move.word_text(IT): 0 for move in moves}
    for move in moves:
        best[move.word_text(IT)] = max(best[move.word_text(IT)], move.score)
    for word, bonus in (("SENATORIE", 100), ("SENATORI", 75), ("SENATOR", 50)):
        plain = max(
            move.score
            for move in GameSolver(_words(word), BOX.with_switches(bonuses={}, rack_size=9), NORMAL).ranked(
                Board.empty(IT), tiles(word)
            )
        )
        assert best[word] - plain == bonus


def test_the_top_of_a_completive_turn_is_the_best_over_all_seventh_tiles() -> None:
    solver = GameSolver(_words("CASE", "CASO", "CAVE"), COMPLETIVE.apply_to(BOX), COMPLETIVE)
    best = solver.best(Board.empty(IT), tiles("CASBDF"))
    assert {move.word_text(IT) for move in best} == {"CASE", "CASO"}
    assert solver.best(Board.empty(IT), tiles("CASBDF"), tiles("V")) == ()
    assert {move.word_text(IT) for move in solver.best(Board.empty(IT), tiles("CASBDF"), tiles("EV"))} == {"CASE"}
    both = {move.word_text(IT) for move in solver.ranked(Board.empty(IT), tiles("CASBDF"), tiles("E?"))}
    assert both == {"CASE", "CASe", "CASo"}
    assert solver.has_move(Board.empty(IT), tiles("CASBDF"), tiles("E"))
    assert not solver.has_move(Board.empty(IT), tiles("CASBDF"), tiles("V"))


@pytest.mark.parametrize(
    ("word", "stock", "outcome"),
    [
        ("CASE", "E", ("valid", None, ())),
        ("CASe", "E?", ("valid", None, ())),
        ("CASE", "?", ("valid", None, ())),
        ("CASe", "E", ("valid", None, ("wrong_blank_marked",))),
        ("CASE", "O", ("zero", "letters_not_in_rack", ())),
        ("CASETE", "ET", ("zero", "letters_not_in_rack", ())),
    ],
)
def test_a_completive_slip_may_use_one_tile_that_the_stock_has(
    word: str, stock: str, outcome: tuple[str, str | None, tuple[str, ...]]
) -> None:
    position = Position(Board.empty(IT), tiles("CASBDF"), 1, tiles(stock), 7)
    verdict = judge_slip(Slip(word, "8H", None), position, COMPLETIVE.apply_to(BOX), _Any())
    assert (verdict.result, verdict.reason, verdict.warnings) == outcome


def test_an_unmarked_blank_out_of_the_stock_is_judged_like_any_other() -> None:
    """Romanian federation: a letter that the stock has not is the blank, less its value when it is not marked."""
    rules = COMPLETIVE.apply_to(BOX).with_switches(blank_unmarked="letter_value")
    position = Position(Board.empty(IT), tiles("CASBDF"), 1, tiles("?"), 7)
    verdict = judge_slip(Slip("CASE", "8H", None), position, rules, _Any())
    assert (verdict.penalty, verdict.points) == (1, (verdict.move_score or 0) - 1)


# ---------------------------------------------------------------------------------------------------------------
# Whole games.


@examples(25)
@given(st.randoms(use_true_random=False), st.sampled_from(variant_codes()), st.booleans(), st.booleans())
def test_over_a_whole_random_game_no_tile_is_lost_and_every_rack_is_lawful(
    rng: random.Random, code: str, recycle: bool, put_back: bool
) -> None:
    variant = load_variant(code)
    profile = variant.apply_to(BOX).with_switches(recycle_blanks=recycle, put_back="always" if put_back else "rejected")
    solver = GameSolver(lexicon(), profile, variant)
    board, kept, everything = Board.empty(IT), Tiles.none(IT), Tiles.full_bag(IT)
    for turn in range(1, 60):
        bag = everything - board.tiles - kept
        outcome = draw_next_rack(
            rng.randbytes(32),
            turn,
            kept,
            bag,
            profile,
            partial(solver.has_move, board),
            variant=variant,
            letters_of_blank=partial(solver.letters_of_blank, board),
        )
        if isinstance(outcome, GameOver):
            return
        rack, pool = outcome.rack, kept + bag
        assert pool.holds(rack)
        assert rack.total == min(profile.rack_size, variant.drawable(pool).total)
        assert find_rejection_reason(rack, turn, profile, pool, variant) is None
        minimum = required_minimum(pool, turn, profile, variant)
        assert minimum is not None
        assert all(rejected.total == rack.total for rejected in outcome.rejected)
        if variant.joker:
            assert rack.blanks == min(1, pool.blanks)
            lawful = [one for one in outcome.rejected if find_shortage(one, minimum) is None]
            assert all(one.blanks == min(1, pool.blanks) for one in outcome.rejected)
            assert not any(solver.has_move(board, one) for one in lawful)
        moves = solver.ranked(board, rack)
        assert moves
        assert moves[0].score == solver.best(board, rack)[0].score
        move = moves[0] if rng.random() < 0.7 else rng.choice(moves)
        assert move.laid(board).total <= variant.most_laid(profile)
        assert move.laid(board).without(rack).total <= int(variant.completive)
        after = apply_master_move(board, rack, move, profile, variant)
        assert after.board.tiles + after.kept + after.bag == everything
        assert (after.board.tiles - board.tiles).total if after.board.tiles.holds(board.tiles) else recycle
        board, kept = after.board, after.kept
    raise AssertionError("a game has an end")


@every_variant
@pytest.mark.parametrize("kind", one_in(2, ["seeded", "typed", "leftover back", "recycling"]))
def test_the_archive_of_a_game_in_any_variant_shows_no_difference(code: str, kind: str) -> None:
    if kind == "typed" and load_variant(code).explosive:
        return
    archive = _archive(code, kind)
    assert [str(difference) for difference in verify(archive, lexicon())] == []
    assert len(archive["turns"]) == 9


def _archive(code: str, kind: str) -> Archive:
    put_back = "always" if kind == "leftover back" else "rejected"
    profile = BOX.with_switches(put_back=put_back, recycle_blanks=kind == "recycling")
    return read_archive(json.dumps(play_game_archive(profile, turns=9, typed=kind == "typed", variant=code)))


@each_joker_variant
def test_a_joker_that_was_not_replaced_is_found(code: str) -> None:
    archive = _archive(code, "seeded")
    turn = next(one for one in archive["turns"] if one["master"] and _blank_of(one["master"]["word"]))
    following = archive["turns"][turn["number"]]
    assert turn["master"]
    letter = _blank_of(turn["master"]["word"])
    row = next(
        at
        for at, (before, after) in enumerate(zip(turn["board"], following["board"], strict=True))
        if letter.upper() in after and before.count(letter.upper()) < after.count(letter.upper())
    )
    following["board"][row] = following["board"][row].replace(letter.upper(), letter)
    where = {difference.where for difference in verify(archive, lexicon())}
    assert f"turn {following['number']}, board, row {row + 1}" in where


def _blank_of(word: str) -> str:
    return next((letter for letter in word if letter.islower()), "")


def test_another_variant_than_the_switches_say_is_found() -> None:
    archive = _archive("7of8", "seeded")
    archive["profile"]["rack_size"] = 7
    where = {difference.where for difference in verify(archive, lexicon())}
    assert "profile, rack_size" in where


# ---------------------------------------------------------------------------------------------------------------
# Time controls.

FISF_LIKE = BOX.with_switches(calls_s=[30])


@pytest.mark.parametrize(
    ("clock_s", "expected"), [(180, (30,)), (150, (30,)), (120, (30,)), (90, (20,)), (60, (20,)), (30, ())]
)
def test_the_federation_calls_thirty_seconds_and_twenty_at_the_short_time_controls(
    clock_s: int, expected: tuple[int, ...]
) -> None:
    assert call_times(FISF_LIKE, clock_s) == expected


def test_other_rules_keep_those_of_their_calls_that_come_in_the_second_half() -> None:
    found = [call_times(BOX, clock_s) for clock_s in (180, 150, 120, 90, 60)]
    assert found == [(60, 30, 5), (60, 30, 5), (60, 30, 5), (20, 5), (20, 5)]


def test_a_time_control_sets_clock_calls_and_with_them_the_free_warnings() -> None:
    blitz = apply_time_control(BOX, 60)
    assert (blitz.clock_s, blitz.calls_s, blitz.is_blitz(blitz.clock_s)) == (60, (20, 5), True)
    assert apply_time_control(BOX, 60, own_calls=True).calls_s == (60, 30, 5)
    assert BOX.clock_s == 180


# ---------------------------------------------------------------------------------------------------------------
# The commands.


def _run(command: ModuleType, *arguments: str) -> int:
    parser = ArgumentParser()
    command.add_arguments(parser)
    code: int = command.run(parser.parse_args(arguments))
    return code


def _asked(command: ModuleType, monkeypatch: pytest.MonkeyPatch, *arguments: str, **asked: object) -> dict[str, Any]:
    """The answer of a command to one line."""
    line = json.dumps({"board": ["." * 15] * 15} | asked).encode()
    out = BytesIO()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=[line]))
    monkeypatch.setattr("sys.stdout", SimpleNamespace(buffer=out))
    assert _run(command, "--edition", "it", *arguments) == 0
    answered: dict[str, Any] = json.loads(out.getvalue())
    return answered


@pytest.fixture
def word_file(tmp_path: Path) -> str:
    path = tmp_path / "words.txt"
    path.write_text("CASE\nCASO\nSENATORI\n", encoding="utf-8")
    return str(path)


def test_the_draw_command_draws_by_the_variant(capsys: pytest.CaptureFixture[str]) -> None:
    seed = bytes(range(32))
    assert _run(draw_command, "--edition", "it", "--seed", seed.hex(), "--turn", "3", "--formula", "7of8-joker") == 0
    variant = load_variant("7of8-joker")
    rack = drawn(draw_next_rack(seed, 3, Tiles.none(IT), Tiles.full_bag(IT), variant.apply_to(BOX), variant=variant))
    assert json.loads(capsys.readouterr().out)["rack"] == rack.rack.text
    assert (rack.rack.total, rack.rack.blanks) == (8, 1)


def test_the_solve_command_takes_a_stock(monkeypatch: pytest.MonkeyPatch, word_file: str) -> None:
    by_variant = ("--words", word_file, "--formula", "completive")
    own = _asked(solve_command, monkeypatch, *by_variant, rack="CASBDF", stock="EV")
    assert {top["word"] for top in own["tops"]} == {"CASE"}
    follows = _asked(solve_command, monkeypatch, *by_variant, rack="CASBDF")
    assert {top["word"] for top in follows["tops"]} == {"CASE", "CASO"}
    eight = _asked(solve_command, monkeypatch, "--words", word_file, "--formula", "7and8", rack="SENATORI")
    assert eight["count"] == 8
    assert _asked(solve_command, monkeypatch, "--words", word_file, rack="SENATORI")["count"] == 0


def test_the_judge_command_takes_a_stock(monkeypatch: pytest.MonkeyPatch, word_file: str) -> None:
    options = ("--words", word_file, "--profile", "it-box", "--formula", "completive")
    asked = partial(_asked, judge_command, monkeypatch, *options, rack="CASBDF")
    slip = {"word": "CASE", "ref": "8H", "declared": None}
    assert asked(stock="E", slip=slip)["result"] == "valid"
    assert asked(stock="O", slip=slip)["reason"] == "letters_not_in_rack"
    assert asked(slip=slip)["result"] == "valid"


def test_an_archive_with_moves_of_eight_tiles_and_no_bonus_for_them_is_told() -> None:
    """A variant brings its own table; rules with a larger rack of the house must name one."""
    for bonuses, told in (({7: 50}, ["profile, bonuses"]), ({7: 50, 8: 75}, []), ({}, [])):
        archive = play_game_archive(BOX.with_switches(rack_size=8, bonuses=bonuses), turns=2)
        found = verify(read_archive(json.dumps(archive)), lexicon())
        assert [one.where for one in found] == told
