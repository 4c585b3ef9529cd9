"""Time controls: how long a turn lasts, and when its time is called.

Source of the five and of the calls: FISF, paragraph 3.3 as far as known ("thirty seconds", twenty at 1:30 and 1:00).
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.i18n import N_
from engine.rules.profile import Profile

TIME_CONTROLS: Mapping[int, str] = {
    180: N_("normal"),
    150: N_("semi-normal"),
    120: N_("semi-rapid"),
    90: N_("semi-blitz"),
    60: N_("blitz"),
}
"""Seconds of a turn, and what the federation calls it."""

_SHORT_CLOCK, _CALL, _SHORT_CALL = 90, 30, 20


def call_times(profile: Profile, clock_s: int) -> tuple[int, ...]:
    """Times at which the remaining time is called, in seconds before the end, with so many seconds a turn.

    At the profile's own clock its calls. At another one those of them that come in the second half of the turn; with
    1:30 and less, twenty seconds instead of thirty. For rules that are not the federation's this is our default.
    """
    if clock_s == profile.clock_s:
        return profile.calls_s
    short = clock_s <= _SHORT_CLOCK
    called = (_SHORT_CALL if short and call == _CALL else call for call in profile.calls_s)
    return tuple(call for call in dict.fromkeys(called) if 2 * call <= clock_s)


def apply_time_control(profile: Profile, clock_s: int, *, own_calls: bool = False) -> Profile:
    """The rules with so many seconds a turn; the calls follow, unless the organiser has set `own_calls`.

    `ProfileError` for a clock that cannot be.
    """
    called = profile.calls_s if own_calls else call_times(profile, clock_s)
    return profile.with_switches(clock_s=clock_s, calls_s=list(called))
