"""Texts of alarms on the desks; each names the fault and the remedy."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Details = Mapping[str, int | str]


def build_sentence(kind: str, details: Details) -> str:
    """Build the text of an alarm in the active language."""
    return _SENTENCES[kind](details)


def get_storage_details() -> Details:
    """Return the details of alarms about the storage: its folder, or that it is a database server."""
    return {"folder": str(settings.DATA_DIR), "server": int(connection.vendor == "postgresql")}


def build_phone_sentence(kind: str) -> str:
    """Build the sentence about an outage for phones, in the active language."""
    if kind.startswith("redis"):
        return _("The server is slower than usual at this moment: changes appear after a second or two.")
    return _("The server cannot store slips at this moment: yours is kept on this phone and sent again by itself.")


def _clock_step(details: Details) -> str:
    seconds = max(1, round(abs(int(details["ms"])) / 1000))
    if details.get("database"):
        set_by = ngettext(
            "The clock of the database was changed by %(seconds)d second.",
            "The clock of the database was changed by %(seconds)d seconds.",
            seconds,
        )
    else:
        set_by = ngettext(
            "The clock of this computer was changed by %(seconds)d second.",
            "The clock of this computer was changed by %(seconds)d seconds.",
            seconds,
        )
    set_by %= {"seconds": seconds}
    if details.get("turn"):
        return f"{set_by} " + _("The turn keeps its time; the new time counts from the next turn on.")
    return f"{set_by} " + _("No turn is under way, so the new time counts from now on.")


def _server_clock(details: Details) -> str:
    sentence = _("The clock of a server differs by %(ms)d ms from the clock of the database.") % {"ms": details["ms"]}
    if details.get("takes_slips"):
        return f"{sentence} " + _("Check the time service (NTP) of both.")
    return f"{sentence} " + _("This server takes no slips until the turn is over; phones keep them and try again.")


def _not_stored(details: Details) -> str:
    return _("Slips cannot be stored at this moment; the phones keep them and send them again. Is the disk full?")


def _disk_full(details: Details) -> str:
    if details["server"]:
        cause = _("The disk of the database server is full, and nothing can be stored: make room on it now.")
        return f"{cause} {_kept()}"
    return _(
        "The disk with %(folder)s is full, and nothing can be stored: make room on it now. "
        "The phones keep their slips and send them again by themselves."
    ) % {"folder": details["folder"]}


def _disk_low(details: Details) -> str:
    return _("Only %(mb)d MB are free on the disk with %(folder)s: make room before the next turn.") % {
        "mb": details["mb"],
        "folder": details["folder"],
    }


def _read_only(details: Details) -> str:
    if details["server"]:
        cause = _("The database takes no changes (it is a standby, or set to read only): let it be written to again.")
        return f"{cause} {_kept()}"
    return _(
        "The folder %(folder)s cannot be written to, and nothing can be stored: make it writable again. "
        "The phones keep their slips and send them again by themselves."
    ) % {"folder": details["folder"]}


def _locked(details: Details) -> str:
    if details["server"]:
        cause = _("Another program holds a lock in the database: end its transaction.")
        return f"{cause} {_kept()}"
    return _(
        "Another program holds the database in %(folder)s: close it (a database program, a backup, a virus scanner). "
        "Slips wait until then; none is lost."
    ) % {"folder": details["folder"]}


def _kept() -> str:
    return _("The phones keep their slips and send them again by themselves.")


def _no_connection(details: Details) -> str:
    cause = _("The database server cannot be reached: check that it runs and that the network to it works.")
    return f"{cause} {_kept()}"


def _no_answer(details: Details) -> str:
    cause = _("The database server does not answer: check its load, its disk and the network to it.")
    return f"{cause} {_kept()}"


def _restarting(details: Details) -> str:
    cause = _("The database server is starting or shutting down: wait, or start it again.")
    return f"{cause} {_kept()}"


def _wrong_password(details: Details) -> str:
    cause = _("The database server refuses this program: check the user and the password in DATABASE_URL.")
    return f"{cause} {_kept()}"


def _many_connections(details: Details) -> str:
    cause = _("The database server takes no more connections: raise its max_connections.")
    return f"{cause} {_kept()}"


def _redis_away(details: Details) -> str:
    return _(
        "Redis cannot be reached: start it again. Until then changes appear after a second or two; no slip is lost."
    )


def _redis_no_answer(details: Details) -> str:
    return _(
        "Redis does not answer: check its load and the network to it. Until then changes appear after a second or two; "
        "no slip is lost."
    )


def _redis_again(details: Details) -> str:
    return _("Redis can be reached again.")


def _stored_again(details: Details) -> str:
    return _("Everything can be stored again; the phones send what has waited.")


def _backup_failed(details: Details) -> str:
    return _(
        "The backup to %(folder)s failed (%(reason)s): put the stick back in or make room on it. "
        "The backups then go on by themselves."
    ) % {"folder": details["folder"], "reason": details["reason"]}


def _backup_again(details: Details) -> str:
    return _("The backups to %(folder)s go on.") % {"folder": details["folder"]}


def _many_wrong_codes(details: Details) -> str:
    return _("Somebody is trying one wrong code after the other. Players with the right code join as usual.")


def _new_address(details: Details) -> str:
    return _("This computer now has the address %(address)s: phones that lost the connection open this one.") % {
        "address": details["address"]
    }


def _many_new_players(details: Details) -> str:
    return _(
        "Many players who are not on the list are joining. If you do not know them, open the page Players: "
        "let only listed players join, and remove all without slips."
    )


def _new_phone(details: Details) -> str:
    return _(
        "%(name)s (table %(table)s) asks to play with a new phone. If it is their own, press “Allow another phone” "
        "on the page Players."
    ) % {"name": details["name"], "table": details["table"]}


_SENTENCES: dict[str, Callable[[Details], str]] = {
    "clock_step": _clock_step,
    "server_clock": _server_clock,
    "not_stored": _not_stored,
    "disk_full": _disk_full,
    "disk_low": _disk_low,
    "read_only": _read_only,
    "locked": _locked,
    "no_connection": _no_connection,
    "no_answer": _no_answer,
    "restarting": _restarting,
    "wrong_password": _wrong_password,
    "many_connections": _many_connections,
    "redis_away": _redis_away,
    "redis_no_answer": _redis_no_answer,
    "redis_again": _redis_again,
    "stored_again": _stored_again,
    "backup_failed": _backup_failed,
    "backup_again": _backup_again,
    "many_wrong_codes": _many_wrong_codes,
    "many_new_players": _many_new_players,
    "new_address": _new_address,
    "new_phone": _new_phone,
}
