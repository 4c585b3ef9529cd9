"""Sentences for verdicts and choices, marked for translation.

`translate` is handed in by the edge (gettext); the default leaves the English of this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.i18n import N_
from engine.rules.profile import CHANGED, OUR_DEFAULT

if TYPE_CHECKING:
    from engine.judging.verdict import Verdict
    from engine.turn_results.master_move import MasterMove
    from engine.turn_results.ties import RankedTop

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
    "no_tile_played": N_("The word is on the board already; no tile is played."),
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
    "average_of_others": N_("The second zero in a row for the same fault becomes the average of the other players."),
}
_REASONS_IN_DETAIL: Mapping[tuple[str, str], str] = {
    ("late", "sent_before"): N_(
        "The slip was received %(delay)s after the time was up; by the clock of its phone it was sent before."
    ),
    ("late", "late_ms"): N_("The slip was received %(delay)s after the time was up."),
    ("not_a_word", "one_letter"): N_("A word has at least two letters."),
    ("not_a_word", "struck"): N_("%(word)s was struck by the judge."),
    ("invalid_cross_word", "struck"): N_("The move also forms %(word)s, which was struck by the judge."),
    ("does_not_fit", "lying"): N_("The word would replace %(lying)s, which lies on %(square)s."),
    ("word_incomplete", "run"): N_("The whole word must be written: on the board it would read %(run)s."),
    ("letters_not_in_rack", "missing"): N_("The rack has no tiles for these letters: %(missing)s."),
    ("letters_not_in_rack", "most"): N_("The move lays too many tiles: this variant allows %(most)d at most."),
    ("wrong_reference", "reversed"): N_(
        "The word is written in another direction than the reference %(reversed)s says."
    ),
    ("wrong_reference", "hook"): N_("There is no reference, and the crossing letters %(hook)s lead to no place."),
    ("first_move_maximum", "place"): N_("The first word counts at its best place, %(place)s, whatever was written."),
    ("last_letter_missing", "place"): N_(
        "The last letter, which lies on the board, was left out; the declared %(move_score)d is that of %(played)s at "
        "%(place)s."
    ),
    ("last_letter_changed", "place"): N_(
        "The last letter, which lies on the board, was written wrongly; the declared %(move_score)d is that of "
        "%(played)s at %(place)s."
    ),
    ("average_of_others", "fault"): N_(
        "The second zero in a row for the same fault, before the player could know, becomes the average of the other "
        "players: %(points)d."
    ),
}
_REASONS_BY_SWITCH: Mapping[tuple[str, str], str] = {
    ("wrong_reference", "first_word"): N_("The first word must lie across."),
    ("wrong_reference", "missing_reference"): N_("The reference is missing."),
    ("wrong_reference", "wrong_reference"): N_("The reference is not a square of the board."),
    ("wrong_score", "missing_score"): N_("The score is missing on the slip."),
    ("wrong_score", "wrong_score"): N_("The score on the slip is wrong."),
    ("blank_not_marked", "blank_unmarked"): N_("The letter for which the blank stands is not marked."),
    ("blank_not_marked", "blank_wrong"): N_("Another letter is marked than the one for which the blank stands."),
}
# A place that the score proves: by the switch that allows it, and whether it proves one place or several.
_PROVED: Mapping[tuple[str, bool], str] = {
    ("missing_reference", True): N_("The reference is missing, but %(move_score)d fits %(place)s only."),
    ("missing_reference", False): N_(
        "The reference is missing, but %(move_score)d fits %(places)d places; %(place)s is taken."
    ),
    ("wrong_reference", True): N_("The reference is wrong, but %(move_score)d fits %(place)s only."),
    ("wrong_reference", False): N_(
        "The reference is wrong, but %(move_score)d fits %(places)d places; %(place)s is taken."
    ),
    ("hook", True): N_("The crossing letters %(hook)s are wrong, but %(move_score)d fits %(place)s only."),
    ("hook", False): N_(
        "The crossing letters %(hook)s are wrong, but %(move_score)d fits %(places)d places; %(place)s is taken."
    ),
}
_PROVED_REVERSED = N_("The reference is written the other way round: %(move_score)d is the score at %(place)s.")
_WARNINGS: Mapping[str, str] = {
    "score_wrong": N_("Warning: the score on the slip is wrong."),
    "score_missing": N_("Warning: the score is missing on the slip."),
    "blank_not_marked": N_("Warning: the letter for which the blank stands is not marked."),
    "wrong_blank_marked": N_("Warning: a letter is marked as a blank although it is a tile."),
    "hook_letters": N_("Warning: crossing letters are three letters of the word that the move crosses or extends."),
    "unreadable": N_("Warning: the slip is hard to read."),
    "discipline": N_("Warning for discipline."),
}
_SECONDS = N_("%(whole)d.%(tenths)d s")
_VALID = N_("The move is valid and worth %(move_score)d.")
_GIVEN = N_("The judge gives %(points)d for this slip.")
_WORTH = N_("The move is worth %(move_score)d.")
_OTHER_READING = N_("With the tiles %(other)s it could be laid, but in this edition the word is not spelt that way.")
_DECLARED = N_("The slip says %(declared)d.")
_UNMARKED = N_("The blank that stands for %(unmarked)s is not marked; the value of its letter is taken off.")
_QUOTA = N_("Warnings in this game: %(warned)d; %(free)d without penalty.")
_PENALTY = N_("Penalty: %(penalty)d.")
_BONUS = N_("Bonus: %(bonus)d.")
_COUNTS = N_("The slip scores %(points)d.")
_QUOTED = N_("%(rule)s: %(said)s")
_NO_SOURCE = (OUR_DEFAULT, CHANGED)
_NO_DETAILS: Mapping[str, str | int] = MappingProxyType({})
_REASONS_WITH_SCORE = ("rescued_by_score", "last_letter_missing", "last_letter_changed")

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
    ("judge", "script"): N_("This is the move in the script of the game."),
    ("judge", "drawing room"): N_("The room that draws has placed this move."),
}


def verdict_sentence(verdict: Verdict, translate: Translate = str) -> str:
    """One or more whole sentences that explain a verdict, in the language of `translate`.

    The source of the rule stands before them, where one is printed somewhere.
    """
    said, source = explain_verdict(verdict, translate)
    return translate(_QUOTED) % {"rule": source, "said": said} if source else said


def explain_verdict(verdict: Verdict, translate: Translate = str) -> tuple[str, str]:
    """Return the sentences that explain a verdict, and the source of the rule; empty where none is printed."""
    facts: dict[str, object] = {
        "word": verdict.word or "",
        "move_score": verdict.move_score or 0,
        "points": verdict.points,
        "penalty": verdict.penalty,
        "bonus": verdict.bonus,
        **verdict.details,
    }
    if "late_ms" in verdict.details:
        whole, rest = divmod(int(verdict.details["late_ms"]), 1000)
        facts["delay"] = translate(_SECONDS) % {"whole": whole, "tenths": rest // 100}
    said = " ".join(translate(template) % facts for template in _templates(verdict))
    rule = translate(verdict.rule) if verdict.rule and verdict.rule not in _NO_SOURCE else ""
    return said, rule[:1].upper() + rule[1:]


def _templates(verdict: Verdict) -> list[str]:
    chosen = _decisive_templates(verdict)
    if "other" in verdict.details:
        chosen.append(_OTHER_READING)
    if verdict.reason not in (None, *_REASONS_WITH_SCORE) and verdict.move_score is not None:
        chosen.append(_WORTH)
    if "declared" in verdict.details:
        chosen.append(_DECLARED)
    if "unmarked" in verdict.details:
        chosen.append(_UNMARKED)
    chosen += [_WARNINGS[code] for code in verdict.warnings]
    if "warned" in verdict.details:
        chosen.append(_QUOTA)
    chosen += [_PENALTY] * bool(verdict.penalty) + [_BONUS] * bool(verdict.bonus)
    return chosen + [_COUNTS] * bool(verdict.penalty or verdict.bonus)


def _decisive_templates(verdict: Verdict) -> list[str]:
    """The deciding reason; an average also names the fault that it stands for."""
    if verdict.reason is None:
        return [_GIVEN if verdict.move_score is None else _VALID]
    if verdict.reason == "average_of_others" and str(verdict.details.get("fault")) in _REASONS:
        return [
            _reason_template(str(verdict.details["fault"]), verdict.details),
            _reason_template(verdict.reason, verdict.details),
        ]
    return [_reason_template(verdict.reason, verdict.details)]


def _reason_template(reason: str, details: Mapping[str, str | int]) -> str:
    if reason == "rescued_by_score" and "reversed" in details:
        return _PROVED_REVERSED
    if reason == "rescued_by_score" and "places" in details:
        cause = "hook" if "hook" in details else str(details["switch"])
        return _PROVED[cause, details["places"] == 1]
    for (code, detail), template in _REASONS_IN_DETAIL.items():
        if code == reason and detail in details:
            return template
    return _REASONS_BY_SWITCH.get((reason, str(details.get("switch", ""))), _REASONS[reason])


def reason_sentence(
    reason: str, word: str = "", translate: Translate = str, details: Mapping[str, str | int] = _NO_DETAILS
) -> str:
    """The sentence of a reason without its source: from its code, the word that failed and the details known of it."""
    return translate(_reason_template(reason, details)) % {"word": word, **details}


def warning_sentence(warning: str, translate: Translate = str) -> str:
    """The sentence of a warning code."""
    return translate(_WARNINGS[warning])


def tie_sentence(top: RankedTop, translate: Translate = str) -> str:
    """The reason why a top precedes the next one; empty for the last of several, and where two are alike in
    everything."""
    return format_tie_reason(top.why, top.ahead, top.behind, translate)


def format_tie_reason(why: str, ahead: int = 0, behind: int = 0, translate: Translate = str) -> str:
    """The same from the stored code and numbers."""
    if not why:
        return ""
    template = _SAME_DISTANCE if why == "nearest_a1" and ahead == behind else _TIES[why]
    return translate(template) % {"ahead": ahead, "behind": behind}


def master_sentence(master: MasterMove, translate: Translate = str) -> str:
    """The reason why this move goes on the board."""
    own = _MASTER.get((master.chosen_by, master.why))
    return translate(own) if own else format_tie_reason(master.why, master.ahead, master.behind, translate)
