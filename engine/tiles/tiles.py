"""Multisets of tiles: a rack, the bag, a leave."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.tiles.edition import BLANK_BIT, Edition, TileClass, UnknownLetter

BLANK_KIND = 0


class MissingTilesError(ValueError):
    """Removal of tiles that are not there. `missing` is their tile text."""

    def __init__(self, missing: str) -> None:
        super().__init__(f"these tiles are not there: {missing}")
        self.missing = missing


@dataclass(frozen=True, slots=True)
class Tiles:
    """Number of tiles of each kind; `counts[kind]` in the order of the edition, the blank first."""

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
        """Parse tile text in any order and case, blanks as `?`; spaces are ignored.

        A tile of several letters needs brackets if its letters are tiles too: "LL" is two L in a set with a tile LL.
        `UnknownLetter` if a character is no tile of the edition (J in Italian, a letter that exists only as a blank).
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
        """Return the kind of every tile, in the order of the edition: the list from which the draw takes tiles."""
        return [kind for kind, count in enumerate(self.counts) for _ in range(count)]

    def count_of(self, tile_class: TileClass) -> int:
        """Return the number of tiles of this class."""
        return sum(
            count for kind, count in zip(self.edition.kinds, self.counts, strict=True) if kind.tile_class is tile_class
        )

    def holds(self, other: Tiles) -> bool:
        return all(mine >= theirs for mine, theirs in zip(self.counts, other.counts, strict=True))

    def __add__(self, other: Tiles) -> Tiles:
        return Tiles(self.edition, tuple(a + b for a, b in zip(self.counts, other.counts, strict=True)))

    def __sub__(self, other: Tiles) -> Tiles:
        """Remove `other`; `MissingTilesError` names the tiles that are not there."""
        left = tuple(a - b for a, b in zip(self.counts, other.counts, strict=True))
        if min(left) < 0:
            raise MissingTilesError(Tiles(self.edition, tuple(max(0, -n) for n in left)).text)
        return Tiles(self.edition, left)

    def without(self, other: Tiles) -> Tiles:
        """Remove the tiles of `other` that are there; ignore the others."""
        return Tiles(self.edition, tuple(max(0, a - b) for a, b in zip(self.counts, other.counts, strict=True)))

    def __bool__(self) -> bool:
        return any(self.counts)


def tiles_of(edition: Edition, codes: Iterable[int]) -> Tiles:
    """Return the tiles for these tile codes; a code with `BLANK_BIT` is a blank."""
    return Tiles.of_kinds(edition, (BLANK_KIND if code & BLANK_BIT else _kind_of(edition, code) for code in codes))


def _kind_of(edition: Edition, code: int) -> int:
    kind = (code & ~BLANK_BIT) + 1
    if kind >= len(edition.kinds):
        raise UnknownLetter(edition.face(code), edition.code)
    return kind
