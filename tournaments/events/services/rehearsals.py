"""Rehearsals: events for load tests with simulated phones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.enums import DrawMode
from tournaments.errors import Refused
from tournaments.events.queries.events import current_game
from tournaments.events.services.events import NewEvent, create_event
from tournaments.models import Event, Game, Player, Room, Turn, TurnClock
from tournaments.play.queries.phases import current_turn
from tournaments.play.services import clocks, draw_rack, placement
from tournaments.players.queries.players import hash_of
from tournaments.players.roster_text import NewPlayer
from tournaments.players.services.players import add_players

EDITION, PROFILE = "it", "it-box"
SIMULATED = "(rehearse)"


def open_rehearsal(
    *,
    by: User,
    now: datetime,
    seed: bytes,
    language: str,
    name: str = "",
    rules: tuple[str, str] = (EDITION, PROFILE),
    players: Sequence[NewPlayer] = (),
) -> Game:
    """A new event that is marked as a rehearsal; `rules` are an edition and a profile."""
    edition, profile = rules
    with transaction.atomic():
        game = create_event(
            NewEvent(
                name=name or _("Rehearsal"),
                date=now.date(),
                place="",
                language=language,
                edition=edition,
                profile=profile,
                draw_mode=DrawMode.SEEDED,
            ),
            players=players,
            by=by,
            now=now,
            seed=seed,
        )
        Event.objects.filter(pk=game.event_id).update(is_rehearsal=True)
        game.event.is_rehearsal = True
    return game


def seat_phones(*, event: Event, phones: int, token: Callable[[], str], now: datetime) -> list[str]:
    """Seat this many simulated phones, each at its own table. Return their tokens.

    Phones of an earlier run of the same rehearsal are reused. Other players keep their tables.
    """
    with transaction.atomic():
        players = create_phone_players(event=event, phones=phones, now=now)
        tokens = [token() for _player in players]
        for player, one in zip(players, tokens, strict=True):
            player.token_hash = hash_of(one)
        Player.objects.bulk_update(players, ["token_hash"], batch_size=500)
    return tokens


def create_phone_players(*, event: Event, phones: int, now: datetime) -> list[Player]:
    """Get or create the players of the simulated phones, with permission to join through the page."""
    _require_rehearsal(event)
    simulated = Player.objects.filter(event=event, club=SIMULATED).order_by("table")
    with transaction.atomic():
        missing = phones - simulated.count()
        newcomers = [NewPlayer(None, f"{_('Phone')} {number}", SIMULATED) for number in range(1, phones + 1)]
        if missing > 0:
            add_players(event=event, players=newcomers[-missing:], now=now)
        return list(simulated[:phones])


def begin_turn(*, event: Event, seconds: int, now: datetime) -> Turn:
    """Draw the next rack, or use the drawn one, and announce it in every room for this number of seconds."""
    _require_rehearsal(event)
    game = current_game(event)
    with transaction.atomic():
        turn = current_turn(game)
        if turn is None or turn.placed_at is not None:
            turn = draw_rack.draw_turn(game=game, now=now, by=None)
        if turn is None:
            raise Refused(_("The game of this rehearsal is over: open another rehearsal at the desk."))
        for room in Room.objects.filter(event=event):
            clocks.announce_turn(turn=turn, room=room, now=now, by=None, seconds=seconds)
    return turn


def lengthen_turn(*, event: Event, now: datetime) -> None:
    """Give a second more: a change that everybody is shown."""
    _require_rehearsal(event)
    turn = _turn_of(event)
    for room in Room.objects.filter(event=event):
        clocks.add_time(turn=turn, room=room, seconds=1, now=now, by=None)


def end_turn(*, event: Event, now: datetime) -> None:
    """Close what is open, without waiting for the time."""
    _require_rehearsal(event)
    turn = _turn_of(event)
    for clock in TurnClock.objects.filter(turn=turn, closed_at=None).select_related("room"):
        clocks.close_clock(turn=turn, room=clock.room, now=now, by=None)


def place_master_move(*, event: Event, now: datetime) -> None:
    """Lay the move that the rule chooses."""
    _require_rehearsal(event)
    placement.place_move(turn=_turn_of(event), by=None, now=now)


def _turn_of(event: Event) -> Turn:
    turn = current_turn(current_game(event))
    if turn is None:
        raise Refused(_("No rack has been drawn yet: draw one first."))
    return turn


def _require_rehearsal(event: Event) -> None:
    """Simulated phones come near no game that counts."""
    if not event.is_rehearsal:
        raise Refused(_("This is the address of a real game: open a rehearsal at the desk and use its address."))
