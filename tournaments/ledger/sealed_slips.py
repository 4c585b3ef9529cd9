"""Fields of slips and players that the ledger seals and an archive shows, so that both can be compared."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Protocol
from uuid import UUID

from engine.archive.ledger import DELAYED_FIELD, person_seal
from engine.archive.replay.topics import SEALED_PLAYER_FIELDS, list_sealed_texts
from engine.archive.schema import format_timestamp
from tournaments.enums import SlipSource
from tournaments.models import Entry, Game, Player
from tournaments.slip_content import SlipContent


class SubmittedSlip(Protocol):
    """A slip, stored or on its way."""

    @property
    def client_id(self) -> UUID: ...
    @property
    def source(self) -> str: ...
    @property
    def content(self) -> SlipContent: ...
    @property
    def several(self) -> bool: ...
    @property
    def received_at(self) -> datetime: ...
    @property
    def sent_at(self) -> datetime | None: ...
    @property
    def in_time(self) -> bool: ...


def slip_facts(slip: SubmittedSlip, table: int) -> dict[str, object]:
    """The fields of `engine.archive.ledger.SLIP_FIELDS`, and `DELAYED_FIELD`.

    Whether a phone's slip is in time follows from the clock, which may be moved afterwards; of paper it is the judge's
    decision.
    """
    content = slip.content
    return {
        "table": table,
        "id": str(slip.client_id),
        "source": str(slip.source),
        "word": content.word,
        "ref": content.ref,
        "direction": content.direction or None,
        "hook": content.hook,
        "declared": content.declared,
        "several": slip.several,
        "received_at": format_timestamp(slip.received_at),
        "in_time": slip.in_time if slip.source == SlipSource.PAPER else None,
        DELAYED_FIELD: format_timestamp(slip.sent_at) if slip.sent_at else None,
    }


def seal_of(player: Player) -> str:
    """The seal of a player's name, club, series, age class, country, team, surname and licence."""
    known = {name: getattr(player, name) for name in SEALED_PLAYER_FIELDS}
    described = {**known, "surname": player.stated_surname, "licence": player.licence}
    return person_seal(player.salt, list_sealed_texts(described))


def people_of(game: Game, players: Collection[Player]) -> dict[str, object]:
    """By table the seal of each of these players, the room, the first and the last turn in a game, and the turn of a
    disqualification; null for a player without a place in the game."""
    entries = Entry.objects.filter(game=game, player__in=players).select_related("player", "room")
    placed = {
        str(entry.player.table): {
            "seal": seal_of(entry.player),
            "room": entry.room.number,
            "first": entry.first_turn,
            "last": entry.last_turn,
            "disqualified": entry.disqualified_from,
        }
        for entry in entries
    }
    return {str(player.table): placed.get(str(player.table)) for player in players}
