"""An evening in several rooms as the tests play it: a drawing room and those that follow it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from engine.archive.replay import Difference, verify
from engine.archive.schema import Archive, read_archive
from engine.lexicon.graph import Lexicon
from engine.play.clock import is_in_time
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.enums import SlipSource
from tournaments.events.services import rooms
from tournaments.lexicons import word_lists
from tournaments.models import Room, Turn, TurnClock
from tournaments.play.queries.phases import Phase, get_clock, get_room_turn, phase_of, to_engine_clock
from tournaments.play.services import clocks, room_follow, slips
from tournaments.players.services.players import NewPlayer, add_players
from tournaments.results.queries.archive import export_game
from tournaments.slip_content import SlipContent

TABLES = {"A": (1, 2, 3, 4), "B": (11, 12, 13, 14), "C": (21, 22, 23, 24)}


@dataclass
class RoomsGame:
    """The drawing room is `club_game.room`; the others by their names."""

    club_game: ClubGame
    others: dict[str, Room] = field(default_factory=dict)

    def room(self, name: str) -> Room:
        return self.club_game.room if name == "A" else Room.objects.get(pk=self.others[name].pk)

    def phase(self, name: str, now: datetime | None = None) -> Phase:
        return phase_of(self.club_game.refresh(), self.room(name), now or self.club_game.now)

    def turn(self, name: str) -> Turn:
        turn = get_room_turn(self.club_game.refresh(), self.room(name))
        assert turn is not None
        return turn

    def clock(self, name: str) -> TurnClock:
        clock = get_clock(self.turn(name), self.room(name))
        assert clock is not None
        return clock

    def announce(self, name: str) -> None:
        room, club_game = self.room(name), self.club_game
        room_follow.announce_next(game=club_game.refresh(), room=room, now=club_game.later(), by=club_game.judge)

    def phone(self, table: int, word: str, ref: str, declared: int | None) -> None:
        """A slip for the turn that is played in the player's room."""
        player, received = self.club_game.player(table), self.club_game.later()
        name = next(name for name, tables in TABLES.items() if table in tables)
        incoming = slips.IncomingSlip(
            player_id=player.pk,
            turn_id=self.turn(name).pk,
            client_id=uuid4(),
            source=SlipSource.PHONE,
            content=SlipContent(word, ref, declared),
            received_at=received,
            sent_at=received,
            in_time=is_in_time(to_engine_clock(self.clock(name)), received),
        )
        [receipt] = slips.submit_batch([incoming], now=received)
        assert not receipt.refused

    def close(self, name: str) -> None:
        club_game = self.club_game
        clocks.close_clock(turn=self.turn(name), room=self.room(name), now=club_game.later(), by=club_game.judge)

    def show(self, name: str) -> None:
        club_game = self.club_game
        room_follow.show_turn(turn=self.turn(name), room=self.room(name), now=club_game.later(), by=club_game.judge)

    def play(self, name: str, slips_of: Sequence[tuple[int, str, str, int | None]] = ()) -> None:
        """A whole turn of a room that follows."""
        self.announce(name)
        for slip in slips_of:
            self.phone(*slip)
        self.close(name)
        self.show(name)

    def archive(self, name: str) -> Archive:
        return read_archive(json.dumps(export_game(self.club_game.refresh(), self.room(name))))

    def verified(self, name: str) -> list[Difference]:
        return verify(self.archive(name), word_list(self.club_game))


def word_list(club_game: ClubGame) -> Lexicon:
    return word_lists.graph_of(word_lists.word_list_of_game(club_game.game))


def create_three_rooms(judge: User, *, offset_s: int | None = None, **options: Any) -> RoomsGame:
    """A, which draws, B by hand and C by hand or by itself, with four players each."""
    club_game = create_club_game(judge, players=players_of("A"), **options)
    live_game = RoomsGame(club_game)
    for name, offset in (("B", None), ("C", offset_s)):
        room = rooms.add_room(event=club_game.event, name=name, offset_s=offset, by=judge, now=club_game.later())
        add_players(event=club_game.event, players=players_of(name), now=club_game.later(), by=judge, room=room)
        live_game.others[name] = room
    return live_game


def players_of(name: str) -> list[NewPlayer]:
    return [NewPlayer(table, f"Player {name}{table}", f"Club {name}") for table in TABLES[name]]
