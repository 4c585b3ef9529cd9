"""Reviews by judges: accepted groups of slips, all clear groups at once, and slips of the spot check."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import get_drawing_room
from tournaments.judging.queries.judging_queue import queue_of
from tournaments.judging.queries.reviews import get_reviews, states_of
from tournaments.judging.queries.slip_groups import groups_of
from tournaments.judging.queries.spot_checks import spot_slips
from tournaments.judging.services import own_slips
from tournaments.judging.services.ruling_checks import get_unshown_turn, require_version
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import Game, GroupLook, Room, Turn, Verdict, players_in
from tournaments.play.services.game_lock import append_to_ledger, lock_room

KEY_IN_LEDGER = 16


def accept_groups(
    *,
    turn: Turn,
    groups: Sequence[str],
    version: str,
    by: User | None,
    now: datetime,
    word: str = "",
    room: Room | None = None,
) -> None:
    """Accept the verdict by rule for groups that one question decides.

    `version`: token of the state that the judge saw; `word`: the invalid word of these groups, if any.
    """
    room = room or get_drawing_room(turn.game.event)
    with lock_room(turn.game, room) as game:
        current = get_unshown_turn(game, turn, room)
        require_version(current, RulingRequest(by=by, now=now, version=version, room=room), groups, word)
        own = {
            name: mark
            for group in groups
            for name, mark in own_slips.own_slip_mark_of_group(current, group, by).items()
        }
        _record_review(game, current, room, groups, {"what": "groups", **own}, by, now)


def accept_clear_groups(*, turn: Turn, by: User | None, now: datetime, room: Room | None = None) -> int:
    """Accept all groups without a review flag; return their number."""
    room = room or get_drawing_room(turn.game.event)
    with lock_room(turn.game, room) as game:
        current = get_unshown_turn(game, turn, room)
        clear = [group.key for group in queue_of(groups_of(current, room=room)).to_accept]
        if not clear:
            raise AlreadyDone(_("All slips without doubt are accepted already."), act="look", what="clear")
        _record_review(game, current, room, clear, {"what": "clear"}, by, now)
    return len(clear)


def mark_slip_checked(*, turn: Turn, slip_id: int, by: User | None, now: datetime, room: Room | None = None) -> None:
    """Confirm that a slip of the spot check was typed correctly."""
    room = room or get_drawing_room(turn.game.event)
    with lock_room(turn.game, room) as game:
        current = get_unshown_turn(game, turn, room)
        clear = queue_of(groups_of(current, room=room)).clear
        waiting = {spot.slip_id: spot for spot in spot_slips(current, room, game.event.spot_check, clear)}
        if slip_id not in waiting:
            raise AlreadyDone(_("This slip does not wait for a spot check any more."))
        spot = waiting[slip_id]
        look = GroupLook.objects.create(turn=current, group=spot.group, slip_id=slip_id, state="", by=by, at=now)
        details = {"turn": current.number, "what": "spot check", "table": spot.table}
        append_to_ledger(game=game, kind="look", by=by, now=now, data=details, room=room)
        signals.send_slips_reviewed(look)


def _record_review(
    game: Game,
    turn: Turn,
    room: Room,
    groups: Collection[str],
    details: Mapping[str, object],
    by: User | None,
    now: datetime,
) -> None:
    """Store that these groups were reviewed in their present state; `details` go to the ledger entry."""
    states = states_of(turn, room, groups, get_reviews(turn, groups))
    if set(states) != set(groups):
        raise Refused(_("This group of slips no longer exists; look at the desk again."))
    looks = GroupLook.objects.bulk_create(
        GroupLook(turn=turn, group=group, state=state, by=by, at=now) for group, state in states.items()
    )
    slips = Verdict.objects.filter(turn=turn, group__in=groups, player__in=players_in(game, room)).count()
    keys = sorted(group[:KEY_IN_LEDGER] for group in groups)
    entry = {"turn": turn.number, **details, "slips": slips, "groups": keys}
    append_to_ledger(game=game, kind="look", by=by, now=now, data=entry, room=room)
    signals.send_slips_reviewed(looks[-1])
