"""An evening in several rooms as the tests play it: a drawing room and those that follow it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from engine.archive import Archive, read_archive
from engine.clock import in_time
from engine.lexicon.graph import Lexicon
from engine.replay import Difference, verify
from tests.tournaments.night import Night, begin
from tournaments import lexicons
from tournaments.enums import SlipSource
from tournaments.models import Room, Turn, TurnClock
from tournaments.selectors.archive import export_game
from tournaments.selectors.phases import Phase, clock_in, clock_of, phase_of, turn_in
from tournaments.services import clocks, pursuing, rooms, slips
from tournaments.services.players import NewPlayer, add_players

TABLES = {"A": (1, 2, 3, 4), "B": (11, 12, 13, 14), "C": (21, 22, 23, 24)}


@dataclass
class Evening:
    """The drawing room is `night.room`; the others by their names."""

    night: Night
    others: dict[str, Room] = field(default_factory=dict)

    def room(self, name: str) -> Room:
        return self.night.room if name == "A" else Room.objects.get(pk=self.others[name].pk)

    def phase(self, name: str, now: datetime | None = None) -> Phase:
        return phase_of(self.night.refresh(), self.room(name), now or self.night.now)

    def turn(self, name: str) -> Turn:
        turn = turn_in(self.night.refresh(), self.room(name))
        assert turn is not None
        return turn

    def clock(self, name: str) -> TurnClock:
        clock = clock_in(self.turn(name), self.room(name))
        assert clock is not None
        return clock

    def announce(self, name: str) -> None:
        room, night = self.room(name), self.night
        pursuing.announce_next(game=night.refresh(), room=room, now=night.later(), by=night.judge)

    def phone(self, table: int, word: str, ref: str, declared: int | None) -> None:
        """A slip for the turn that is played in the player's room."""
        player, received = self.night.player(table), self.night.later()
        name = next(name for name, tables in TABLES.items() if table in tables)
        incoming = slips.Incoming(
            player_id=player.pk,
            turn_id=self.turn(name).pk,
            client_id=uuid4(),
            source=SlipSource.PHONE,
            word=word,
            ref=ref,
            direction="",
            declared=declared,
            hook="",
            received_at=received,
            sent_at=received,
            in_time=in_time(clock_of(self.clock(name)), received),
        )
        [receipt] = slips.hand_in_batch([incoming], now=received)
        assert not receipt.refused

    def close(self, name: str) -> None:
        night = self.night
        clocks.close_now(turn=self.turn(name), room=self.room(name), now=night.later(), by=night.judge)

    def show(self, name: str) -> None:
        night = self.night
        pursuing.show(turn=self.turn(name), room=self.room(name), now=night.later(), by=night.judge)

    def play(self, name: str, slips_of: Sequence[tuple[int, str, str, int | None]] = ()) -> None:
        """A whole turn of a room that follows."""
        self.announce(name)
        for slip in slips_of:
            self.phone(*slip)
        self.close(name)
        self.show(name)

    def archive(self, name: str) -> Archive:
        return read_archive(json.dumps(export_game(self.night.refresh(), self.room(name))))

    def verified(self, name: str) -> list[Difference]:
        return verify(self.archive(name), word_list(self.night))


def word_list(night: Night) -> Lexicon:
    return lexicons.graph_of(lexicons.of_game(night.game))


def three_rooms(judge: User, *, offset_s: int | None = None, **options: Any) -> Evening:
    """A, which draws, B by hand and C by hand or by itself, with four players each."""
    night = begin(judge, players=players_of("A"), **options)
    evening = Evening(night)
    for name, offset in (("B", None), ("C", offset_s)):
        room = rooms.add_room(event=night.event, name=name, offset_s=offset, by=judge, now=night.later())
        add_players(event=night.event, players=players_of(name), now=night.later(), by=judge, room=room)
        evening.others[name] = room
    return evening


def players_of(name: str) -> list[NewPlayer]:
    return [NewPlayer(table, f"Player {name}{table}", f"Club {name}") for table in TABLES[name]]
