"""Requests of players for their new phone: the desks of the event hear of each once in a while."""

from __future__ import annotations

from referee.live.rooms import broadcast
from referee.security.token_bucket import Rate, Throttle
from tournaments.models import Player

_requests = Throttle(Rate(per_second=1 / 30, burst=1))


def ask_judge(player: Player) -> None:
    """Tell the desks that a player wants to play with another phone."""
    if _requests.take(str(player.pk)) == 0.0:
        details = {"event_id": player.event_id, "table": player.table, "name": player.name}
        broadcast.notify(broadcast.send_alarm("new_phone", **details))
