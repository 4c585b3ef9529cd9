"""Limit on new players who join by phone, for each event and network. Players on the list join without a limit."""

from __future__ import annotations

import math

from django.utils.translation import ngettext

from referee.security.token_bucket import Rate, Throttle, ip_prefix
from tournaments.errors import Refused
from tournaments.models import Event

# A club behind one router may bring 120 at once and 30 more each minute.
NEW_PLAYERS_RATE = Rate(per_second=0.5, burst=120)
ALARM_RATE = Rate(per_second=1 / 30, burst=30)
_new_players = Throttle(NEW_PLAYERS_RATE)
_unnoticed = Throttle(ALARM_RATE)
_alarms = Throttle(Rate(per_second=1 / 300, burst=1))


def count_new_player(event: Event, address: str | None) -> None:
    """Count a new player of this network, and send an alarm if there are many. Raises Refused above the limit."""
    code = event.code
    if _unnoticed.take(code) > 0.0 and _alarms.take(code) == 0.0:
        _send_alarm(event)
    wait = math.ceil(_new_players.take(f"{code} {ip_prefix(address)}"))
    if wait > 0:
        sentence = ngettext(
            "Many new players joined from this network: wait %(n)d second and try again, or ask the judge to add you.",
            "Many new players joined from this network: wait %(n)d seconds and try again, or ask the judge to add you.",
            wait,
        )
        raise Refused(sentence % {"n": wait})


def reset_limit() -> None:
    """Reset the limits of all events."""
    for throttle in (_new_players, _unnoticed, _alarms):
        throttle.forget()


def _send_alarm(event: Event) -> None:
    from referee.live.rooms import broadcast

    broadcast.notify(broadcast.send_alarm("many_new_players", event_id=event.pk))
