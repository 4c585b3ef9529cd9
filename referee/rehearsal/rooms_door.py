"""What a rehearsal of several rooms may do besides (referee/rehearsal/conducting.py): the others follow the first by
themselves."""

from __future__ import annotations

from random import Random
from typing import Any

from django.utils.translation import gettext as _

from referee.security.seats import cookie_of, new_token
from tournaments.errors import Refused
from tournaments.lexicons import solver_for
from tournaments.models import Event, Game, Room, Turn, TurnClock
from tournaments.now import utc_now
from tournaments.position import board_before, edition_of, profile_of, rack_of
from tournaments.selectors.events import current_game, first_room
from tournaments.services import clocks, drawing, players, rehearsing, rooms
from tournaments.services.player_lists import NewPlayer
from tournaments.simulation import plausible_slips


def open_rooms(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    """So many rooms with so many players each; the last room is `longest_offset_s` behind the first.

    `{"rooms": [{"number", "offset_s", "cookies": [...]}]}`; every turn takes `seconds`.
    """
    number, each = int(wanted["rooms"]), int(wanted["players"])
    if Room.objects.filter(event=event).count() > 1:
        raise Refused(_("This rehearsal has its rooms already: open a new one."))
    Game.objects.filter(pk=current_game(event).pk).update(rhythm_s=int(wanted["seconds"]))
    here = [first_room(event), *_followers(event, number, int(wanted["longest_offset_s"]))]
    names = [name for room in here for name in _names(room, each)]
    players.add_players(event=event, players=names, now=utc_now())
    tokens = iter(rehearsing.seat_phones(event=event, phones=number * each, token=new_token, now=utc_now()))
    seated = [[cookie_of(next(tokens)) for _player in range(each)] for _room in here]
    told = [
        {"number": room.number, "offset_s": room.offset_s or 0, "cookies": cookies}
        for room, cookies in zip(here, seated, strict=True)
    ]
    return {"rooms": told}


def begin_in_first(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    """Draw a rack and announce it in the first room alone; `written` holds slips that leave no room waiting for a
    judge."""
    turn = drawing.draw_turn(game=current_game(event), now=utc_now(), by=None)
    if turn is None:
        raise Refused(_("The game of this rehearsal is over: open another rehearsal at the desk."))
    written = _without_doubt(turn)
    clocks.announce(turn=turn, room=first_room(event), now=utc_now(), by=None)
    return {"turn": turn.number, "written": written}


def times_of_rooms(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    """The clocks of a turn (seconds since 1970), by room, and its secrets, once it is over."""
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
        NewPlayer(None, f"{_('Phone')} {room.number}-{number}", rehearsing.SIMULATED, room=room.name)
        for number in range(1, each + 1)
    ]


def _without_doubt(turn: Turn) -> list[tuple[str, str, int]]:
    moves = solver_for(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
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
