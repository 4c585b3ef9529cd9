"""The verdict on one slip: what the player gets, and why.

A slip is judged in this order; the switches of the profile are in brackets.

1. Form: `no_slip` (nothing written), `late`, also if sent in time [delayed_slip], `several_slips` [several_slips],
   `unreadable` (something, but no word).
   A word that the edition cannot tile is `not_a_word` at once. Letters that make up a tile of several letters are that
   tile (Spanish CH); where the edition lets them be laid apart, each reading is judged and the likeliest counts.
2. The first word may count at its best place and with its best blank, whatever was written [first_move_maximum];
   a rescue, free of charge, when another place or mark was written.
3. The last letter, when it lies on the board and was left out or changed, and the declared score is that of the whole
   word [last_letter].
4. The place: the reference, with the direction of the grid on paper if there is one. Unreadable or missing: the
   profile decides [wrong_reference, missing_reference]. A reference that contradicts the direction in the grid is wrong
   where wrong ones are rescued; elsewhere the word is judged in the direction of the grid from that square. A word that
   lengthens one on the board may need none [extension_needs_reference]; crossing letters may stand for a missing one
   [missing_reference].
5. At the place: `does_not_fit`, `word_incomplete`, `no_tile_played`, `letters_not_in_rack`, `misses_centre`,
   `not_connected`.
6. Words: `not_a_word`, `invalid_cross_word`; the sentence says when a judge struck the word.
7. When 4, 5 or a cross word failed: the written square in the other direction, unless the grid contradicts that, at
   which the word is worth exactly the declared score [wrong_reference]; or any place in the direction of the grid, in
   both where none is written, at which it is [wrong_reference, missing_reference, rescue_when_ambiguous]; else zero
   with the first fault. A word that is legal at the written place is judged there, even when the score belongs to
   another one. Crossing letters that lead nowhere cost a warning in place of the penalty.
8. Blank. A marked letter counts as the blank when the rack has one, even if the tile is there too; more marks than
   blanks are none. Needed and not marked [blank_unmarked], marked on another letter [blank_wrong]: where points are
   given, the blank stands where it costs the player least. A mark without a blank: ignored, with a warning.
9. Score: wrong [wrong_score] or missing [missing_score].
10. Sanctions: warnings are listed, and cost only beyond a quota [free_warnings, free_warnings_blitz, blitz_below_s];
    rescues and such warnings together cost `sanction` at most `sanctions_per_slip` times, and never take a move below
    `floor`. A zero earns no warning of its own. A judge gives `unreadable` and `discipline`, see `warning_quota.py`;
    the latter also costs [discipline_points], not below `floor` either.

Reasons of a zero: no_slip late several_slips unreadable does_not_fit word_incomplete no_tile_played
letters_not_in_rack misses_centre not_connected not_a_word invalid_cross_word wrong_reference wrong_score
blank_not_marked judge. Of a rescue: rescued_by_score last_letter_missing last_letter_changed first_move_maximum
average_of_others. Warnings: score_wrong score_missing blank_not_marked wrong_blank_marked hook_letters unreadable
discipline.

Sources: manuals of the Italian and the Catalan box; FISF regulation 5.3.1, 5.6 and 5.9 as far as published; rules of
the Spanish and the Romanian federation. Where they are silent the profile says "our default".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from engine.board.move import Move
from engine.judging.lexicon_protocol import WordList
from engine.judging.placement import Fault, Position, Readings, read_word
from engine.judging.rescue import FoundMove, SlipSearch, find_move
from engine.judging.verdict_text import verdict_sentence
from engine.judging.warning_quota import WarningQuota, warnings_counted_in_zero
from engine.rules.profile import Judged, JudgedBlank, Profile
from engine.slips.blank_marks import Marking, letters_value
from engine.slips.slip import Slip
from engine.tiles.edition import Edition

__all__ = ["SWITCH_OF_WARNING", "Position", "Result", "Verdict", "judge_slip", "overrule_verdict"]

Result = Literal["valid", "rescued", "zero"]
LONGEST_ECHO = 40

SWITCH_OF_WARNING = {
    "score_wrong": "wrong_score",
    "score_missing": "missing_score",
    "blank_not_marked": "blank_unmarked",
    "wrong_blank_marked": "blank_wrong",
    "hook_letters": "missing_reference",
    "unreadable": "free_warnings",
    "discipline": "free_warnings",
}


@dataclass(frozen=True)
class Verdict:
    """The result of judging a slip. `points` = `move_score` - `penalty` + `bonus`, never below zero.

    `move_score` is the value of the move on the board, in a zero None unless the move is legal and fails by form only
    (late, blank, score); `penalty` the points really taken off; `word` the word that failed; `rule` a short source.
    `move` is what is really played and `details` what the sentence may name besides; neither is written to JSON.
    """

    result: Result
    reason: str | None
    points: int
    move_score: int | None
    warnings: tuple[str, ...] = ()
    penalty: int = 0
    bonus: int = 0
    word: str | None = None
    rule: str | None = None
    move: Move | None = None
    details: Mapping[str, str | int] = field(default_factory=dict, compare=False)

    def as_json(self, translate: Callable[[str], str] = str) -> dict[str, Any]:
        """The verdict as archives and the command-line judge write it, its text in the language of `translate`."""
        return {
            "result": self.result,
            "reason": self.reason,
            "points": self.points,
            "move_score": self.move_score,
            "warnings": list(self.warnings),
            "penalty": self.penalty,
            "bonus": self.bonus,
            "word": self.word,
            "rule": self.rule,
            "text": verdict_sentence(self, translate),
        }


def judge_slip(
    slip: Slip,
    position: Position,
    profile: Profile,
    lexicon: WordList,
    *,
    prior_warnings: int = 0,
    blitz: bool = False,
    given: tuple[str, ...] = (),
) -> Verdict:
    """Judge a slip by the rules of `profile`; never raise for anything that a player can write.

    `prior_warnings` are the player's earlier ones in this game; `given`, of `WARNINGS_BY_JUDGE`, those that the judge
    gives with this slip. Slips of equal `key` get equal verdicts in one position, for players with equally many and
    the same warnings. Bonuses need the whole turn: `bonuses.py`.
    """
    warned = WarningQuota(prior_warnings, profile.quota(blitz=blitz), given)
    fault = _fault_of_form(slip, profile)
    if fault is not None and fault.reason != "late":
        return _zero_verdict(fault, profile, slip, warned)
    found = _find_slip_move(slip, position, profile, lexicon)
    if fault is not None:
        return _zero_verdict(
            fault, profile, slip, warned, found.legal.move.score if isinstance(found, FoundMove) else None
        )
    if isinstance(found, Fault):
        return _zero_verdict(found, profile, slip, warned)
    return _score_verdict(found, slip, profile, position.board.edition, warned)


def overrule_verdict(judgement: Verdict, points: int, given: tuple[str, ...]) -> Verdict:
    """The verdict with the points that a judge gives instead of those by rule.

    The difference from the value of the move is its penalty or bonus. `given`: the warnings that the judge gives; they
    count by what the judge decides.
    """
    if points == 0:
        return Verdict("zero", "judge", 0, judgement.move_score, warnings_counted_in_zero(given))
    worth = judgement.move_score
    if worth is None:
        return Verdict("valid", None, points, None, given)
    return replace(
        judgement,
        result="valid",
        reason=None,
        points=points,
        warnings=judgement.warnings if judgement.result != "zero" else given,
        penalty=max(0, worth - points),
        bonus=max(0, points - worth),
        word=None,
        rule=None,
        details={},
    )


def _fault_of_form(slip: Slip, profile: Profile) -> Fault | None:
    if slip.is_blank:
        return Fault("no_slip")
    if slip.received == "late":
        return Fault("late")
    if slip.received == "delayed" and profile.delayed_slip != "count":
        return Fault("late", rule="delayed_slip")
    if slip.received == "several" and profile.several_slips == "zero":
        return Fault("several_slips", rule="several_slips")
    return None if slip.word.strip() else Fault("unreadable")


def _find_slip_move(slip: Slip, position: Position, profile: Profile, lexicon: WordList) -> FoundMove | Fault:
    """The move of a slip; a word that cannot be tiled is no word, wherever it was to lie.

    Where the edition allows several readings of the word, the one that makes a move counts, see `_better`.
    """
    text = slip.word.strip()
    allowed, others = read_word(text, position.board.edition, profile)
    if not allowed:
        return Fault("not_a_word", word=text if len(text) <= LONGEST_ECHO else text[: LONGEST_ECHO - 1] + "…")
    found = [find_move(SlipSearch(reading, slip, position, profile, lexicon)) for reading in allowed]
    moves = [one for one in found if isinstance(one, FoundMove)]
    if moves:
        return max(moves, key=lambda move: _reading_preference(move, slip))
    fault = found[0]
    assert isinstance(fault, Fault)  # noqa: S101  there are no moves among them
    return _add_other_reading(fault, others, SlipSearch(allowed[0], slip, position, profile, lexicon))


def _reading_preference(found: FoundMove, slip: Slip) -> tuple[bool, bool, int]:
    """Choose among several readings: one that needs no rescue, then the declared score, then the highest score."""
    score = found.legal.move.score
    return found.rescue is None, score == slip.declared, score


def _add_other_reading(fault: Fault, others: Readings, search: SlipSearch) -> Fault:
    """The fault, which also names a reading that the edition does not allow but the tiles would: CO[L·L]EGI for
    COLLEGI, [C]HICO where C and H cannot be laid for CH. It changes no points."""
    for reading in others:
        found = find_move(replace(search, written=reading, known={}))
        laid_apart = fault.reason == "letters_not_in_rack" and isinstance(found, Fault) and found.reason == "not_a_word"
        if isinstance(found, FoundMove) or laid_apart:
            other = search.position.board.edition.word_text(reading)
            return replace(fault, details={**fault.details, "other": other})
    return fault


def _zero_verdict(
    fault: Fault, profile: Profile, slip: Slip, warned: WarningQuota, move_score: int | None = None
) -> Verdict:
    warnings = warnings_counted_in_zero(warned.given)
    switch: dict[str, str | int] = {"switch": fault.rule} if fault.rule else {}
    return Verdict(
        result="zero",
        reason=fault.reason,
        points=0,
        move_score=move_score,
        warnings=warnings,
        word=fault.word,
        rule=profile.source_of(fault.rule or fault.reason),
        details={**fault.details, **switch, **_declared_details(slip, move_score), **warned.details(len(warnings))},
    )


def _score_verdict(found: FoundMove, slip: Slip, profile: Profile, edition: Edition, warned: WarningQuota) -> Verdict:
    """The verdict on a slip that is a legal move: blank, score, sanctions."""
    score = found.legal.move.score
    fault = _fault_of_blank(found, profile) or _fault_of_score(score, slip, profile)
    if fault is not None:
        return _zero_verdict(fault, profile, slip, warned, score)
    own = found.warnings + _warning_of_blank(found, profile) + _warning_of_score(score, slip, profile)
    warnings = own + warned.given
    fine = _fine_for_blank(found, profile, edition)
    # The sanction is due for the rescue, and for each warning beyond those that are free.
    sanctions = found.sanctioned + warned.beyond(len(warnings))
    discipline = warned.given.count("discipline") * profile.discipline_points
    cost = fine + discipline + min(sanctions, profile.sanctions_per_slip) * profile.sanction
    penalty = min(cost, max(0, score - profile.floor))
    blank = _rule_of_blank(found, profile) if fine else None
    rule = found.rule or (blank and blank[0]) or SWITCH_OF_WARNING.get("".join(warnings[:1]))
    unmarked = {"unmarked": edition.word_text(found.legal.unmarked)} if fine else {}
    counted = warned.details(len(warnings))
    return Verdict(
        result="rescued" if found.rescue else "valid",
        reason=found.rescue,
        points=score - penalty,
        move_score=score,
        warnings=warnings,
        penalty=penalty,
        rule=profile.source_of(rule) if rule else None,
        move=found.legal.move,
        details={**_rescue_details(found, profile, edition), **_declared_details(slip, score), **unmarked, **counted},
    )


def _declared_details(slip: Slip, score: int | None) -> dict[str, str | int]:
    """The score on the slip, where it is another one than that of the move."""
    return {} if score is None or slip.declared in (None, score) else {"declared": slip.declared or 0}


def _rescue_details(found: FoundMove, profile: Profile, edition: Edition) -> dict[str, str | int]:
    """The place at which a rescued slip counts, and what proves it."""
    if found.rescue is None:
        return {}
    move = found.legal.move
    return {
        "place": move.reference_text(profile.notation),
        "places": found.places,
        "played": move.word_text(edition),
        "switch": found.rule or "",
        **({"reversed": 1} if found.reversed else {}),
        **({"hook": found.hook} if found.hook else {}),
    }


def _rule_of_blank(found: FoundMove, profile: Profile) -> tuple[str, JudgedBlank] | None:
    """The switch that judges the marks of this move, and its value; None if they are right, or only one too many."""
    match found.legal.marking:
        case Marking.NOT_MARKED:
            return "blank_unmarked", profile.blank_unmarked
        case Marking.WRONG:
            return "blank_wrong", profile.blank_wrong
        case _:
            return None


def _fault_of_blank(found: FoundMove, profile: Profile) -> Fault | None:
    match _rule_of_blank(found, profile):
        case (switch, "zero"):
            return Fault("blank_not_marked", rule=switch)
        case _:
            return None


def _warning_of_blank(found: FoundMove, profile: Profile) -> tuple[str, ...]:
    """A mark without a blank is ignored in every profile, with a warning."""
    if found.legal.marking is Marking.STRAY:
        return ("wrong_blank_marked",)
    match _rule_of_blank(found, profile):
        case ("blank_unmarked", "warn"):
            return ("blank_not_marked",)
        case ("blank_wrong", "warn"):
            return ("wrong_blank_marked",)
        case _:
            return ()


def _fine_for_blank(found: FoundMove, profile: Profile, edition: Edition) -> int:
    match _rule_of_blank(found, profile):
        case (_, "letter_value"):
            return letters_value(edition, found.legal.unmarked)
        case _:
            return 0


def _rule_of_score(score: int, slip: Slip, profile: Profile) -> tuple[str, Judged] | None:
    """The switch that judges the declared score, and its value; None if the score is right."""
    if slip.declared is None:
        return "missing_score", profile.missing_score
    return None if slip.declared == score else ("wrong_score", profile.wrong_score)


def _fault_of_score(score: int, slip: Slip, profile: Profile) -> Fault | None:
    match _rule_of_score(score, slip, profile):
        case (switch, "zero"):
            return Fault("wrong_score", rule=switch)
        case _:
            return None


def _warning_of_score(score: int, slip: Slip, profile: Profile) -> tuple[str, ...]:
    match _rule_of_score(score, slip, profile):
        case ("missing_score", "warn"):
            return ("score_missing",)
        case ("wrong_score", "warn"):
            return ("score_wrong",)
        case _:
            return ()
