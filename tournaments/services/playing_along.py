"""A judge who plays along: where he sits, when his slip is final, when his desk has shown him the turn."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import FinalSlip, Game, Membership, Player
from tournaments.selectors.events import current_game
from tournaments.selectors.playing_along import Veil, veil_of
from tournaments.selectors.staff import name_of
from tournaments.services.acting import acting_on, record


def play_at(*, place: Membership, table: int, by: User, now: datetime) -> Player:
    """From now on this judge is the player at this table, and his desk hides each turn until his slip is final."""
    with acting_on(current_game(place.event)) as game:
        player = Player.objects.filter(event=place.event_id, table=table).first()
        if player is None:
            raise Refused(_("Nobody sits at table %(table)d; add the player first.") % {"table": table})
        if place.plays_as_id == player.pk:
            raise AlreadyDone(_("You play at table %(table)d already.") % {"table": table})
        other = Membership.objects.filter(event=place.event_id, plays_as=player).select_related("user").first()
        if other is not None:
            raise Refused(
                _("%(name)s plays at table %(table)d; choose your own one.")
                % {"name": name_of(other.user), "table": table}
            )
        _leave(place, game, by, now)
        Membership.objects.filter(pk=place.pk).update(plays_as=player)
        place.plays_as = player
        record(game=game, kind="plays_along", by=by, now=now, data={"table": table})
        signals.changed(game)
    return player


def play_no_more(*, place: Membership, by: User, now: datetime) -> None:
    """His desk hides nothing any more; of the turn that is being played his slip stays as it is."""
    with acting_on(current_game(place.event)) as game:
        if place.plays_as_id is None:
            raise AlreadyDone(_("You do not play along."))
        _leave(place, game, by, now)
        Membership.objects.filter(pk=place.pk).update(plays_as=None)
        place.plays_as = None
        record(game=game, kind="plays_along", by=by, now=now, data={"table": None})
        signals.changed(game)


def slip_is_final(*, place: Membership, by: User, now: datetime) -> None:
    """The judge says that his slip of this turn is his last one: his desk opens, and nothing replaces the slip."""
    with acting_on(current_game(place.event)) as game:
        veil = veil_of(place, game, now)
        if veil is None or not veil.is_down:
            raise AlreadyDone(_("Your desk is open already."))
        if veil.hides_rack:
            raise Refused(_("Announce the rack first."))
        if not veil.slip_in:
            raise Refused(_("Your slip is not in yet: send it from your phone first."))
        _close_book(veil, game, by, now, acknowledged=True)


def desk_opened(*, place: Membership, by: User, now: datetime) -> None:
    """The time is up, and the desk of this judge is about to show him the turn: from now on his slip stays as it is."""
    with acting_on(current_game(place.event)) as game:
        veil = veil_of(place, game, now)
        if veil is not None and veil.to_note:
            _close_book(veil, game, by, now, acknowledged=False)


def _leave(place: Membership, game: Game, by: User, now: datetime) -> None:
    """Whoever stops in mid-turn may see it at once, and so hands in nothing more in it."""
    veil = veil_of(place, game, now)
    if veil is not None and (veil.is_down or veil.to_note):
        _close_book(veil, game, by, now, acknowledged=veil.is_down)


def _close_book(veil: Veil, game: Game, by: User, now: datetime, *, acknowledged: bool) -> None:
    if veil.turn is None:
        return
    FinalSlip.objects.create(turn=veil.turn, player=veil.player, by=by, acknowledged=acknowledged, at=now)
    told = {"turn": veil.turn.number, "table": veil.player.table, "acknowledged": acknowledged}
    record(game=game, kind="final_slip", by=by, now=now, data=told)
