"""Paper slips of a turn that two people type: what was typed once only, and what was typed in two ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet

from engine.rules.typed_line import content_text
from tournaments.enums import SlipSource
from tournaments.models import Player, Room, Slip, Turn, Typing, players_in
from tournaments.selectors.staff import name_of
from tournaments.typings import Readings, Standing, read, readings_of


@dataclass(frozen=True, slots=True)
class ReadingLine:
    """One reading of a slip, `said` as one would type it; `counts` until somebody decides."""

    typing_id: int
    typist: str
    said: str
    counts: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """A paper slip that was typed in two ways or more; the reading that counts is the first one."""

    table: int
    readings: list[ReadingLine]


@dataclass(frozen=True, slots=True)
class OpenTypings:
    """What is still to be done before every paper slip of a turn is sure; `once` are tables."""

    once: list[int]
    differences: list[Difference]

    @property
    def number(self) -> int:
        """How many slips that is."""
        return len(self.once) + len(self.differences)


@dataclass(frozen=True, slots=True)
class TypistsWork:
    """What a typist is told: the tables that somebody else has typed once, how many wait for somebody else, and the
    differences in which he has typed himself. The slips of others are not in it."""

    to_type: list[int]
    waiting: int
    differences: list[Difference]


NOTHING = OpenTypings([], [])


def open_typings(turn: Turn, room: Room | None = None) -> OpenTypings:
    """For the judge: everything that is open in a room, in all when None. A few queries, however many slips."""
    known = _readings(turn, room)
    return OpenTypings(_tables(known, Standing.ONCE), _differences(known))


def typists_work(turn: Turn, room: Room | None, user: User) -> TypistsWork:
    """For a typist, who is blind to what he has not typed himself."""
    known = _readings(turn, room)
    mine = {player: each for player, each in known.items() if each.typed_by(user.pk)}
    others = {player: each for player, each in known.items() if player not in mine}
    return TypistsWork(
        to_type=_tables(others, Standing.ONCE),
        waiting=len(_tables(mine, Standing.ONCE)),
        differences=_differences(mine),
    )


def readings_in(turn: Turn | int, player_id: int) -> Readings | None:
    """What was typed for a player in a turn; None when nothing was, or a phone's slip has taken its place."""
    found = _standing_readings(turn, Typing.objects.filter(player=player_id))
    return next(iter(found.values()), None)


def _readings(turn: Turn, room: Room | None) -> dict[Player, Readings]:
    typings = Typing.objects.all()
    if room is not None:
        typings = typings.filter(player__in=players_in(turn.game_id, room))
    return _standing_readings(turn, typings)


def _standing_readings(turn: Turn | int, typings: QuerySet[Typing]) -> dict[Player, Readings]:
    """By player in the order of the tables; without slips that a phone has replaced since."""
    by_player: dict[Player, list[Typing]] = {}
    by_phone = Slip.objects.filter(turn=turn, player=OuterRef("player"), source=SlipSource.PHONE, in_time=True)
    newer = by_phone.filter(version__gt=OuterRef("slip__version"))
    rows = typings.filter(turn=turn).annotate(is_overtaken=Exists(newer)).select_related("player", "by")
    for typing in rows.order_by("player__table", "pk"):
        by_player.setdefault(typing.player, []).append(typing)
    found = {player: readings_of(typed) for player, typed in by_player.items()}
    return {player: each for player, each in found.items() if each is not None and not _is_overtaken(each)}


def _is_overtaken(readings: Readings) -> bool:
    return bool(readings.counting.is_overtaken)  # type: ignore[attr-defined]  # annotated


def _tables(known: Mapping[Player, Readings], standing: Standing) -> list[int]:
    return [player.table for player, each in known.items() if each.standing is standing]


def _differences(known: Mapping[Player, Readings]) -> list[Difference]:
    return [
        Difference(player.table, [_line(each, each is readings.counting) for each in _all(readings)])
        for player, readings in known.items()
        if readings.standing is Standing.DIFFERS
    ]


def _all(readings: Readings) -> list[Typing]:
    return [readings.counting, *readings.others]


def _line(typing: Typing, counts: bool) -> ReadingLine:
    return ReadingLine(typing.pk, name_of(typing.by) if typing.by else "", content_text(read(typing)), counts)
