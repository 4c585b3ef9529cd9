"""Players: added, renamed, removed, joining with a phone. Each of them has a place in the current game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.errors import AlreadyDone, Refused
from tournaments.look_alikes import looks
from tournaments.models import Entry, Event, Game, Player, Room, Slip, new_salt
from tournaments.sealed import people_of, seal_of
from tournaments.selectors.events import current_game, first_room
from tournaments.selectors.phases import is_over_in, next_start
from tournaments.selectors.players import hash_of, unknown_without_slips
from tournaments.services import nicknames
from tournaments.services.acting import acting_in, acting_on, record, record_in_all
from tournaments.services.forgetting import demand_not_forgotten
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
    "note_departure",
    "parse_players",
    "remove",
    "remove_unknown",
    "rename",
    "restore_place",
    "seat",
    "staying",
]


_DESCRIBED = ["name", "nickname", "club", "series", "age_class", "country", "team"]


@dataclass(frozen=True, slots=True)
class Joined:
    """Who sits there now, and whether another phone had to give way."""

    player: Player
    replaced_phone: bool


def add_players(
    *, event: Event, players: Sequence[NewPlayer], now: datetime, by: User | None = None, room: Room | None = None
) -> list[Player]:
    """Add these players to the event and its current game, from the next turn that has not started in their room.

    That is the room that a player names, else `room`, else the first one. Refused as a whole when a table is taken, a
    name is there already, the game is over or there are too many.
    """
    with acting_on(current_game(event)) as game:
        added = seat(game=game, room=room or first_room(event), players=players, now=now)
        if added:
            told = {"added": [p.table for p in added], "people": people_of(game, added)}
            record(game=game, kind="players", by=by, now=now, data=told)
            _tell(game, added)
    return added


def rename(
    *,
    player: Player,
    name: str,
    nickname: str | None = None,
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
        demand_not_forgotten(game.event)
        before = Player.objects.get(pk=player.pk)
        player.name = validators.player_name(name)
        player.nickname = player.nickname if nickname is None else nicknames.chosen(player.event, nickname, player)
        player.club = player.club if club is None else validators.club(club)
        player.series = player.series if series is None else validators.series(series)
        player.age_class = player.age_class if age_class is None else validators.age_class(age_class)
        player.country = player.country if country is None else validators.country(country)
        player.team = player.team if team is None else validators.team(team)
        player.salt = new_salt()
        player.save(update_fields=[*_DESCRIBED, "salt"])
        changed = [field for field in _DESCRIBED if getattr(before, field) != getattr(player, field)]
        seals = {str(player.table): {"seal": seal_of(player)}}
        renamed = {"table": player.table, "changed": changed, "people": seals}
        record_in_all(game=game, kind="rename", by=by, now=now, data=renamed)
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
        _remove(game, player, now, by)
        signals.changed(game)


def remove_unknown(*, event: Event, expected: int, now: datetime, by: User | None) -> int:
    """Take everybody out who joined by a phone, whom no desk has seen and who has never handed in a slip.

    Gives their number; refused when it is not `expected`, which the judge was shown.
    """
    with acting_in(event) as game:
        unknown = list(unknown_without_slips(event).order_by("table"))
        if not unknown:
            raise AlreadyDone(_("There are no such players any more."))
        if len(unknown) != expected:
            raise Refused(_("There are %(n)d such players now: look at them and confirm again.") % {"n": len(unknown)})
        for player in unknown:
            _remove(game, player, now, by)
        signals.changed(game)
    return len(unknown)


def _remove(game: Game, player: Player, now: datetime, by: User | None) -> None:
    removed = {"table": player.table, "people": {str(player.table): None}}
    record_in_all(game=game, kind="remove", by=by, now=now, data=removed)
    signals.replaced(player)
    player.delete()


def leave(*, player: Player, now: datetime, by: User | None) -> None:
    """Let a player go: he is in the turns that have started, and in none after them.

    Who leaves before his first turn has no place in the game any more. Later games do not count on him.
    """
    with acting_on(current_game(player.event)) as game:
        entry = Entry.objects.filter(game=game, player=player).first()
        if entry is None or entry.last_turn is not None:
            raise AlreadyDone(_("%(name)s has left already.") % {"name": player.name})
        if next_start(game, player.room) <= entry.first_turn:
            entry.delete()
        note_departure(game=game, player=player, now=now, by=by)
        signals.changed(game, player.room)


def note_departure(*, game: Game, player: Player, now: datetime, by: User | None) -> None:
    """Let a player have no slip in the turns to come; the caller has locked the game and tells whom it concerns."""
    last = next_start(game, player.room) - 1
    Entry.objects.filter(game=game, player=player).update(last_turn=last)
    Player.objects.filter(pk=player.pk).update(arrived_at=None)
    left = {"table": player.table, "last_turn": last, "people": people_of(game, [player])}
    record(game=game, kind="leave", by=by, now=now, data=left)


def come_back(*, player: Player, now: datetime, by: User | None) -> None:
    """Let a player in again who left or was not there: from the next turn on, if he has missed none since he left."""
    with acting_on(current_game(player.event)) as game:
        entry = Entry.objects.filter(game=game, player=player).first()
        if entry is not None and entry.last_turn is None:
            raise AlreadyDone(_("%(name)s is in the game.") % {"name": player.name})
        if entry is not None and entry.disqualified_from is not None:
            raise Refused(_("%(name)s is disqualified: take the disqualification back first.") % {"name": player.name})
        _demand_going_on(game, player.room)
        first = next_start(game, player.room)
        if entry is None:
            enter(game=game, players=[player], first_turn=first)
        elif not restore_place(entry, first):
            raise Refused(
                _("%(name)s has missed a turn since; the way back is at another table, or in the next game.")
                % {"name": player.name}
            )
        back = {"table": player.table, "first_turn": first, "people": people_of(game, [player])}
        record(game=game, kind="come_back", by=by, now=now, data=back)
        signals.changed(game, player.room)


def restore_place(entry: Entry, first: int) -> bool:
    """Let a player who left play on from turn `first`; False, and nothing done, when they have missed a turn."""
    if entry.last_turn != first - 1:
        return False
    Entry.objects.filter(pk=entry.pk).update(last_turn=None)
    return True


def staying(event: Event, game: Game) -> list[Player]:
    """The players of an event who had not left when this game, its last one, was over, and who have come since."""
    places = Entry.objects.filter(game=game)
    stayed = Q(pk__in=places.filter(last_turn=None).values("player"))
    came = Q(arrived_at__isnull=False) & ~Q(pk__in=places.values("player"))
    return list(Player.objects.filter(stayed | came, event=event))


def join(
    *,
    event: Event,
    name: str,
    table: int | None,
    now: datetime,
    token: str,
    nickname: str | None = None,
    admit: Callable[[Player | None], None] | None = None,
    room: Room | None = None,
) -> Joined:
    """Let a phone in at a table or by a name; its player is made when there is none. The newest phone wins.

    A taken table asks for its player's name or nickname, or none. Who has no place in this game gets one. Only the
    hash of `token`, which the phone keeps, is stored. `nickname` is what others are to read, None to leave it. `admit`
    is asked whether this phone may have the place of the player, None for somebody new (`services.seats`). `room` is
    the one in which the phone is, where that is known; who sits in another one is told so.
    """
    cleaned = validators.typed_name(name, what=_("name"))
    with acting_in(event) as game:
        demand_not_forgotten(game.event)
        player = _seated(event, cleaned, table)
        if admit is not None:
            admit(player)
        is_new = enters = player is None
        if player is None:
            _refuse_look_alike(event, cleaned)
            newcomer = NewPlayer(table, cleaned or _name_of_table(event, table), nickname=nickname or "")
            place = room or _only_room(event)
            [player] = seat(game=game, room=place, players=[newcomer], now=now, self_joined=True)
        elif not Entry.objects.filter(game=game, player=player).exists() and not is_over_in(game, player.room):
            enters = True
            enter(game=game, players=[player], first_turn=next_start(game, player.room))
        _demand_here(player, room)
        renamed = nickname is not None and nicknames.give(player, nickname)
        token_hash = hash_of(token)
        replaced = player.token_hash not in ("", token_hash)
        Player.objects.filter(pk=player.pk).update(token_hash=token_hash)
        player.token_hash = token_hash
        people = {"people": people_of(game, [player])} if enters else {}
        joined = {"table": player.table, "new": is_new, "replaced_phone": replaced, **people}
        record(game=game, kind="join", by=None, now=now, data=joined)
        if replaced:
            signals.replaced(player)
        if enters or renamed:
            signals.changed(game, player.room)
    return Joined(player, replaced)


def seat(
    *, game: Game, room: Room, players: Sequence[NewPlayer], now: datetime, self_joined: bool = False
) -> list[Player]:
    """Store new players and their entries, in the rooms that they name or in `room`; the caller has locked the game and
    tells whom it concerns. `self_joined`: a phone asks for it, not the desk."""
    demand_not_forgotten(game.event)
    rooms = _rooms_named(game.event, room, players)
    for each in set(rooms):
        _demand_going_on(game, each)
    taken = {player.table: player for player in _known(Player.objects.filter(event=game.event))}
    if len(taken) + len(players) > validators.MOST_PLAYERS:
        raise Refused(_("An event holds at most %(most)d players.") % {"most": validators.MOST_PLAYERS})
    _refuse_known(taken, players)
    nicknames.demand_free(taken.values(), players)
    free = _free_tables({*taken, *(player.table for player in players)})
    seated = Player.objects.bulk_create(
        Player(
            event=game.event,
            room=where,
            table=next(free) if player.table is None else validators.table_number(player.table),
            name=validators.player_name(player.name),
            nickname=validators.nickname(player.nickname),
            club=validators.club(player.club),
            series=validators.series(player.series),
            age_class=validators.age_class(player.age_class),
            country=validators.country(player.country),
            team=validators.team(player.team),
            joined_at=now,
            self_joined=self_joined,
        )
        for player, where in zip(players, rooms, strict=True)
    )
    for each in set(rooms):
        enter(
            game=game,
            players=[player for player in seated if player.room == each],
            first_turn=next_start(game, each),
        )
    return seated


def enter(*, game: Game, players: Sequence[Player], first_turn: int) -> None:
    """Give these players a place in a game from this turn on, each in the room in which he sits."""
    Entry.objects.bulk_create(
        Entry(game=game, player=player, room_id=player.room_id, first_turn=first_turn) for player in players
    )


def _tell(game: Game, players: Sequence[Player]) -> None:
    for room in {player.room for player in players}:
        signals.changed(game, room)


def _demand_going_on(game: Game, room: Room) -> None:
    if is_over_in(game, room):
        raise Refused(_("The game is over; start the next one to let more players in."))


def _demand_here(player: Player, room: Room | None) -> None:
    if room is not None and player.room_id != room.pk:
        raise Refused(
            _("Table %(table)d is in the room “%(room)s”; the judge can change that.")
            % {"table": player.table, "room": player.room.name}
        )


def _only_room(event: Event) -> Room:
    """The room of a newcomer who has not said in which he is."""
    rooms = list(Room.objects.filter(event=event)[:2])
    if len(rooms) > 1:
        raise Refused(_("Choose the room in which you are."))
    return rooms[0]


def _rooms_named(event: Event, default: Room, players: Sequence[NewPlayer]) -> list[Room]:
    """The room of each of these players."""
    if not any(player.room for player in players):
        return [default for _player in players]
    known = {room.name.casefold(): room for room in Room.objects.filter(event=event)}
    for player in players:
        if player.room and player.room.casefold() not in known:
            raise Refused(
                _("There is no room “%(room)s”: add it first, on the page of the players.") % {"room": player.room}
            )
    return [known[player.room.casefold()] if player.room else default for player in players]


def _refuse_known(taken: dict[int, _Known], players: Sequence[NewPlayer]) -> None:
    known = {(look, player.club.casefold()): player for player in taken.values() for look in looks(player.name)}
    tables = set(taken)
    for player in players:
        if player.table is not None and player.table in tables:
            raise Refused(_("Table %(table)d is taken already; choose another.") % {"table": player.table})
        if player.table is not None:
            tables.add(player.table)
        club = validators.one_line(player.club).casefold()
        same = next(
            (known[look, club] for look in looks(validators.one_line(player.name)) if (look, club) in known), None
        )
        if same is not None:
            raise Refused(_in_list_already(player.name, same))


def _in_list_already(name: str, same: _Known) -> str:
    if name.casefold() == same.name.casefold():
        return _("%(name)s is in the list already, at table %(table)d.") % {"name": name, "table": same.table}
    return _(
        "%(name)s looks the same as %(other)s in the list, at table %(table)d: write one of the names differently."
    ) % {"name": name, "other": same.name, "table": same.table}


def _refuse_look_alike(event: Event, name: str) -> None:
    """Refuse a newcomer whom the hall would take for another player of the event."""
    if not name:
        return
    for player in _known(Player.objects.filter(event=event)):
        if nicknames.is_taken_for(player, name):
            raise Refused(
                _(
                    "The player at table %(table)d has the same name, or one that looks the same. If that is you, type "
                    "the number of the table and leave the name empty; if not, ask the judge to add you."
                )
                % {"table": player.table}
            )


def _free_tables(taken: set[int | None]) -> Iterator[int]:
    return (table for table in count(1) if table not in taken)


def _seated(event: Event, name: str, table: int | None) -> Player | None:
    """The player of the event who is meant, None for somebody new."""
    if table is not None:
        validators.table_number(table)
        player = Player.objects.filter(event=event, table=table).first()
        if player is not None and name and not nicknames.is_called(player, name):
            raise Refused(
                _("Table %(table)d belongs to %(name)s; check the number, or leave the name empty.")
                % {"table": table, "name": player.shown_name}
            )
        return player
    if not name:
        raise Refused(_("Type your name or the number of your table."))
    same = [player.pk for player in _perhaps_called(event, name) if nicknames.is_called(player, name)]
    if len(same) > 1:
        raise Refused(_("There are several players of this name; type the number of your table too."))
    return Player.objects.get(pk=same[0]) if same else None


class _Known(NamedTuple):
    """As much of a player as is asked of everybody whenever somebody comes: in a large hall that is often."""

    pk: int
    table: int
    name: str
    nickname: str
    club: str


def _known(players: QuerySet[Player]) -> list[_Known]:
    return [_Known(*row) for row in players.values_list("pk", "table", "name", "nickname", "club")]


def _perhaps_called(event: Event, name: str) -> list[_Known]:
    """Everybody who may be meant: databases know large and small letters only where there are no accents."""
    players = Player.objects.filter(event=event)
    if name.isascii():
        players = players.filter(Q(name__iexact=name) | Q(nickname__iexact=name))
    return _known(players)


def _name_of_table(event: Event, table: int | None) -> str:
    with translation.override(event.language):
        return _("Table %(table)d") % {"table": table}
