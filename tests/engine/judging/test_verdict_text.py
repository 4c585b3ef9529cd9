"""Sentences of verdicts: complete and translatable for every code."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from engine.board.coordinates import Direction
from engine.i18n import N_
from engine.judging import verdict_text
from engine.judging.lexicon_protocol import WordList, WordListWithRulings
from engine.judging.placement import Position
from engine.judging.verdict import Verdict, judge_slip
from engine.judging.verdict_text import format_tie_reason, reason_sentence, verdict_sentence, warning_sentence
from engine.lexicon.graph import Lexicon
from engine.rules.profile import CHANGED, OUR_DEFAULT, Profile, load_profile
from engine.slips.slip import Slip
from tests.engine.judging.positions import BOX, CLUB, FISE, FR, IT, WORDS, position, slip, words
from tests.engine.judging.verdicts import PUBLIERA

ZEROS = [
    "no_slip",
    "late",
    "several_slips",
    "unreadable",
    "does_not_fit",
    "word_incomplete",
    "no_tile_played",
    "letters_not_in_rack",
    "misses_centre",
    "not_connected",
    "not_a_word",
    "invalid_cross_word",
    "wrong_reference",
    "wrong_score",
    "blank_not_marked",
    "judge",
]
RESCUES = ["rescued_by_score", "last_letter_missing", "last_letter_changed", "first_move_maximum", "average_of_others"]
WARNINGS = [
    "score_wrong",
    "score_missing",
    "blank_not_marked",
    "wrong_blank_marked",
    "hook_letters",
    "unreadable",
    "discipline",
]


@pytest.mark.parametrize("reason", [*ZEROS, *RESCUES])
def test_every_reason_of_the_formats_has_a_sentence(reason: str) -> None:
    said = verdict_sentence(Verdict("zero", reason, 0, None, word="ORCO"))
    assert said == reason_sentence(reason, "ORCO")
    assert said.endswith(".")
    assert "%" not in said


@pytest.mark.parametrize("warning", WARNINGS)
def test_every_warning_of_the_formats_has_a_sentence(warning: str) -> None:
    said = verdict_sentence(Verdict("valid", None, 22, 22, (warning,)))
    assert said == f"The move is valid and worth 22. {warning_sentence(warning)}"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("8D CORNO 22", "The move is valid and worth 22."),
        ("8D CORNO 24", "The move is valid and worth 22. The slip says 24."),
        ("8D CORNO -", "The move is valid and worth 22."),
        ("8D CARNO 22", "Box rules, Multiplo: CARNO is not in the word list."),
        ("8D CORNI 22", "Box rules, Multiplo: The rack has no tiles for these letters: I."),
        ("- CORNO 22", "The reference is missing."),
        ("Z99 CORNO 22", "The reference is not a square of the board."),
        ("- - -", "Box rules, Multiplo: No slip was handed in."),
    ],
)
def test_a_verdict_says_what_happened(written: str, said: str) -> None:
    assert verdict_sentence(judge_slip(slip(written), position("CORNOAE", turn=1), BOX, words(IT))) == said


@pytest.mark.parametrize("by", ["a word list with rulings", "rulings beside a word list"])
def test_a_struck_word_is_told_as_struck_and_another_one_is_not(by: str) -> None:
    """As the main word and as a crossing word."""
    listed: WordList = WordListWithRulings(words(IT), IT, [], ["casa", "orso"])
    if by == "a word list with rulings":
        listed = Lexicon.build(IT, WORDS.split()).with_rulings([], ["casa", "orso"])

    def told(written: str, at: Position) -> str:
        return verdict_sentence(judge_slip(slip(written), at, BOX, listed))

    first, second = position("CASATIR", turn=1), position("OSANSTI", "8F ORS")
    assert told("H8 CASA 6", first) == "Box rules, Multiplo: CASA was struck by the judge."
    assert told("H8 CATA 6", first) == "Box rules, Multiplo: CATA is not in the word list."
    assert told("I8 OSA 2", second) == "Box rules, 3: The move also forms ORSO, which was struck by the judge."
    assert told("I8 NO 2", second) == "Box rules, 3: The move also forms ORSN, which is not in the word list."


AFTER = position("SARETIO", "8D CORNO")
NO_R = position("SA?ETIE", "8D CORNO")
OFFICIAL = load_profile("fisf")


def said(written: Slip | str, at: Position, profile: Profile, prior: int = 0) -> str:
    given = slip(written) if isinstance(written, str) else written
    listed = words(FR, "PUBLIERA") if at.board.edition is FR else words(IT)
    return verdict_sentence(judge_slip(given, at, profile, listed, prior_warnings=prior))


def test_a_rescue_quotes_its_rule_and_says_what_the_score_proves() -> None:
    """FISF 5.3.1, the printed example; ORA is worth 4 at several places."""
    assert said("H1 PUBLIERA 167", PUBLIERA, OFFICIAL) == (
        "FISF 5.3.1: The reference is wrong, but 167 fits A1 only. Penalty: 5. The slip scores 162."
    )
    assert said("- PUBLIERA 167", PUBLIERA, OFFICIAL).startswith(
        "FISF 5.3.1: The reference is missing, but 167 fits A1"
    )
    assert said("1A PUBLIERA 167", PUBLIERA, OFFICIAL) == (
        "FISF 5.3.1: The reference is written the other way round: 167 is the score at A1. Penalty: 5. "
        "The slip scores 162."
    )
    assert said(slip("1A PUBLIERA 166", direction=Direction.ACROSS), PUBLIERA, OFFICIAL) == (
        "FISF 5.3.1: The word is written in another direction than the reference 1A says."
    )
    assert said(slip("- PUBLIERA 167", hook="ESC"), PUBLIERA, OFFICIAL) == (
        "FISF 5.3.1: The crossing letters ESC are wrong, but 167 fits A1 only. Warning: crossing letters are three "
        "letters of the word that the move crosses or extends. Warnings in this game: 1; 3 without penalty."
    )
    assert said(slip("- PUBLIERA 166", hook="ESC"), PUBLIERA, OFFICIAL) == (
        "FISF 5.3.1: There is no reference, and the crossing letters ESC lead to no place."
    )
    assert said("- ORA 4", AFTER, CLUB) == (
        "The reference is missing, but 4 fits 3 places; F7 is taken. Penalty: 4. The slip scores 0."
    )
    assert said("8E TOR 6", AFTER, OFFICIAL) == (
        "FISF 5.3.1: The last letter, which lies on the board, was left out; the declared 6 is that of TORO at 8E. "
        "Penalty: 5. The slip scores 1."
    )
    assert said("A1 CORNO 22", position("CORNOAE", turn=1), OFFICIAL) == (
        "FISF, first slip: The first word counts at its best place, H4, whatever was written. The move is worth 22."
    )


def test_a_fault_of_the_place_says_what_lies_there() -> None:
    assert said("8D CASA 9", AFTER, BOX) == ("Tournament rules 1999, 2: The word would replace O, which lies on 8E.")
    assert said("8N ORA 9", AFTER, BOX) == "Tournament rules 1999, 2: The word does not fit at the written place."
    assert said("8D CORN 9", AFTER, BOX) == (
        "Tournament rules 1999, 2: The whole word must be written: on the board it would read CORNO."
    )
    assert said("H4 CORNO 9", position("CORNOAE"), BOX.with_switches(first_word="across")) == (
        "The first word must lie across."
    )


def test_scores_warnings_and_blanks_are_told_with_their_figures() -> None:
    assert said("8H ORA 5", AFTER, FISE) == "The score on the slip is wrong. The move is worth 4. The slip says 5."
    assert said("8H ORA 5", AFTER, OFFICIAL, prior=3) == (
        "FISF, warnings: The move is valid and worth 4. The slip says 5. Warning: the score on the slip is wrong. "
        "Warnings in this game: 4; 3 without penalty. Penalty: 4. The slip scores 0."
    )
    assert said("8H ORA 2", NO_R, load_profile("ro")).endswith(
        "The move is valid and worth 2. The blank that stands for R is not marked; the value of its letter is taken "
        "off. Penalty: 2. The slip scores 0."
    )
    late = Slip("ORA", "H8", 4, received="late")
    assert said(late, AFTER, BOX) == "Box rules, Multiplo: The slip came after the time was up. The move is worth 4."
    assert verdict_sentence(Verdict("valid", None, 30, None)) == "The judge gives 30 for this slip."
    assert verdict_sentence(Verdict("valid", None, 32, 22, bonus=10)) == (
        "The move is valid and worth 22. Bonus: 10. The slip scores 32."
    )


def test_what_no_source_says_quotes_none() -> None:
    for source in (OUR_DEFAULT, CHANGED, None):
        assert verdict_sentence(Verdict("zero", "late", 0, None, rule=source)) == "The slip came after the time was up."


def test_a_verdict_is_said_in_the_language_of_the_reader() -> None:
    verdict = judge_slip(slip("8D CARNO 22"), position("CORNOAE", turn=1), BOX, words(IT))
    italian = {
        "%(word)s is not in the word list.": "%(word)s non è nell'elenco.",
        "%(rule)s: %(said)s": "%(rule)s: %(said)s",
        "box rules, Multiplo": "regole della scatola, Multiplo",
    }
    text = verdict.as_json(italian.__getitem__)["text"]
    assert text == "Regole della scatola, Multiplo: CARNO non è nell'elenco."


def test_a_word_with_a_percent_sign_does_no_harm() -> None:
    assert verdict_sentence(judge_slip(Slip("100%s", "8D", 1), position("A"), BOX, words(IT))).endswith(
        ": 100%s is not in the word list."
    )


def test_a_stored_verdict_without_details_still_has_a_sentence() -> None:
    """A verdict read from its stored JSON gets the simpler sentence."""
    verdict = judge_slip(slip("8D CORNI 22"), position("CORNOAE", turn=1), BOX, words(IT))
    assert verdict_sentence(replace(verdict, details={})).endswith(reason_sentence("letters_not_in_rack"))


def test_every_criterion_of_ties_has_a_sentence() -> None:
    order = ["keep_blank", "hooks", "premium_open", "leave", "fewest_tiles", "alphabetical", "nearest_a1"]
    assert BOX.with_switches(tie_order=order).tie_order == tuple(order)
    assert all("%" not in format_tie_reason(code, 3, 1) for code in [*order, "only"])
    assert format_tie_reason("hooks", 7, 3) == "It leaves more hooks than the next one (7 against 3)."
    assert (
        format_tie_reason("nearest_a1", 5, 5)
        == "It starts as near to the upper left corner as the next one, but in a higher row."
    )
    assert format_tie_reason("") == ""


def test_every_template_is_marked_for_translation() -> None:
    """Each text of the tables goes through N_, which is what xgettext looks for."""
    tree = ast.parse(Path(verdict_text.__file__).read_text(encoding="utf-8"))
    marked = {
        id(node.args[0]) for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "N_"
    }
    texts = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.endswith(".")
        and " " in node.value
    ]
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef) and isinstance(node.body[0], ast.Expr)
    }
    assert [node.value for node in texts if id(node) not in marked | docstrings] == []
    assert N_("text") == "text"


def test_a_late_slip_says_how_late_it_was_received_and_what_its_phone_says() -> None:
    late = Verdict("zero", "late", 0, None, details={"late_ms": 1449})
    assert verdict_sentence(late) == "The slip was received 1.4 s after the time was up."
    assert verdict_sentence(replace(late, details={"late_ms": 1449, "sent_before": 1})) == (
        "The slip was received 1.4 s after the time was up; by the clock of its phone it was sent before."
    )


@pytest.mark.parametrize(("at", "ref"), [(position("CORNOSA", turn=1), "8H"), (position("CORNOSA", "8D CORNO"), "9H")])
def test_a_word_of_one_letter_is_told_that_a_word_has_two(at: Position, ref: str) -> None:
    verdict = judge_slip(Slip("S", ref, 1), at, BOX, words(IT))
    assert (verdict.result, verdict.reason) == ("zero", "not_a_word")
    assert verdict_sentence(verdict) == "Box rules, Multiplo: A word has at least two letters."
