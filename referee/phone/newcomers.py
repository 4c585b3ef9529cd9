"""Limit on new players who join by phone, for each event and network. Players on the list join without a limit."""

from __future__ import annotations

import math

from django.utils.translation import ngettext

from referee.security.throttle import Rate, Throttle, ip_prefix
from tournaments.errors import Refused
from tournaments.models import Event

# A club behind one router may bring 120 at once and 30 more each minute.
NEW = Rate(per_second=0.5, burst=120)
NOTICED = Rate(per_second=1 / 30, burst=30)
_new = Throttle(NEW)
_unnoticed = Throttle(NOTICED)
_alarms = Throttle(Rate(per_second=1 / 300, burst=1))


def require_room(event: Event, address: str | None) -> None:
    """Count a new player of this network; refuse when there were too many. The desks hear of many."""
    code = event.code
    if _unnoticed.take(code) > 0.0 and _alarms.take(code) == 0.0:
        _tell_desks(event)
    wait = math.ceil(_new.take(f"{code} {ip_prefix(address)}"))
    if wait > 0:
        sentence = ngettext(
            "Many new players joined from this network: wait %(n)d second and try again, or ask the judge to add you.",
            "Many new players joined from this network: wait %(n)d seconds and try again, or ask the judge to add you.",
            wait,
        )
        raise Refused(sentence % {"n": wait})


def forget() -> None:
    """Count anew for all events."""
    for throttle in (_new, _unnoticed, _alarms):
        throttle.forget()


def _tell_desks(event: Event) -> None:
    from referee.live import relay

    relay.notify(relay.alarm("many_new_players", event_id=event.pk))
