"""Players: added, renamed, removed, joining with a phone. Each of them has a place in the current game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from django.contrib.auth.models import User
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.enums import ClockState, GameState
from tournaments.errors import Refused
from tournaments.models import Entry, Event, Game, Player, Room, Slip, TurnClock
from tournaments.selectors.events import current_game, first_room
from tournaments.selectors.phases import current_turn
from tournaments.selectors.players import hash_of
from tournaments.services.acting import acting_on, record
from tournaments.services.player_lists import LineError, NewPlayer, ParsedPlayers, parse_players

__all__ = [
    "Joined",
    "LineError",
    "NewPlayer",
    "ParsedPlayers",
    "add_players",
    "join",
    "parse_players",
    "remove",
    "rename",
]


@dataclass(frozen=True, slots=True)
class Joined:
    """Who sits there now, and whether another phone had to give way."""

    player: Player
    replaced_phone: bool


def add_players(
    *, event: Event, players: Sequence[NewPlayer], now: datetime, by: User | None = None, room: Room | None = None
) -> list[Player]:
    """Add these players to the event and its current game, from the next turn that has not started.

    Refused as a whole when a table is taken, a name is there already, the game is over or there are too many.
    """
    with acting_on(current_game(event)) as game:
        added = seat(game=game, room=room or first_room(event), players=players, now=now)
        if added:
            record(game=game, kind="players", by=by, now=now, data={"added": [[p.table, p.name] for p in added]})
            signals.changed(game)
    return added


def rename(
    *,
    player: Player,
    name: str,
    club: str | None = None,
    series: str | None = None,
    now: datetime,
    by: User | None,
) -> Player:
    """Give a player another name; club and series stay when they are None."""
    with acting_on(current_game(player.event)) as game:
        before = player.name
        player.name = validators.player_name(name)
        player.club = player.club if club is None else validators.club(club)
        player.series = player.series if series is None else validators.series(series)
        player.save(update_fields=["name", "club", "series"])
        renamed = {"table": player.table, "from": before, "to": player.name}
        record(game=game, kind="rename", by=by, now=now, data=renamed)
        signals.changed(game)
    return player


def remove(*, player: Player, now: datetime, by: User | None) -> None:
    """Take a player out who has not handed in anything."""
    with acting_on(current_game(player.event)) as game:
        if Slip.objects.filter(player=player).exists():
            raise Refused(
                _("%(name)s has handed in slips and stays in the results; rename the player instead.")
                % {"name": player.name}
            )
        record(game=game, kind="remove", by=by, now=now, data={"table": player.table, "name": player.name})
        signals.replaced(player)
        player.delete()
        signals.changed(game)


def join(*, event: Event, name: str, table: int | None, now: datetime, token: str) -> Joined:
    """Let a phone in at a table or by a name; its player is made when there is none. The newest phone wins.

    A taken table asks for its player's name, or none. Only the hash of `token`, which the phone keeps, is stored.
    """
    cleaned = validators.short_text(name, longest=validators.NAME_LENGTH, what=_("name"))
    with acting_on(current_game(event)) as game:
        player = _seated(event, cleaned, table)
        is_new = player is None
        if player is None:
            newcomer = NewPlayer(table, cleaned or _name_of_table(event, table))
            [player] = seat(game=game, room=first_room(event), players=[newcomer], now=now)
        token_hash = hash_of(token)
        replaced = player.token_hash not in ("", token_hash)
        Player.objects.filter(pk=player.pk).update(token_hash=token_hash)
        player.token_hash = token_hash
        joined = {"table": player.table, "name": player.name, "new": is_new, "replaced_phone": replaced}
        record(game=game, kind="join", by=None, now=now, data=joined)
        if replaced:
            signals.replaced(player)
        if is_new:
            signals.changed(game)
    return Joined(player, replaced)


def seat(*, game: Game, room: Room, players: Sequence[NewPlayer], now: datetime) -> list[Player]:
    """Store new players and their entries; the caller has locked the game and tells whom it concerns."""
    if game.state == GameState.FINISHED:
        raise Refused(_("The game is over; start the next one to let more players in."))
    taken = {player.table: player for player in Player.objects.filter(event=game.event)}
    if len(taken) + len(players) > validators.MOST_PLAYERS:
        raise Refused(_("An event holds at most %(most)d players.") % {"most": validators.MOST_PLAYERS})
    _refuse_known(taken, players)
    free = _free_tables({*taken, *(player.table for player in players)})
    seated = Player.objects.bulk_create(
        Player(
            event=game.event,
            room=room,
            table=next(free) if player.table is None else validators.table_number(player.table),
            name=validators.player_name(player.name),
            club=validators.club(player.club),
            series=validators.series(player.series),
            joined_at=now,
        )
        for player in players
    )
    enter(game=game, players=seated, first_turn=_next_start(game))
    return seated


def enter(*, game: Game, players: Sequence[Player], first_turn: int) -> None:
    """Give these players a place in a game from this turn on."""
    Entry.objects.bulk_create(Entry(game=game, player=player, first_turn=first_turn) for player in players)


def _refuse_known(taken: dict[int, Player], players: Sequence[NewPlayer]) -> None:
    known = {(player.name.casefold(), player.club.casefold()): player.table for player in taken.values()}
    tables = set(taken)
    for player in players:
        if player.table is not None and player.table in tables:
            raise Refused(_("Table %(table)d is taken already; choose another.") % {"table": player.table})
        if player.table is not None:
            tables.add(player.table)
        named = validators.one_line(player.name).casefold(), validators.one_line(player.club).casefold()
        if named in known:
            raise Refused(
                _("%(name)s is in the list already, at table %(table)d.")
                % {"name": player.name, "table": known[named]}
            )


def _free_tables(taken: set[int | None]) -> Iterator[int]:
    return (table for table in count(1) if table not in taken)


def _next_start(game: Game) -> int:
    """The first turn that no room has started."""
    turn = current_turn(game)
    if turn is None:
        return 1
    started = TurnClock.objects.filter(turn=turn).exclude(state=ClockState.READY).exists()
    return turn.number + 1 if started else turn.number


def _seated(event: Event, name: str, table: int | None) -> Player | None:
    """The player of the event who is meant, None for somebody new."""
    if table is not None:
        validators.table_number(table)
        player = Player.objects.filter(event=event, table=table).first()
        if player is not None and name and name.casefold() != player.name.casefold():
            raise Refused(
                _("Table %(table)d belongs to %(name)s; check the number, or leave the name empty.")
                % {"table": table, "name": player.name}
            )
        return player
    if not name:
        raise Refused(_("Type your name or the number of your table."))
    same = [player for player in Player.objects.filter(event=event) if player.name.casefold() == name.casefold()]
    if len(same) > 1:
        raise Refused(_("There are several players of this name; type the number of your table too."))
    return same[0] if same else None


def _name_of_table(event: Event, table: int | None) -> str:
    with translation.override(event.language):
        return _("Table %(table)d") % {"table": table}
