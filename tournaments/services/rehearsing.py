"""Rehearsals: events in which nobody plays for anything, opened to see how many phones a hall carries."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.enums import DrawMode
from tournaments.errors import Refused
from tournaments.models import Event, Game, Player, Room, Turn, TurnClock
from tournaments.selectors.events import current_game
from tournaments.selectors.phases import current_turn
from tournaments.selectors.players import hash_of
from tournaments.services import clocks, drawing, placing
from tournaments.services.events import create_event
from tournaments.services.player_lists import NewPlayer
from tournaments.services.players import add_players

EDITION, PROFILE = "it", "it-box"
SIMULATED = "(rehearse)"


def open_rehearsal(*, by: User, now: datetime, seed: bytes, language: str) -> Game:
    """A new event that is marked as a rehearsal, without any player yet."""
    with transaction.atomic():
        game = create_event(
            name=_("Rehearsal"),
            date=now.date(),
            place="",
            language=language,
            edition=EDITION,
            profile=PROFILE,
            switches=None,
            draw_mode=DrawMode.SEEDED,
            players=[],
            by=by,
            now=now,
            seed=seed,
        )
        Event.objects.filter(pk=game.event_id).update(is_rehearsal=True)
        game.event.is_rehearsal = True
    return game


def seat_phones(*, event: Event, phones: int, token: Callable[[], str], now: datetime) -> list[str]:
    """Let so many simulated phones in, each at a table of its own; gives their tokens.

    Those of an earlier run of the same rehearsal are taken again. Players of the hall keep their tables.
    """
    with transaction.atomic():
        players = expect_phones(event=event, phones=phones, now=now)
        tokens = [token() for _player in players]
        for player, one in zip(players, tokens, strict=True):
            player.token_hash = hash_of(one)
        Player.objects.bulk_update(players, ["token_hash"], batch_size=500)
    return tokens


def expect_phones(*, event: Event, phones: int, now: datetime) -> list[Player]:
    """The players of so many simulated phones, made where there are none yet; they may come in by the page."""
    _demand_rehearsal(event)
    simulated = Player.objects.filter(event=event, club=SIMULATED).order_by("table")
    with transaction.atomic():
        missing = phones - simulated.count()
        newcomers = [NewPlayer(None, f"{_('Phone')} {number}", SIMULATED) for number in range(1, phones + 1)]
        if missing > 0:
            add_players(event=event, players=newcomers[-missing:], now=now)
        return list(simulated[:phones])


def begin_turn(*, event: Event, seconds: int, now: datetime) -> Turn:
    """Draw the next rack, or take the one that is drawn, and announce it in every room for so many seconds."""
    _demand_rehearsal(event)
    game = current_game(event)
    with transaction.atomic():
        turn = current_turn(game)
        if turn is None or turn.placed_at is not None:
            turn = drawing.draw_turn(game=game, now=now, by=None)
        if turn is None:
            raise Refused(_("The game of this rehearsal is over: open another rehearsal at the desk."))
        for room in Room.objects.filter(event=event):
            clocks.announce(turn=turn, room=room, now=now, by=None, seconds=seconds)
    return turn


def lengthen_turn(*, event: Event, now: datetime) -> None:
    """Give a second more: a change that everybody is shown."""
    _demand_rehearsal(event)
    turn = _turn_of(event)
    for room in Room.objects.filter(event=event):
        clocks.add_time(turn=turn, room=room, seconds=1, now=now, by=None)


def end_turn(*, event: Event, now: datetime) -> None:
    """Close what is open, without waiting for the time."""
    _demand_rehearsal(event)
    turn = _turn_of(event)
    for clock in TurnClock.objects.filter(turn=turn, closed_at=None).select_related("room"):
        clocks.close_now(turn=turn, room=clock.room, now=now, by=None)


def place_turn(*, event: Event, now: datetime) -> None:
    """Lay the move that the rule chooses."""
    _demand_rehearsal(event)
    placing.place(turn=_turn_of(event), by=None, now=now)


def _turn_of(event: Event) -> Turn:
    turn = current_turn(current_game(event))
    if turn is None:
        raise Refused(_("No rack has been drawn yet: draw one first."))
    return turn


def _demand_rehearsal(event: Event) -> None:
    """Simulated phones come near no game that counts."""
    if not event.is_rehearsal:
        raise Refused(_("This is the address of a real game: open a rehearsal at the desk and use its address."))
