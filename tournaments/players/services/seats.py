"""Admission of phones to tables: one phone at a time, with the seat code where the event requires it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import current_game
from tournaments.models import Event, Player
from tournaments.play.services.game_lock import append_to_ledger, lock_game
from tournaments.players.queries.players import hash_of
from tournaments.players.seat_codes import is_seat_code


class WrongSeatCode(Refused):
    """A code that is not the one of the table: somebody mistypes, or tries."""


class TableHasPhone(Refused):
    """Another phone plays at the table; the judge can let the new one in."""

    def __init__(self, player: Player) -> None:
        super().__init__(_("%(name)s has a phone already.") % {"name": player.shown_name})
        self.player = player


def make_admission_check(*, event: Event, code: str, tokens: frozenset[str]) -> Callable[[Player | None], None]:
    """Make the check that `tournaments.players.services.players.join_event` calls before a phone gets a table; it
    raises `Refused` or returns nothing.

    `code` is the typed seat code. `tokens` are those that the phone sends: with the token of the table it is the same
    phone.
    """

    def admit(player: Player | None) -> None:
        if event.seat_codes:
            _require_code(player, code)
        elif player is None and event.listed_only:
            raise Refused(_("Only players on the list can join: check the spelling, or ask the judge to add you."))
        elif player is not None and player.token_hash and player.token_hash not in {hash_of(each) for each in tokens}:
            raise TableHasPhone(player)

    return admit


def release_phone(*, player: Player, now: datetime, by: User | None) -> None:
    """Disconnect the phone of a table, so that the next one that asks gets the table."""
    with lock_game(current_game(player.event)) as game:
        if Player.objects.filter(pk=player.pk).exclude(token_hash="").update(token_hash="") != 1:
            raise AlreadyDone(_("Table %(table)d waits for a phone already.") % {"table": player.table})
        player.token_hash = ""
        append_to_ledger(game=game, kind="free_phone", by=by, now=now, data={"table": player.table})
        signals.send_phone_replaced(player)


def replace_seat_code(*, player: Player, now: datetime, by: User | None) -> None:
    """Issue a new code for a table whose card was lost or seen; its phone must join again with it."""
    with lock_game(current_game(player.event)) as game:
        Player.objects.filter(pk=player.pk).update(seat_code_number=F("seat_code_number") + 1, token_hash="")
        player.refresh_from_db()
        append_to_ledger(game=game, kind="seat_code", by=by, now=now, data={"table": player.table})
        signals.send_phone_replaced(player)


def set_listed_only(*, event: Event, wanted: bool, now: datetime, by: User | None) -> None:
    """Let phones join only for players whom the desk has added, or also for new players."""
    _set_option(event, "listed_only", wanted, now, by)


def set_members_may_join(*, event: Event, wanted: bool, now: datetime, by: User | None) -> None:
    """Let phones join for members of the club who are not on the list of players, or only for listed players."""
    _set_option(event, "members_may_join", wanted, now, by)


def set_seat_codes(*, event: Event, wanted: bool, now: datetime, by: User | None) -> None:
    """Require the seat code from every phone from now on, or stop requiring it. Joined phones stay."""
    _set_option(event, "seat_codes", wanted, now, by)


def _set_option(event: Event, name: str, wanted: bool, now: datetime, by: User | None) -> None:
    with lock_game(current_game(event)) as game:
        if Event.objects.filter(pk=event.pk).exclude(**{name: wanted}).update(**{name: wanted}) != 1:
            raise AlreadyDone(_("This is set already."))
        setattr(event, name, wanted)
        append_to_ledger(game=game, kind="options", by=by, now=now, data={name: wanted})


def _require_code(player: Player | None, code: str) -> None:
    if player is None:
        raise Refused(
            _("In this event players come in with the code of their table: ask the judge for the card with your name.")
        )
    if not is_seat_code(code, player):
        raise WrongSeatCode(
            _("This is not the code of table %(table)d: it stands on the card of the table; or ask the judge.")
            % {"table": player.table}
        )
