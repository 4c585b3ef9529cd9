"""Handfuls of tiles without an order: a rack, the bag, what is left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.edition import BLANK_BIT, Edition, TileClass, UnknownLetter

BLANK_KIND = 0


class NotThere(ValueError):
    """Tiles were to be taken that are not there. `missing` is their tile text."""

    def __init__(self, missing: str) -> None:
        super().__init__(f"these tiles are not there: {missing}")
        self.missing = missing


@dataclass(frozen=True, slots=True)
class Tiles:
    """How many of each kind of tile; `counts[kind]` in the order of the edition, the blank first."""

    edition: Edition
    counts: tuple[int, ...]

    @classmethod
    def none(cls, edition: Edition) -> Tiles:
        return cls(edition, (0,) * len(edition.kinds))

    @classmethod
    def full_bag(cls, edition: Edition) -> Tiles:
        return cls(edition, tuple(kind.count for kind in edition.kinds))

    @classmethod
    def of_kinds(cls, edition: Edition, kinds: Iterable[int]) -> Tiles:
        counts = [0] * len(edition.kinds)
        for kind in kinds:
            counts[kind] += 1
        return cls(edition, tuple(counts))

    @classmethod
    def parse(cls, edition: Edition, text: str) -> Tiles:
        """Tiles from tile text in any order, any case, blanks as `?`, spaces between tiles ignored. A tile of several
        letters stands in brackets where its letters are tiles too: "LL" are two L in a set with a tile LL.

        `UnknownLetter` when a sign is no tile of the edition (J in Italian, a letter that only a blank can be).
        """
        kinds: list[int] = []
        for piece in "".join(text.split()).upper().replace("?", "\0?\0").split("\0"):
            if piece == "?":
                kinds.append(BLANK_KIND)
            else:
                kinds.extend(_kind_of(edition, code) for code in edition.parse_tiles(piece))
        return cls.of_kinds(edition, kinds)

    @property
    def text(self) -> str:
        """Tile text in the order of the edition: `?AEINRS`, `AL·L` as `A[L·L]`."""
        return "".join(
            (f"[{kind.face}]" if len(kind.face) > 1 else kind.face) * count
            for kind, count in zip(self.edition.kinds, self.counts, strict=True)
        )

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def blanks(self) -> int:
        return self.counts[BLANK_KIND]

    def kinds(self) -> list[int]:
        """Every tile as its kind, in the order of the edition: the list from which the draw takes tiles."""
        return [kind for kind, count in enumerate(self.counts) for _ in range(count)]

    def count_of(self, tile_class: TileClass) -> int:
        """How many tiles of this class there are."""
        return sum(
            count for kind, count in zip(self.edition.kinds, self.counts, strict=True) if kind.tile_class is tile_class
        )

    def holds(self, other: Tiles) -> bool:
        return all(mine >= theirs for mine, theirs in zip(self.counts, other.counts, strict=True))

    def __add__(self, other: Tiles) -> Tiles:
        return Tiles(self.edition, tuple(a + b for a, b in zip(self.counts, other.counts, strict=True)))

    def __sub__(self, other: Tiles) -> Tiles:
        """What is left when `other` is taken out; `NotThere` names what could not be taken."""
        left = tuple(a - b for a, b in zip(self.counts, other.counts, strict=True))
        if min(left) < 0:
            raise NotThere(Tiles(self.edition, tuple(max(0, -n) for n in left)).text)
        return Tiles(self.edition, left)

    def without(self, other: Tiles) -> Tiles:
        """What stays when everything of `other` that is here is taken out; what is not here makes no difference."""
        return Tiles(self.edition, tuple(max(0, a - b) for a, b in zip(self.counts, other.counts, strict=True)))

    def __bool__(self) -> bool:
        return any(self.counts)


def tiles_of(edition: Edition, codes: Iterable[int]) -> Tiles:
    """The tiles that show these tile codes: a code with `BLANK_BIT` is a blank, whatever letter it stands for."""
    return Tiles.of_kinds(edition, (BLANK_KIND if code & BLANK_BIT else _kind_of(edition, code) for code in codes))


def _kind_of(edition: Edition, code: int) -> int:
    kind = (code & ~BLANK_BIT) + 1
    if kind >= len(edition.kinds):
        raise UnknownLetter(edition.face(code), edition.code)
    return kind
