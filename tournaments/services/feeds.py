"""The secret link by which a room follows from its own server: given out, taken back, used."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Entry, FeedLink, Player, Room
from tournaments.selectors.events import current_game
from tournaments.selectors.players import hash_of
from tournaments.services.acting import acting_on, record


def give_link(*, room: Room, token: str, by: User | None, now: datetime) -> FeedLink:
    """Let a room play on its own server, by this secret; the one before, if there was one, opens nothing any more.

    Nobody may sit in the room here: its players come with what it hands in.
    """
    with acting_on(current_game(room.event)) as game:
        if room.is_drawing:
            raise Refused(_("The drawing room stays: the others follow it."))
        here = Player.objects.filter(room=room, home_table=None)
        if here.exists() or Entry.objects.filter(room=room, player__home_table=None).exists():
            raise Refused(
                _("Somebody sits in the room “%(room)s” here: add another room for the one that plays elsewhere.")
                % {"room": room.name}
            )
        Room.objects.filter(pk=room.pk).update(offset_s=None)
        given = {"token_hash": hash_of(token), "made_at": now}
        link, _made = FeedLink.objects.update_or_create(room=room, defaults=given)
        record(game=game, kind="feed", by=by, now=now, data={"room": room.name, "act": "given"})
        signals.changed(game)
    return link


def take_link_back(*, room: Room, by: User | None, now: datetime) -> None:
    """Let the link open nothing any more; what was handed in stays."""
    with acting_on(current_game(room.event)) as game:
        if not FeedLink.objects.filter(room=room, token_hash__isnull=False).update(token_hash=None):
            raise AlreadyDone(_("This link has been taken back already."))
        record(game=game, kind="feed", by=by, now=now, data={"room": room.name, "act": "taken back"})
        signals.changed(game)


def heard(*, link: FeedLink, now: datetime) -> None:
    """The room has asked: its line is there."""
    FeedLink.objects.filter(pk=link.pk).update(heard_at=now)
