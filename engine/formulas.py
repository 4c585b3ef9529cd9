"""The formulas of a game: how many tiles are drawn and laid, whether every rack has the blank, who picks the last one.

A formula changes the draw, the search and the step to the next turn, never how a slip is judged; what it sets of a
profile (size of the rack, bonuses) stands in the switches of the game, so that their readers need not know formulas.

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

from engine.board import Board
from engine.rules.messages import N_
from engine.rules.profile import Profile
from engine.tiles import BLANK_KIND, Tiles

NORMAL = "normal"


class FormulaError(ValueError):
    """A formula that does not exist; the text says which there are."""


@dataclass(frozen=True, slots=True)
class Formula:
    """How a game differs from the normal one. None: as the profile has it, or for `largest_play` the whole rack.

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
        """Whether the blanks lie aside and come to the racks one at a time, outside the draw."""
        return self.joker or self.explosive

    def applied_to(self, profile: Profile) -> Profile:
        """The profile with the switches that the formula sets; the normal one leaves an own size of rack alone."""
        wanted = {"rack_size": self.rack_size, "bonuses": self.bonuses}
        return profile.with_switches(**{switch: value for switch, value in wanted.items() if value is not None})

    def most_laid(self, profile: Profile) -> int:
        """How many tiles one move may lay."""
        return self.largest_play or profile.rack_size

    def unnamed_bonuses(self, profile: Profile) -> tuple[int, ...]:
        """The numbers of tiles above seven that one move may lay, but for which the bonuses say nothing."""
        return profile.unnamed_bonuses(self.most_laid(profile))

    def drawable(self, pool: Tiles) -> Tiles:
        """What of all that is left can be on one rack: where blanks lie aside, one of them at most."""
        if not self.one_blank or pool.blanks <= 1:
            return pool
        return Tiles(pool.edition, (1, *pool.counts[1:]))

    def joining_blank(self, kept: Tiles, bag: Tiles, rack_size: int) -> Tiles:
        """The blank that comes to the rack outside the draw; none when there is none, one was kept, or no room is."""
        joins = self.one_blank and not kept.blanks and bag.blanks and kept.total < rack_size
        return Tiles.of_kinds(bag.edition, [BLANK_KIND] if joins else [])

    def drawn_from(self, bag: Tiles) -> Tiles:
        """The tiles of the bag among which is drawn: where blanks lie aside, those without blanks."""
        return Tiles(bag.edition, (0, *bag.counts[1:])) if self.one_blank else bag

    def stock(self, board: Board, rack: Tiles) -> Tiles | None:
        """What each player may take one tile of: all that is neither on the board nor drawn; None where nobody may."""
        return left_besides(board, rack) if self.completive else None


def left_besides(board: Board, rack: Tiles) -> Tiles:
    """All tiles of the edition that are neither on the board nor on the rack."""
    return Tiles.full_bag(board.edition).without(board.tiles + rack)


def formula_codes() -> tuple[str, ...]:
    """The codes of all formulas, the normal one first."""
    return tuple(_FORMULAS)


def load_formula(code: str) -> Formula:
    """The formula with this code ("7of8-joker"); `FormulaError` when there is none."""
    try:
        return _FORMULAS[code]
    except KeyError:
        raise FormulaError(f"There is no formula {code[:40]!r}; there are {', '.join(_FORMULAS)}.") from None


_SEVEN: tuple[tuple[int, int], ...] = ((7, 50),)
_AND_EIGHT = (*_SEVEN, (8, 75))
_AND_NINE = (*_AND_EIGHT, (9, 100))


def _by_code(formulas: Iterable[Formula]) -> Mapping[str, Formula]:
    return {formula.code: formula for formula in formulas}


_FORMULAS = _by_code(
    (
        Formula(NORMAL, N_("Normal")),
        Formula("joker", N_("Joker"), joker=True),
        Formula("7of8", N_("7 of 8"), 8, 7, _SEVEN),
        Formula("7of8-joker", N_("7 of 8, joker"), 8, 7, _SEVEN, joker=True),
        Formula("7and8", N_("7 and 8"), 8, 8, _AND_EIGHT),
        Formula("7and8-joker", N_("7 and 8, joker"), 8, 8, _AND_EIGHT, joker=True),
        Formula("7-8-9", N_("7, 8 and 9"), 9, 9, _AND_NINE),
        Formula("7-8-9-joker", N_("7, 8 and 9, joker"), 9, 9, _AND_NINE, joker=True),
        Formula("explosive", N_("Explosive"), explosive=True),
        Formula("completive", N_("Completive"), 6, 7, _SEVEN, completive=True),
        Formula("six", N_("Six letters"), 6, 6, ((6, 50),)),
    )
)
