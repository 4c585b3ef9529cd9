"""What verdicts and choices say, in whole sentences, marked for translation.

`translate` is handed in by the edge (gettext); the default leaves the English of this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from engine.rules.messages import N_

if TYPE_CHECKING:
    from engine.rules.master import Master
    from engine.rules.ties import RankedTop
    from engine.rules.verdict import Verdict

Translate = Callable[[str], str]

# By reason: the sentence that needs no more than the word that failed. Below it those that say more, where the
# verdict knows more.
_REASONS: Mapping[str, str] = {
    "no_slip": N_("No slip was handed in."),
    "late": N_("The slip came after the time was up."),
    "several_slips": N_("Several slips were handed in for this turn."),
    "unreadable": N_("There is no readable word on the slip."),
    "does_not_fit": N_("The word does not fit at the written place."),
    "word_incomplete": N_("The whole word must be written, letters that lie on the board included."),
    "no_tile_played": N_("The word lies on the board already; no tile is played."),
    "letters_not_in_rack": N_("The word needs letters that are neither on the rack nor on the board at this place."),
    "misses_centre": N_("The first word must cover the centre square."),
    "not_connected": N_("The word touches none of the words on the board."),
    "not_a_word": N_("%(word)s is not in the word list."),
    "invalid_cross_word": N_("The move also forms %(word)s, which is not in the word list."),
    "wrong_reference": N_("The reference is missing or cannot be read."),
    "wrong_score": N_("The declared score is missing or wrong."),
    "blank_not_marked": N_("The letter for which the blank stands is not marked, or another one is."),
    "judge": N_("The judge gives no points for this slip."),
    "rescued_by_score": N_("The place on the slip is wrong or missing, but the declared score proves it."),
    "last_letter_missing": N_(
        "The last letter, which lies on the board, was left out; the declared score proves the word."
    ),
    "last_letter_changed": N_(
        "The last letter, which lies on the board, was written wrongly; the declared score proves the word."
    ),
    "first_move_maximum": N_("The first word counts at its best place, whatever was written."),
    "average_of_others": N_("The second zero running for the same fault becomes the average of the other players."),
}
_REASONS_IN_DETAIL: Mapping[tuple[str, str], str] = {
    ("word_incomplete", "run"): N_("The whole word must be written: on the board it would read %(run)s."),
    ("letters_not_in_rack", "missing"): N_("The rack has no tiles for these letters: %(missing)s."),
}
_REASONS_BY_SWITCH: Mapping[tuple[str, str], str] = {
    ("wrong_reference", "first_word"): N_("The first word must lie across."),
    ("wrong_reference", "missing_reference"): N_("The reference is missing."),
    ("wrong_reference", "wrong_reference"): N_("The reference is no square of the board."),
    ("wrong_score", "missing_score"): N_("The score is missing on the slip."),
    ("wrong_score", "wrong_score"): N_("The score on the slip is wrong."),
    ("blank_not_marked", "blank_unmarked"): N_("The letter for which the blank stands is not marked."),
    ("blank_not_marked", "blank_wrong"): N_("Another letter is marked than the one for which the blank stands."),
}
_WARNINGS: Mapping[str, str] = {
    "score_wrong": N_("Warning: the score on the slip is wrong."),
    "score_missing": N_("Warning: the score is missing on the slip."),
    "blank_not_marked": N_("Warning: the letter for which the blank stands is not marked."),
    "wrong_blank_marked": N_("Warning: a letter is marked as a blank although it is a tile."),
    "hook_letters": N_("Warning: the crossing word must be named with three letters."),
    "unreadable": N_("Warning: the slip is hard to read."),
    "discipline": N_("Warning for discipline."),
}
_VALID = N_("The move is valid and worth %(move_score)d.")
_GIVEN = N_("The judge gives %(points)d for this slip.")
_WORTH = N_("The move is worth %(move_score)d.")
_DECLARED = N_("The slip says %(declared)d.")
_PENALTY = N_("Penalty: %(penalty)d.")
_BONUS = N_("Bonus: %(bonus)d.")

# By criterion: why a top stands before the next one, `ahead` and `behind` being their numbers.
_TIES: Mapping[str, str] = {
    "keep_blank": N_("It uses fewer blanks than the next one (%(ahead)d against %(behind)d)."),
    "hooks": N_("It leaves more hooks than the next one (%(ahead)d against %(behind)d)."),
    "premium_open": N_("It opens more premium squares than the next one (%(ahead)d against %(behind)d)."),
    "leave": N_(
        "It leaves a better balance of vowels and consonants than the next one (%(ahead)d against %(behind)d)."
    ),
    "fewest_tiles": N_("It lays fewer tiles than the next one (%(ahead)d against %(behind)d)."),
    "alphabetical": N_("Its word comes first in the alphabet."),
    "nearest_a1": N_(
        "It starts nearer to the upper left corner than the next one (%(ahead)d squares against %(behind)d)."
    ),
    "only": N_("No other move scores as much."),
}
_SAME_DISTANCE = N_("It starts as near to the upper left corner as the next one, but in a higher row.")
_MASTER: Mapping[tuple[str, str], str] = {
    ("engine", "nobody_scored"): N_("No player scored, so the best move of the engine is played."),
    ("slip", "only"): N_("No other slip scores as much."),
}


def sentence(verdict: Verdict, translate: Translate = str) -> str:
    """What a verdict says, as one or more whole sentences in the language of `translate`."""
    facts: dict[str, object] = {
        "word": verdict.word or "",
        "move_score": verdict.move_score or 0,
        "points": verdict.points,
        "penalty": verdict.penalty,
        "bonus": verdict.bonus,
        **verdict.details,
    }
    return " ".join(translate(template) % facts for template in _templates(verdict))


def _templates(verdict: Verdict) -> list[str]:
    chosen = [_first(verdict)]
    if verdict.reason is not None and verdict.move_score is not None:
        chosen.append(_WORTH)
    if "declared" in verdict.details:
        chosen.append(_DECLARED)
    chosen += [_WARNINGS[code] for code in verdict.warnings]
    chosen += [_PENALTY] * bool(verdict.penalty) + [_BONUS] * bool(verdict.bonus)
    return chosen


def _first(verdict: Verdict) -> str:
    if verdict.reason is not None:
        return _reason(verdict.reason, verdict.details)
    return _GIVEN if verdict.move_score is None else _VALID


def _reason(reason: str, details: Mapping[str, str | int]) -> str:
    for detail in details:
        if (reason, detail) in _REASONS_IN_DETAIL:
            return _REASONS_IN_DETAIL[reason, detail]
    return _REASONS_BY_SWITCH.get((reason, str(details.get("switch", ""))), _REASONS[reason])


def reason_sentence(reason: str, word: str = "", translate: Translate = str) -> str:
    """What a stored reason says when no more than its code, and the word that failed, is known."""
    return translate(_REASONS[reason]) % {"word": word}


def warning_sentence(warning: str, translate: Translate = str) -> str:
    """What a warning code says."""
    return translate(_WARNINGS[warning])


def tie_sentence(top: RankedTop, translate: Translate = str) -> str:
    """Why a top stands before the next one; empty for the last of several, and where two are alike in everything."""
    return tie_text(top.why, top.ahead, top.behind, translate)


def tie_text(why: str, ahead: int = 0, behind: int = 0, translate: Translate = str) -> str:
    """The same from the stored code and numbers."""
    if not why:
        return ""
    template = _SAME_DISTANCE if why == "nearest_a1" and ahead == behind else _TIES[why]
    return translate(template) % {"ahead": ahead, "behind": behind}


def master_sentence(master: Master, translate: Translate = str) -> str:
    """Why this move goes on the board."""
    own = _MASTER.get((master.chosen_by, master.why))
    return translate(own) if own else tie_text(master.why, master.ahead, master.behind, translate)
