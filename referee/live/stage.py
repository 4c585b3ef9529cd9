"""What one room of an event shows: read once after each change, for all sockets that look at it.

Many changes in a burst cause one reading. Numbers of slips are read apart, and pushed at most four times a second; in
a large hall phones hear of both a little less often, so that what they hand in has room.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.utils import translation

from referee.live import messages
from referee.live.background import Background, Coalesced
from referee.live.hub import AUDIENCES, Audience, Hub, Socket, StageKey
from referee.live.persons import Persons
from referee.live.threads import DatabaseThread
from tournaments.models import Game, Room
from tournaments.now import utc_now
from tournaments.selectors import live
from tournaments.selectors.desk import missing_tables
from tournaments.selectors.hall import hall_view
from tournaments.selectors.personal import PersonalView, personal_views
from tournaments.selectors.phases import RACK_IS_PUBLIC, Phase, phase_of, turn_in

T = TypeVar("T")
LEAST_PAUSE_S = 0.05
COUNT_PAUSE_S = 0.25
STATE_PAUSE_OF_A_PHONE_S = 0.000_05
COUNT_PAUSE_OF_A_PHONE_S = 0.000_2


class StageGone(LookupError):
    """The event, its game or its room is not there any more."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What a stage shows. `for_phones` and `for_wall` are texts of the view, made once for everybody."""

    game_id: int
    turn_id: int | None
    turn: int
    seq: int
    phase: Phase
    for_phones: str
    for_wall: str

    def state(self, audience: Audience, now: datetime) -> str:
        """The message with this picture."""
        return messages.state(self.seq, now, self.for_wall if audience == "wall" else self.for_phones)


@dataclass(frozen=True, slots=True)
class Tally:
    """The count of slips, as phones and wall see it and as desks do."""

    for_all: str
    for_desks: str

    def count(self, audience: Audience) -> str:
        """The message with this count."""
        return self.for_desks if audience == "desk" else self.for_all


class Stage:
    """An event's room as its audiences see it."""

    def __init__(self, key: StageKey, hub: Hub, reader: DatabaseThread, background: Background) -> None:
        self.key = key
        self._hub = hub
        self._reader = reader
        self._background = background
        name = f"stage {key}"
        self.picture = Coalesced(self._reading(read_picture), background, name)
        self.tally = Coalesced(self._reading(self._read_tally), background, f"{name}: count")
        self._personal: dict[str, Persons] = {}
        self._showing = self._counting = False
        self._shown: Picture | None = None
        self._counted: Tally | None = None
        self._newcomers: list[Socket] = []
        self._phones_wait = False
        self._phones_due = 0.0

    def changed(self) -> None:
        """Something is different: read and show it, soon and once."""
        self.picture.stale()
        self._stale_persons()
        self._count_soon()
        if not self._showing:
            self._showing = True
            self._background.start(self._show(), f"stage {self.key}: show")

    def greet(self, newcomer: Socket) -> None:
        """Show what there is to a socket that has just been added to the hub."""
        if (picture := self.picture.last) is not None:
            newcomer.mailbox.show("state", picture.state(newcomer.audience, utc_now()))
        self._newcomers.append(newcomer)
        self._count_soon()
        self.heal()

    def heal(self) -> None:
        """Show what changed while nobody looked, or could not be read then."""
        if not self.picture.is_current:
            self.changed()

    def slips_changed(self) -> None:
        """Slips came in."""
        self._stale_persons()
        self._count_soon()

    async def personal(self, player_id: int, language: str) -> PersonalView | None:
        """What one player may know, in his language."""
        views = self._personal.get(language)
        if views is None:
            views = self._personal[language] = self._persons(language)
        return await views.of(player_id)

    def _persons(self, language: str) -> Persons:
        def read(only: Collection[int] | None) -> Awaitable[dict[int, PersonalView]]:
            return self._reading(partial(read_persons, language=language, only=only))()

        return Persons(read, self._background, f"stage {self.key}: players ({language})")

    def _reading(self, read: Callable[[Game, Room], T]) -> Callable[[], Awaitable[T]]:
        """Read in the database thread; raises StageGone also for what disappears in the middle of it."""

        def read_present() -> T:
            found = live.game_and_room(*self.key)
            if found is None:
                raise StageGone(self.key)
            try:
                return read(*found)
            except ObjectDoesNotExist:
                raise StageGone(self.key) from None

        return lambda: self._reader.read(read_present)

    def _stale_persons(self) -> None:
        for views in self._personal.values():
            views.stale()

    def _count_soon(self) -> None:
        self.tally.stale()
        if not self._counting:
            self._counting = True
            self._background.start(self._count(), f"stage {self.key}: count")

    async def _show(self) -> None:
        try:
            while not self.picture.is_current and self._hub.has(self.key):
                picture = await self.picture.current()
                if picture != self._shown:
                    self._shown = picture
                    self._send(partial(picture.state, now=utc_now()), "state")
                await asyncio.sleep(max(LEAST_PAUSE_S, self._phones * STATE_PAUSE_OF_A_PHONE_S))
        except StageGone:
            self._hub.dismiss(self.key)
        finally:
            self._showing = False

    async def _count(self) -> None:
        try:
            while (self._phones_wait or not self.tally.is_current) and self._hub.has(self.key):
                self._show_count(await self.tally.current())
                await asyncio.sleep(COUNT_PAUSE_S)
        except StageGone:
            self._hub.dismiss(self.key)
        finally:
            self._counting = False

    def _show_count(self, tally: Tally | None) -> None:
        """To everybody when it is another one, else to those who have just come."""
        newcomers, self._newcomers = self._newcomers, []
        before, self._counted = self._counted, tally
        if tally is None:
            self._phones_wait = False
            return
        if tally != before:
            self._phones_wait = True
            self._send(tally.count, "count", ("desk", "wall"))
        for socket in newcomers:
            socket.mailbox.show("count", tally.count(socket.audience))
        self._tell_phones(tally)

    def _tell_phones(self, tally: Tally) -> None:
        now = asyncio.get_running_loop().time()
        if self._phones_wait and now >= self._phones_due:
            self._phones_wait = False
            self._phones_due = now + self._phones * COUNT_PAUSE_OF_A_PHONE_S
            self._send(tally.count, "count", ("phone",))

    @property
    def _phones(self) -> int:
        return self._hub.count(self.key, "phone")

    def _read_tally(self, game: Game, room: Room) -> Tally | None:
        return read_tally(game, room, for_desks=self._hub.count(self.key, "desk") > 0)

    def _send(self, text_for: Callable[[Audience], str], kind: str, audiences: Sequence[Audience] = AUDIENCES) -> None:
        for audience in audiences:
            self._hub.send(audience, self.key, kind, text_for(audience))


def read_picture(game: Game, room: Room) -> Picture:
    """The picture as of now, for a database thread."""
    turn, view = turn_in(game, room), hall_view(game, room, utc_now())
    while view.turn != (0 if turn is None else turn.number):  # drawn between the two looks
        turn, view = turn_in(game, room), hall_view(game, room, utc_now())
    return Picture(
        game_id=game.pk,
        turn_id=None if turn is None else turn.pk,
        turn=view.turn,
        seq=view.seq,
        phase=view.phase,
        for_phones=messages.phone_view(view),
        for_wall=messages.wall_view(view),
    )


def read_tally(game: Game, room: Room, *, for_desks: bool = True) -> Tally | None:
    """The count of slips as of now, None before the rack is announced; for a database thread.

    Which tables are missing is asked only `for_desks`.
    """
    turn = turn_in(game, room)
    if turn is None or phase_of(game, room, utc_now()) not in RACK_IS_PUBLIC:
        return None
    counts = live.counts(turn, room)
    for_all = messages.count(counts)
    return Tally(for_all, messages.count(counts, missing_tables(turn, room)) if for_desks else for_all)


def read_persons(game: Game, room: Room, language: str, only: Collection[int] | None = None) -> dict[int, PersonalView]:
    """What each player, or each of `only`, may know as of now; for a database thread."""
    with translation.override(language):
        return personal_views(game, room, only)
