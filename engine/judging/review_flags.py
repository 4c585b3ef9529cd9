"""Slips that a judge may want to review, and the points at stake for the player.

What follows from counting, from marks or from the clock is clear, whatever it costs. In doubt is a word that the list
does not have, a place that the declared score contradicts, a slip that can be read in several ways, a rescue that
guesses, and a slip that was sent in time and received late, if the rules leave it to the judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.board.coordinates import Direction
from engine.judging.lexicon_protocol import WordList
from engine.judging.placement import Position, Readings, list_legal_placements, read_word
from engine.judging.rescue import SlipSearch, find_reversed_placement
from engine.judging.verdict import Verdict, judge_slip
from engine.rules.profile import Profile
from engine.slips.slip import Slip

Kind = Literal["", "word", "place", "reading", "rescue", "delay"]
BY_WORD = ("not_a_word", "invalid_cross_word")
_BY_PLACE = frozenset(
    {
        "invalid_cross_word",
        "wrong_reference",
        "does_not_fit",
        "word_incomplete",
        "no_tile_played",
        "letters_not_in_rack",
        "misses_centre",
        "not_connected",
    }
)
_LAST_LETTER = ("last_letter_missing", "last_letter_changed")


@dataclass(frozen=True, slots=True)
class ReviewFlag:
    """The reason for a review, "" for none, and the points that a player gains or loses by it.

    `meant`: the reference that the declared score proves where it was written the other way round, H8 for 8H.
    """

    kind: Kind
    points: int
    meant: str = ""


NO_FLAG = ReviewFlag("", 0)


class AllWordsValid:
    """A list in which everything stands, to see what a word would be worth."""

    def __contains__(self, word: Sequence[int]) -> bool:
        return True


def find_review_flag(slip: Slip, verdict: Verdict, position: Position, profile: Profile, words: WordList) -> ReviewFlag:
    """The doubt about a verdict by rule. Of the points no bonus is told, and no warning of one player alone."""
    if verdict.result == "rescued":
        return ReviewFlag("rescue", verdict.move_score or 0) if _is_guess(verdict) else NO_FLAG
    if verdict.result != "zero":
        return NO_FLAG
    if verdict.reason == "late":
        return _delay_flag(slip, position, profile, words)
    if verdict.reason == "unreadable":
        return ReviewFlag("reading", 0)
    allowed = _points_if_allowed(slip, verdict, position, profile)
    if allowed:
        return ReviewFlag("word", allowed)
    if verdict.reason in _BY_PLACE and _has_other_placement(slip, position, profile, words):
        return ReviewFlag("place", slip.declared or 0, _meant_reference(slip, position, profile, words))
    return ReviewFlag("reading", 0) if "other" in verdict.details else NO_FLAG


def _delay_flag(slip: Slip, position: Position, profile: Profile, words: WordList) -> ReviewFlag:
    if slip.received != "delayed" or profile.delayed_slip != "ask":
        return NO_FLAG
    points = judge_slip(replace(slip, received="in_time"), position, profile, words).points
    return ReviewFlag("delay", points) if points else NO_FLAG


def _is_guess(verdict: Verdict) -> bool:
    return verdict.reason in _LAST_LETTER or int(verdict.details.get("places", 1)) > 1


def _points_if_allowed(slip: Slip, verdict: Verdict, position: Position, profile: Profile) -> int:
    """The points that the slip would get if every word were allowed; 0 when it fails for another reason."""
    if verdict.reason not in BY_WORD:
        return 0
    return judge_slip(slip, position, profile, AllWordsValid()).points


def _has_other_placement(slip: Slip, position: Position, profile: Profile, words: WordList) -> bool:
    """Return whether the word is a legal move somewhere that is worth exactly what the player wrote."""
    if not slip.declared:
        return False
    return any(
        legal.move.score == slip.declared
        for written in _readings(slip, position, profile)
        for legal in list_legal_placements(written, Direction, position, profile, words)
    )


def _meant_reference(slip: Slip, position: Position, profile: Profile, words: WordList) -> str:
    searches = (SlipSearch(written, slip, position, profile, words) for written in _readings(slip, position, profile))
    legal = next(filter(None, map(find_reversed_placement, searches)), None)
    return legal.move.reference_text(profile.notation) if legal else ""


def _readings(slip: Slip, position: Position, profile: Profile) -> Readings:
    allowed, _others = read_word(slip.word.strip(), position.board.edition, profile)
    return allowed
