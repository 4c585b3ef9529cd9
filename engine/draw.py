"""The reproducible draw: which tiles a turn's rack gets, from a secret seed whose commitment is public before.

Anyone can repeat it with a few lines: HMAC-SHA256 of the key over turn, attempt and block gives the random numbers,
the bag is listed in the order of the edition, a rack that breaks the rule goes back whole. `docs/formats.md` holds
the definition; nothing here may drift from it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from engine.edition import TileClass, UnknownLetter
from engine.formulas import Formula, load_formula
from engine.rules.messages import N_
from engine.rules.profile import Profile
from engine.tiles import BLANK_KIND, Tiles

SEED_BYTES = 32
EndWhy = Literal["tiles_out", "minimum", "no_move"]
Shortage = Literal["vowels", "consonants", "both"]

NORMAL = load_formula("normal")

# Lawful racks without a move that go back in one turn before the game counts as blocked. Somewhere the draw has to
# stop; a board on which a thousand racks in a row find no place has none.
BLOCKED_AFTER = 1000


@dataclass(frozen=True, slots=True)
class Drawn:
    """A lawful rack, and the whole racks that went back before it; `attempts` counts it too."""

    rack: Tiles
    rejected: tuple[Tiles, ...]
    attempts: int


@dataclass(frozen=True, slots=True)
class Ended:
    """Nothing can be drawn: the game is over."""

    why: EndWhy


@dataclass(frozen=True, slots=True)
class Minimum:
    """How many vowels, and as many consonants, a rack needs; who fills a gap either way."""

    each: int
    blanks_count: bool
    either_letters: frozenset[str]


def commitment(seed: bytes) -> str:
    """What is published before the first rack: the SHA-256 of the seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


def draw_key(seed: bytes, hall_word: str | None) -> bytes:
    """The key of the draw: the seed, mixed with the word that the hall called out, if there was one."""
    return hashlib.sha256(seed + hall_word.encode()).digest() if hall_word else seed


def always(rack: Tiles) -> bool:
    """Every rack can be played: the answer where no board is known."""
    return True


def no_letters(rack: Tiles) -> tuple[int, ...]:
    """No best move is known: the answer where no board is."""
    return ()


def draw(
    key: bytes,
    turn: int,
    kept: Tiles,
    bag: Tiles,
    profile: Profile,
    playable: Callable[[Tiles], bool] = always,
    *,
    formula: Formula = NORMAL,
    letters_of_blank: Callable[[Tiles], Iterable[int]] = no_letters,
) -> Drawn | Ended:
    """Draw the rack of turn 1, 2 ...: `kept` (left on the rack) filled up from `bag`, which does not hold `kept`.

    `playable` says whether a rack has a move on the board; by `no_legal_move` a rack without one goes back like a
    rejected one while the bag has tiles, or ends the game. `letters_of_blank`, for the explosive formula, gives the
    kinds of tiles for which the blank of a rack stands in its best moves, in the order of the edition. Blanks that lie
    aside are in `bag`. Source: the reproducible draw of the formats, section 2.
    """
    pool = kept + bag
    whole = formula.drawable(pool)
    minimum = minimum_of(pool, turn, profile, formula)
    if minimum is None:
        return Ended("minimum" if pool else "tiles_out")
    if _too_few_for_a_turn(whole, profile):
        return Ended("tiles_out")
    if profile.put_back == "always":
        kept, bag = Tiles.none(pool.edition), pool
    rejected: list[Tiles] = []
    blocked = 0
    for attempt in count():
        blank = formula.joining_blank(kept, bag, profile.rack_size)
        held = kept + blank
        rack = held + take(key, turn, attempt, formula.drawn_from(bag), profile.rack_size - held.total)
        if shortage(rack, minimum) is None:
            shown = _exchanged(rack, pool, minimum, letters_of_blank(rack)) if formula.explosive and blank else rack
            if playable(shown):
                return Drawn(shown, tuple(rejected), attempt + 1)
            blocked += 1
            if rack == whole or profile.no_legal_move == "end" or blocked >= BLOCKED_AFTER:
                return Ended("no_move")
        rejected.append(rack)
        kept, bag = Tiles.none(pool.edition), pool
    raise AssertionError("attempts never run out")


def _exchanged(rack: Tiles, pool: Tiles, minimum: Minimum, letters: Iterable[int]) -> Tiles:
    """The rack with the first of these letters that is left in place of its blank, if it stays lawful with it.

    Source: the explosive game of the program Eliot. Where several best moves differ in the letter, the first one in the
    order of the edition is taken: our reading.
    """
    for kind in letters:
        tile = Tiles.of_kinds(rack.edition, [kind] if kind < len(rack.counts) else [])
        other = rack - Tiles.of_kinds(rack.edition, [BLANK_KIND]) + tile
        if tile and pool.holds(other) and shortage(other, minimum) is None:
            return other
    return rack


def take(key: bytes, turn: int, attempt: int, bag: Tiles, number: int) -> Tiles:
    """`number` tiles out of the bag, or all that are left, by the random numbers of this attempt."""
    randoms = random_numbers(key, turn, attempt)
    listed = bag.kinds()
    taken = [listed.pop(_below(len(listed), randoms)) for _ in range(min(number, len(listed)))]
    return Tiles.of_kinds(bag.edition, taken)


def random_numbers(key: bytes, turn: int, attempt: int) -> Iterator[int]:
    """The endless random numbers, 0 to 2^32 - 1, of attempt 0, 1 ... of turn 1, 2 ..."""
    for block in count():
        message = b"draw" + b"".join(number.to_bytes(4, "big") for number in (turn, attempt, block))
        digest = hmac.digest(key, message, "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def _below(limit: int, randoms: Iterator[int]) -> int:
    """An index below `limit`; numbers that would favour the first ones are passed over."""
    fair = limit * (2**32 // limit)
    return next(number for number in randoms if number < fair) % limit


def minimum_of(pool: Tiles, turn: int, profile: Profile, formula: Formula = NORMAL) -> Minimum | None:
    """What the rack of this turn must hold, when `pool` is all that is left; None when the game ends by it.

    Where the pool cannot meet the early minimum, the late one holds. Where it cannot meet that either, one vowel and
    one consonant are enough by `early_minimum_fails` = `relax`; else the game is over. Of blanks that lie aside one at
    most can be on a rack.
    """
    pool = formula.drawable(pool)
    if not pool or _class_used_up(pool, profile):
        return None
    late = _minimum(profile, early=False)
    minimums = [_minimum(profile, early=True)] if turn <= (profile.last_early_turn or 0) else []
    minimums.append(late)
    if profile.end_rule == "fisf":
        # FISF 3.7: as long as a joker is left the game goes on, even where jokers no longer count as either.
        minimums.append(replace(late, blanks_count=True))
    if profile.early_minimum_fails == "relax":
        minimums.append(replace(late, each=min(1, late.each)))
    return next((minimum for minimum in minimums if _can_meet(pool, minimum, profile)), None)


def shortage(tiles: Tiles, minimum: Minimum) -> Shortage | None:
    """What the tiles lack of the minimum. Each blank or either-tile fills one gap, never two."""
    vowels, consonants, either = _classes(tiles, minimum)
    no_vowels, no_consonants = max(0, minimum.each - vowels), max(0, minimum.each - consonants)
    if no_vowels + no_consonants <= either:
        return None
    if not no_consonants:
        return "vowels"
    return "both" if no_vowels else "consonants"


def why_rejected(
    rack: Tiles, turn: int, profile: Profile, pool: Tiles | None = None, formula: Formula = NORMAL
) -> Shortage | None:
    """What a rack lacks by the rule of this turn; None when it is lawful.

    With `pool`, all that was left before the draw (rack included), a minimum that could not be met is relaxed.
    """
    minimum = minimum_of(pool, turn, profile, formula) if pool is not None else None
    return shortage(rack, minimum or _minimum(profile, early=turn <= (profile.last_early_turn or 0)))


def _minimum(profile: Profile, *, early: bool) -> Minimum:
    each, blanks = (profile.min_early, profile.blanks_early) if early else (profile.min_late, profile.blanks_late)
    return Minimum(each, blanks == "either", frozenset(profile.either_letters))


def _can_meet(pool: Tiles, minimum: Minimum, profile: Profile) -> bool:
    return 2 * minimum.each <= profile.rack_size and shortage(pool, minimum) is None


def _classes(tiles: Tiles, minimum: Minimum) -> tuple[int, int, int]:
    """(vowels, consonants, tiles that fill either gap)."""
    vowels = consonants = either = 0
    for kind, number in zip(tiles.edition.kinds, tiles.counts, strict=True):
        if kind.tile_class is TileClass.BLANK:
            either += number * minimum.blanks_count
        elif kind.tile_class is TileClass.EITHER or kind.face in minimum.either_letters:
            either += number
        elif kind.tile_class is TileClass.VOWEL:
            vowels += number
        else:
            consonants += number
    return vowels, consonants, either


def _class_used_up(pool: Tiles, profile: Profile) -> bool:
    """Whether the profile's end rule ends the game whatever the minimum of the turn is."""
    one_each = Minimum(1, profile.end_rule != "fise", frozenset(profile.either_letters))
    if profile.end_rule == "ntsv":
        vowels, _, either = _classes(pool, one_each)
        return not vowels + either
    return shortage(pool, one_each) is not None


def _too_few_for_a_turn(pool: Tiles, profile: Profile) -> bool:
    """The Dutch and Flemish rule ends the game with less than a whole rack."""
    return profile.end_rule == "ntsv" and pool.total < profile.rack_size


class TypedRackError(ValueError):
    """A rack typed from a physical bag that cannot be right. `template` and `details` let the edge translate it."""

    def __init__(self, template: str, **details: object) -> None:
        super().__init__(template % details)
        self.template = template
        self.details = details

    def sentence(self, translate: Callable[[str], str]) -> str:
        return translate(self.template) % self.details


class RackBreaksRule(TypedRackError):
    """A rack that came out of the bag but must go back whole. `rack` is what was drawn, `lacks` what it lacks."""

    def __init__(self, rack: Tiles, lacks: Shortage) -> None:
        super().__init__(_BREAKS_RULE[lacks], rack=rack.text)
        self.rack = rack
        self.lacks = lacks


def check_typed_rack(
    text: str, kept: Tiles, bag: Tiles, turn: int, profile: Profile, formula: Formula = NORMAL
) -> Tiles:
    """The whole rack of this turn, from tiles called out of a physical bag: the whole rack or only the new letters.

    `kept` is what is left on the rack and `bag` all else, blanks that lie aside included; after a rejected rack `kept`
    is empty and everything is in the bag. `RackBreaksRule` when the rack goes back, `TypedRackError` with the remedy
    for anything impossible.
    """
    if profile.put_back == "always":
        kept, bag = Tiles.none(bag.edition), kept + bag
    whole = formula.drawable(kept + bag)
    rack = _whole_rack(_parse_typed(text, bag), kept, whole.without(kept), profile.rack_size)
    if not bag.holds(rack - kept):
        raise TypedRackError(_NOT_IN_BAG, tiles=(rack - kept).without(bag).text)
    if formula.one_blank and rack.blanks != whole.blanks:
        raise TypedRackError(_ONE_BLANK)
    lacks = why_rejected(rack, turn, profile, kept + bag, formula)
    if lacks is not None:
        raise RackBreaksRule(rack, lacks)
    return rack


def _parse_typed(text: str, bag: Tiles) -> Tiles:
    try:
        return Tiles.parse(bag.edition, text.replace(",", " "))
    except UnknownLetter as error:
        raise TypedRackError(_NO_TILE, sign=error.sign[:10]) from None


def _whole_rack(typed: Tiles, kept: Tiles, bag: Tiles, rack_size: int) -> Tiles:
    """The number of tiles tells whether the whole rack or only the new letters were typed."""
    new = min(rack_size - kept.total, bag.total)
    whole = kept.total + new
    if typed.total == whole:
        if not typed.holds(kept):
            raise TypedRackError(_KEPT_MISSING, tiles=kept.without(typed).text)
        return typed
    if typed.total == new:
        return kept + typed
    if not kept:
        raise TypedRackError(_WRONG_NUMBER, whole=whole, typed=typed.total)
    raise TypedRackError(_WRONG_NUMBER_OF_NEW, whole=whole, new=new, typed=typed.total)


_NO_TILE = N_("There is no tile %(sign)s in this edition; type letters of the tiles, and ? for a blank.")
_NOT_IN_BAG = N_("These tiles are not in the bag any more: %(tiles)s. Check the letters and type them again.")
_KEPT_MISSING = N_("These tiles were left on the rack but are not in what was typed: %(tiles)s.")
_WRONG_NUMBER = N_("The rack has %(whole)d tiles, but %(typed)d were typed.")
_WRONG_NUMBER_OF_NEW = N_(
    "Type the whole rack of %(whole)d tiles, or only the new ones (%(new)d); %(typed)d were typed."
)
_ONE_BLANK = N_("In this formula every rack holds exactly one blank: type it as ? with the letters.")
_BREAKS_RULE = {
    "vowels": N_("The rack %(rack)s has too few vowels: all its tiles go back and a new rack is drawn."),
    "consonants": N_("The rack %(rack)s has too few consonants: all its tiles go back and a new rack is drawn."),
    "both": N_("The rack %(rack)s has too few vowels and consonants: all its tiles go back and a new rack is drawn."),
}
