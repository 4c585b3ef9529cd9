"""Add, rename, remove and join players. Each of them gets a place in the current game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from engine.standings.person_names import full_name, name_parts
from tournaments import signals, validators
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import current_game, get_drawing_room
from tournaments.ledger.sealed_slips import people_of, seal_of
from tournaments.models import Entry, Event, Game, Player, Room, Slip, new_salt
from tournaments.play.queries.phases import is_over_in, next_starting_turn_number
from tournaments.play.services.game_lock import append_to_all_ledgers, append_to_ledger, lock_current_game, lock_game
from tournaments.players.look_alikes import name_skeletons
from tournaments.players.queries.players import hash_of, unknown_without_slips
from tournaments.players.roster_text import LineError, NewPlayer, ParsedPlayers, is_same_name, parse_players
from tournaments.players.services import nicknames
from tournaments.players.services.anonymise import require_not_anonymised
from tournaments.players.services.reversible_acts import delete_players

__all__ = [
    "JoinResult",
    "LineError",
    "NewPlayer",
    "ParsedPlayers",
    "PlayerDetails",
    "add_players",
    "change_details",
    "create_entries",
    "join_event",
    "leave_game",
    "list_staying_players",
    "parse_players",
    "record_departure",
    "remove_player",
    "remove_unknown_players",
    "rename_player",
    "restore_place",
    "return_to_game",
    "store_players",
]


_VALIDATORS: Mapping[str, Callable[[str], str]] = {
    "licence": validators.licence,
    "club": validators.club,
    "series": validators.series,
    "age_class": validators.age_class,
    "country": validators.country,
    "team": validators.team,
}
_DESCRIBED = ["name", "stated_surname", "nickname", *_VALIDATORS]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDetails:
    """New name, club, series … of a player; None leaves a field unchanged.

    A new first name or surname makes a new name; `name` alone is a name of which only one string is known.
    """

    name: str | None = None
    first_name: str | None = None
    surname: str | None = None
    nickname: str | None = None
    club: str | None = None
    series: str | None = None
    age_class: str | None = None
    country: str | None = None
    team: str | None = None
    licence: str | None = None


@dataclass(frozen=True, slots=True)
class JoinResult:
    """The player whose phone joined. `replaced_phone`: the phone of another person lost its access."""

    player: Player
    replaced_phone: bool


def add_players(
    *,
    event: Event,
    players: Sequence[NewPlayer],
    now: datetime,
    by: User | None = None,
    room: Room | None = None,
    namesakes: bool = False,
) -> list[Player]:
    """Add these players to the event and its current game, from the next turn that has not started in their room.

    Their room is the one that the player names, else `room`, else the first one. Refused as a whole when a table is
    taken, a name exists already, the game is over or there are too many. `namesakes`: players of a name that exists
    already are other people.
    """
    with lock_game(current_game(event)) as game:
        place = room or get_drawing_room(event)
        added = store_players(game=game, room=place, players=players, now=now, namesakes=namesakes)
        if added:
            details = {"added": [p.table for p in added], "people": people_of(game, added)}
            append_to_ledger(game=game, kind="players", by=by, now=now, data=details)
            _notify_rooms(game, added)
    return added


def rename_player(player: Player, details: PlayerDetails, *, now: datetime, by: User | None) -> Player:
    """Change the name, club, series … of a player."""
    with lock_game(current_game(player.event)) as game:
        require_not_anonymised(game.event)
        changed = change_details(player, details)
        seals = {str(player.table): {"seal": seal_of(player)}}
        renamed = {"table": player.table, "changed": changed, "people": seals}
        append_to_all_ledgers(game=game, kind="rename", by=by, now=now, data=renamed)
        signals.send_game_changed(game)
    return player


def change_details(player: Player, details: PlayerDetails) -> list[str]:
    """Store other details of a player; return the fields that are different. The caller has locked the game."""
    before = Player.objects.get(pk=player.pk)
    player.name, player.stated_surname = _new_name(before, details)
    if details.nickname is not None and details.nickname != before.nickname:
        player.nickname = nicknames.validate_nickname(player.event, details.nickname, player)
    for field, validate in _VALIDATORS.items():
        if (value := getattr(details, field)) is not None:
            setattr(player, field, validate(value))
    _require_free_licence(player)
    player.salt = new_salt()
    player.save(update_fields=[*_DESCRIBED, "salt"])
    return [field for field in _DESCRIBED if getattr(before, field) != getattr(player, field)]


def _new_name(player: Player, details: PlayerDetails) -> tuple[str, str]:
    """The name and the stated surname. A name whose parts stay the same is left as it is written."""
    known = name_parts(player.name, player.stated_surname)
    first_name = known.first_name if details.first_name is None else validators.first_name(details.first_name)
    surname = known.surname if details.surname is None else validators.surname(details.surname)
    if (first_name, surname) != (known.first_name, known.surname):
        return validators.player_name(full_name(first_name, surname)), surname
    name = player.name if details.name is None else validators.player_name(details.name)
    return name, player.stated_surname if name == player.name else ""


def _require_free_licence(player: Player) -> None:
    others = Player.objects.filter(event=player.event_id).exclude(pk=player.pk)
    other = others.filter(licence__iexact=player.licence).first() if player.licence else None
    if other is not None:
        raise _licence_taken_error(player.licence, other.name, other.table)


def _licence_taken_error(licence: str, name: str, table: int) -> Refused:
    return Refused(
        _("The licence number %(licence)s belongs to %(name)s, table %(table)d: check the number.")
        % {"licence": licence, "name": name, "table": table}
    )


def remove_player(*, player: Player, now: datetime, by: User | None) -> None:
    """Remove a player who has no slip."""
    with lock_game(current_game(player.event)) as game:
        if Slip.objects.filter(player=player).exists():
            raise Refused(
                _("%(name)s has handed in slips and stays in the results; rename the player instead.")
                % {"name": player.name}
            )
        _remove(game, [player], now, by)
        signals.send_game_changed(game)


def remove_unknown_players(*, event: Event, expected: int, now: datetime, by: User | None) -> int:
    """Remove all players who joined by phone, were never checked in by the desk and have no slip. Return their number.

    Refused when it is not `expected`, the number that the judge was shown.
    """
    with lock_current_game(event) as game:
        unknown = list(unknown_without_slips(event).order_by("table"))
        if not unknown:
            raise AlreadyDone(_("None of these players is left."))
        if len(unknown) != expected:
            raise Refused(_("There are %(n)d such players now: look at them and confirm again.") % {"n": len(unknown)})
        _remove(game, unknown, now, by)
        signals.send_game_changed(game)
    return len(unknown)


def _remove(game: Game, players: Sequence[Player], now: datetime, by: User | None) -> None:
    for player in players:
        removed = {"table": player.table, "people": {str(player.table): None}}
        append_to_all_ledgers(game=game, kind="remove", by=by, now=now, data=removed)
        signals.send_phone_replaced(player)
    delete_players(game, players, now)


def leave_game(*, player: Player, now: datetime, by: User | None) -> None:
    """Remove a player from the turns that have not started.

    A player who leaves before their first turn loses their place in the game. They are not entered in later games.
    """
    with lock_game(current_game(player.event)) as game:
        entry = Entry.objects.filter(game=game, player=player).first()
        if entry is None or entry.last_turn is not None:
            sentence = _("%(name)s has left already.") % {"name": player.name}
            raise AlreadyDone(sentence, act="leave", table=player.table)
        if next_starting_turn_number(game, player.room) <= entry.first_turn:
            entry.delete()
        record_departure(game=game, player=player, now=now, by=by)
        signals.send_game_changed(game, player.room)
        signals.send_place_changed([player])


def record_departure(*, game: Game, player: Player, now: datetime, by: User | None) -> None:
    """End a player's entry after the last started turn; the caller has locked the game and sends the signals."""
    last = next_starting_turn_number(game, player.room) - 1
    Entry.objects.filter(game=game, player=player).update(last_turn=last)
    Player.objects.filter(pk=player.pk).update(arrived_at=None)
    left = {"table": player.table, "last_turn": last, "people": people_of(game, [player])}
    append_to_ledger(game=game, kind="leave", by=by, now=now, data=left)


def return_to_game(*, player: Player, now: datetime, by: User | None) -> None:
    """Let a player who left or was absent play again, from the next turn on or without a gap when no turn was
    missed."""
    with lock_game(current_game(player.event)) as game:
        entry = Entry.objects.filter(game=game, player=player).first()
        if entry is not None and entry.last_turn is None:
            raise AlreadyDone(_("%(name)s is in the game.") % {"name": player.name})
        if entry is not None and entry.disqualified_from is not None:
            raise Refused(_("%(name)s is disqualified: take the disqualification back first.") % {"name": player.name})
        _require_not_over(game, player.room)
        first = next_starting_turn_number(game, player.room)
        if entry is None:
            create_entries(game=game, players=[player], first_turn=first)
        elif not restore_place(entry, first):
            raise Refused(
                _("%(name)s has missed a turn since; the way back is at another table, or in the next game.")
                % {"name": player.name}
            )
        back = {"table": player.table, "first_turn": first, "people": people_of(game, [player])}
        append_to_ledger(game=game, kind="come_back", by=by, now=now, data=back)
        signals.send_game_changed(game, player.room)
        signals.send_place_changed([player])


def restore_place(entry: Entry, first: int) -> bool:
    """Let a player who left play on from turn `first`; False, and nothing done, when they have missed a turn."""
    if entry.last_turn != first - 1:
        return False
    Entry.objects.filter(pk=entry.pk).update(last_turn=None)
    return True


def list_staying_players(event: Event, game: Game) -> list[Player]:
    """The players of an event who had not left at the end of this game, its last one, and those who arrived since."""
    places = Entry.objects.filter(game=game)
    stayed = Q(pk__in=places.filter(last_turn=None).values("player"))
    came = Q(arrived_at__isnull=False) & ~Q(pk__in=places.values("player"))
    return list(Player.objects.filter(stayed | came, event=event))


def join_event(
    *,
    event: Event,
    name: str,
    table: int | None,
    now: datetime,
    token: str,
    nickname: str | None = None,
    admit: Callable[[Player | None], None] | None = None,
    room: Room | None = None,
    newcomer: NewPlayer | None = None,
) -> JoinResult:
    """Let a phone join at a table or by a name; its player is created when there is none. The newest phone wins.

    A taken table asks for its player's name or nickname, or none. A player without a place in this game gets one. Only
    the hash of `token`, which the phone stores, is saved. `nickname` is the public name, None to leave it unchanged.
    `admit` is called to check that this phone may have the place of the player, None for a new one
    (`tournaments.players.services.seats`). `room` is the room of the phone where it is known; players of another room
    are told so. `newcomer` has more details of the player who is created.
    """
    cleaned = validators.typed_name(name, what=_("name"))
    with lock_current_game(event) as game:
        require_not_anonymised(game.event)
        player = _find_seated_player(event, cleaned, table)
        if admit is not None:
            admit(player)
        is_new = enters = player is None
        if player is None:
            _refuse_look_alike(event, cleaned)
            created = newcomer or NewPlayer(table, cleaned or _name_of_table(event, table))
            created = replace(created, nickname=nickname or "")
            place = room or _only_room(event)
            [player] = store_players(game=game, room=place, players=[created], now=now, self_joined=True)
        elif not Entry.objects.filter(game=game, player=player).exists() and not is_over_in(game, player.room):
            enters = True
            create_entries(game=game, players=[player], first_turn=next_starting_turn_number(game, player.room))
        _require_present(player, room)
        renamed = nickname is not None and nicknames.set_nickname(player, nickname)
        token_hash = hash_of(token)
        replaced = player.token_hash not in ("", token_hash)
        Player.objects.filter(pk=player.pk).update(token_hash=token_hash)
        player.token_hash = token_hash
        people = {"people": people_of(game, [player])} if enters else {}
        joined = {"table": player.table, "new": is_new, "replaced_phone": replaced, **people}
        append_to_ledger(game=game, kind="join", by=None, now=now, data=joined)
        if replaced:
            signals.send_phone_replaced(player)
        if enters or renamed:
            signals.send_game_changed(game, player.room)
    return JoinResult(player, replaced)


def store_players(
    *,
    game: Game,
    room: Room,
    players: Sequence[NewPlayer],
    now: datetime,
    self_joined: bool = False,
    namesakes: bool = False,
) -> list[Player]:
    """Store new players and their entries, in the rooms that they name or in `room`.

    The caller has locked the game and sends the signals. `self_joined`: the request came from a phone, not from the
    desk. `namesakes`: equal names are those of different people.
    """
    require_not_anonymised(game.event)
    rooms = _rooms_named(game.event, room, players)
    for each in set(rooms):
        _require_not_over(game, each)
    taken = {player.table: player for player in _list_known_players(Player.objects.filter(event=game.event))}
    if len(taken) + len(players) > validators.MOST_PLAYERS:
        raise Refused(_("An event holds at most %(most)d players.") % {"most": validators.MOST_PLAYERS})
    _require_new_players(taken, players, namesakes=namesakes)
    nicknames.require_free_nicknames(taken.values(), players)
    free = _free_tables({*taken, *(player.table for player in players)})
    seated = Player.objects.bulk_create(
        Player(
            event=game.event,
            room=where,
            table=next(free) if player.table is None else validators.table_number(player.table),
            name=validators.player_name(player.name),
            stated_surname=validators.surname(player.surname),
            nickname=validators.nickname(player.nickname),
            licence=validators.licence(player.licence),
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
        create_entries(
            game=game,
            players=[player for player in seated if player.room == each],
            first_turn=next_starting_turn_number(game, each),
        )
    return seated


def create_entries(*, game: Game, players: Sequence[Player], first_turn: int) -> None:
    """Give these players a place in a game from this turn on, each in their current room."""
    Entry.objects.bulk_create(
        Entry(game=game, player=player, room_id=player.room_id, first_turn=first_turn) for player in players
    )


def _notify_rooms(game: Game, players: Sequence[Player]) -> None:
    for room in {player.room for player in players}:
        signals.send_game_changed(game, room)


def _require_not_over(game: Game, room: Room) -> None:
    if is_over_in(game, room):
        raise Refused(_("The game is over; start the next one to let more players in."))


def _require_present(player: Player, room: Room | None) -> None:
    if room is not None and player.room_id != room.pk:
        raise Refused(
            _("Table %(table)d is in the room “%(room)s”; the judge can change that.")
            % {"table": player.table, "room": player.room.name}
        )


def _only_room(event: Event) -> Room:
    """The room of a new player who has not chosen one."""
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


def _require_new_players(taken: dict[int, _KnownPlayer], players: Sequence[NewPlayer], *, namesakes: bool) -> None:
    known = {
        (look, player.club.casefold()): player for player in taken.values() for look in name_skeletons(player.name)
    }
    tables = set(taken)
    licences = {player.licence.casefold(): player for player in taken.values() if player.licence}
    for player in players:
        holder = licences.get(player.licence.casefold()) if player.licence else None
        if holder is not None:
            raise _licence_taken_error(player.licence, holder.name, holder.table)
        if player.table is not None and player.table in tables:
            raise Refused(_("Table %(table)d is taken already; choose another.") % {"table": player.table})
        if player.table is not None:
            tables.add(player.table)
        club = validators.one_line(player.club).casefold()
        same = next(
            (known[look, club] for look in name_skeletons(validators.one_line(player.name)) if (look, club) in known),
            None,
        )
        if same is not None and not (namesakes and is_same_name(player.name, same.name)):
            raise Refused(_already_listed_error(player.name, same))


def _already_listed_error(name: str, same: _KnownPlayer) -> str:
    if is_same_name(name, same.name):
        return _(
            "%(name)s is in the list already, at table %(table)d. If this is somebody else, choose “Add namesakes too”."
        ) % {"name": name, "table": same.table}
    return _(
        "%(name)s looks like %(other)s, who is in the list at table %(table)d: write one of the names differently."
    ) % {"name": name, "other": same.name, "table": same.table}


def _refuse_look_alike(event: Event, name: str) -> None:
    """Refuse a new player whose name could be confused with that of another player of the event."""
    if not name:
        return
    for player in _list_known_players(Player.objects.filter(event=event)):
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


def _find_seated_player(event: Event, name: str, table: int | None) -> Player | None:
    """The existing player of the event whom the phone asks for, None for a new one."""
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
    same = _find_called(event, name)
    if len(same) > 1:
        raise Refused(_("There are several players of this name; type the number of your table too."))
    return Player.objects.get(pk=same[0].pk) if same else None


class _KnownPlayer(NamedTuple):
    """The few fields of each player that every join compares; joins are frequent in large events."""

    pk: int
    table: int
    name: str
    nickname: str
    club: str
    licence: str


def _list_known_players(players: QuerySet[Player]) -> list[_KnownPlayer]:
    return [_KnownPlayer(*row) for row in players.values_list(*_KnownPlayer._fields)]


def _find_called(event: Event, name: str) -> list[_KnownPlayer]:
    """The players with this name or nickname: as it is written, else without regard to accents and apostrophes.

    The first query is enough for most phones; databases ignore case only for letters without accents.
    """
    players = Player.objects.filter(event=event)
    written = _list_known_players(players.filter(Q(name__iexact=name) | Q(nickname__iexact=name)))
    return written or [player for player in _list_known_players(players) if nicknames.is_called(player, name)]


def _name_of_table(event: Event, table: int | None) -> str:
    with translation.override(event.language):
        return _("Table %(table)d") % {"table": table}
