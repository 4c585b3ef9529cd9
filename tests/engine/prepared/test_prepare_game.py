"""Prepared games: the wishes hold, recomputed by the search of all moves; the same seed gives the same game."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, cast

import pytest

from engine.board.board import Board
from engine.board.coordinates import Notation
from engine.draw.reproducible import commitment
from engine.lexicon.graph import Lexicon
from engine.play.turn import apply_master_move
from engine.prepared.prepare_game import (
    GameCriteria,
    JudgeChoice,
    NotPreparableError,
    PreparedGame,
    find_game,
    has_bingo,
    play_game,
    preparable_profile,
    seed_of,
)
from engine.prepared.script import Script, ScriptError, read_script, script_of
from engine.prepared.script_check import check_replayable, check_seeded_game
from engine.rules.profile import load_profile
from engine.search.game_solver import GameSolver
from engine.search.solver import Solver
from engine.tiles.edition import load_edition
from engine.tiles.tiles import Tiles
from engine.variants.variant import load_variant, variant_codes
from tests.engine.archive.played_game import WORDS, lexicon
from tests.engine.archive.played_game import play_game_archive as play_archive

IT = load_edition("it")
CLUB = load_profile("club")
SECRET = bytes(range(32))
NORMAL = load_variant("normal")
SOLVER = GameSolver(lexicon(), CLUB, NORMAL)


@cache
def rich() -> GameSolver:
    """With so many invented words of seven letters that bingos are as frequent as with a true list."""
    rng = random.Random(1)  # noqa: S311
    invented = ("".join(rng.choice(("BCDLMNPRST", "AEIO")[at % 2]) for at in range(7)) for _ in range(20_000))
    return GameSolver(Lexicon.build(IT, [*WORDS, *invented]), CLUB, NORMAL)


def all_scores(board: Board, rack: Tiles) -> list[tuple[int, int]]:
    """(score, tiles laid) of every legal move, by the search of all moves, not by the one for the tops."""
    moves = Solver(rich().lexicon, bonuses=CLUB.bonus_table).ranked(board, rack)
    return [(move.score, move.laid(board).total) for move in moves]


def scripted(game: PreparedGame, title: str = "Winter cup") -> Script:
    listed = {"name": "small", "words": len(lexicon()), "sha256": "0" * 64, "accepted": [], "struck": []}
    return script_of(game, IT, CLUB, NORMAL, title=title, rhythm_s=180, lexicon=listed)


@pytest.mark.endurance
def test_every_game_that_is_found_obeys_the_wishes() -> None:
    wishes = GameCriteria(bingo_turns=2, least_total=960, most_total=1060, single_tops=65)
    for secret in (SECRET, b"another secret"):
        found = find_game(secret, rich(), CLUB, wishes, tries=1500)
        assert found is not None
        turns = [all_scores(turn.board, turn.rack) for turn in found.game.turns]
        tops = [max(scores) for scores, _laid in (zip(*turn, strict=True) for turn in turns)]
        assert tops == [turn.top for turn in found.game.turns]
        assert 960 <= sum(tops) <= 1060
        alone = sum(sum(score == top for score, _ in turn) == 1 for turn, top in zip(turns, tops, strict=True))
        assert 100 * alone / len(tops) >= 65
        assert all(any(laid == 7 for _score, laid in turn) for turn in turns[:2])


def test_games_before_the_one_that_is_found_do_not_obey() -> None:
    wishes = GameCriteria(bingo_turns=1)
    found = find_game(SECRET, rich(), CLUB, wishes, tries=1500)
    assert found is not None
    assert found.attempts > 1
    for attempt in range(1, found.attempts):
        first = play_game(seed_of(SECRET, attempt), rich(), CLUB).turns[0]
        assert not any(laid == 7 for _score, laid in all_scores(first.board, first.rack))


def test_a_bingo_may_be_hidden_below_a_better_top() -> None:
    rules = CLUB.with_switches(bonuses={"7": 1})
    turn = play_game(SECRET, GameSolver(lexicon(), rules, NORMAL), rules).turns[0]
    with_bingo = replace(turn, rack=Tiles.parse(IT, "SENTIRE"))
    solver = GameSolver(lexicon().with_rulings(["SENTIRE"], []), rules, NORMAL)
    assert has_bingo(with_bingo, solver, rules)
    assert not has_bingo(replace(turn, rack=Tiles.parse(IT, "BDFGHLM")), solver, rules)


def test_what_nobody_can_find_ends_after_the_tries_or_when_it_is_told_to() -> None:
    impossible = GameCriteria(most_total=1)
    asked: list[int] = []

    def go_on(attempt: int) -> bool:
        asked.append(attempt)
        return True

    assert find_game(SECRET, SOLVER, CLUB, impossible, tries=7, go_on=go_on) is None
    assert asked == list(range(1, 8))
    assert find_game(SECRET, SOLVER, CLUB, GameCriteria(), tries=7, go_on=lambda attempt: False) is None


@pytest.mark.parametrize("code", variant_codes())
def test_the_same_seed_gives_the_same_game_in_every_variant(code: str) -> None:
    variant = load_variant(code)
    rules = variant.apply_to(CLUB).with_switches(max_turns=5)
    games = [play_game(SECRET, GameSolver(lexicon(), rules, variant), rules) for _ in range(2)]
    assert games[0] == games[1]
    turns = games[0].turns
    assert 1 <= len(turns) <= 5
    for before, turn in pairwise(turns):
        after = apply_master_move(before.board, before.rack, before.master, rules, variant)
        assert (after.board.rows, after.kept) == (turn.board.rows, turn.kept)
        assert after.board.tiles.total + after.kept.total + after.bag.total == 120
    assert play_game(b"x" * 32, GameSolver(lexicon(), rules, variant), rules) != games[0]


def test_rules_by_which_players_decide_the_board_are_refused_until_they_are_changed() -> None:
    box = load_profile("it-box")
    for rules in (box, CLUB.with_switches(nobody_correct="same_rack")):
        with pytest.raises(NotPreparableError):
            play_game(SECRET, SOLVER, rules)
        assert play_game(SECRET, GameSolver(lexicon(), rules, NORMAL), preparable_profile(rules)).turns


def test_a_choice_of_the_judge_changes_what_follows_and_nothing_before() -> None:
    plain = play_game(SECRET, SOLVER, CLUB)
    third = plain.turns[2]
    other = SOLVER.ranked(third.board, third.rack)[-1]
    assert other != third.master
    changed = play_game(SECRET, SOLVER, CLUB, {3: JudgeChoice(other, "for the hall")})
    assert changed.turns[:2] == plain.turns[:2]
    assert (changed.turns[2].rack, changed.turns[2].master, changed.turns[2].tops) == (third.rack, other, third.tops)
    after = apply_master_move(third.board, third.rack, other, CLUB, NORMAL)
    assert (changed.turns[3].board.rows, changed.turns[3].kept) == (after.board.rows, after.kept)


def test_the_file_of_a_prepared_game_is_read_back_and_proves_itself() -> None:
    plain = play_game(SECRET, SOLVER, CLUB)
    other = SOLVER.ranked(plain.turns[1].board, plain.turns[1].rack)[-1]
    game = play_game(SECRET, SOLVER, CLUB, {2: JudgeChoice(other, "for the hall")})
    text = json.dumps(scripted(game))
    read = read_script(text)
    assert read == scripted(game)
    assert read["draw"] == {"commitment": commitment(SECRET), "seed": SECRET.hex()}
    assert check_seeded_game(read, SOLVER) == game


def spoilt(script: Script, **changes: Any) -> Script:
    return cast(Script, {**json.loads(json.dumps(script)), **changes})


def test_a_prepared_game_that_was_changed_is_refused() -> None:
    script = scripted(play_game(SECRET, SOLVER, CLUB))
    turns = json.loads(json.dumps(script["turns"]))
    turns[0]["rack"] = "AAAAAAA"
    end = {**script["end"], "bag": ""}
    seed = {"commitment": commitment(b"y" * 32), "seed": (b"y" * 32).hex()}
    short = {"commitment": "", "seed": "00"}
    for changes in ({"turns": turns}, {"turns": turns[:-1]}, {"end": end}, {"draw": seed}, {"draw": short}):
        with pytest.raises(ScriptError):
            check_seeded_game(spoilt(script, **changes), SOLVER)


def test_a_choice_in_the_file_must_be_legal() -> None:
    script = scripted(play_game(SECRET, SOLVER, CLUB))
    turns = json.loads(json.dumps(script["turns"]))
    turns[1]["master"] |= {"word": "ZZZ", "chosen_by": "judge"}
    with pytest.raises(ScriptError, match="Turn 2"):
        check_seeded_game(spoilt(script, turns=turns), SOLVER)


def test_an_archive_becomes_a_script_with_its_players_as_the_field() -> None:
    archive = play_archive()
    script = read_script(json.dumps(archive), title="Club night")
    assert script["title"] == "Club night"
    assert script["draw"] == {"commitment": "", "seed": None}
    assert [turn["rack"] for turn in script["turns"]] == [turn["rack"] for turn in archive["turns"]]
    totals = {player["name"]: sum(filter(None, player["points"])) for player in script["field"]["players"]}
    names = {player["table"]: player["name"] for player in archive["players"]}
    assert totals == {names[line["table"]]: line["total"] for line in archive["standings"]}
    late = script["field"]["players"][5]["points"]
    assert late[:2] == [None, None]
    assert None not in late[2:]
    assert script["field"]["label"] == archive["event"]["date"][:4]


def test_a_replay_needs_the_words_that_the_list_lacks() -> None:
    script = read_script(json.dumps(play_archive()))
    whole = check_replayable(script, lexicon())
    assert [IT.word_text(word) for word, _turn in whole.missing] == ["POEMI"]
    assert whole.script["turns"] == script["turns"]
    first = script["turns"][0]["master"]
    assert first is not None
    without = lexicon().with_rulings([], [first["word"]])
    assert (IT.parse_word(first["word"].upper()), 1) in check_replayable(script, without).missing


@pytest.mark.parametrize(
    ("turn", "changes", "why"),
    [
        (2, {"master": None}, "nothing went on the board"),
        (2, {"rack": "ZZZZZZZ"}, "cannot be drawn"),
        (2, {"rack": "1"}, "no tile"),
        (1, {"master": {"word": "CASA", "ref": "99Z", "score": 1, "chosen_by": "engine", "why": None}}, "be read"),
        (1, {"master": {"word": "ZIA", "ref": "O15", "score": 1, "chosen_by": "engine", "why": None}}, "not fit"),
    ],
)
def test_a_replay_names_the_turn_that_cannot_be_played_again(turn: int, changes: dict[str, Any], why: str) -> None:
    script = json.loads(json.dumps(read_script(json.dumps(play_archive()))))
    script["turns"][turn - 1] |= changes
    with pytest.raises(ScriptError, match=f"Turn {turn} .*{why}"):
        check_replayable(script, lexicon())


def test_a_wrong_score_in_a_replay_is_named() -> None:
    script = json.loads(json.dumps(read_script(json.dumps(play_archive()))))
    script["turns"][0]["master"]["score"] += 1
    with pytest.raises(ScriptError, match="it is worth"):
        check_replayable(script, lexicon())


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": "prepared-duplicate-game"}'])
def test_files_that_are_no_script_get_one_sentence(text: str) -> None:
    with pytest.raises(ScriptError):
        read_script(text)


def test_a_game_that_is_going_on_is_no_script() -> None:
    with pytest.raises(ScriptError, match="not over"):
        read_script(json.dumps({**play_archive(), "end": None}))


def test_the_notation_of_the_script_is_that_of_its_rules() -> None:
    rules = CLUB.with_switches(notation="H8")
    game = play_game(SECRET, GameSolver(lexicon(), rules, NORMAL), rules)
    script = script_of(game, IT, rules, NORMAL, title="", rhythm_s=180, lexicon={})
    master = script["turns"][0]["master"]
    assert master is not None
    assert (script["across"], master["ref"]) == ("H8", game.turns[0].master.reference_text(Notation("H8")))
