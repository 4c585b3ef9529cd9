"""The players of a room that plays on its own server: they come into being here with what that room hands in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from django.utils.translation import gettext as _

from engine.archive import Archive, PlayerEntry, TurnEntry
from engine.feed import closed_turns
from tournaments import validators
from tournaments.enums import GameState
from tournaments.errors import Refused
from tournaments.models import Entry, FeedLink, Game, Player, Turn, new_salt

TABLES_OF_A_ROOM = 1000
_FIRST_TABLE_WITHOUT_RANGE = 60_000


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand-in with what it belongs to. `turns` are those that are known here, each with its row."""

    link: FeedLink
    game: Game
    archive: Archive
    final: bool
    nicknames: Mapping[str, str]
    turns: Sequence[tuple[TurnEntry, Turn]]
    played: int
    is_newest: bool


def seat_visitors(*, visit: Visit, now: datetime) -> dict[int, Player]:
    """The players of the room by the tables at which they sit there; new ones and their places in the game are made."""
    room = visit.link.room
    known = {player.home_table: player for player in Player.objects.filter(room=room, home_table__isnull=False)}
    listed = {entry["table"]: entry for entry in visit.archive["players"]}
    missing = [table for table in listed if table not in known]
    event = visit.game.event_id
    taken = set(Player.objects.filter(event=event).values_list("table", flat=True))
    if len(taken) + len(missing) > validators.MOST_PLAYERS:
        raise Refused(_("An event holds at most %(most)d players.") % {"most": validators.MOST_PLAYERS})
    newcomers = []
    for home in sorted(missing):
        table = _table_for(room.number, home, taken)
        taken.add(table)
        facts = _described(visit, listed[home])
        newcomers.append(Player(event_id=event, room=room, table=table, home_table=home, joined_at=now, **facts))
    known |= {player.home_table: player for player in Player.objects.bulk_create(newcomers)}
    seated = {table: known[table] for table in listed}
    if visit.is_newest:
        _describe_anew(visit, seated, listed)
    _enter(visit, seated, listed)
    return seated


def _table_for(room: int, home: int, taken: set[int]) -> int:
    wanted = room * TABLES_OF_A_ROOM + home
    if 0 < home < TABLES_OF_A_ROOM and wanted <= validators.HIGHEST_TABLE and wanted not in taken:
        return wanted
    return next(table for table in count(_FIRST_TABLE_WITHOUT_RANGE) if table not in taken)


def _described(visit: Visit, entry: PlayerEntry) -> dict[str, str]:
    return {
        "name": validators.player_name(validators.one_line(entry["name"])),
        "nickname": validators.nickname(validators.one_line(visit.nicknames.get(str(entry["table"]), ""))),
        "club": validators.club(entry["club"] or ""),
        "series": validators.series(entry["series"] or ""),
        "age_class": validators.age_class(entry.get("age_class", "")),
        "country": validators.country(entry.get("country", "")),
        "team": validators.team(entry.get("team", "")),
    }


def _describe_anew(visit: Visit, seated: Mapping[int, Player], listed: Mapping[int, PlayerEntry]) -> None:
    for home, player in seated.items():
        now = _described(visit, listed[home])
        if any(getattr(player, name) != value for name, value in now.items()):
            Player.objects.filter(pk=player.pk).update(**now, salt=new_salt())


def _enter(visit: Visit, seated: Mapping[int, Player], listed: Mapping[int, PlayerEntry]) -> None:
    """Who plays from which turn on, and through which; an older hand-in changes nothing of that."""
    firsts = _first_turns(visit)
    entered = {entry.player_id: entry for entry in Entry.objects.filter(game=visit.game, room=visit.link.room)}
    last_of_all = _last_turn_of_all(visit)
    newcomers = []
    for home, player in seated.items():
        last = listed[home].get("last_turn", last_of_all)
        place = {
            "first_turn": firsts.get(home, visit.played + 1),
            "last_turn": last,
            "disqualified_from": listed[home].get("disqualified_from"),
        }
        entry = entered.get(player.pk)
        if entry is None:
            newcomers.append(Entry(game=visit.game, player=player, room=visit.link.room, **place))
        elif visit.is_newest and any(getattr(entry, name) != value for name, value in place.items()):
            Entry.objects.filter(pk=entry.pk).update(**place)
    Entry.objects.bulk_create(newcomers)


def _first_turns(visit: Visit) -> dict[int, int]:
    firsts: dict[int, int] = {}
    for turn in closed_turns(visit.archive):
        for slip in turn["slips"]:
            firsts.setdefault(slip["table"], turn["number"])
    return firsts


def _last_turn_of_all(visit: Visit) -> int | None:
    """Of a room that plays no further although the game went on."""
    return visit.played if visit.final and not _played_to_the_end(visit) else None


def _played_to_the_end(visit: Visit) -> bool:
    whole = Turn.objects.filter(game=visit.game).count()
    return visit.game.state == GameState.FINISHED and visit.played >= whole
