"""Players by the token in their phone, and as the desk lists them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from django.db.models import Q, QuerySet

from tournaments.models import Entry, Event, Game, Player, Room

Presence = Literal["here", "late", "left", "away", "disqualified"]


NOT_ARRIVED = Q(arrived_at=None, token_hash="")
"""The players whom nobody has seen: not marked at check-in, and no phone in the game."""


def is_here(player: Player) -> bool:
    """Return True when the player was checked in or their phone has joined."""
    return player.arrived_at is not None or bool(player.token_hash)


def unknown_without_slips(event: Event) -> QuerySet[Player]:
    """Players who were never checked in by the desk and have no slip in any game: their names may be invented."""
    return Player.objects.filter(
        event=event, self_joined=True, arrived_at=None, slips=None, typings=None, final_slips=None, judges=None
    )


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player in the list of the desk. `presence` in the current game: "late" since turn `turn`, "left" after turn
    `turn`, "away" without a place in it, "disqualified" from turn `turn` on, for the `reason`."""

    player: Player
    presence: Presence
    turn: int
    reason: str = ""


def hash_of(token: str) -> str:
    """The hash under which a secret token is stored."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def player_by_token(token: str) -> Player | None:
    """The player whose phone holds this token; None when it is void, for example because another phone took over."""
    if not token:
        return None
    return Player.objects.filter(token_hash=hash_of(token)).select_related("event", "room").first()


def player_lines(event: Event, game: Game, room: Room | None = None) -> list[PlayerLine]:
    """Everybody of the event, or of a room, by table, in two queries."""
    entries = {entry.player_id: entry for entry in Entry.objects.filter(game=game)}
    return [_line(player, entries.get(player.pk)) for player in _players_of(event, room)]


def find_player_line(event: Event, game: Game, table: int, room: Room | None = None) -> PlayerLine | None:
    """The line of the player at a table of the event, or of a room."""
    player = _players_of(event, room).filter(table=table).first()
    return None if player is None else _line(player, Entry.objects.filter(game=game, player=player).first())


def _players_of(event: Event, room: Room | None) -> QuerySet[Player]:
    players = Player.objects.filter(event=event).select_related("room").order_by("table")
    return players if room is None else players.filter(room=room)


def _line(player: Player, entry: Entry | None) -> PlayerLine:
    if entry is None:
        return PlayerLine(player, "away", 0)
    if entry.disqualified_from is not None:
        return PlayerLine(player, "disqualified", entry.disqualified_from, entry.disqualified_for)
    if entry.last_turn is not None:
        return PlayerLine(player, "left", entry.last_turn)
    return PlayerLine(player, "late" if entry.first_turn > 1 else "here", entry.first_turn)


def names_by_table(event: Event) -> dict[int, str]:
    """Return the names of all players by table."""
    return dict(Player.objects.filter(event=event).values_list("table", "name"))


def player_at(event: Event, table: int) -> Player | None:
    """The player at this table."""
    return Player.objects.filter(event=event, table=table).select_related("room").first()
