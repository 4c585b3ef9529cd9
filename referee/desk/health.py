"""Whether all is well with a room: phones, slips, clock, disk, backup, database. One line at the desk, and more behind
it; a sentence with the remedy when something is not well.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Literal

from django.http import HttpRequest, JsonResponse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from referee.live import alarms
from referee.live.guard import LARGEST_STEP_MS
from referee.live.house import vital_signs
from referee.live.vital_signs import VitalSigns
from referee.outages import free_bytes
from referee.serving.keeper import LOW_MB, State, present_state
from tournaments.models import Player
from tournaments.now import utc_now
from tournaments.selectors.live import last_act

Mood = Literal["ok", "warn", "bad"]
_MOODS: Sequence[Mood] = ("ok", "warn", "bad")

FEW_SHARE = 0.5
"""Single phones come and go, because their screens lock; half of them at once is the network."""
WEAK_SHARE = 0.1
"""One phone in a corner is nobody's fault; every tenth one is too few access points."""
LEAST_PHONES = 4
"""With fewer phones a share says nothing."""
BACKUP_LATE = timedelta(minutes=3)
"""A backup follows an act within seconds, and within a minute while slips come; three are too many."""
MOST_TABLES = 60


@dataclass(frozen=True, slots=True)
class Light:
    """One of the things that are looked at: `text` says how it stands, `remedy` what to do when it is not well."""

    name: str
    mood: Mood
    text: str
    remedy: str = ""


@require_GET
@at_desk
def health(request: HttpRequest, desk: Desk) -> JsonResponse:
    """The lights of the strip; with `?tables` the tables whose phones are weak."""
    signs = vital_signs((desk.event.pk, desk.room.pk))
    lights = _lights(desk, signs)
    mood = max((light.mood for light in lights), key=_MOODS.index)
    told = " ".join(light.remedy for light in lights if light.remedy) or _("All is well.")
    tables = _tables(signs.weak) if "tables" in request.GET else []
    numbers = " · ".join(light.text for light in lights if light.name in ("phones", "slips"))
    answer = {"mood": mood, "told": told, "numbers": numbers, "tables": tables}
    return JsonResponse({**answer, "lights": [asdict(light) for light in lights]})


def _lights(desk: Desk, signs: VitalSigns) -> list[Light]:
    joined = Player.objects.filter(event=desk.event, room=desk.room).exclude(token_hash="").count()
    return [
        _phones(signs.phones, joined),
        _weak(len(signs.weak), signs.phones),
        _slips(signs.slips_per_second),
        _clock(signs.clock_off_ms),
        _disk(free_bytes() // 1_000_000),
        *_backup(desk, present_state()),
        _database(signs.outage),
    ]


def _phones(connected: int, joined: int) -> Light:
    if not joined:
        return Light("phones", "ok", _("no phones yet"))
    text = ngettext(
        "%(connected)d of %(joined)d phone connected", "%(connected)d of %(joined)d phones connected", joined
    )
    told = text % {"connected": connected, "joined": joined}
    if joined < LEAST_PHONES or connected >= FEW_SHARE * joined:
        return Light("phones", "ok", told)
    remedy = _("Many phones have lost the network: look at the router or the hot spot. Their drafts are kept.")
    return Light("phones", "warn", told, remedy)


def _weak(weak: int, connected: int) -> Light:
    if not weak:
        return Light("weak", "ok", _("none"))
    text = ngettext("%(n)d phone is slow or silent", "%(n)d phones are slow or silent", weak) % {"n": weak}
    if connected < LEAST_PHONES or weak <= WEAK_SHARE * connected:
        return Light("weak", "ok", text)
    remedy = _("Many phones have a weak signal: bring the access point nearer, or give these tables paper.")
    return Light("weak", "warn", text, remedy)


def _slips(per_second: float) -> Light:
    shown = number_format(per_second, decimal_pos=1 if 0 < per_second < 10 else 0)
    return Light("slips", "ok", _("%(n)s slips a second") % {"n": shown})


def _clock(off_ms: int) -> Light:
    if abs(off_ms) <= LARGEST_STEP_MS:
        return Light("clock", "ok", _("keeps time"))
    text = _("%(seconds)s s off the computer's clock") % {"seconds": number_format(round(off_ms / 1000, 1), 1)}
    remedy = _("The clock of this computer was set: the turn keeps its time. Leave the clock alone until it is over.")
    return Light("clock", "warn", text, remedy)


def _disk(free_mb: int) -> Light:
    if free_mb >= LOW_MB:
        return Light("disk", "ok", _("%(gb)s GB free") % {"gb": number_format(free_mb / 1000, 1)})
    remedy = alarms.sentence("disk_low", {**alarms.here(), "mb": free_mb})
    return Light("disk", "bad", _("%(mb)d MB free") % {"mb": free_mb}, remedy)


def _backup(desk: Desk, state: State | None) -> list[Light]:
    """None where another program keeps backups, as of a database server."""
    if state is None:
        return []
    text = state.sentence(time.time())
    if state.failed:
        told = {"folder": str(state.folder), "reason": state.failed}
        return [Light("backup", "bad", text, alarms.sentence("backup_failed", told))]
    acted_at = last_act(desk.game)
    behind = acted_at is not None and (state.made_at or 0.0) < acted_at.timestamp()
    if acted_at is None or not behind or utc_now() - acted_at < BACKUP_LATE:
        return [Light("backup", "ok", text)]
    remedy = _("The newest backup is older than what was done since: is the disk or stick of the backups very slow?")
    return [Light("backup", "warn", text, remedy)]


def _database(outage: str | None) -> Light:
    if outage is None:
        return Light("database", "ok", _("stores everything"))
    return Light("database", "bad", _("does not store"), alarms.sentence(outage, alarms.here()))


def _tables(players: Sequence[int]) -> list[int]:
    weak = Player.objects.filter(pk__in=players[:MOST_TABLES]).order_by("table")
    return list(weak.values_list("table", flat=True))
