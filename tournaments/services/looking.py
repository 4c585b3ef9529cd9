"""What judges have looked at: a group whose verdict by rule stands, all that is clear, a slip of the spot check."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Game, GroupLook, Room, Turn, Verdict, players_in
from tournaments.selectors.events import first_room
from tournaments.selectors.groups import groups_of
from tournaments.selectors.judging_queue import queue_of
from tournaments.selectors.looks import looks_at, states_of
from tournaments.selectors.spot_checks import spot_slips
from tournaments.services import own_slips
from tournaments.services.acting import acting_on, record
from tournaments.services.colleagues import demand_version
from tournaments.services.rulings import unshown

KEY_IN_LEDGER = 16


def accept(
    *,
    turn: Turn,
    groups: Sequence[str],
    version: str,
    by: User | None,
    now: datetime,
    word: str = "",
    room: Room | None = None,
) -> None:
    """Let the verdict of the rules stand on these groups, which one question decides. `version`: what the judge saw;
    `word`: the one that they fail for, if it is a word."""
    with acting_on(turn.game) as game:
        room = room or first_room(game.event)
        current = unshown(game, turn, room)
        demand_version(current, room, groups, version, by, word)
        own = {name: mark for group in groups for name, mark in own_slips.mark_of_group(current, group, by).items()}
        _look(game, current, room, groups, {"what": "groups", **own}, by, now)


def accept_clear(*, turn: Turn, by: User | None, now: datetime, room: Room | None = None) -> int:
    """Accept all groups in which nothing is in doubt; how many there were."""
    with acting_on(turn.game) as game:
        room = room or first_room(game.event)
        current = unshown(game, turn, room)
        clear = [group.key for group in queue_of(groups_of(current, room=room)).to_accept]
        if not clear:
            raise AlreadyDone(_("All clear groups are accepted already."))
        _look(game, current, room, clear, {"what": "clear"}, by, now)
    return len(clear)


def check_slip(*, turn: Turn, slip_id: int, by: User | None, now: datetime, room: Room | None = None) -> None:
    """A slip of the spot check is right as it stands."""
    with acting_on(turn.game) as game:
        room = room or first_room(game.event)
        current = unshown(game, turn, room)
        clear = queue_of(groups_of(current, room=room)).clear
        waiting = {spot.slip_id: spot for spot in spot_slips(current, room, game.event.spot_check, clear)}
        if slip_id not in waiting:
            raise AlreadyDone(_("This slip does not wait for a spot check any more."))
        spot = waiting[slip_id]
        look = GroupLook.objects.create(turn=current, group=spot.group, slip_id=slip_id, state="", by=by, at=now)
        told = {"turn": current.number, "what": "spot check", "table": spot.table}
        record(game=game, kind="look", by=by, now=now, data=told)
        signals.looked(look)


def _look(
    game: Game,
    turn: Turn,
    room: Room,
    groups: Collection[str],
    told: Mapping[str, object],
    by: User | None,
    now: datetime,
) -> None:
    """Note that these groups were looked at as they stand, and how: `told`, for the ledger."""
    states = states_of(turn, room, groups, looks_at(turn, groups))
    if set(states) != set(groups):
        raise Refused(_("This group of slips is not there any more; look at the desk again."))
    looks = GroupLook.objects.bulk_create(
        GroupLook(turn=turn, group=group, state=state, by=by, at=now) for group, state in states.items()
    )
    slips = Verdict.objects.filter(turn=turn, group__in=groups, player__in=players_in(game, room)).count()
    keys = sorted(group[:KEY_IN_LEDGER] for group in groups)
    entry = {"turn": turn.number, **told, "slips": slips, "groups": keys}
    record(game=game, kind="look", by=by, now=now, data=entry)
    signals.looked(looks[-1])
