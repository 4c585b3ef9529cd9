"""The warnings that judges gave in a turn, for the judges' desk."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import GivenWarning, Room, Turn, Verdict, players_in


@dataclass(frozen=True, slots=True)
class WarningLine:
    """A standing warning. `label` is translated.

    `counts` is False if the slip is a zero that cannot have this warning; it is True before judging.
    """

    table: int
    name: str
    code: str
    label: str
    reason: str
    counts: bool


def warnings_given(turn: Turn, room: Room | None = None) -> list[WarningLine]:
    """The warnings of a room or of all rooms, by table and time; the number of queries is constant."""
    rows = GivenWarning.objects.filter(turn=turn, revoked_at=None).select_related("player")
    if room is not None:
        rows = rows.filter(player__in=players_in(turn.game_id, room))
    theirs = Verdict.objects.filter(turn=turn, player__in=rows.values("player"))
    listed = dict(theirs.values_list("player_id", "warnings"))
    return [
        WarningLine(
            table=row.player.table,
            name=row.player.name,
            code=row.code,
            label=row.get_code_display(),
            reason=row.reason,
            counts=row.player_id not in listed or row.code in listed[row.player_id],
        )
        for row in rows.order_by("player__table", "pk")
    ]
