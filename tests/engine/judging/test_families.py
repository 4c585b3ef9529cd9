"""Every family of rules by its profile: what a slip gets, row by row, each row with its source.

A row says what lies, the rack, the slip ("8D CORNO 22", `-` for what is missing) and the verdict: points, reason of a
zero or a rescue, the word that failed, in brackets what a move is worth that got nothing for its form, `-5` what was
taken off, `!` before each warning.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.board.coordinates import Direction
from engine.judging.placement import Position
from engine.judging.verdict import Verdict, judge_slip
from engine.rules.profile import load_profile
from engine.slips.slip import Received, Slip
from tests.engine.judging.positions import CA, FR, IT, WORDS, position, slip, words

LISTED = {"it": words(IT), "fr": words(FR, "PUBLIERA PUB BAS IRA"), "ca": words(CA, "JAQUETA ANYS")}
EMPTY = position("CORNOAE", turn=1)
CORNO = position("SARETIO", "8D CORNO")
NO_R = position("SA?ETIE", "8D CORNO")
PUBLIERA = position("PULIERA", "3A BAS", edition=FR)
TWO_TILES = position("SARETIO", "8H NO")
BRIDGE = position("SNAREIO", "8E COR", "I8 ORA")
"""SCORNO at 8D takes up COR and the O of ORA, so it is no plain extension."""
ONE_TILE = position("OIIIIII", "8D CORN", "H9 RA")
REPLACE = position("SARETIO", "8D CoRNO")


@dataclass(frozen=True)
class Row:
    source: str
    at: Position
    written: str
    expected: str
    direction: Direction | None = None
    hook: str = ""
    received: Received = "in_time"
    prior: int = 0
    blitz: bool = False
    given: tuple[str, ...] = ()


def format_verdict(verdict: Verdict) -> str:
    """The verdict as the tables write it."""
    parts = [str(verdict.points), verdict.reason or "", verdict.word or ""]
    if verdict.result == "zero" and verdict.move_score is not None:
        parts.append(f"({verdict.move_score})")
    if verdict.penalty:
        parts.append(f"-{verdict.penalty}")
    return " ".join(filter(None, [*parts, *(f"!{code}" for code in verdict.warnings)]))


def check(profile: str, row: Row) -> None:
    written: Slip = slip(row.written, direction=row.direction, hook=row.hook, received=row.received)
    listed = LISTED[row.at.board.edition.code]
    judged = judge_slip(
        written,
        row.at,
        load_profile(profile),
        listed,
        prior_warnings=row.prior,
        blitz=row.blitz,
        given=row.given,
    )
    assert format_verdict(judged) == row.expected, row.source


def table(rows: list[Row]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("row", rows, ids=[f"{row.written} ({row.source})" for row in rows])


FISF_RESCUES = [
    Row("FISF 5.3.1, example", PUBLIERA, "- PUBLIERA 167", "162 rescued_by_score -5"),
    Row("FISF 5.3.1, example", PUBLIERA, "H1 PUBLIERA 167", "162 rescued_by_score -5"),
    Row("FISF 5.3.1, example", PUBLIERA, "- PUBLIERA 166", "0 wrong_reference"),
    Row("FISF 5.3.1, example", PUBLIERA, "A1 PUBLIERA 167", "167"),
    Row("FISF 5.3.1, unreadable", PUBLIERA, "Z99 PUBLIERA 167", "162 rescued_by_score -5"),
    Row("FISF 5.3.1, one square off", PUBLIERA, "A2 PUBLIERA 167", "162 rescued_by_score -5"),
    Row("FISF 5.3.1, direction as written", PUBLIERA, "- PUBLIERA 167", "0 wrong_reference", Direction.DOWN),
    Row("FISF 5.3.1, word in full", PUBLIERA, "A1 PULIERA 167", "0 does_not_fit"),
    Row("FISF 5.3.1, last letter missing", CORNO, "8E TOR 6", "1 last_letter_missing -5"),
    Row("FISF 5.3.1, last letter changed", CORNO, "8E TORE 6", "1 last_letter_changed -5"),
    Row("FISF 5.3.1, the score must prove it", CORNO, "8E TOR 5", "0 word_incomplete"),
    Row("FISF 5.3.2, our default: equal placements count", CORNO, "- ORA 4", "0 rescued_by_score -4"),
    Row("FISF, extension: no reference needed", CORNO, "- SCORNO 11", "11"),
    Row("FISF, extension: a wrong one costs nothing", CORNO, "A1 SCORNO 11", "11"),
    Row("FISF, extension: written in full", CORNO, "- SCORN 11", "0 wrong_reference"),
    Row("FISF, raccord", CORNO, "- ORA 4", "4", hook="ORN"),
    Row("FISF, raccord of two letters", CORNO, "- ORA 4", "4 !hook_letters", hook="OR"),
    Row("FISF, raccord of PUBLIERA", PUBLIERA, "- PUBLIERA 167", "167", hook="BAS"),
    Row("FISF, raccord, wrong score", PUBLIERA, "- PUBLIERA 166", "167 !score_wrong", hook="BAS"),
    Row("FISF, raccord of two letters", PUBLIERA, "- PUBLIERA 167", "167 !hook_letters", hook="AS"),
    Row("our reading: the word has two letters", TWO_TILES, "- ORA 6", "6", hook="NO"),
    Row("our reading: a word in the line", BRIDGE, "- SCORNO 26", "26", hook="COR"),
    Row("FISF 2010, wrong raccord", PUBLIERA, "- PUBLIERA 167", "167 rescued_by_score !hook_letters", hook="ESC"),
    Row("FISF 2010, wrong raccord", CORNO, "- ORA 4", "4 rescued_by_score !hook_letters", hook="ARE"),
    Row(
        "FISF 5.9, fourth",
        PUBLIERA,
        "- PUBLIERA 167",
        "162 rescued_by_score -5 !hook_letters",
        hook="ESC",
        prior=3,
    ),
    Row("FISF 5.3.1, wrong raccord, wrong score", PUBLIERA, "- PUBLIERA 166", "0 wrong_reference", hook="ESC"),
    Row("FISF, slip: reference or raccord", PUBLIERA, "A2 PUBLIERA 167", "162 rescued_by_score -5", hook="BAS"),
    Row("FISF 5.3.1, reversed", PUBLIERA, "1A PUBLIERA 167", "162 rescued_by_score -5"),
    Row("FISF 5.3.1, reversed", PUBLIERA, "1A PUBLIERA 167", "162 rescued_by_score -5", Direction.ACROSS),
    Row("FISF 5.3.1, reversed and off", PUBLIERA, "2A PUBLIERA 167", "162 rescued_by_score -5", Direction.ACROSS),
    Row("FISF 5.3.1, reversed and off", PUBLIERA, "2A PUBLIERA 167", "162 rescued_by_score -5"),
    Row("FISF 5.3.1, reversed, wrong score", PUBLIERA, "1A PUBLIERA 166", "0 wrong_reference", Direction.ACROSS),
    Row("FISF 5.3.1, reversed, no score", PUBLIERA, "1A PUBLIERA -", "0 wrong_reference", Direction.ACROSS),
    Row("FISF 5.3.1, direction as written", PUBLIERA, "1A PUBLIERA 167", "0 letters_not_in_rack", Direction.DOWN),
    Row("FISF, extension, reversed: free", CORNO, "8C SCORNO 11", "11", Direction.ACROSS),
]
FISF_FIRST = [
    Row("FISF, first slip", EMPTY, "H4 CORNO 22", "22"),
    Row("FISF, first slip: no reference", EMPTY, "- CORNO 22", "22"),
    Row("FISF, first slip: another place", EMPTY, "H8 CORNO 22", "22 first_move_maximum"),
    Row("FISF, first slip: off the star", EMPTY, "A1 CORNO 22", "22 first_move_maximum"),
    Row("FISF, first slip: no reference at all", EMPTY, "Z99 CORNO 22", "22 first_move_maximum"),
    Row("FISF, first slip: score", EMPTY, "H4 CORNO 20", "22 !score_wrong"),
    Row("FISF, first slip: score", EMPTY, "H4 CORNO -", "22 !score_missing"),
    Row("FISF, first slip: blank", position("CONO?AE", turn=1), "H4 cORNO 18", "18 first_move_maximum"),
    Row("FISF, first slip: blank", position("CONO?AE", turn=1), "H4 CORNO 18", "18"),
    Row("FISF, zero", EMPTY, "H4 CARNO 22", "0 not_a_word CARNO"),
]
FISF_WARNINGS = [
    Row("FISF, warnings", CORNO, "8H ORA 5", "4 !score_wrong"),
    Row("FISF, warnings", CORNO, "8H ORA -", "4 !score_missing"),
    Row("FISF, warnings", NO_R, "8H ORA 2", "2 !blank_not_marked"),
    Row("FISF, warnings", NO_R, "8H ORa 2", "2 !wrong_blank_marked"),
    Row("FISF 5.9, the third is free", EMPTY, "H4 CORNO 21", "22 !score_wrong", prior=2),
    Row("FISF 5.9, the fourth costs", EMPTY, "H4 CORNO 21", "17 -5 !score_wrong", prior=3),
    Row("FISF 5.9, blitz: the fifth is free", EMPTY, "H4 CORNO 21", "22 !score_wrong", prior=4, blitz=True),
    Row("FISF 5.9, blitz: the sixth costs", EMPTY, "H4 CORNO 21", "17 -5 !score_wrong", prior=5, blitz=True),
    Row("FISF 5.6, a move of 4 or less", CORNO, "8H ORA 5", "0 -4 !score_wrong", prior=3),
    Row("our default: one slip costs once", NO_R, "8H ORA 9", "0 -2 !blank_not_marked !score_wrong", prior=9),
]
UNCLEAR, FOUL = ("unreadable",), ("discipline",)
BOTH = UNCLEAR + FOUL
FISF_GIVEN = [
    Row("FISF, warnings: slip unreadable", EMPTY, "H4 CORNO 22", "22 !unreadable", given=UNCLEAR),
    Row("FISF, warnings: discipline", EMPTY, "H4 CORNO 22", "22 !discipline", given=FOUL),
    Row("FISF 5.9, the third is free", EMPTY, "H4 CORNO 22", "22 !unreadable", prior=2, given=UNCLEAR),
    Row("FISF 5.9, the fourth costs", EMPTY, "H4 CORNO 22", "17 -5 !unreadable", prior=3, given=UNCLEAR),
    Row("FISF 5.9, blitz: the sixth costs", EMPTY, "H4 CORNO 22", "17 -5 !discipline", prior=5, blitz=True, given=FOUL),
    Row("FISF 5.9, two at once", EMPTY, "H4 CORNO 21", "17 -5 !score_wrong !unreadable", prior=2, given=UNCLEAR),
    Row(
        "our default: one slip costs once",
        EMPTY,
        "H4 CORNO 21",
        "17 -5 !score_wrong !unreadable !discipline",
        prior=9,
        given=BOTH,
    ),
    Row(
        "one slip costs once, rescued",
        PUBLIERA,
        "- PUBLIERA 167",
        "162 rescued_by_score -5 !unreadable",
        prior=3,
        given=UNCLEAR,
    ),
    Row("FISF 5.6, a move of 4 or less", CORNO, "8H ORA 4", "0 -4 !discipline", prior=3, given=FOUL),
    Row("our reading: a zero is not unclear too", EMPTY, "H4 CARNO 22", "0 not_a_word CARNO", prior=3, given=UNCLEAR),
    Row(
        "our reading: discipline counts with a zero",
        EMPTY,
        "H4 CARNO 22",
        "0 not_a_word CARNO !discipline",
        prior=3,
        given=BOTH,
    ),
    Row("our reading: discipline without a slip", EMPTY, "- - -", "0 no_slip !discipline", prior=3, given=FOUL),
    Row("our reading: discipline, late", EMPTY, "H4 CORNO 22", "0 late (22) !discipline", received="late", given=FOUL),
]
FISF_ZEROS = [
    Row("FISF, zero: several", EMPTY, "H4 CORNO 22", "0 several_slips", received="several"),
    Row("FISF, zero: late", EMPTY, "H4 CORNO 22", "0 late (22)", received="late"),
    Row("FISF, zero: blank slip", EMPTY, "- - -", "0 no_slip"),
    Row("FISF, zero: letter not in the rack", EMPTY, "H4 CORNI 22", "0 letters_not_in_rack"),
    Row("FISF, zero: not with the rack", CORNO, "H4 CORNO 9", "0 no_tile_played"),
    Row("FISF, zero: not in full", CORNO, "H5 ORNO 9", "0 word_incomplete"),
    Row("FISF, zero: crossing", CORNO, "I5 RE 999", "0 invalid_cross_word OR"),
]


@table([*FISF_RESCUES, *FISF_FIRST, *FISF_WARNINGS, *FISF_GIVEN, *FISF_ZEROS])
def test_the_french_federation(row: Row) -> None:
    check("fisf", row)


FISE_ROWS = [
    Row("FISE, zero: blank not marked", NO_R, "8H ORA 2", "0 blank_not_marked (2)"),
    Row("FISE, zero: blank not marked", NO_R, "8H ORa 2", "0 blank_not_marked (2)"),
    Row("FISE, blank marked", NO_R, "8H OrA 2", "2"),
    Row("FISE, zero: badly filled", CORNO, "8H ORA 5", "0 wrong_score (4)"),
    Row("FISE, zero: badly filled", CORNO, "8H ORA -", "0 wrong_score (4)"),
    Row("FISE, zero: badly filled", CORNO, "- ORA 4", "0 wrong_reference"),
    Row("FISE, zero: badly filled", CORNO, "H4 ORA 4", "0 does_not_fit"),
    Row("FISE, zero: out of time", CORNO, "8H ORA 4", "0 late (4)", received="late"),
    Row("FISE", CORNO, "8H ORA 4", "4"),
]


@table(FISE_ROWS)
def test_the_spanish_federation(row: Row) -> None:
    check("fise", row)


RO_ROWS = [
    Row("FRSc, blank: minus the letter", NO_R, "8H ORA 2", "0 -2"),
    Row("FRSc, blank: minus the letter", NO_R, "8H ORa 2", "0 -2"),
    Row("FRSc, blank: two of them", position("O?R?OEE", turn=1), "H4 CORNO 8", "3 -5"),
    Row("FRSc, blank: one of two", position("O?R?OEE", turn=1), "H4 CORnO 8", "6 -2"),
    Row("FRSc, blank marked", NO_R, "8H OrA 2", "2"),
    Row("our default: the real points", CORNO, "8H ORA 5", "4"),
    Row("our default: place", CORNO, "- ORA 4", "0 wrong_reference"),
]


@table(RO_ROWS)
def test_the_romanian_federation(row: Row) -> None:
    check("ro", row)


NTSV_ROWS = [
    Row("our default: the real points", CORNO, "8H ORA 5", "4"),
    Row("our default: the real points", CORNO, "8H ORA -", "4"),
    Row("our default: the real points", NO_R, "8H ORA 2", "2"),
    Row("our default: place", CORNO, "A1 ORA 4", "0 not_connected"),
    Row("our default: place", CORNO, "- ORA 4", "0 wrong_reference"),
]


@table(NTSV_ROWS)
def test_the_dutch_federation(row: Row) -> None:
    check("ntsv", row)


CLUB_CA_ROWS = [
    Row("Catalan clubs: wrong data are worth zero", CORNO, "8H ORA 5", "0 wrong_score (4)"),
    Row("Catalan clubs: score and coordinates must be written", CORNO, "8H ORA -", "0 wrong_score (4)"),
    Row("Catalan clubs: score and coordinates must be written", CORNO, "- ORA 4", "0 wrong_reference"),
    Row("our default: blank", NO_R, "8H ORA 2", "0 blank_not_marked (2)"),
    Row("Catalan clubs", CORNO, "8H ORA 4", "4"),
]


@table(CLUB_CA_ROWS)
def test_catalan_clubs(row: Row) -> None:
    check("ca-club", row)


SEEDS = [
    Row("box rules, example A", EMPTY, "{corno} CORNO 22", "22"),
    Row("box rules, 1: down as well", EMPTY, "{down} CORNO 22", "22"),
    Row("our default: the real points", EMPTY, "{corno} CORNO 21", "22"),
    Row("our default: the real points", EMPTY, "{corno} CORNO -", "22"),
    Row("our default: blank, best for the player", NO_R, "{ora} ORA 2", "2"),
    Row("our default: blank, best for the player", NO_R, "{ora} ORa 2", "2"),
    Row("box rules: place of the first letter", CORNO, "- ORA 4", "0 wrong_reference"),
    Row("box rules: place of the first letter", CORNO, "{corno} ORA 4", "0 does_not_fit"),
    Row("box rules: inadmissible word", EMPTY, "{corno} CARNO 22", "0 not_a_word CARNO"),
]


@pytest.mark.parametrize("profile", ["it-box", "ca-manual"])
@table(SEEDS)
def test_the_two_manuals(profile: str, row: Row) -> None:
    """The Italian box writes across 8D, the Catalan manual H4."""
    italian = {"corno": "8D", "down": "H4", "ora": "H8"}
    catalan = {"corno": "H4", "down": "4H", "ora": "8H"}
    written = row.written.format(**(italian if profile == "it-box" else catalan))
    if profile == "ca-manual" and "{down}" in row.written:
        written = "8D CORNO 22"
    check(profile, Row(row.source, row.at, written, row.expected))


def test_a_q_stands_for_qu_where_the_manual_allows_it() -> None:
    """Catalan manual, optional rules: JAQETA. Without a tile QU the switch changes nothing."""
    at = position("JA[QU]ETAE", edition=CA, turn=1)
    house = load_profile("ca-manual").with_switches(q_for_qu=True)
    assert format_verdict(judge_slip(slip("H3 JAQETA 42"), at, house, LISTED["ca"])) == "42"
    assert (
        format_verdict(judge_slip(slip("H3 JAQETA 42"), at, load_profile("ca-manual"), LISTED["ca"]))
        == "0 not_a_word JAQETA"
    )
    italian = load_profile("it-box").with_switches(q_for_qu=True)
    listed = words(IT, "QUI")
    for written, expected in (("8H QUI 28", "28"), ("8H QI 22", "0 not_a_word QI")):
        assert format_verdict(judge_slip(slip(written), position("QUIAAEE", turn=1), italian, listed)) == expected


CLUB_ROWS = [
    Row("our default: a rescue by the score", CORNO, "- ORA 4", "0 rescued_by_score -4"),
    Row("our default: a rescue by the score", CORNO, "1A SCORNO 11", "6 rescued_by_score -5"),
    Row("our default: a warning that never costs", EMPTY, "8D CORNO 21", "22 !score_wrong", prior=99),
    Row("our default: the latest slip counts", EMPTY, "8D CORNO 22", "22", received="several"),
    Row("our default: missing score", EMPTY, "8D CORNO -", "22"),
    Row("our default: blank", NO_R, "H8 ORA 2", "2"),
]


@table(CLUB_ROWS)
def test_a_club_night(row: Row) -> None:
    check("club", row)


ALL_PROFILES = ["it-box", "ca-manual", "fisf", "fise", "ca-club", "ro", "ntsv", "club"]
# The squares as (8H, H8); the declared score fits no place.
EVERYWHERE = [
    Row("letters not in the rack", CORNO, "H8|8H ORZA 999", "0 letters_not_in_rack"),
    Row("a word that is not in the list", CORNO, "H8|8H OTRA 999", "0 not_a_word OTRA"),
    Row("the cross word that is wrong is named", REPLACE, "9E|I5 RE 999", "0 invalid_cross_word oR"),
    Row("another tile would be replaced", CORNO, "8D|H4 CASA 999", "0 does_not_fit"),
    Row("off the board", CORNO, "8N|H14 ORA 999", "0 does_not_fit"),
    Row("off the board", CORNO, "N14|14N ORA 999", "0 does_not_fit"),
    Row("part of a longer word", CORNO, "8I|H9 SI 999", "0 word_incomplete"),
    Row("part of a longer word", CORNO, "8E|H5 ORNO 999", "0 word_incomplete"),
    Row("not connected", CORNO, "1A|A1 ORE 999", "0 not_connected"),
    Row("not connected: corners do not touch", CORNO, "9I|I9 RE 999", "0 not_connected"),
    Row("a word that lies there already", CORNO, "8D|H4 CORNO 999", "0 no_tile_played"),
    Row("late", CORNO, "H8|8H ORA 4", "0 late (4)", received="late"),
    Row("late, whatever it says", CORNO, "H8|8H OTRA 4", "0 late", received="late"),
    Row("empty", CORNO, "-|- - -", "0 no_slip"),
    Row("a score alone", CORNO, "-|- - 22", "0 unreadable"),
    Row("a place alone", CORNO, "H8|8H - -", "0 unreadable"),
    Row("a mark without a blank is ignored", CORNO, "H8|8H OrA 4", "4 !wrong_blank_marked"),
    Row("one tile, the name across", ONE_TILE, "8D|H4 CORNO 26", "26"),
    Row("one tile, the name down", ONE_TILE, "H8|8H ORA 26", "26"),
]


@pytest.mark.parametrize("profile", ALL_PROFILES)
@table(EVERYWHERE)
def test_what_holds_in_every_family(profile: str, row: Row) -> None:
    places, *rest = row.written.split()
    ref = places.split("|")[load_profile(profile).notation == "H8"]
    given = Row(row.source, row.at, " ".join([ref, *rest]), row.expected, received=row.received)
    check(profile, given)


@pytest.mark.parametrize("profile", [code for code in ALL_PROFILES if code != "fisf"])
def test_the_first_word_covers_the_star(profile: str) -> None:
    """Box rules, 1; the French federation counts the first word at its best place instead."""
    ref = "H3" if load_profile(profile).notation == "H8" else "8C"
    check(profile, Row("misses the centre", EMPTY, f"{ref} CORNO 999", "0 misses_centre"))


@pytest.mark.parametrize("profile", ALL_PROFILES)
def test_several_slips_are_one_only_in_a_friendly_club(profile: str) -> None:
    """FISF, zero; elsewhere our default."""
    ref = "H4" if load_profile(profile).notation == "H8" else "8D"
    expected = "22" if profile == "club" else "0 several_slips"
    check(profile, Row("several slips", EMPTY, f"{ref} CORNO 22", expected, received="several"))


@pytest.mark.parametrize(("switch", "expected"), [("ask", "0 late (22)"), ("zero", "0 late (22)"), ("count", "22")])
def test_a_slip_sent_in_time_and_received_late_counts_only_if_the_rules_say_so(switch: str, expected: str) -> None:
    rules = load_profile("club").with_switches(delayed_slip=switch)
    verdict = judge_slip(slip("8D CORNO 22", received="delayed"), EMPTY, rules, LISTED[EMPTY.board.edition.code])
    assert format_verdict(verdict) == expected


@pytest.mark.parametrize("profile", [code for code in ALL_PROFILES if load_profile(code).free_warnings is None])
def test_a_judges_warnings_are_listed_where_none_costs(profile: str) -> None:
    ref = "H4" if load_profile(profile).notation == "H8" else "8D"
    check(profile, Row("listed", EMPTY, f"{ref} CORNO 22", "22 !unreadable !discipline", prior=99, given=BOTH))
    check(profile, Row("a zero", EMPTY, f"{ref} CARNO 22", "0 not_a_word CARNO !discipline", prior=99, given=BOTH))


def test_a_zero_with_a_warning_tells_how_many_are_free() -> None:
    judged = judge_slip(slip("- - -"), EMPTY, load_profile("fisf"), LISTED["it"], prior_warnings=1, given=FOUL)
    told_so = judged.as_json()["text"]
    assert told_so.endswith(
        "No slip was handed in. Warning for discipline. Warnings in this game: 2; 3 without penalty."
    )


def test_the_words_of_the_tables_are_those_of_all_tests_of_the_rules() -> None:
    """The rows rely on what is no word: TOR, ORZA, OTRA, CARNO."""
    assert not {"TOR", "ORZA", "OTRA", "CARNO", "QI"} & set(WORDS.split())
