"""Additional steps of a rehearsal of several rooms (see `referee.rehearsal.control`), which follow the first room."""

from __future__ import annotations

from random import Random
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from referee.security.player_tokens import cookie_of, new_token
from tournaments.errors import Refused
from tournaments.events.queries.events import current_game, get_drawing_room
from tournaments.events.services import rehearsals, rooms
from tournaments.lexicons.word_lists import get_solver
from tournaments.models import Event, Game, Room, Turn, TurnClock
from tournaments.now import utc_now
from tournaments.play.position import board_before, edition_of, profile_of, rack_of
from tournaments.play.services import clocks, draw_rack
from tournaments.play.simulation import plausible_slips
from tournaments.players.roster_text import NewPlayer
from tournaments.players.services import players


def open_rooms(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    """Create rooms with players; the last room is `longest_offset_s` behind the first.

    Returns `{"rooms": [{"number", "offset_s", "cookies": [...]}]}`. Every turn takes `seconds`.
    """
    number, each = int(wanted["rooms"]), int(wanted["players"])
    if Room.objects.filter(event=event).count() > 1:
        raise Refused(_("This rehearsal has its rooms already: open a new one."))
    Game.objects.filter(pk=current_game(event).pk).update(turn_seconds=int(wanted["seconds"]))
    here = [get_drawing_room(event), *_followers(event, number, int(wanted["longest_offset_s"]))]
    names = [name for room in here for name in _names(room, each)]
    players.add_players(event=event, players=names, now=utc_now())
    tokens = iter(rehearsals.seat_phones(event=event, phones=number * each, token=new_token, now=utc_now()))
    seated = [[cookie_of(next(tokens)) for _player in range(each)] for _room in here]
    _count_rows()
    opened = [
        {"number": room.number, "offset_s": room.offset_s or 0, "cookies": cookies}
        for room, cookies in zip(here, seated, strict=True)
    ]
    return {"rooms": opened}


def _count_rows() -> None:
    """Let PostgreSQL count the rows of its tables, as it does by itself a minute after players were entered."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def begin_in_first(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    """Draw and announce a rack in the first room only.

    `written` holds slips that are judged automatically, so that no room waits for a judge.
    """
    turn = draw_rack.draw_turn(game=current_game(event), now=utc_now(), by=None)
    if turn is None:
        raise Refused(_("The game of this rehearsal is over: open another rehearsal at the desk."))
    written = _without_doubt(turn)
    clocks.announce_turn(turn=turn, room=get_drawing_room(event), now=utc_now(), by=None)
    return {"turn": turn.number, "written": written}


def times_of_rooms(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the clocks of a finished turn by room (seconds since 1970), and its secrets."""
    turn = Turn.objects.get(game=current_game(event), number=int(wanted["turn"]), placed_at__isnull=False)
    rows = TurnClock.objects.filter(turn=turn).select_related("room").order_by("room__number")
    return {"rack": turn.rack, "word": turn.master_word, "rooms": [_times(clock) for clock in rows]}


STEPS = {"open_rooms": open_rooms, "begin_in_first": begin_in_first, "times_of_rooms": times_of_rooms}


def _followers(event: Event, number: int, longest_s: int) -> list[Room]:
    return [
        rooms.add_room(
            event=event,
            name=f"Room {at + 1}",
            offset_s=round(longest_s * at / max(1, number - 1)),
            by=None,
            now=utc_now(),
        )
        for at in range(1, number)
    ]


def _names(room: Room, each: int) -> list[NewPlayer]:
    return [
        NewPlayer(None, f"{_('Phone')} {room.number}-{number}", rehearsals.SIMULATED, room=room.name)
        for number in range(1, each + 1)
    ]


def _without_doubt(turn: Turn) -> list[tuple[str, str, int]]:
    moves = get_solver(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    legal = {(move.word_text(edition).casefold(), move.reference_text(notation)) for move in moves}
    written = plausible_slips(turn, Random(turn.number))  # noqa: S311  a mere sample
    return [slip for slip in written if (slip[0].casefold(), slip[1]) in legal]


def _times(clock: TurnClock) -> dict[str, Any]:
    def s(name: str) -> float | None:
        moment = getattr(clock, name)
        return None if moment is None else float(moment.timestamp())

    times = {name: s(name) for name in ("started_at", "deadline", "closed_at", "shown_at")}
    return {"number": clock.room.number, "grace_s": clock.grace_ms / 1000, **times}
