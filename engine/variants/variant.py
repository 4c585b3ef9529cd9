"""The variants of a game: how many tiles are drawn and laid, whether every rack has the blank, who picks the last one.

A variant changes the draw, the search and the step to the next turn, never how a slip is judged; what it sets of a
profile (size of the rack, bonuses) stands in the switches of the game, so that their readers need not know variants.

Sources. Joker: FISF 3.8.1 and the pages of the French federation on its championships. 7 of 8, 7 and 8 (50 and 75
points): the same federation and its program for tournaments. 7-8-9: players' servers in France, which go on by 25
points a tile; no federation has printed it: our reading. Explosive ("detonante"): the program Eliot, which French
clubs use and whose games are the only evidence; no printed rule is known. Completive: Romanian federation, "duplicat
completiv", as two Romanian clubs print it (six tiles are drawn, the minimum counts for them, each player takes a
seventh out of what is left). Six letters: no source tells the bonus; our default is 50 for the whole rack.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.board.board import Board
from engine.i18n import N_
from engine.rules.profile import Profile
from engine.tiles.tiles import BLANK_KIND, Tiles

NORMAL = "normal"


class VariantError(ValueError):
    """Unknown variant; the message lists the known ones."""


@dataclass(frozen=True, slots=True)
class Variant:
    """Differences of a game from the normal one. None: as the profile has it, or for `largest_play` the whole rack.

    `joker`: every rack holds one blank while there is one, and a blank that was played is replaced on the board by its
    letter while what is neither on the board nor on the rack has it. `explosive`: the blank that comes with a rack is
    exchanged for the letter that makes it worth most. `completive`: each player takes one more tile out of the stock.
    """

    code: str
    title: str
    rack_size: int | None = None
    largest_play: int | None = None
    bonuses: tuple[tuple[int, int], ...] | None = None
    joker: bool = False
    explosive: bool = False
    completive: bool = False

    @property
    def one_blank(self) -> bool:
        """Return whether the blanks lie aside and come to the racks one at a time, outside the draw."""
        return self.joker or self.explosive

    @property
    def switches(self) -> dict[str, object]:
        """The switches of a profile that this variant sets, with their values."""
        own = {"rack_size": self.rack_size, "bonuses": self.bonuses}
        return {switch: value for switch, value in own.items() if value is not None}

    def apply_to(self, profile: Profile) -> Profile:
        """The profile with the switches of this variant; the normal game keeps the profile's own rack size."""
        return profile.with_switches(**self.switches)

    def most_laid(self, profile: Profile) -> int:
        """The number of tiles that one move may lay."""
        return self.largest_play or profile.rack_size

    def unnamed_bonuses(self, profile: Profile) -> tuple[int, ...]:
        """The numbers of tiles above seven that one move may lay, but for which the bonuses say nothing."""
        return profile.unnamed_bonuses(self.most_laid(profile))

    def drawable(self, pool: Tiles) -> Tiles:
        """The remaining tiles that can be on one rack: where blanks lie aside, one of them at most."""
        if not self.one_blank or pool.blanks <= 1:
            return pool
        return Tiles(pool.edition, (1, *pool.counts[1:]))

    def blank_for_rack(self, leave: Tiles, bag: Tiles, rack_size: int) -> Tiles:
        """The blank that comes to the rack outside the draw; none when there is none, one was kept, or no room is."""
        joins = self.one_blank and not leave.blanks and bag.blanks and leave.total < rack_size
        return Tiles.of_kinds(bag.edition, [BLANK_KIND] if joins else [])

    def drawable_bag(self, bag: Tiles) -> Tiles:
        """The tiles of the bag among which is drawn: where blanks lie aside, those without blanks."""
        return Tiles(bag.edition, (0, *bag.counts[1:])) if self.one_blank else bag

    def stock(self, board: Board, rack: Tiles) -> Tiles | None:
        """The tiles of which each player may take one: all neither on the board nor drawn; None if nobody may."""
        return unseen_tiles(board, rack) if self.completive else None


def unseen_tiles(board: Board, rack: Tiles) -> Tiles:
    """All tiles of the edition that are neither on the board nor on the rack."""
    return Tiles.full_bag(board.edition).without(board.tiles + rack)


def variant_codes() -> tuple[str, ...]:
    """The codes of all variants, the normal one first."""
    return tuple(_VARIANTS)


def load_variant(code: str) -> Variant:
    """The variant with this code ("7of8-joker"); `VariantError` when there is none."""
    try:
        return _VARIANTS[code]
    except KeyError:
        raise VariantError(f"There is no variant {code[:40]!r}; there are {', '.join(_VARIANTS)}.") from None


_SEVEN: tuple[tuple[int, int], ...] = ((7, 50),)
_AND_EIGHT = (*_SEVEN, (8, 75))
_AND_NINE = (*_AND_EIGHT, (9, 100))


def _by_code(variants: Iterable[Variant]) -> Mapping[str, Variant]:
    return {variant.code: variant for variant in variants}


_VARIANTS = _by_code(
    (
        Variant(NORMAL, N_("Normal")),
        Variant("joker", N_("Joker"), joker=True),
        Variant("7of8", N_("7 of 8"), 8, 7, _SEVEN),
        Variant("7of8-joker", N_("7 of 8, joker"), 8, 7, _SEVEN, joker=True),
        Variant("7and8", N_("7 and 8"), 8, 8, _AND_EIGHT),
        Variant("7and8-joker", N_("7 and 8, joker"), 8, 8, _AND_EIGHT, joker=True),
        Variant("7-8-9", N_("7, 8 and 9"), 9, 9, _AND_NINE),
        Variant("7-8-9-joker", N_("7, 8 and 9, joker"), 9, 9, _AND_NINE, joker=True),
        Variant("explosive", N_("Explosive"), explosive=True),
        Variant("completive", N_("Completive"), 6, 7, _SEVEN, completive=True),
        Variant("six", N_("Six letters"), 6, 6, ((6, 50),)),
    )
)
