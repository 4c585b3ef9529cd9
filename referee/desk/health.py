"""Health of a room: phones, slips, clock, disk, backup, database.

The desk shows one line, and the details behind it; each fault comes with a sentence that names the remedy.
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

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.live.monitoring import alarms
from referee.live.monitoring.clock_monitor import LARGEST_STEP_MS
from referee.live.monitoring.health import Health
from referee.live.rooms.live_server import get_room_health
from referee.security.permissions import STAFF
from referee.server.backup_scheduler import LOW_MB, BackupState, get_backup_state
from referee.server.database_outage import free_bytes
from tournaments.models import Player
from tournaments.now import utc_now
from tournaments.play.queries.live import last_act

Mood = Literal["ok", "warn", "bad"]
_MOODS: Sequence[Mood] = ("ok", "warn", "bad")

FEW_SHARE = 0.5
"""Share of phones whose loss is a fault. Single phones come and go as screens lock; half of them at once points to the
network."""
WEAK_SHARE = 0.1
"""Share of weak phones that is a fault. One weak phone is chance; one in ten means too few access points."""
LEAST_PHONES = 4
"""Number of phones below which a share means nothing."""
BACKUP_LATE = timedelta(minutes=3)
"""Age at which a backup is late. A backup follows an action within seconds, and slips within a minute."""
MOST_TABLES = 60


@dataclass(frozen=True, slots=True)
class Light:
    """One checked item: `text` states its condition, `remedy` the action that mends a fault."""

    name: str
    mood: Mood
    text: str
    remedy: str = ""


@desk_page("health", get=STAFF, spoiler=False)
def health(request: HttpRequest, desk: Desk) -> JsonResponse:
    """Answer with the health of the room as JSON; with `?tables` also the tables whose phones are weak."""
    signs = get_room_health((desk.event.pk, desk.room.pk))
    lights = _lights(desk, signs)
    mood = max((light.mood for light in lights), key=_MOODS.index)
    sentence = " ".join(light.remedy for light in lights if light.remedy) or _("Everything works.")
    tables = _tables(signs.weak) if "tables" in request.GET else []
    numbers = " · ".join(light.text for light in lights if light.name == "phones")
    answer = {"mood": mood, "told": sentence, "numbers": numbers, "tables": tables}
    return JsonResponse({**answer, "lights": [asdict(light) for light in lights]})


def _lights(desk: Desk, signs: Health) -> list[Light]:
    joined = Player.objects.filter(event=desk.event, room=desk.room).exclude(token_hash="").count()
    return [
        _phones(signs.phones, joined),
        _weak_phones(len(signs.weak), signs.phones),
        _slips(signs.slips_per_second),
        _clock(signs.clock_off_ms),
        _disk(free_bytes() // 1_000_000),
        *_backup(desk, get_backup_state()),
        _database(signs.outage),
    ]


def _phones(connected: int, joined: int) -> Light:
    if not joined:
        return Light("phones", "ok", _("no phones yet"))
    text = ngettext(
        "%(connected)d of %(joined)d phone connected", "%(connected)d of %(joined)d phones connected", joined
    )
    sentence = text % {"connected": connected, "joined": joined}
    if joined < LEAST_PHONES or connected >= FEW_SHARE * joined:
        return Light("phones", "ok", sentence)
    remedy = _("Many phones have lost the network: look at the router or the hot spot. Their drafts are kept.")
    return Light("phones", "warn", sentence, remedy)


def _weak_phones(weak: int, connected: int) -> Light:
    if not weak:
        return Light("weak", "ok", _("none"))
    text = ngettext("%(n)d phone is slow or silent", "%(n)d phones are slow or silent", weak) % {"n": weak}
    if connected < LEAST_PHONES or weak <= WEAK_SHARE * connected:
        return Light("weak", "ok", text)
    remedy = _("Many phones have a weak signal: bring the access point nearer, or give these tables paper.")
    return Light("weak", "warn", text, remedy)


def _slips(per_second: float) -> Light:
    number = number_format(per_second, decimal_pos=1 if 0 < per_second < 10 else 0)
    return Light("slips", "ok", _("%(n)s slips a second") % {"n": number})


def _clock(off_ms: int) -> Light:
    if abs(off_ms) <= LARGEST_STEP_MS:
        return Light("clock", "ok", _("keeps time"))
    text = _("%(seconds)s s off the computer's clock") % {"seconds": number_format(round(off_ms / 1000, 1), 1)}
    remedy = _("The clock of this computer was set: the turn keeps its time. Leave the clock alone until it is over.")
    return Light("clock", "warn", text, remedy)


def _disk(free_mb: int) -> Light:
    if free_mb >= LOW_MB:
        return Light("disk", "ok", _("%(gb)s GB free") % {"gb": number_format(free_mb / 1000, 1)})
    remedy = alarms.build_sentence("disk_low", {**alarms.get_storage_details(), "mb": free_mb})
    return Light("disk", "bad", _("%(mb)d MB free") % {"mb": free_mb}, remedy)


def _backup(desk: Desk, state: BackupState | None) -> list[Light]:
    """Return the condition of the backup; None if another program makes backups, as for a database server."""
    if state is None:
        return []
    text = state.sentence(time.time())
    if state.failed:
        details = {"folder": str(state.folder), "reason": state.failed}
        return [Light("backup", "bad", text, alarms.build_sentence("backup_failed", details))]
    acted_at = last_act(desk.game)
    behind = acted_at is not None and (state.made_at or 0.0) < acted_at.timestamp()
    if acted_at is None or not behind or utc_now() - acted_at < BACKUP_LATE:
        return [Light("backup", "ok", text)]
    remedy = _("The newest backup is out of date: is the disk or stick for the backups very slow?")
    return [Light("backup", "warn", text, remedy)]


def _database(outage: str | None) -> Light:
    if outage is None:
        return Light("database", "ok", _("works"))
    return Light(
        "database", "bad", _("cannot store anything"), alarms.build_sentence(outage, alarms.get_storage_details())
    )


def _tables(players: Sequence[int]) -> list[int]:
    weak = Player.objects.filter(pk__in=players[:MOST_TABLES]).order_by("table")
    return list(weak.values_list("table", flat=True))
