"""Where a judge may see a slip otherwise than the rules do, and what is at stake for the player then.

What follows from counting, from marks or from the clock is clear, whatever it costs. In doubt is a word that the list
does not have, a place that the declared score contradicts, a slip that can be read in several ways, and a rescue that
guesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.coords import Direction
from engine.rules.place import Position, Readings, legal_places, read_word
from engine.rules.profile import Profile
from engine.rules.rescue import Search, reversed_place
from engine.rules.slip import Slip
from engine.rules.verdict import Verdict, judge
from engine.rules.words import WordList

Kind = Literal["", "word", "place", "reading", "rescue"]
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
class Doubt:
    """What a judge may see otherwise, "" for nothing, and the points that a player gains or loses by it.

    `meant`: the reference that the declared score proves where it was written the other way round, H8 for 8H.
    """

    kind: Kind
    points: int
    meant: str = ""


CLEAR = Doubt("", 0)


class EveryWord:
    """A list in which everything stands, to see what a word would be worth."""

    def __contains__(self, word: Sequence[int]) -> bool:
        return True


def doubt_about(slip: Slip, verdict: Verdict, position: Position, profile: Profile, words: WordList) -> Doubt:
    """The doubt about a verdict by rule. Of the points no bonus is told, and no warning of one player alone."""
    if verdict.result == "rescued":
        return Doubt("rescue", verdict.move_score or 0) if _is_guess(verdict) else CLEAR
    if verdict.result != "zero":
        return CLEAR
    if verdict.reason == "unreadable":
        return Doubt("reading", 0)
    allowed = _if_allowed(slip, verdict, position, profile)
    if allowed:
        return Doubt("word", allowed)
    if verdict.reason in _BY_PLACE and _fits_elsewhere(slip, position, profile, words):
        return Doubt("place", slip.declared or 0, _meant(slip, position, profile, words))
    return Doubt("reading", 0) if "other" in verdict.details else CLEAR


def _is_guess(verdict: Verdict) -> bool:
    return verdict.reason in _LAST_LETTER or int(verdict.details.get("places", 1)) > 1


def _if_allowed(slip: Slip, verdict: Verdict, position: Position, profile: Profile) -> int:
    """What the slip would get if every word were allowed; 0 when it fails for another reason."""
    if verdict.reason not in BY_WORD:
        return 0
    return judge(slip, position, profile, EveryWord()).points


def _fits_elsewhere(slip: Slip, position: Position, profile: Profile, words: WordList) -> bool:
    """Whether the word is a legal move somewhere that is worth exactly what the player wrote."""
    if not slip.declared:
        return False
    return any(
        legal.move.score == slip.declared
        for written in _readings(slip, position, profile)
        for legal in legal_places(written, Direction, position, profile, words)
    )


def _meant(slip: Slip, position: Position, profile: Profile, words: WordList) -> str:
    searches = (Search(written, slip, position, profile, words) for written in _readings(slip, position, profile))
    legal = next(filter(None, map(reversed_place, searches)), None)
    return legal.move.reference_text(profile.notation) if legal else ""


def _readings(slip: Slip, position: Position, profile: Profile) -> Readings:
    allowed, _others = read_word(slip.word.strip(), position.board.edition, profile)
    return allowed
