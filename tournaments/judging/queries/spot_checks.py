"""Spot check: an unpredictable sample of the clear slips of a turn.

Each slip has a number, HMAC-SHA256 with the secret seed of the game over turn, table and version of the slip; those
with the lowest numbers are checked. Every desk has the same sample, and anybody can verify it once the seed is public.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from dataclasses import dataclass

from tournaments.enums import SlipSource
from tournaments.judging.queries.reviews import get_reviews
from tournaments.judging.queries.slip_groups import SlipGroup
from tournaments.models import Room, Turn, Verdict, players_in


@dataclass(frozen=True, slots=True)
class SpotSlip:
    """A slip of the sample and its points.

    `table` is 0 for phone slips in anonymous judging; paper slips can only be found by their table.
    """

    slip_id: int
    group: str
    table: int
    on_paper: bool
    word: str
    ref: str
    declared: int | None
    points: int

    @property
    def line(self) -> str:
        """The slip as a typed line."""
        parts = [self.table, self.ref, self.word, self.declared]
        return " ".join(str(part) for part in parts if part not in ("", None))


def spot_slips(
    turn: Turn, room: Room, percent: int, clear: Collection[SlipGroup], *, anonymous: bool = False
) -> list[SpotSlip]:
    """The slips of the sample in a room that are not checked yet, by table.

    The sample is `percent` of the clear slips, rounded up. Makes two queries, none if `percent` is 0.
    """
    if not percent:
        return []
    rows = Verdict.objects.filter(turn=turn, group__in=[group.key for group in clear], slip__isnull=False)
    here = rows.filter(player__in=players_in(turn.game, room)).values_list("slip", "player__table", "slip__version")
    lots = sorted((_lot(bytes(turn.game.seed), turn.number, table, version), slip) for slip, table, version in here)
    chosen = {slip for _lot_, slip in lots[: -(-len(lots) * percent // 100)]} - set(get_reviews(turn).slips)
    found = Verdict.objects.filter(turn=turn, slip__in=chosen).select_related("slip", "player")
    return [_spot_slip(verdict, anonymous) for verdict in found.order_by("player__table")]


def _lot(seed: bytes, turn: int, table: int, version: int) -> bytes:
    return hmac.digest(seed, f"spot check|{turn}|{table}|{version}".encode(), hashlib.sha256)


def _spot_slip(verdict: Verdict, anonymous: bool) -> SpotSlip:
    slip = verdict.slip
    assert slip is not None  # noqa: S101  asked for by its slip
    on_paper = slip.source == SlipSource.PAPER
    return SpotSlip(
        slip_id=slip.pk,
        group=verdict.group,
        table=verdict.player.table if on_paper or not anonymous else 0,
        on_paper=on_paper,
        word=slip.word,
        ref=slip.place_text,
        declared=slip.declared,
        points=verdict.points,
    )
