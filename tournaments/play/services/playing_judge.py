"""Judges who play along: their seat, and the moment from which their slip is final."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import current_game
from tournaments.models import FinalSlip, Game, Membership, Player
from tournaments.play.queries.playing_judge import SpoilerGuard, get_spoiler_guard
from tournaments.play.services.game_lock import append_to_ledger, lock_game
from tournaments.staff.queries import name_of


def start_playing(*, place: Membership, table: int, by: User, now: datetime) -> Player:
    """Make this judge the player of a table. Their desk hides each turn until their slip is final."""
    with lock_game(current_game(place.event)) as game:
        player = Player.objects.filter(event=place.event_id, table=table).first()
        if player is None:
            raise Refused(_("Nobody sits at table %(table)d; add the player first.") % {"table": table})
        if place.plays_as_id == player.pk:
            raise AlreadyDone(_("You play at table %(table)d already.") % {"table": table})
        other = Membership.objects.filter(event=place.event_id, plays_as=player).select_related("user").first()
        if other is not None:
            raise Refused(
                _("%(name)s plays at table %(table)d; choose your own table.")
                % {"name": name_of(other.user), "table": table}
            )
        _stop_in_turn(place, game, by, now)
        Membership.objects.filter(pk=place.pk).update(plays_as=player)
        place.plays_as = player
        append_to_ledger(game=game, kind="plays_along", by=by, now=now, data={"table": table})
        signals.send_game_changed(game)
    return player


def stop_playing(*, place: Membership, by: User, now: datetime) -> None:
    """Stop hiding turns from this judge. Their slip of the current turn is final."""
    with lock_game(current_game(place.event)) as game:
        if place.plays_as_id is None:
            raise AlreadyDone(_("You do not play along."))
        _stop_in_turn(place, game, by, now)
        Membership.objects.filter(pk=place.pk).update(plays_as=None)
        place.plays_as = None
        append_to_ledger(game=game, kind="plays_along", by=by, now=now, data={"table": None})
        signals.send_game_changed(game)


def mark_slip_final(*, place: Membership, by: User, now: datetime) -> None:
    """Declare the judge's slip of this turn final and open their desk."""
    with lock_game(current_game(place.event)) as game:
        guard = get_spoiler_guard(place, game, now)
        if guard is None or not guard.is_down:
            raise AlreadyDone(_("Your desk is open already."))
        if guard.hides_rack:
            raise Refused(_("Announce the rack first."))
        if not guard.slip_in:
            raise Refused(_("Your slip is not in yet: send it from your phone first."))
        _mark_final(guard, game, by, now, acknowledged=True)


def record_desk_opened(*, place: Membership, by: User, now: datetime) -> None:
    """Record that the time is up and the judge's desk shows the turn. From now on their slip is final."""
    with lock_game(current_game(place.event)) as game:
        guard = get_spoiler_guard(place, game, now)
        if guard is not None and guard.must_record_opening:
            _mark_final(guard, game, by, now, acknowledged=False)


def _stop_in_turn(place: Membership, game: Game, by: User, now: datetime) -> None:
    """Whoever stops in mid-turn may see it at once, and so hands in nothing more in it."""
    guard = get_spoiler_guard(place, game, now)
    if guard is not None and (guard.is_down or guard.must_record_opening):
        _mark_final(guard, game, by, now, acknowledged=guard.is_down)


def _mark_final(guard: SpoilerGuard, game: Game, by: User, now: datetime, *, acknowledged: bool) -> None:
    if guard.turn is None:
        return
    FinalSlip.objects.create(turn=guard.turn, player=guard.player, by=by, acknowledged=acknowledged, at=now)
    details = {"turn": guard.turn.number, "table": guard.player.table, "acknowledged": acknowledged}
    append_to_ledger(game=game, kind="final_slip", by=by, now=now, data=details)
