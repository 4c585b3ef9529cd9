"""The spot check: some of the clear slips of a turn, chosen so that nobody can foresee or steer which.

A slip's lot is HMAC-SHA256 of the secret seed of the game over turn, table and version of the slip; the lowest lots are
looked at. So every desk sees the same choice, and once the seed is public anybody can make it again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection
from dataclasses import dataclass

from tournaments.enums import SlipSource
from tournaments.models import Room, Turn, Verdict, players_in
from tournaments.selectors.groups import Group
from tournaments.selectors.looks import looks_at


@dataclass(frozen=True, slots=True)
class SpotSlip:
    """A slip that somebody is to look at: as it was typed or sent, and what it gets.

    `table` is 0 where judging is anonymous and the slip came from a phone: paper can only be found by its table.
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
        """How it is typed (services.slips.read_paper)."""
        parts = [self.table, self.ref, self.word, self.declared]
        return " ".join(str(part) for part in parts if part not in ("", None))


def spot_slips(
    turn: Turn, room: Room, percent: int, clear: Collection[Group], *, anonymous: bool = False
) -> list[SpotSlip]:
    """The chosen slips of a room that nobody has looked at yet, by table; two queries, none without a spot check.

    Chosen are so many percent of the clear slips, rounded up.
    """
    if not percent:
        return []
    rows = Verdict.objects.filter(turn=turn, group__in=[group.key for group in clear], slip__isnull=False)
    here = rows.filter(player__in=players_in(turn.game, room)).values_list("slip", "player__table", "slip__version")
    lots = sorted((_lot(bytes(turn.game.seed), turn.number, table, version), slip) for slip, table, version in here)
    chosen = {slip for _lot_, slip in lots[: -(-len(lots) * percent // 100)]} - set(looks_at(turn).slips)
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
