"""The state of standings: after a turn, provisional or final. Every caption of standings gets it from here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.utils.translation import gettext as _

from tournaments.enums import AppealState
from tournaments.judging.queries.appeals import get_appeal_limit
from tournaments.models import Appeal, Event, Game, Room, Round, Turn
from tournaments.play.queries.phases import is_over, is_over_in
from tournaments.results.queries.results import last_turn_shown


class Stage(StrEnum):
    """`turn`: the game is being played; `provisional`: games are missing or appeals are possible; `final`: neither."""

    TURN = "turn"
    PROVISIONAL = "provisional"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class StandingsState:
    """The stage, with the number of the last turn that counts if it is `turn`."""

    stage: Stage
    turn: int = 0

    @property
    def is_final(self) -> bool:
        """True if the standings do not change any more."""
        return self.stage is Stage.FINAL

    @property
    def text(self) -> str:
        """The state in the active language; "" before the first turn."""
        if self.stage is Stage.TURN:
            return _("after turn %(turn)d") % {"turn": self.turn} if self.turn else ""
        return _("final") if self.is_final else _("provisional")


def decide_state(*, single: bool, over: bool, unsettled: bool, turn: int) -> StandingsState:
    """Decide the state of standings.

    `single`: they are of one game; `over`: all of its turns, or all games of the event, are played; `unsettled`: an
    appeal is open or still possible; `turn`: the last turn that counts in a single game.
    """
    if not over:
        return StandingsState(Stage.TURN, turn) if single else StandingsState(Stage.PROVISIONAL)
    return StandingsState(Stage.PROVISIONAL if unsettled else Stage.FINAL)


def state_of_standings(
    games: Sequence[Game], room: Room | None, now: datetime, *, whole_event: bool = False
) -> StandingsState:
    """The state of the standings of these games in a room or in all rooms.

    `whole_event`: rounds that are planned and not played yet count as missing games.
    """
    over = all(is_over(game) if room is None else is_over_in(game, room) for game in games)
    if whole_event and over:
        over = not has_rounds_ahead(games[0].event)
    return decide_state(
        single=len(games) == 1 and not whole_event,
        over=over,
        unsettled=over and is_unsettled(games, room, now),
        turn=last_turn_shown(games[-1], room),
    )


def settles_at(game: Game, room: Room, now: datetime) -> datetime | None:
    """The time after which nobody may appeal in a finished game, if the standings in a room become final by that
    alone; None while an appeal is open, and once they are final."""
    last = Turn.objects.filter(game=game).order_by("-number").first()
    if last is None or Appeal.objects.filter(turn__game=game, state=AppealState.OPEN).exists():
        return None
    limit = get_appeal_limit(game, last, room)
    return limit.until if limit.allows(now) else None


def has_rounds_ahead(event: Event) -> bool:
    """Return whether a round is planned whose game does not exist yet."""
    numbers = Game.objects.filter(event=event).values("number")
    return Round.objects.filter(event=event).exclude(number__in=numbers).exists()


def is_unsettled(games: Collection[Game], room: Room | None, now: datetime) -> bool:
    """Return whether an appeal in one of these finished games is open or still possible."""
    appeals = Appeal.objects.filter(turn__game__in=games, state=AppealState.OPEN)
    if appeals.exists():
        return True
    rooms = list(Room.objects.filter(event=next(iter(games)).event_id)) if room is None else [room]
    return any(_may_appeal(game, each, now) for game in games for each in rooms)


def _may_appeal(game: Game, room: Room, now: datetime) -> bool:
    last = Turn.objects.filter(game=game).order_by("-number").first()
    return last is not None and get_appeal_limit(game, last, room).allows(now)
