from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archive.replay import Difference, verify
from engine.archive.replay.facts import Facts
from engine.archive.schema import Archive, ArchiveError, read_archive, word_list_sha256, word_texts
from engine.lexicon.graph import Lexicon
from engine.rules.profile import load_profile
from tests.engine.archive.played_game import BOX, SEED, WORDS, lexicon, play_game_archive
from tests.examples import examples

Spoil = Callable[[dict[str, Any]], object]

CLUB = load_profile("club")
STRICT = BOX.with_switches(
    board_takes="top",
    wrong_score="warn",
    missing_score="warn",
    wrong_reference="rescue",
    missing_reference="rescue",
    free_warnings=1,
    solo_bonus=10,
    sole_best_bonus=5,
    solo_min_players=5,
    bonus_cap=25,
    ranking_ties=["last_move_backwards"],
    notation="H8",
)


@cache
def written(kind: str) -> str:
    """The text of a true archive."""
    games: dict[str, Callable[[], Archive]] = {
        "box": play_game_archive,
        "club": lambda: play_game_archive(CLUB, turns=8),
        "strict": lambda: play_game_archive(STRICT, turns=9),
        "whole": lambda: play_game_archive(turns=99, rulings={}),
        "typed": lambda: play_game_archive(turns=99, rulings={}, typed=True, seed=bytes(range(1, 33))),
        "struck dry": lambda: play_game_archive(turns=99, rulings={"struck": (tuple(WORDS), 3)}),
        "no hall word": lambda: play_game_archive(hall_word=None),
        "back": lambda: play_game_archive(BOX.with_switches(put_back="always"), turns=9),
    }
    return json.dumps(games[kind]())


def differences(archive: dict[str, Any]) -> list[Difference]:
    return verify(read_archive(json.dumps(archive)), lexicon())


KINDS = ["box", "club", "strict", "whole", "typed", "struck dry", "no hall word", "back"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_true_archive_shows_no_difference(kind: str) -> None:
    assert differences(json.loads(written(kind))) == []


def with_two_lists(how: str, first: list[str], second: list[str]) -> tuple[Archive, list[Lexicon]]:
    """The archive as it is when these two lists make the word list of the game."""
    lists = [Lexicon.build(lexicon().edition, words) for words in (first, second)]
    archive = json.loads(written("box"))
    archive["profile"]["two_dictionaries"] = how
    counted = [word_list_sha256(word_texts(each.edition, each.words())) for each in lists]
    archive["lexicon"]["parts"] = [{"name": "one of two", "words": n, "sha256": sha256} for n, sha256 in counted]
    return read_archive(json.dumps(archive)), lists


@pytest.mark.parametrize(
    ("how", "first", "second"),
    [("either", WORDS[::2], WORDS[1:]), ("both", [*WORDS, "POEMI"], [*WORDS, "CETO"])],
)
def test_a_game_with_two_lists_is_verified_by_both(how: str, first: list[str], second: list[str]) -> None:
    archive, lists = with_two_lists(how, first, second)
    assert verify(archive, *lists) == []
    assert verify(archive, *reversed(lists)) == []
    assert "lexicon, parts" in [found.where for found in verify(archive, lists[0], lexicon())]
    archive["profile"]["two_dictionaries"] = "both" if how == "either" else "either"
    assert "lexicon, sha256" in [found.where for found in verify(archive, *lists)]
    with pytest.raises(ArchiveError, match="only be verified by the two word lists of the game: one of two, one of"):
        verify(archive, lists[0])
    with pytest.raises(ArchiveError, match="cannot be verified by two word lists: the game has one, prova"):
        verify(read_archive(written("box")), *lists)


def test_turns_with_the_same_words_share_one_list() -> None:
    """ORSO is struck from turn 5 on, POEMI accepted from turn 6 on."""
    facts = Facts(read_archive(written("box")), lexicon())
    assert facts.lexicon(4) is facts.lexicon(1) is lexicon()
    orso, poemi = facts.edition.parse_word("ORSO"), facts.edition.parse_word("POEMI")
    assert [(orso in facts.lexicon(turn), poemi in facts.lexicon(turn)) for turn in (4, 5, 6, 7)] == [
        (True, False),
        (False, False),
        (False, True),
        (False, True),
    ]
    assert facts.solver(7) is facts.solver(6)


def test_the_games_are_worth_verifying() -> None:
    """Rejected racks, blanks, ties, solos, late and judged slips, warnings, sanctions, bonuses: all are there."""
    box, strict = json.loads(written("box")), json.loads(written("strict"))
    turns = box["turns"] + strict["turns"]
    verdicts = [slip["verdict"] for turn in turns for slip in turn["slips"]]
    assert any(turn["rejected"] for turn in turns)
    assert any("?" in turn["rack"] for turn in turns)
    assert any(len(turn["tops"]) > 1 for turn in turns)
    assert any(turn["solo"] for turn in turns)
    assert {"engine", "slip", "judge"} == {turn["master"]["chosen_by"] for turn in turns}
    assert {"valid", "rescued", "zero"} == {verdict["result"] for verdict in verdicts}
    assert {"late", "no_slip", "judge"} < {verdict["reason"] for verdict in verdicts}
    assert any(verdict["bonus"] for verdict in verdicts)
    assert any(verdict["penalty"] for verdict in verdicts)
    assert any(verdict["warnings"] for verdict in verdicts)
    assert json.loads(written("whole"))["end"]["why"] == "no_move"
    assert json.loads(written("typed"))["end"]["why"] == "minimum"


def turn(archive: dict[str, Any], number: int) -> dict[str, Any]:
    found: dict[str, Any] = archive["turns"][number - 1]
    return found


def slip(archive: dict[str, Any], number: int, table: int) -> dict[str, Any]:
    return next(one for one in turn(archive, number)["slips"] if one["table"] == table)


def line(archive: dict[str, Any], table: int) -> dict[str, Any]:
    return next(one for one in archive["standings"] if one["table"] == table)


def put(entry: Callable[[dict[str, Any]], dict[str, Any]], **fields: Any) -> Spoil:
    """Set fields of an entry of the archive."""
    return lambda archive: entry(archive).update(fields)


def in_turn(number: int, **fields: Any) -> Spoil:
    return put(lambda archive: turn(archive, number), **fields)


def in_slip(number: int, table: int, **fields: Any) -> Spoil:
    return put(lambda archive: slip(archive, number, table), **fields)


def in_verdict(number: int, table: int, **fields: Any) -> Spoil:
    return put(lambda archive: slip(archive, number, table)["verdict"], **fields)


def in_master(number: int, **fields: Any) -> Spoil:
    return put(lambda archive: turn(archive, number)["master"], **fields)


def in_line(table: int, **fields: Any) -> Spoil:
    return put(lambda archive: line(archive, table), **fields)


def at_top(name: str, **fields: Any) -> Spoil:
    return put(lambda archive: archive[name], **fields)


def both(*spoils: Spoil) -> Spoil:
    return lambda archive: [spoil(archive) for spoil in spoils]


def swap_racks(archive: dict[str, Any]) -> None:
    first, second = turn(archive, 2), turn(archive, 3)
    first["rack"], second["rack"] = second["rack"], first["rack"]


def swap_tops(archive: dict[str, Any]) -> None:
    tops = turn(archive, 1)["tops"]
    tops[0], tops[1] = tops[1], tops[0]


def other_top_as_master(archive: dict[str, Any]) -> None:
    turn(archive, 1)["master"] |= turn(archive, 1)["tops"][-1]


def set_row(archive: dict[str, Any]) -> None:
    board = turn(archive, 3)["board"]
    board[7] = board[7].replace("R", "r")


def double(archive: dict[str, Any]) -> None:
    turn(archive, 3)["slips"].append(copy.deepcopy(slip(archive, 3, 4)))


def stranger(archive: dict[str, Any]) -> None:
    turn(archive, 3)["slips"].append({**copy.deepcopy(slip(archive, 3, 4)), "table": 77})


def drop_slip(number: int, table: int) -> Spoil:
    return lambda archive: turn(archive, number)["slips"].remove(slip(archive, number, table))


def drop_ruling(kind: str) -> Spoil:
    return lambda archive: archive["lexicon"][kind].clear()


FAULTS: list[tuple[str, Spoil, str]] = [
    ("box", in_verdict(2, 1, points=99), "turn 2, table 1, verdict.points"),
    ("box", in_verdict(2, 1, result="rescued"), "turn 2, table 1, verdict.result"),
    ("box", in_verdict(3, 4, reason="not_a_word"), "turn 3, table 4, verdict.reason"),
    ("box", in_verdict(2, 1, move_score=None), "turn 2, table 1, verdict.move_score"),
    ("box", in_verdict(2, 1, warnings=["discipline"]), "turn 2, table 1, verdict.warnings"),
    ("box", in_verdict(2, 1, penalty=5), "turn 2, table 1, verdict.penalty"),
    ("strict", in_verdict(2, 1, bonus=0), "turn 2, table 1, verdict.bonus"),
    ("box", in_verdict(1, 5, word="ZZZ"), "turn 1, table 5, verdict.word"),
    ("box", in_verdict(2, 2, points=40), "turn 2, table 2, verdict.points"),
    ("box", in_verdict(2, 2, result="valid", points=40, move_score=41), "turn 2, table 2, verdict.points"),
    ("box", in_slip(1, 1, word="GATTO"), "turn 1, table 1, verdict.result"),
    ("box", in_slip(1, 1, ref="8A"), "turn 1, table 1, verdict.reason"),
    ("box", in_slip(1, 1, direction="down"), "turn 1, table 1, verdict.move_score"),
    ("strict", in_slip(1, 1, declared=3), "turn 1, table 1, verdict.warnings"),
    ("strict", in_slip(4, 5, decided_by="rule", word="", ref="", declared=None), "turn 4, table 5, verdict.reason"),
    ("box", swap_racks, "turn 2, rack"),
    ("box", in_turn(1, rack="SSRON?I"), "turn 1, rack"),
    ("box", in_turn(1, rack="?INORS"), "turn 1, rack"),
    ("box", in_turn(1, rack="?INORSSJ"), "turn 1, rack"),
    ("box", in_turn(1, rack="QQQQQQQ"), "turn 1, rack"),
    ("box", in_turn(1, rejected=["AAEEIOU"]), "turn 1, rejected"),
    ("box", in_turn(2, rejected=[]), "turn 2, rejected"),
    ("box", in_turn(2, rejected=["?CDLNST"]), "turn 2, rejected"),
    ("box", in_turn(3, kept="AD"), "turn 3, kept"),
    ("box", in_turn(3, kept="xyz"), "turn 3, kept"),
    ("box", set_row, "turn 3, board, row 8"),
    ("box", in_turn(3, board=["." * 15] * 14), "turn 3, board"),
    ("box", in_turn(1, board=["." * 14 + "A"] + ["." * 15] * 14), "turn 1, board, row 1"),
    ("box", in_turn(3, board=["QQQ" + "." * 12] + ["." * 15] * 14), "turn 3, tiles"),
    ("box", in_turn(2, top=80), "turn 2, top"),
    ("box", in_turn(2, tops=[]), "turn 2, tops"),
    ("box", lambda archive: turn(archive, 1)["tops"].pop(), "turn 1, tops"),
    ("box", swap_tops, "turn 1, order of the tops"),
    ("box", lambda archive: turn(archive, 2)["tops"][0].update(ref="15A"), "turn 2, tops"),
    ("box", other_top_as_master, "turn 1, master"),
    ("box", in_master(2, score=99), "turn 2, master"),
    ("box", in_master(2, chosen_by="engine"), "turn 2, master"),
    ("box", in_master(2, ref="Z9"), "turn 2, master"),
    ("box", in_master(2, word="J"), "turn 2, master"),
    ("box", in_master(2, ref="8O"), "turn 2, master"),
    ("box", in_turn(2, master=None), "turn 2, master"),
    ("club", in_master(2, chosen_by="slip"), "turn 2, master"),
    ("box", in_master(4, score=99), "turn 4, master"),
    ("box", in_master(4, word="ZZZ"), "turn 4, master"),
    ("box", in_master(4, ref="15N"), "turn 4, master"),
    ("box", in_turn(2, solo=4), "turn 2, solo"),
    ("box", in_turn(1, solo=1), "turn 1, solo"),
    ("box", in_slip(3, 4, in_time=True), "turn 3, table 4, in_time"),
    ("box", in_slip(1, 2, received_at="2026-01-31T21:35:00+00:00"), "turn 1, table 2, in_time"),
    ("box", in_slip(1, 2, received_at="2026-01-31T20:34:59.999999+00:00"), "turn 1, table 2, in_time"),
    ("box", in_slip(1, 2, received_at=None), "turn 1, table 2, received_at"),
    ("box", in_slip(1, 2, source=None), "turn 1, table 2, source"),
    ("box", in_turn(1, deadline="2026-01-31T20:37:59.999999+00:00"), "turn 1, table 4, in_time"),
    ("box", in_turn(1, grace_ms=999), "turn 1, table 4, in_time"),
    ("box", in_turn(1, closed_at="2026-01-31T20:37:00+00:00"), "turn 1, closed_at"),
    ("box", in_turn(2, started_at="2026-01-31T20:38:00+00:00"), "turn 2, started_at"),
    ("box", in_turn(6, closed_at=None), "turn 6, closed_at"),
    ("box", put(lambda archive: turn(archive, 3), number=4), "turn 3, number"),
    ("box", drop_slip(4, 2), "turn 4, table 2, slips"),
    ("box", drop_slip(6, 5), "turn 6, table 5, slips"),
    ("box", drop_slip(4, 6), "turn 4, table 6, slips"),
    ("box", double, "turn 3, table 4, slips"),
    ("box", stranger, "turn 3, table 77"),
    ("box", lambda archive: archive["players"].append(archive["players"][0]), "players, table 1"),
    ("box", lambda archive: archive["players"].pop(), "turn 3, table 6"),
    ("box", in_line(1, total=500), "standings, table 1, total"),
    ("box", in_line(1, rank=2), "standings, table 1, rank"),
    ("box", in_line(1, negative=-7), "standings, table 1, negative"),
    ("box", in_line(1, percent=99.9), "standings, table 1, percent"),
    ("box", in_line(1, solos=0), "standings, table 1, solos"),
    ("strict", in_line(4, warnings=0), "standings, table 4, warnings"),
    ("strict", in_line(4, penalties=9), "standings, table 4, penalties"),
    ("box", lambda archive: archive["standings"].reverse(), "standings, order of the tables"),
    ("box", lambda archive: archive["standings"].pop(), "standings, order of the tables"),
    ("box", lambda archive: archive["ledger"]["entries"][3].update(by="nessuno"), "ledger, entry 4"),
    ("box", lambda archive: archive["ledger"]["entries"].pop(2), "ledger, entry 3"),
    ("box", lambda archive: archive["ledger"]["entries"].pop(), "ledger, head"),
    ("box", at_top("ledger", head="0" * 64), "ledger, head"),
    ("box", at_top("draw", commitment="0" * 64), "draw, commitment"),
    ("box", at_top("draw", seed="00" * 32), "draw, commitment"),
    ("box", at_top("draw", seed="00" * 32), "turn 1, rack"),
    ("box", at_top("draw", seed=None), "draw, seed"),
    ("box", at_top("draw", seed="no hex"), "draw, seed"),
    ("box", at_top("draw", seed="00"), "draw, seed"),
    ("box", at_top("draw", hall_word="margherita"), "turn 1, rack"),
    ("box", at_top("draw", hall_word=None), "turn 1, rack"),
    ("no hall word", at_top("draw", hall_word="margherita"), "turn 1, rack"),
    ("box", at_top("lexicon", sha256="0" * 64), "lexicon, sha256"),
    ("box", at_top("lexicon", words=1), "lexicon, words"),
    ("box", drop_ruling("struck"), "turn 5, tops"),
    ("box", drop_ruling("accepted"), "turn 6, top"),
    ("box", lambda archive: archive["lexicon"]["accepted"][0].update(from_turn=7), "turn 6, top"),
    ("box", lambda archive: archive["lexicon"]["struck"][0].update(word="X Y"), "lexicon, struck"),
    ("box", lambda archive: archive["tile_set"]["A"].update(count=13), "tile_set, A"),
    ("box", lambda archive: archive["tile_set"].pop("Z"), "tile_set, Z"),
    ("box", at_top("tile_set", J={"count": 1, "value": 8, "class": "consonant"}), "tile_set, J"),
    ("box", put(lambda archive: archive, across="H8"), "across"),
    ("box", at_top("profile", min_early=0), "turn 2, rejected"),
    ("box", at_top("profile", board_takes="top"), "turn 1, master"),
    ("strict", at_top("profile", solo_bonus=0), "turn 2, table 1, verdict.bonus"),
    ("box", at_top("profile", max_turns=5), "turns"),
    ("box", at_top("end", kept=""), "end, kept"),
    ("box", at_top("end", bag=""), "end, bag"),
    ("box", at_top("end", why="tiles_out"), "end, why"),
    ("box", at_top("end", why="turns"), "end, why"),
    ("whole", at_top("end", why="minimum"), "end, why"),
    ("typed", at_top("end", why="tiles_out"), "end, why"),
    ("typed", at_top("end", why="no_move"), "end, why"),
]


@pytest.mark.parametrize(("kind", "spoil", "where"), FAULTS, ids=[f"{kind}: {where}" for kind, _, where in FAULTS])
def test_a_fault_is_found_where_it_was_planted(kind: str, spoil: Spoil, where: str) -> None:
    archive = json.loads(written(kind))
    spoil(archive)
    assert where in [difference.where for difference in differences(archive)]


def test_a_difference_says_what_is_stored_and_what_the_rules_give() -> None:
    archive = json.loads(written("box"))
    truth = line(archive, 1)["total"]
    line(archive, 1)["total"] = 500
    assert differences(archive) == [Difference("standings, table 1, total", 500, truth)]


@pytest.mark.parametrize(
    ("spoil", "where"),
    [
        (swap_tops, "turn 1, order of the tops"),
        (in_turn(2, top=80), "turn 2, top"),
        (in_turn(2, solo=4), "turn 2, solo"),
        (in_slip(3, 4, in_time=True), "turn 3, table 4, in_time"),
        (in_verdict(2, 1, points=99), "turn 2, table 1, verdict.points"),
    ],
)
def test_a_fault_is_named_where_it_is_and_not_in_all_that_follows(spoil: Spoil, where: str) -> None:
    archive = json.loads(written("box"))
    spoil(archive)
    assert [difference.where for difference in differences(archive)] == [where]


def test_text_and_citation_of_a_verdict_are_free_since_languages_and_programs_word_them_differently() -> None:
    archive = json.loads(written("box"))
    slip(archive, 2, 1)["verdict"] |= {"text": "Tutto bene.", "rule": "regolamento, 7"}
    assert differences(archive) == []


def test_a_judges_verdict_is_not_judged_again() -> None:
    archive = json.loads(written("box"))
    verdict = slip(archive, 2, 2)["verdict"]
    verdict |= {"result": "valid", "reason": "judge", "points": 12, "move_score": 12}
    assert [one.where for one in differences(archive) if not one.where.startswith("standings")] == []


def test_whether_paper_came_in_time_is_the_judges_word() -> None:
    archive = json.loads(written("box"))
    slip(archive, 3, 3)["received_at"] = "2026-02-01T08:00:00+00:00"
    assert differences(archive) == []


def test_a_late_comer_has_no_slips_for_the_turns_before() -> None:
    archive = json.loads(written("box"))
    assert [len(turn(archive, number)["slips"]) for number in range(1, 7)] == [5, 5, 6, 6, 6, 6]


# ---------------------------------------------------------------------------------------------------------------
# Racks from a physical bag.


def with_rejected(*rejected: str) -> dict[str, Any]:
    """A typed game in which racks were rejected before the first one."""
    archive: dict[str, Any] = json.loads(written("typed"))
    turn(archive, 1)["rejected"] = list(rejected)
    return archive


def test_racks_that_break_the_rule_may_be_rejected_by_hand() -> None:
    assert differences(with_rejected("AAEEIOU", "BCCDFGL")) == []


@pytest.mark.parametrize("rejected", ["ABCDEFG", "AEIOU", "QQQBCDF", "UOIEEAA", "J"])
def test_a_rack_that_had_to_stay_or_cannot_be_is_no_rejected_rack(rejected: str) -> None:
    found = differences(with_rejected("AAEEIOU", rejected))
    assert {difference.where for difference in found} == {"turn 1, rejected rack 2"}


def test_a_rejected_rack_holds_what_was_kept_unless_one_was_rejected_before() -> None:
    archive = json.loads(written("typed"))
    kept = turn(archive, 2)["kept"]
    without = "BCCCDFG"
    assert set(kept) - set(without)
    turn(archive, 2)["rejected"] = [without]
    assert [one.where for one in differences(archive)] == ["turn 2, rejected rack 1"]
    turn(archive, 2)["rejected"] = ["".join(sorted(kept)) + "AEIOUAEI"[: 7 - len(kept)], without]
    found = {one.where for one in differences(archive)}
    assert "turn 2, rejected rack 2" not in found


TYPED_FAULTS = [
    (in_turn(1, rack="AAEEIOU"), "turn 1, rack"),
    (in_turn(1, rack="AEBC"), "turn 1, rack"),
    (in_turn(1, rack="ABCQQQQ"), "turn 1, rack"),
    (in_turn(2, rack="ABCDEFG"), "turn 2, rack"),
]


@pytest.mark.parametrize(("spoil", "where"), TYPED_FAULTS)
def test_a_typed_rack_that_cannot_be_is_found(spoil: Spoil, where: str) -> None:
    archive = json.loads(written("typed"))
    spoil(archive)
    assert where in [difference.where for difference in differences(archive)]


def test_a_typed_game_needs_no_seed() -> None:
    archive = json.loads(written("typed"))
    archive["draw"] |= {"seed": None, "commitment": ""}
    assert differences(archive) == []


# ---------------------------------------------------------------------------------------------------------------
# A game that is going on.


def going_on() -> dict[str, Any]:
    """An export in the middle of turn 6: no seed, no end, slips and master still to come."""
    archive: dict[str, Any] = json.loads(written("box"))
    archive["end"] = archive["draw"]["seed"] = None
    turn(archive, 6).update(closed_at=None, master=None, slips=turn(archive, 6)["slips"][:2], solo=None)
    shorter = json.loads(json.dumps(play_game_archive(turns=5)))
    archive["standings"] = shorter["standings"]
    return archive


def test_a_game_that_is_going_on_is_verified_as_far_as_it_went() -> None:
    assert differences(going_on()) == []


@pytest.mark.parametrize(
    ("spoil", "where"),
    [
        (in_turn(6, rack="AAEEIOU"), "turn 6, rack"),
        (in_turn(6, top=1), "turn 6, top"),
        (in_verdict(5, 1, points=99), "turn 5, table 1, verdict.points"),
        (in_line(1, total=1), "standings, table 1, total"),
    ],
)
def test_faults_of_a_game_that_is_going_on_are_found(spoil: Spoil, where: str) -> None:
    archive = going_on()
    spoil(archive)
    assert where in [difference.where for difference in differences(archive)]


def test_a_turn_that_was_not_announced_has_no_times() -> None:
    archive = going_on()
    turn(archive, 6).update(started_at=None, deadline=None, slips=[])
    assert differences(archive) == []


NO_SLIP = {"source": None, "received_at": None, "in_time": False, "word": "", "ref": "", "declared": None}


def nobody_correct() -> dict[str, Any]:
    """A game that is going on: in its only turn nobody handed in anything, so the same rack is played again."""
    archive: dict[str, Any] = json.loads(
        json.dumps(play_game_archive(BOX.with_switches(nobody_correct="same_rack"), turns=1))
    )
    archive["end"] = archive["draw"]["seed"] = None
    turn(archive, 1).update(master=None, solo=None)
    for one in turn(archive, 1)["slips"]:
        one.update(NO_SLIP)
        one["verdict"] |= {"result": "zero", "reason": "no_slip", "points": 0, "move_score": None, "word": None}
    top = turn(archive, 1)["top"]
    for number, one in enumerate(sorted(archive["standings"], key=lambda line: line["table"]), 1):
        one.update(rank=1, table=number, total=0, negative=-top, percent=0.0, warnings=0, penalties=0, solos=0)
    archive["standings"].sort(key=lambda line: line["table"])
    return archive


def test_a_turn_in_which_nobody_was_correct_counts_without_a_master_move() -> None:
    assert differences(nobody_correct()) == []


def test_until_it_is_placed_it_does_not_count() -> None:
    archive = nobody_correct()
    for one in archive["standings"]:
        one["negative"] = 0
    assert differences(archive) == []
    line(archive, 2)["total"] = 3
    assert [one.where for one in differences(archive)] == ["standings, table 2, total"]


def on_paper(number: int, *, several: bool | None, reason: str | None) -> dict[str, Any]:
    """A game with the valid slip of table 3 said to be one of several, by its field or by its verdict."""
    archive: dict[str, Any] = json.loads(written("box"))
    one = slip(archive, number, 3)
    if several is not None:
        one["several"] = several
    if reason is not None:
        one["verdict"] |= {"result": "zero", "reason": reason, "points": 0, "move_score": None}
    return archive


def of_slips(archive: dict[str, Any]) -> set[str]:
    return {one.where for one in differences(archive) if one.where.startswith("turn 2, table 3")}


def test_several_slips_on_paper_are_told_by_their_field_or_by_the_verdict() -> None:
    assert of_slips(on_paper(2, several=True, reason="several_slips")) == set()
    assert of_slips(on_paper(2, several=None, reason="several_slips")) == set()
    assert "turn 2, table 3, verdict.reason" in of_slips(on_paper(2, several=False, reason="several_slips"))
    assert "turn 2, table 3, verdict.reason" in of_slips(on_paper(2, several=True, reason=None))


# ---------------------------------------------------------------------------------------------------------------
# Archives that this program cannot judge, or that nobody can.

UNKNOWN = [
    (put(lambda archive: archive, edition="tlh"), "This archive cannot be verified: there is no edition 'tlh'"),
    (put(lambda archive: archive, formula="chess"), "There is no variant 'chess'; there are normal, "),
    (at_top("profile", board_takes="dice"), "The switch board_takes of the profile it-box must be top or best_slip"),
    (lambda archive: archive["profile"].pop("put_back"), "The profile it-box lacks the switch put_back"),
]


@pytest.mark.parametrize(("spoil", "sentence"), UNKNOWN)
def test_what_this_program_does_not_have_is_told_in_one_sentence(spoil: Spoil, sentence: str) -> None:
    archive = json.loads(written("box"))
    spoil(archive)
    with pytest.raises(ArchiveError, match=sentence):
        differences(archive)


def test_a_profile_of_another_name_is_verified_by_its_switches() -> None:
    archive = json.loads(written("box"))
    archive["profile"]["name"] = "casa nostra"
    assert differences(archive) == []


def test_an_archive_without_a_turn_is_verified_too() -> None:
    archive = json.loads(json.dumps(play_game_archive(turns=0)))
    assert differences(archive) == []


def test_the_seed_is_the_one_that_was_committed_to() -> None:
    assert json.loads(written("box"))["draw"]["seed"] == SEED.hex()


ODD_VALUES: list[Any] = [
    *(None, 0, -1, 99999, 10**30, True, 3.5, [], {}, ["AB"], "", "?", "[", "L·L", "àè", "\ud800", "ZZZ", "x" * 300),
    *("8H", "O15", "q", "zero", "judge", "paper", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
]


def spoil_somewhere(rng: Random, archive: Any) -> None:
    """Put an odd value, or one from beside it, somewhere in the archive."""
    entry, key = archive, rng.choice(list(archive))
    while isinstance(entry[key], dict | list) and entry[key] and rng.random() < 0.9:
        entry = entry[key]
        key = rng.choice(list(entry)) if isinstance(entry, dict) else rng.randrange(len(entry))
    values = list(entry.values()) if isinstance(entry, dict) else entry
    entry[key] = copy.deepcopy(rng.choice(values if rng.random() < 0.4 else ODD_VALUES))


def told(archive: Any) -> list[str]:
    """Findings about the archive."""
    try:
        return [difference.where for difference in differences(archive)]
    except ArchiveError as error:
        return [str(error)]


@examples(300)
@given(st.randoms(use_true_random=False))
def test_whatever_is_in_the_file_it_is_told_in_differences_or_one_sentence(rng: Random) -> None:
    archive = json.loads(written("box"))
    for _ in range(rng.randint(1, 3)):
        spoil_somewhere(rng, archive)
    assert all(told(archive))
