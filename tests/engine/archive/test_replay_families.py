"""Faults planted in the archives of every rule family: each is found, named at its place, and nothing before it.

A fault is a function that spoils an archive and gives the place at which the verification must name it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from engine.archive.ledger import head_hash, seal_entry
from engine.archive.replay import verify
from engine.archive.schema import read_archive
from engine.board.move import Move
from engine.judging.placement import Position
from engine.play.turn import TurnOutcome, apply_master_move
from engine.rules.profile import load_profile
from engine.tiles.tiles import Tiles
from engine.variants.variant import load_variant
from tests.engine.archive.family_games import LAST_TURN, LATE_COMER, LEAVER, FamilyGame, play_family
from tests.engine.archive.played_game import IT, lexicon
from tests.examples import one_in

Entry = dict[str, Any]
Fault = Callable[[Entry], str]
Wanted = Callable[[Entry], bool]


def stays_a_blank(position: Position, moves: Sequence[Move]) -> Move | None:
    """A move whose blank cannot become its letter, because nothing that is left has it."""
    with_blanks = (move for move in moves if move.laid(position.board).blanks)
    return next((move for move in with_blanks if not _step(position, move).replaced), None)


def _step(position: Position, move: Move) -> TurnOutcome:
    return apply_master_move(position.board, position.rack, move, load_profile("fisf"), load_variant("joker"))


FAMILIES: Mapping[str, FamilyGame] = {
    "fisf joker": FamilyGame("fisf", "joker", tables=18, turns=7, seed=32, choose=stays_a_blank),
    "fise": FamilyGame("fise", seed=30),
    "ro": FamilyGame("ro", seed=42, nobody=(3,)),
    "ntsv": FamilyGame("ntsv"),
    "completive": FamilyGame("ro", "completive"),
    "7and8": FamilyGame("fisf", "7and8", tables=18, first_rack="AEENORST"),
}


@cache
def written(family: str) -> str:
    return json.dumps(play_family(FAMILIES[family]))


def read(family: str) -> Entry:
    archive: Entry = json.loads(written(family))
    return archive


def found(archive: Entry) -> list[str]:
    """Differences between the archive and what the rules give."""
    return [difference.where for difference in verify(read_archive(json.dumps(archive)), lexicon())]


# ---------------------------------------------------------------------------------------------------------------
# Places in an archive.


def turn(archive: Entry, number: int) -> Entry:
    one: Entry = archive["turns"][number - 1]
    return one


def slip(archive: Entry, number: int, table: int) -> Entry:
    return next(one for one in turn(archive, number)["slips"] if one["table"] == table)


def line(archive: Entry, table: int) -> Entry:
    return next(one for one in archive["standings"] if one["table"] == table)


def _slips(archive: Entry) -> Iterator[tuple[str, Entry]]:
    for one in archive["turns"]:
        for entry in one["slips"]:
            yield f"turn {one['number']}, table {entry['table']}", entry


def first_turn(archive: Entry, wanted: Wanted) -> Entry:
    return next(one for one in archive["turns"] if wanted(one))


def by_verdict(**fields: Any) -> Wanted:
    """Slips whose verdict has these fields; True stands for anything but nothing."""
    return lambda entry: all(
        bool(entry["verdict"][name]) if value is True else entry["verdict"][name] == value
        for name, value in fields.items()
    )


def scored(entry: Entry) -> bool:
    return bool(entry["verdict"]["result"] == "valid" and entry["verdict"]["points"] > 0)


# ---------------------------------------------------------------------------------------------------------------
# Kinds of faults.


def in_verdict(wanted: Wanted, named: str, **change: Any) -> Fault:
    """Change the first verdict that is wanted; a callable value is made of the verdict as it was."""

    def spoil(archive: Entry) -> str:
        where, entry = next(one for one in _slips(archive) if wanted(one[1]))
        verdict = entry["verdict"]
        verdict |= {name: value(verdict) if callable(value) else value for name, value in change.items()}
        return f"{where}, verdict.{named}"

    return spoil


def in_slip(wanted: Wanted, named: str, **change: Any) -> Fault:
    """Change the first slip that is wanted."""

    def spoil(archive: Entry) -> str:
        where, entry = next(one for one in _slips(archive) if wanted(one[1]))
        entry |= {name: value(entry) if callable(value) else value for name, value in change.items()}
        return f"{where}, {named}"

    return spoil


def in_turn(wanted: Wanted | int, named: str, **change: Any) -> Fault:
    """Change a turn."""

    def spoil(archive: Entry) -> str:
        one = turn(archive, wanted) if isinstance(wanted, int) else first_turn(archive, wanted)
        one |= {name: value(one) if callable(value) else value for name, value in change.items()}
        return f"turn {one['number']}, {named}"

    return spoil


def in_line(table: int, named: str) -> Fault:
    """One more in a number of the standings."""

    def spoil(archive: Entry) -> str:
        line(archive, table)[named] += 1
        return f"standings, table {table}, {named}"

    return spoil


def at_top(section: str, where: str, **change: Any) -> Fault:
    """Change something that is said once for the game."""

    def spoil(archive: Entry) -> str:
        archive[section] |= change
        return where

    return spoil


def switched(named: str | None, wanted: Wanted, **switches: Any) -> Fault:
    """Other rules than those that were played by: named at the first slip, or turn, on which they tell."""

    def spoil(archive: Entry) -> str:
        archive["profile"] |= switches
        if named is None:
            return f"turn {first_turn(archive, wanted)['number']}, master"
        return f"{next(where for where, entry in _slips(archive) if wanted(entry))}, verdict.{named}"

    return spoil


def add_to_field(name: str, by: int = 1) -> Callable[[Entry], Any]:
    return lambda entry: entry[name] + by


def other_letter(entry: Entry) -> str:
    """The rack with one tile that it does not have for its last one."""
    letter = next(letter for letter in "STRANO" if letter not in entry["rack"])
    return Tiles.parse(IT, entry["rack"][:-1] + letter).text


# ---------------------------------------------------------------------------------------------------------------
# Faults of every family.


def flip_a_tile_of_the_board(archive: Entry) -> str:
    """The first tile that lies on the board of turn 3 becomes another letter."""
    board = turn(archive, 3)["board"]
    row = next(at for at, text in enumerate(board) if text.strip("."))
    letter = next(sign for sign in board[row] if sign != ".")
    board[row] = board[row].replace(letter, "R" if letter != "R" else "S", 1)
    return f"turn 3, board, row {row + 1}"


def drop_a_top(archive: Entry) -> str:
    one = first_turn(archive, lambda entry: len(entry["tops"]) > 1)
    one["tops"].pop()
    return f"turn {one['number']}, tops"


def swap_tops(archive: Entry) -> str:
    one = first_turn(archive, lambda entry: len(entry["tops"]) > 1)
    one["tops"].reverse()
    return f"turn {one['number']}, order of the tops"


def other_master(archive: Entry) -> str:
    """Another top, or another slip, than the rules choose."""
    one = turn(archive, 2)
    seen = slip(archive, 2, 2)
    one["master"] |= {"word": seen["word"], "ref": seen["ref"], "score": seen["verdict"]["move_score"]}
    return "turn 2, master"


def drop_slip(number: int, table: int) -> Fault:
    def spoil(archive: Entry) -> str:
        turn(archive, number)["slips"].remove(slip(archive, number, table))
        return f"turn {number}, table {table}, slips"

    return spoil


def slip_of_one_who_left(archive: Entry) -> str:
    turn(archive, LAST_TURN + 1)["slips"].append(json.loads(json.dumps(slip(archive, LAST_TURN, LEAVER))))
    return f"turn {LAST_TURN + 1}, table {LEAVER}, slips"


def last_turn(number: int, missing: int) -> Fault:
    """He is said to have left in another turn: a slip too many, or one too few."""

    def spoil(archive: Entry) -> str:
        archive["players"][LEAVER - 1]["last_turn"] = number
        return f"turn {missing}, table {LEAVER}, slips"

    return spoil


def never_left(archive: Entry) -> str:
    del archive["players"][LEAVER - 1]["last_turn"]
    return f"turn {LAST_TURN + 1}, table {LEAVER}, slips"


def swap_lines(archive: Entry) -> str:
    lines = archive["standings"]
    lines[0], lines[1] = lines[1], lines[0]
    return "standings, order of the tables"


def change_ledger_entry(archive: Entry) -> str:
    archive["ledger"]["entries"][4]["data"]["turn"] = 9
    return "ledger, entry 5"


def remove_ledger_entry(archive: Entry) -> str:
    del archive["ledger"]["entries"][2]
    return "ledger, entry 3"


def reseal_without_last(archive: Entry) -> str:
    archive["ledger"]["entries"].pop()
    return "ledger, head"


def on_a_phone(entry: Entry) -> bool:
    return bool(entry["source"] == "phone" and entry["in_time"])


def late_on_a_phone(entry: Entry) -> bool:
    return entry["source"] == "phone" and not entry["in_time"]


EVERYWHERE: Mapping[str, Fault] = {
    "a point more": in_verdict(scored, "points", points=add_to_field("points")),
    "a move worth more": in_verdict(scored, "move_score", move_score=add_to_field("move_score")),
    "a valid slip said to be rescued": in_verdict(scored, "result", result="rescued"),
    "another reason": in_verdict(by_verdict(result="zero"), "reason", reason="wrong_blank"),
    "another word that failed": in_verdict(by_verdict(result="zero"), "word", word="CASA"),
    "a zero that scores": in_verdict(by_verdict(result="zero"), "points", points=7),
    "a late slip judged": in_verdict(by_verdict(reason="late"), "result", result="valid", reason=None),
    "several slips of which one counts": in_verdict(by_verdict(reason="several_slips"), "result", result="valid"),
    "not one of several": in_slip(lambda entry: entry.get("several", False), "verdict.reason", several=False),
    "a rule that nobody knows of": in_verdict(scored, "warnings", warnings=["discipline"]),
    "another word on a slip": in_slip(lambda entry: entry["table"] == 1, "verdict.result", word="QUQUQU"),
    "a slip after the end": in_slip(on_a_phone, "in_time", received_at="2026-02-07T23:59:00+00:00"),
    "a late slip in time": in_slip(late_on_a_phone, "in_time", in_time=True),
    "a slip without a time": in_slip(on_a_phone, "received_at", received_at=None),
    "a slip from nowhere": in_slip(on_a_phone, "source", source=None),
    "a turn that closed before its end": in_turn(2, "closed_at", closed_at="2026-02-07T20:41:00+00:00"),
    "a tile that was kept is gone": in_turn(3, "kept", kept="QZ"),
    "another tile on the board": flip_a_tile_of_the_board,
    "a higher top": in_turn(2, "top", top=add_to_field("top")),
    "a missing top": drop_a_top,
    "tops in another order": swap_tops,
    "another master move": other_master,
    "a master move worth more": in_turn(2, "master", master=lambda one: one["master"] | {"score": 99}),
    "no solo": in_turn(lambda one: one["solo"] is not None, "solo", solo=None),
    "somebody else's solo": in_turn(lambda one: one["solo"] is not None, "solo", solo=2),
    "a missing slip": drop_slip(4, 2),
    "a missing slip of the late-comer": drop_slip(3, LATE_COMER),
    "a slip of one who left": slip_of_one_who_left,
    "who left earlier": last_turn(LAST_TURN - 1, LAST_TURN),
    "who left later": last_turn(LAST_TURN + 1, LAST_TURN + 1),
    "who never left": never_left,
    "another total": in_line(1, "total"),
    "another negative": in_line(2, "negative"),
    "another percent": in_line(3, "percent"),
    "another rank": in_line(4, "rank"),
    "another number of warnings": in_line(5, "warnings"),
    "another number of penalties": in_line(6, "penalties"),
    "another number of solos": in_line(7, "solos"),
    "another winner": swap_lines,
    "another entry in the ledger": change_ledger_entry,
    "a leaf torn out of the ledger": remove_ledger_entry,
    "the end of the ledger torn off": reseal_without_last,
    "another leftover": at_top("end", "end, kept", kept="QZ"),
    "another bag": at_top("end", "end, bag", bag="Z"),
    "another end": at_top("end", "end, why", why="tiles_out"),
    "another notation": at_top("profile", "across", notation="8H"),
}


# ---------------------------------------------------------------------------------------------------------------
# Faults of one family.


def joker_not_replaced(archive: Entry) -> str:
    """The blank of the first master move that has one still lies on the board a turn later."""
    one = first_turn(
        archive, lambda entry: entry["master"] and entry["master"]["word"] != entry["master"]["word"].upper()
    )
    following = turn(archive, one["number"] + 1)
    letter = next(sign for sign in one["master"]["word"] if sign.islower())
    for row, (before, after) in enumerate(zip(one["board"], following["board"], strict=True)):
        for at, (old, new) in enumerate(zip(before, after, strict=True)):
            if old == "." and new == letter.upper():
                following["board"][row] = after[:at] + letter + after[at + 1 :]
                return f"turn {following['number']}, board, row {row + 1}"
    raise AssertionError("no blank was replaced")


def replaced_by_a_letter_that_is_not_left(archive: Entry) -> str:
    """LEgA: both G lie elsewhere, so the blank had to stay."""
    one = first_turn(archive, lambda entry: any("g" in row for row in entry["board"]))
    row = next(at for at, text in enumerate(one["board"]) if "g" in text)
    one["board"][row] = one["board"][row].replace("g", "G")
    return f"turn {one['number']}, board, row {row + 1}"


def without_its_blank(one: Entry) -> str:
    return Tiles.parse(IT, one["rack"].replace("?", "N", 1)).text


def with_two_blanks(one: Entry) -> str:
    return Tiles.parse(IT, "?" + one["rack"][:-1]).text


def with_blank(archive: Entry) -> bool:
    return "?" in archive["rack"] and archive["number"] > 1


def rejected_without_a_blank(one: Entry) -> list[str]:
    return [rack.replace("?", "") for rack in one["rejected"]]


def of_another_variant(code: str, where: str) -> Fault:
    def spoil(archive: Entry) -> str:
        archive["formula"] = code
        return where

    return spoil


def solo_bonus_to(table: int) -> Fault:
    """Ten points to a player who was not the only one with the top."""
    return in_verdict(
        lambda entry: entry["table"] == table and scored(entry), "bonus", bonus=10, points=add_to_field("points", 10)
    )


def take_back(verdict: Entry) -> int:
    return int(verdict["points"]) + int(verdict["penalty"])


FISF: Mapping[str, Fault] = {
    "a penalty that was not taken": in_verdict(by_verdict(penalty=5), "penalty", points=take_back, penalty=0),
    "a penalty in the points alone": in_verdict(by_verdict(penalty=5), "points", points=take_back),
    "a penalty of ten": in_verdict(by_verdict(penalty=5), "penalty", penalty=10, points=add_to_field("points", -5)),
    "a penalty for a free warning": in_verdict(
        by_verdict(warnings=["score_wrong"], penalty=0), "penalty", penalty=5, points=add_to_field("points", -5)
    ),
    "a warning dropped": in_verdict(by_verdict(warnings=["score_wrong"]), "warnings", warnings=[]),
    "another warning": in_verdict(by_verdict(warnings=["score_missing"]), "warnings", warnings=["score_wrong"]),
    "a free rescue": in_verdict(by_verdict(reason="rescued_by_score"), "penalty", penalty=0, points=take_back),
    "a rescue said to be valid": in_verdict(by_verdict(reason="rescued_by_score"), "result", result="valid"),
    "a last letter forgiven": in_verdict(by_verdict(reason="last_letter_missing"), "reason", reason=None),
    "no bonus for the solo": in_verdict(by_verdict(bonus=10), "bonus", bonus=0, points=add_to_field("points", -10)),
    "a bonus in the points alone": in_verdict(by_verdict(bonus=10), "points", points=add_to_field("points", -10)),
    "a bonus for no solo": solo_bonus_to(2),
    "a higher average": in_verdict(by_verdict(reason="average_of_others"), "points", points=add_to_field("points")),
    "no average": in_verdict(
        by_verdict(reason="average_of_others"), "reason", result="zero", reason="does_not_fit", points=0
    ),
    "an average for the first zero": in_verdict(
        by_verdict(reason="not_a_word"), "reason", result="rescued", reason="average_of_others", points=12
    ),
    "a quota of one": switched("penalty", by_verdict(warnings=True, penalty=True), free_warnings=1000),
    "no sanctions": switched("penalty", by_verdict(penalty=True), sanction=0),
    "no averages": switched("result", by_verdict(reason="average_of_others"), average_for_second_zero=False),
    "seventeen players for a bonus": switched("bonus", by_verdict(bonus=True), solo_min_players=19),
    "no correction of the first move": switched(
        "result", by_verdict(reason="first_move_maximum"), first_move_maximum=False
    ),
}
JOKER: Mapping[str, Fault] = {
    "a joker that was not replaced": joker_not_replaced,
    "a joker replaced by a letter that is not left": replaced_by_a_letter_that_is_not_left,
    "a rack without its joker": in_turn(with_blank, "rack", rack=without_its_blank),
    "a rack with two jokers": in_turn(with_blank, "rack", rack=with_two_blanks),
    "a rejected rack without its joker": in_turn(
        lambda one: one["rejected"], "rejected", rejected=rejected_without_a_blank
    ),
    "a rejected rack forgotten": in_turn(lambda one: one["rejected"], "rejected", rejected=[]),
    "the normal formula": of_another_variant("normal", "turn 1, rack"),
    "the explosive formula": of_another_variant("explosive", "turn 1, rack"),
}
SEEDED: Mapping[str, Fault] = {
    "another tile on the rack": in_turn(2, "rack", rack=other_letter),
    "another seed": at_top("draw", "draw, commitment", seed="11" * 32),
    "a word of the hall that nobody called": at_top("draw", "turn 1, rack", hall_word="tournesol"),
    "a rack rejected that never was": in_turn(4, "rejected", rejected=["AAEEIOU"]),
}


def beyond_the_cap(archive: Entry) -> str:
    """The third solo has 5 points left below the cap of 25; it is given all ten."""
    verdict = slip(archive, 3, 1)["verdict"]
    assert verdict["bonus"] == 5
    verdict |= {"bonus": 10, "points": verdict["points"] + 5}
    return "turn 3, table 1, verdict.bonus"


def bonus_after_the_cap(archive: Entry) -> str:
    verdict = slip(archive, 4, 1)["verdict"]
    assert (verdict["bonus"], turn(archive, 4)["solo"]) == (0, 1)
    verdict |= {"bonus": 10, "points": verdict["points"] + 10}
    return "turn 4, table 1, verdict.bonus"


def scores_all_the_same(named: str, reason: str) -> Fault:
    """A zero for the form is given the points of its move."""
    return in_verdict(
        by_verdict(reason=reason, move_score=True),
        named,
        result="valid",
        reason=None,
        points=lambda verdict: verdict["move_score"],
    )


FISE: Mapping[str, Fault] = {
    "a bonus beyond the cap": beyond_the_cap,
    "a bonus after the cap": bonus_after_the_cap,
    "no bonus for the solo": in_verdict(by_verdict(bonus=10), "bonus", bonus=0, points=add_to_field("points", -10)),
    "a solo paid as a sole best": in_verdict(by_verdict(bonus=10), "bonus", bonus=5, points=add_to_field("points", -5)),
    "no bonus for the sole best": in_verdict(by_verdict(bonus=5), "bonus", bonus=0, points=add_to_field("points", -5)),
    "a bonus for no solo": solo_bonus_to(12),
    "a wrong score that counts": scores_all_the_same("result", "wrong_score"),
    "an unmarked blank that counts": scores_all_the_same("points", "blank_not_marked"),
    "a missing reference that counts": in_verdict(by_verdict(reason="wrong_reference"), "points", points=8),
    "an unmarked blank that is no word": in_verdict(
        by_verdict(reason="blank_not_marked"), "reason", reason="not_a_word"
    ),
    "no cap": switched("bonus", lambda entry: entry["verdict"]["bonus"] == 5 and entry["table"] == 1, bonus_cap=None),
    "twenty players for a bonus": switched("bonus", by_verdict(bonus=True), solo_min_players=20),
    "wrong scores that count": switched("result", by_verdict(reason="wrong_score"), wrong_score="real"),
    "blanks that count unmarked": switched("result", by_verdict(reason="blank_not_marked"), blank_unmarked="real"),
    "a declared score corrected": in_slip(
        by_verdict(reason="wrong_score"), "verdict.result", declared=lambda entry: entry["verdict"]["move_score"]
    ),
    "a rejected rack forgotten": in_turn(lambda one: one["rejected"], "rejected", rejected=[]),
}


def played_again(archive: Entry) -> Entry:
    """The turn in which nobody was correct."""
    return first_turn(archive, lambda one: one["master"] is None)


def a_master_though_nobody_was_correct(archive: Entry) -> str:
    one = played_again(archive)
    one["master"] = one["tops"][0] | {"chosen_by": "engine", "why": None}
    return f"turn {one['number']}, master"


def after_nobody(named: str, **change: Any) -> Fault:
    def spoil(archive: Entry) -> str:
        return in_turn(played_again(archive)["number"] + 1, named, **change)(archive)

    return spoil


def turn_not_counted(archive: Entry) -> str:
    """The negative of the winner, without the turn in which nobody was correct."""
    line(archive, 1)["negative"] += played_again(archive)["top"]
    return "standings, table 1, negative"


def joker_marked_afterwards(archive: Entry) -> str:
    """The letter of the first slip that the rack has not, on an empty board."""
    entry, rack = slip(archive, 1, 5), turn(archive, 1)["rack"]
    assert entry["verdict"]["penalty"]
    missing = next(letter for letter in entry["word"] if entry["word"].count(letter) > rack.count(letter))
    entry["word"] = entry["word"].replace(missing, missing.lower(), 1)
    return "turn 1, table 5, verdict.penalty"


RO: Mapping[str, Fault] = {
    "a letter of the joker not taken off": in_verdict(by_verdict(penalty=True), "penalty", penalty=0, points=take_back),
    "the letter of the joker in the points alone": in_verdict(by_verdict(penalty=True), "points", points=take_back),
    "the value of another letter": in_verdict(by_verdict(penalty=True), "penalty", penalty=8),
    "an unmarked joker that is a zero": in_verdict(
        by_verdict(penalty=True), "result", result="zero", reason="blank_not_marked", points=0
    ),
    "a joker marked afterwards": joker_marked_afterwards,
    "unmarked jokers that count": switched("penalty", by_verdict(penalty=True), blank_unmarked="real"),
    "the top in place of the best slip": in_turn(
        2, "master", master=lambda one: one["master"] | {"chosen_by": "engine"}
    ),
    "tops on the board": switched(None, lambda one: True, board_takes="top"),
}
AGAIN: Mapping[str, Fault] = {
    "a master move though nobody was correct": a_master_though_nobody_was_correct,
    "another rack after nobody was correct": after_nobody("rack", rack=other_letter),
    "a new draw after nobody was correct": after_nobody("rejected", rejected=["AAEEIOU"]),
    "a part of the rack kept after nobody was correct": after_nobody("kept", kept=lambda one: one["rack"][:3]),
    "a board after nobody was correct": after_nobody(
        "board, row 1", board=lambda one: ["RE" + "." * 13, *one["board"][1:]]
    ),
    "a turn in which nobody was correct left out of the tops": turn_not_counted,
    "no same rack again": switched(None, lambda one: one["master"] is None, nobody_correct="continue"),
}


def kept_all_the_same(archive: Entry) -> str:
    """The archive names the leave, and the next rack contains it."""
    turn(archive, 2)["kept"] = turn(archive, 2)["rack"][:2]
    return "turn 2, kept"


NTSV: Mapping[str, Fault] = {
    "a leftover kept": kept_all_the_same,
    "the whole leftover kept": in_turn(5, "kept", kept=lambda one: one["rack"]),
    "six new tiles": in_turn(3, "rack", rack=lambda one: one["rack"][:-1]),
    "eight new tiles": in_turn(3, "rack", rack=lambda one: Tiles.parse(IT, one["rack"] + "A").text),
    "a leftover kept at the end": at_top("end", "end, kept", kept="A"),
    "a leftover that may be kept": at_top("profile", "turn 2, kept", put_back="rejected"),
    "a blank that was not replaced": joker_not_replaced,
    "a minimum of vowels": in_turn(2, "rejected", rejected=["BCDFGHL"]),
    "an end without vowels": at_top("end", "end, why", why="minimum"),
    "a master move by a slip": in_turn(2, "master", master=lambda one: one["master"] | {"chosen_by": "slip"}),
    "a wrong score punished": in_verdict(
        lambda entry: entry["table"] == 3 and scored(entry), "result", result="zero", reason="wrong_score", points=0
    ),
    "a bonus where there is none": solo_bonus_to(1),
}


def two_out_of_the_stock(archive: Entry) -> str:
    """A slip that takes two tiles out of the stock is given its points."""
    where, entry = next(one for one in _slips(archive) if by_verdict(reason="letters_not_in_rack")(one[1]))
    entry["verdict"] |= {"result": "valid", "reason": None, "points": 12, "move_score": 12}
    return f"{where}, verdict.result"


def master_of_two_out_of_the_stock(archive: Entry) -> str:
    """The judge lays a word with two tiles that the rack has not, at the place of the first master move."""
    one = turn(archive, 1)
    one["master"] |= {"word": "ZII", "chosen_by": "judge"}
    assert not Tiles.parse(IT, one["rack"]).holds(Tiles.parse(IT, "ZI"))
    return "turn 1, master"


def taken_out_of_the_stock(one: Entry) -> bool:
    """A turn, not the first, before which a master move took a tile out of the stock."""
    return one["number"] > 1 and len(one["kept"]) > 0


COMPLETIVE: Mapping[str, Fault] = {
    "two tiles out of the stock": two_out_of_the_stock,
    "a master move with two tiles out of the stock": master_of_two_out_of_the_stock,
    "a rack of seven": in_turn(2, "rack", rack=lambda one: Tiles.parse(IT, one["rack"] + "A").text),
    "a rack of five": in_turn(2, "rack", rack=lambda one: one["rack"][:-1]),
    "the tile of the stock kept": in_turn(
        taken_out_of_the_stock, "kept", kept=lambda one: Tiles.parse(IT, one["kept"] + "A").text
    ),
    "the tile of the stock back in the bag": lambda archive: (
        archive["end"].update(bag=Tiles.parse(IT, archive["end"]["bag"] + "G").text) or "end, bag"
    ),
    "six letters without a seventh": of_another_variant("six", "profile, bonuses"),
    "racks of seven": of_another_variant("normal", "turn 1, top"),
    "another size of the rack": at_top("profile", "profile, rack_size", rack_size=7),
    "a top without the stock": in_turn(3, "top", top=add_to_field("top", -9)),
    "a rejected rack of seven": in_turn(
        lambda one: one["rejected"], "rejected", rejected=lambda one: [rack + "Z" for rack in one["rejected"]]
    ),
}

SEVEN_AND_EIGHT: Mapping[str, Fault] = {
    "eight tiles paid as seven": in_turn(1, "top", top=add_to_field("top", -25)),
    "a top paid as seven": in_turn(
        1, "tops", tops=lambda one: [top | {"score": top["score"] - 25} for top in one["tops"]]
    ),
    "a slip of eight tiles paid as seven": in_verdict(scored, "move_score", move_score=add_to_field("move_score", -25)),
    "no bonus for eight": at_top("profile", "profile, bonuses", bonuses={"7": 50}),
    "fifty for eight": at_top("profile", "profile, bonuses", bonuses={"7": 50, "8": 50}),
    "seven of eight": of_another_variant("7of8", "profile, bonuses"),
    "7, 8 and 9": of_another_variant("7-8-9", "profile, rack_size"),
    "the joker formula": of_another_variant("7and8-joker", "turn 1, rack"),
    "seven tiles": in_turn(2, "rack", rack=lambda one: one["rack"][:-1]),
    "nine tiles": in_turn(2, "rack", rack=lambda one: Tiles.parse(IT, one["rack"] + "A").text),
    "tiles that the bag does not have": in_turn(
        2, "rack", rack=lambda one: Tiles.parse(IT, one["rack"][:-2] + "QQ").text
    ),
    "a tile that was kept gone from the rack": in_turn(
        lambda one: one["kept"],
        "rack",
        rack=lambda one: one["rack"].replace(one["kept"][0], "S" if one["kept"][0] != "S" else "T"),
    ),
    "seven rejected tiles": in_turn(2, "rejected rack 1", rejected=["AAEEIOU"]),
    "a lawful rack rejected": in_turn(2, "rejected rack 1", rejected=lambda one: [one["rack"]]),
    "another size of the rack": at_top("profile", "profile, rack_size", rack_size=7),
}

OWN: Mapping[str, Mapping[str, Fault]] = {
    "fisf joker": {**FISF, **JOKER, **SEEDED},
    "fise": {**FISE, **SEEDED},
    "ro": {**RO, **AGAIN, **SEEDED},
    "ntsv": {**NTSV, **SEEDED},
    "completive": {**COMPLETIVE, **SEEDED},
    "7and8": {**FISF, **SEVEN_AND_EIGHT},
}
PLANTED = [
    pytest.param(family, fault, id=f"{family}: {name}")
    for family in FAMILIES
    for name, fault in {**EVERYWHERE, **OWN[family]}.items()
]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_true_archive_of_each_family_shows_no_difference(family: str) -> None:
    archive = read(family)
    assert found(archive) == []
    assert len(archive["turns"]) == FAMILIES[family].turns


@pytest.mark.parametrize(("family", "fault"), one_in(6, PLANTED))
def test_a_fault_is_found_and_named_where_it_was_planted_and_nothing_before_it(family: str, fault: Fault) -> None:
    archive = read(family)
    where = fault(archive)
    named = found(archive)
    assert where in named
    if where.startswith("turn"):
        assert min(_number(one) for one in named if one.startswith("turn ")) == _number(where)


def _number(where: str) -> int:
    match = re.match(r"turn (\d+)", where)
    assert match
    return int(match[1])


@pytest.mark.parametrize("code", ["normal", "joker", "completive"])
def test_a_tile_on_the_board_that_the_edition_does_not_have_is_found(code: str) -> None:
    """X exists by blank alone: TAXI without its blank cannot lie there."""
    archive: Entry = json.loads(json.dumps(play_family(FamilyGame("fisf", code, turns=3))))
    archive["turns"][2]["board"][0] = "TAXI" + "." * 11
    assert "turn 3, board, row 1" in found(archive)


@pytest.mark.parametrize("family", FAMILIES)
def test_age_class_country_and_team_decide_nothing(family: str) -> None:
    archive = read(family)
    for player in archive["players"]:
        player |= {"age_class": "V", "country": "RO", "team": "Les Verts", "club": "Paris", "series": "3"}
    assert found(archive) == []


def test_a_ledger_sealed_anew_around_a_change_still_has_another_head() -> None:
    """Whoever rewrites the whole chain cannot make the head that was printed."""
    archive = read("fise")
    printed = archive["ledger"]["head"]
    entries: list[Entry] = []
    for entry in archive["ledger"]["entries"]:
        data = entry["data"] | {"turn": 1}
        last = entries[-1] if entries else None
        entries.append(seal_entry(last, at=entry["at"], kind=entry["kind"], by=entry["by"], data=data))
    archive["ledger"]["entries"] = entries
    assert found(archive) == ["ledger, head"]
    assert head_hash(entries) != printed


def test_the_games_hold_what_the_faults_are_planted_in() -> None:
    """By the rules, counted by hand: three free warnings, then five points each; a cap of 25; the same rack again."""
    joker, fise, ro = read("fisf joker"), read("fise"), read("ro")
    costs = [slip(joker, number, 3)["verdict"] for number in range(1, 8)]
    assert [(len(one["warnings"]), one["penalty"]) for one in costs] == [(1, 0)] * 3 + [(1, 5)] * 4
    assert [slip(fise, number, 1)["verdict"]["bonus"] for number in range(1, 7)] == [10, 10, 5, 0, 0, 0]
    assert (turn(ro, 3)["master"], turn(ro, 4)["rack"], turn(ro, 4)["kept"]) == (
        None,
        turn(ro, 3)["rack"],
        turn(ro, 3)["rack"],
    )
    assert {one["kept"] for one in read("ntsv")["turns"]} == {""}
    assert [len(one["rack"]) for one in read("completive")["turns"]] == [6] * 6
    eight = turn(read("7and8"), 1)
    assert (len(eight["rack"]), eight["tops"][0]["word"]) == (8, "SENATORE")
    assert min(len({**EVERYWHERE, **OWN[family]}) for family in FAMILIES) >= 20
    assert all(len(OWN[family]) >= 10 for family in FAMILIES)
