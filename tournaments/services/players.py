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
from tournaments.errors import AlreadyDone, Refused
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
    "come_back",
    "enter",
    "join",
    "leave",
    "parse_players",
    "remove",
    "rename",
    "seat",
    "staying",
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
    age_class: str | None = None,
    country: str | None = None,
    team: str | None = None,
    now: datetime,
    by: User | None,
) -> Player:
    """Give a player another name, club, series ...; what is None stays."""
    with acting_on(current_game(player.event)) as game:
        before = player.name
        player.name = validators.player_name(name)
        player.club = player.club if club is None else validators.club(club)
        player.series = player.series if series is None else validators.series(series)
        player.age_class = player.age_class if age_class is None else validators.age_class(age_class)
        player.country = player.country if country is None else validators.country(country)
        player.team = player.team if team is None else validators.team(team)
        player.save(update_fields=["name", "club", "series", "age_class", "country", "team"])
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


def leave(*, player: Player, now: datetime, by: User | None) -> None:
    """Let a player go: he is in the turns that have started, and in none after them.

    Who leaves before his first turn has no place in the game any more. Later games do not count on him.
    """
    with acting_on(current_game(player.event)) as game:
        entry = Entry.objects.filter(game=game, player=player).first()
        if entry is None or entry.last_turn is not None:
            raise AlreadyDone(_("%(name)s has left already.") % {"name": player.name})
        last = _next_start(game) - 1
        if last < entry.first_turn:
            entry.delete()
        else:
            Entry.objects.filter(pk=entry.pk).update(last_turn=last)
        record(game=game, kind="leave", by=by, now=now, data={"table": player.table, "last_turn": last})
        signals.changed(game)


def come_back(*, player: Player, now: datetime, by: User | None) -> None:
    """Let a player in again who left or was not there: from the next turn on, if he has missed none since he left."""
    with acting_on(current_game(player.event)) as game:
        entry = Entry.objects.filter(game=game, player=player).first()
        if entry is not None and entry.last_turn is None:
            raise AlreadyDone(_("%(name)s is in the game.") % {"name": player.name})
        if game.state == GameState.FINISHED:
            raise Refused(_("The game is over; start the next one to let more players in."))
        first = _next_start(game)
        if entry is None:
            enter(game=game, players=[player], first_turn=first)
        elif entry.last_turn == first - 1:
            Entry.objects.filter(pk=entry.pk).update(last_turn=None)
        else:
            raise Refused(
                _("%(name)s has missed a turn since; the way back is at another table, or in the next game.")
                % {"name": player.name}
            )
        record(game=game, kind="come_back", by=by, now=now, data={"table": player.table, "first_turn": first})
        signals.changed(game)


def staying(event: Event, game: Game) -> list[Player]:
    """The players of an event who had not left when this game, its last one, was over."""
    return list(Player.objects.filter(event=event, entries__game=game, entries__last_turn=None))


def join(*, event: Event, name: str, table: int | None, now: datetime, token: str) -> Joined:
    """Let a phone in at a table or by a name; its player is made when there is none. The newest phone wins.

    A taken table asks for its player's name, or none. Who has no place in this game gets one. Only the hash of
    `token`, which the phone keeps, is stored.
    """
    cleaned = validators.short_text(name, longest=validators.NAME_LENGTH, what=_("name"))
    with acting_on(current_game(event)) as game:
        player = _seated(event, cleaned, table)
        is_new = enters = player is None
        if player is None:
            newcomer = NewPlayer(table, cleaned or _name_of_table(event, table))
            [player] = seat(game=game, room=first_room(event), players=[newcomer], now=now)
        elif game.state != GameState.FINISHED and not Entry.objects.filter(game=game, player=player).exists():
            enters = True
            enter(game=game, players=[player], first_turn=_next_start(game))
        token_hash = hash_of(token)
        replaced = player.token_hash not in ("", token_hash)
        Player.objects.filter(pk=player.pk).update(token_hash=token_hash)
        player.token_hash = token_hash
        joined = {"table": player.table, "name": player.name, "new": is_new, "replaced_phone": replaced}
        record(game=game, kind="join", by=None, now=now, data=joined)
        if replaced:
            signals.replaced(player)
        if enters:
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
            age_class=validators.age_class(player.age_class),
            country=validators.country(player.country),
            team=validators.team(player.team),
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
