"""Reproducible draw: the tiles of each rack follow from a secret seed whose commitment is published beforehand.

The random numbers are the HMAC-SHA256 of turn, attempt and block under the key; the bag is listed in the order of the
edition; a rack that breaks the rule goes back whole. `docs/formats.md` defines the algorithm; this module must follow
it exactly.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from engine.i18n import N_
from engine.rules.profile import Profile
from engine.tiles.edition import TileClass, UnknownLetter
from engine.tiles.tiles import BLANK_KIND, Tiles
from engine.variants.variant import Variant, load_variant

SEED_BYTES = 32
EndReason = Literal["tiles_out", "minimum", "no_move"]
Shortage = Literal["vowels", "consonants", "both"]

NORMAL = load_variant("normal")

# Highest number of lawful racks without a move that go back in one turn. After that many, the board is taken to be
# blocked.
MAX_DRAW_ATTEMPTS = 1000


@dataclass(frozen=True, slots=True)
class DrawnRack:
    """Lawful rack, and the racks rejected before it; `attempts` counts all of them."""

    rack: Tiles
    rejected: tuple[Tiles, ...]
    attempts: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """Result of a draw when the game is over."""

    why: EndReason


@dataclass(frozen=True, slots=True)
class Minimum:
    """Minimum of vowels and of consonants (`each`) of a rack, and the tiles that count as either of them."""

    each: int
    blanks_count: bool
    either_letters: frozenset[str]


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the seed in hex; it is published before the first rack."""
    return hashlib.sha256(seed).hexdigest()


def draw_key(seed: bytes, hall_word: str | None) -> bytes:
    """Return the key of the draw: the seed, combined with the hall word if there is one."""
    return hashlib.sha256(seed + hall_word.encode()).digest() if hall_word else seed


def always_playable(rack: Tiles) -> bool:
    """Return True; default if the board is unknown."""
    return True


def no_blank_letters(rack: Tiles) -> tuple[int, ...]:
    """Return no letters; default if the board is unknown."""
    return ()


def draw_next_rack(
    key: bytes,
    turn: int,
    kept: Tiles,
    bag: Tiles,
    profile: Profile,
    playable: Callable[[Tiles], bool] = always_playable,
    *,
    variant: Variant = NORMAL,
    letters_of_blank: Callable[[Tiles], Iterable[int]] = no_blank_letters,
) -> DrawnRack | GameOver:
    """Draw the rack of turn 1, 2 ...: `kept` (the leave) filled up from `bag`, which does not include `kept`.

    `playable` returns True if a rack has a move on the board. A rack without a move goes back while the bag has tiles,
    or ends the game, as `no_legal_move` says. `letters_of_blank`, for the explosive variant, returns the kinds of the
    tiles that the blank of a rack stands for in its best moves, in the order of the edition. `bag` includes the blanks
    set aside. Source: docs/formats.md, reproducible draw.
    """
    pool = kept + bag
    whole = variant.drawable(pool)
    minimum = required_minimum(pool, turn, profile, variant)
    if minimum is None:
        return GameOver("minimum" if pool else "tiles_out")
    if _has_too_few_tiles(whole, profile):
        return GameOver("tiles_out")
    if profile.put_back == "always":
        kept, bag = Tiles.none(pool.edition), pool
    rejected: list[Tiles] = []
    blocked = 0
    for attempt in count():
        blank = variant.blank_for_rack(kept, bag, profile.rack_size)
        held = kept + blank
        rack = held + take_random_tiles(key, turn, attempt, variant.drawable_bag(bag), profile.rack_size - held.total)
        if find_shortage(rack, minimum) is None:
            shown = (
                _exchange_blank(rack, pool, minimum, letters_of_blank(rack)) if variant.explosive and blank else rack
            )
            if playable(shown):
                return DrawnRack(shown, tuple(rejected), attempt + 1)
            blocked += 1
            if rack == whole or profile.no_legal_move == "end" or blocked >= MAX_DRAW_ATTEMPTS:
                return GameOver("no_move")
        rejected.append(rack)
        kept, bag = Tiles.none(pool.edition), pool
    raise AssertionError("attempts never run out")


def _exchange_blank(rack: Tiles, pool: Tiles, minimum: Minimum, letters: Iterable[int]) -> Tiles:
    """Return the rack with its blank replaced by the first of these letters that is available and keeps it lawful.

    Source: the explosive game of the program Eliot. If several best moves differ in the letter, the first in the order
    of the edition is taken (our reading).
    """
    for kind in letters:
        tile = Tiles.of_kinds(rack.edition, [kind] if kind < len(rack.counts) else [])
        other = rack - Tiles.of_kinds(rack.edition, [BLANK_KIND]) + tile
        if tile and pool.holds(other) and find_shortage(other, minimum) is None:
            return other
    return rack


def take_random_tiles(key: bytes, turn: int, attempt: int, bag: Tiles, number: int) -> Tiles:
    """Take `number` tiles, or all if there are fewer, from the bag by the random numbers of this attempt."""
    randoms = random_numbers(key, turn, attempt)
    listed = bag.kinds()
    taken = [listed.pop(_random_below(len(listed), randoms)) for _ in range(min(number, len(listed)))]
    return Tiles.of_kinds(bag.edition, taken)


def random_numbers(key: bytes, turn: int, attempt: int) -> Iterator[int]:
    """Yield the unlimited random numbers, 0 to 2^32 - 1, of attempt 0, 1 ... of turn 1, 2 ..."""
    for block in count():
        message = b"draw" + b"".join(number.to_bytes(4, "big") for number in (turn, attempt, block))
        digest = hmac.digest(key, message, "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def _random_below(limit: int, randoms: Iterator[int]) -> int:
    """Return an index below `limit`; numbers that would cause a modulo bias are skipped."""
    fair = limit * (2**32 // limit)
    return next(number for number in randoms if number < fair) % limit


def required_minimum(pool: Tiles, turn: int, profile: Profile, variant: Variant = NORMAL) -> Minimum | None:
    """Return the minimum for the rack of this turn if `pool` is all that is left; None if the game ends.

    If the pool cannot meet the early minimum, the late one applies. If it cannot meet that either, one vowel and one
    consonant are enough with `early_minimum_fails` = `relax`; otherwise the game is over. At most one of the blanks set
    aside can be on a rack.
    """
    pool = variant.drawable(pool)
    if not pool or _is_class_exhausted(pool, profile):
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


def find_shortage(tiles: Tiles, minimum: Minimum) -> Shortage | None:
    """Return the class of tiles that is short of the minimum. Each blank or either-tile makes up for one tile."""
    vowels, consonants, either = _classes(tiles, minimum)
    no_vowels, no_consonants = max(0, minimum.each - vowels), max(0, minimum.each - consonants)
    if no_vowels + no_consonants <= either:
        return None
    if not no_consonants:
        return "vowels"
    return "both" if no_vowels else "consonants"


def find_rejection_reason(
    rack: Tiles, turn: int, profile: Profile, pool: Tiles | None = None, variant: Variant = NORMAL
) -> Shortage | None:
    """Return the shortage for which a rack is rejected in this turn; None if it is lawful.

    `pool`: all tiles before the draw, rack included; if it is given, a minimum that cannot be met is relaxed.
    """
    minimum = required_minimum(pool, turn, profile, variant) if pool is not None else None
    return find_shortage(rack, minimum or _minimum(profile, early=turn <= (profile.last_early_turn or 0)))


def _minimum(profile: Profile, *, early: bool) -> Minimum:
    each, blanks = (profile.min_early, profile.blanks_early) if early else (profile.min_late, profile.blanks_late)
    return Minimum(each, blanks == "either", frozenset(profile.either_letters))


def _can_meet(pool: Tiles, minimum: Minimum, profile: Profile) -> bool:
    return 2 * minimum.each <= profile.rack_size and find_shortage(pool, minimum) is None


def _classes(tiles: Tiles, minimum: Minimum) -> tuple[int, int, int]:
    """Return (vowels, consonants, tiles that count as either)."""
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


def _is_class_exhausted(pool: Tiles, profile: Profile) -> bool:
    """Return True if the end rule of the profile ends the game regardless of the minimum of the turn."""
    one_each = Minimum(1, profile.end_rule != "fise", frozenset(profile.either_letters))
    if profile.end_rule == "ntsv":
        vowels, _, either = _classes(pool, one_each)
        return not vowels + either
    return find_shortage(pool, one_each) is not None


def _has_too_few_tiles(pool: Tiles, profile: Profile) -> bool:
    """Return True if the Dutch and Flemish rule ends the game because less than a whole rack is left."""
    return profile.end_rule == "ntsv" and pool.total < profile.rack_size


class TypedRackError(ValueError):
    """Impossible rack typed from a physical bag. `template` and `details` allow the caller to translate the message."""

    def __init__(self, template: str, **details: object) -> None:
        super().__init__(template % details)
        self.template = template
        self.details = details

    def sentence(self, translate: Callable[[str], str]) -> str:
        return translate(self.template) % self.details


class RackBreaksRule(TypedRackError):
    """Typed rack that must go back whole. `rack`: tiles drawn; `lacks`: the shortage."""

    def __init__(self, rack: Tiles, lacks: Shortage) -> None:
        super().__init__(_BREAKS_RULE[lacks], rack=rack.text)
        self.rack = rack
        self.lacks = lacks


def check_typed_rack(
    text: str, kept: Tiles, bag: Tiles, turn: int, profile: Profile, variant: Variant = NORMAL
) -> Tiles:
    """Return the rack of this turn from the typed tiles of a physical bag: the whole rack or only the new letters.

    `kept` is the leave and `bag` all other tiles, including blanks set aside; after a rejected rack `kept` is empty.
    `RackBreaksRule` if the rack goes back, `TypedRackError` with the remedy if the rack is impossible.
    """
    if profile.put_back == "always":
        kept, bag = Tiles.none(bag.edition), kept + bag
    whole = variant.drawable(kept + bag)
    rack = _whole_rack(_parse_typed(text, bag), kept, whole.without(kept), profile.rack_size)
    if not bag.holds(rack - kept):
        raise TypedRackError(_NOT_IN_BAG, tiles=(rack - kept).without(bag).text)
    if variant.one_blank and rack.blanks != whole.blanks:
        raise TypedRackError(_ONE_BLANK)
    lacks = find_rejection_reason(rack, turn, profile, kept + bag, variant)
    if lacks is not None:
        raise RackBreaksRule(rack, lacks)
    return rack


def _parse_typed(text: str, bag: Tiles) -> Tiles:
    try:
        return Tiles.parse(bag.edition, text.replace(",", " "))
    except UnknownLetter as error:
        raise TypedRackError(_NO_TILE, sign=error.sign[:10]) from None


def _whole_rack(typed: Tiles, kept: Tiles, bag: Tiles, rack_size: int) -> Tiles:
    """Return the whole rack; the number of typed tiles decides if they are the whole rack or only the new letters."""
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
_ONE_BLANK = N_("In this variant every rack holds exactly one blank: type it as ? among the letters.")
_BREAKS_RULE = {
    "vowels": N_("The rack %(rack)s has too few vowels: all its tiles go back and a new rack is drawn."),
    "consonants": N_("The rack %(rack)s has too few consonants: all its tiles go back and a new rack is drawn."),
    "both": N_("The rack %(rack)s has too few vowels and consonants: all its tiles go back and a new rack is drawn."),
}
