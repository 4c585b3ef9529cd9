"""Open double entries of a turn: slips typed once only, and slips with different readings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet

from engine.slips.typed_line import format_content
from tournaments.enums import SlipSource
from tournaments.models import Player, Room, Slip, Turn, Typing, players_in
from tournaments.play.double_entry import SlipReadings, TypingState, collect_readings, read_typing
from tournaments.staff.queries import name_of


@dataclass(frozen=True, slots=True)
class ReadingLine:
    """One reading of a slip, `said` as one would type it; `counts` marks the reading that counts until a judge
    decides."""

    typing_id: int
    typist: str
    said: str
    counts: bool


@dataclass(frozen=True, slots=True)
class TypingConflict:
    """A paper slip with different readings; the first reading is the one that counts."""

    table: int
    readings: list[ReadingLine]


@dataclass(frozen=True, slots=True)
class OpenTypings:
    """Remaining work before every paper slip of a turn is confirmed; `once` are tables."""

    once: list[int]
    differences: list[TypingConflict]

    @property
    def number(self) -> int:
        """The number of these slips."""
        return len(self.once) + len(self.differences)


@dataclass(frozen=True, slots=True)
class TypistTasks:
    """Tasks of a typist: tables to type a second time, slips that wait for another typist, and the typist's own
    differences.

    The contents of others' slips are not included.
    """

    to_type: list[int]
    waiting: int
    differences: list[TypingConflict]


NO_OPEN_TYPINGS = OpenTypings([], [])


def open_typings(turn: Turn, room: Room | None = None) -> OpenTypings:
    """Get all open entries of a room, or of all when None, for the judge. The number of queries does not depend on the
    slips."""
    known = _readings(turn, room)
    return OpenTypings(_tables(known, TypingState.ONCE), _list_conflicts(known))


def get_typist_tasks(turn: Turn, room: Room | None, user: User) -> TypistTasks:
    """Get the tasks of a typist, who must not see slips that others have typed."""
    known = _readings(turn, room)
    mine = {player: each for player, each in known.items() if each.typed_by(user.pk)}
    others = {player: each for player, each in known.items() if player not in mine}
    return TypistTasks(
        to_type=_tables(others, TypingState.ONCE),
        waiting=len(_tables(mine, TypingState.ONCE)),
        differences=_list_conflicts(mine),
    )


def readings_in(turn: Turn | int, player_id: int) -> SlipReadings | None:
    """The readings of a player's slip in a turn; None without any, or when a phone's slip has replaced them."""
    found = _standing_readings(turn, Typing.objects.filter(player=player_id))
    return next(iter(found.values()), None)


def _readings(turn: Turn, room: Room | None) -> dict[Player, SlipReadings]:
    typings = Typing.objects.all()
    if room is not None:
        typings = typings.filter(player__in=players_in(turn.game_id, room))
    return _standing_readings(turn, typings)


def _standing_readings(turn: Turn | int, typings: QuerySet[Typing]) -> dict[Player, SlipReadings]:
    """By player in the order of the tables; without slips that a phone has replaced since."""
    by_player: dict[Player, list[Typing]] = {}
    by_phone = Slip.objects.filter(turn=turn, player=OuterRef("player"), source=SlipSource.PHONE, in_time=True)
    newer = by_phone.filter(version__gt=OuterRef("slip__version"))
    rows = typings.filter(turn=turn).annotate(is_overtaken=Exists(newer)).select_related("player", "by")
    for typing in rows.order_by("player__table", "pk"):
        by_player.setdefault(typing.player, []).append(typing)
    found = {player: collect_readings(typed) for player, typed in by_player.items()}
    return {player: each for player, each in found.items() if each is not None and not _is_replaced_by_phone(each)}


def _is_replaced_by_phone(readings: SlipReadings) -> bool:
    return bool(readings.counting.is_overtaken)  # type: ignore[attr-defined]  # annotated


def _tables(known: Mapping[Player, SlipReadings], standing: TypingState) -> list[int]:
    return [player.table for player, each in known.items() if each.standing is standing]


def _list_conflicts(known: Mapping[Player, SlipReadings]) -> list[TypingConflict]:
    return [
        TypingConflict(player.table, [_line(each, each is readings.counting) for each in _all(readings)])
        for player, readings in known.items()
        if readings.standing is TypingState.DIFFERS
    ]


def _all(readings: SlipReadings) -> list[Typing]:
    return [readings.counting, *readings.others]


def _line(typing: Typing, counts: bool) -> ReadingLine:
    return ReadingLine(typing.pk, name_of(typing.by) if typing.by else "", format_content(read_typing(typing)), counts)
