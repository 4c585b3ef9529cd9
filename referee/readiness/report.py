"""All checks in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Max
from django.utils.translation import gettext_lazy, pgettext_lazy

from referee.readiness import clock, network, program, storage, system
from referee.readiness.finding import STATES, Finding, State
from referee.readiness.firewall import Firewall, read_firewall
from referee.readiness.reach import Confirmation
from referee.readiness.remedies import Remedy, list_remedies
from referee.readiness.services import check_services
from referee.server.addresses import lan_addresses
from referee.server.backup_scheduler import get_backup_folder
from referee.setup import database
from referee.setup.folders import Project
from tournaments.lexicons.word_lists import lists_folder
from tournaments.models import LedgerEntry
from tournaments.now import timeline

TITLES = {
    "python": gettext_lazy("Python"),
    "packages": gettext_lazy("Packages"),
    "fonts": gettext_lazy("Fonts"),
    "engine": gettext_lazy("Engine"),
    "word-lists": gettext_lazy("Word lists"),
    "data-folder": gettext_lazy("Data folder"),
    "database": gettext_lazy("Database"),
    "redis": gettext_lazy("Redis"),
    "worker": gettext_lazy("Worker"),
    "disk": gettext_lazy("Disk"),
    "backup-folder": gettext_lazy("Backups"),
    "backup-disk": gettext_lazy("Disk of the backups"),
    "clock": pgettext_lazy("of a computer", "Clock"),
    "time-zone": gettext_lazy("Time zone"),
    "memory": gettext_lazy("Memory"),
    "open-files": gettext_lazy("Open files"),
    "port": gettext_lazy("Port"),
    "network": gettext_lazy("Network"),
    "firewall": gettext_lazy("Firewall"),
    "phones": gettext_lazy("Phones"),
}


@dataclass(frozen=True, slots=True)
class Report:
    """Findings of all checks, and the steps for phones that cannot open the address."""

    findings: Sequence[Finding]
    remedies: Sequence[Remedy]

    @property
    def state(self) -> State:
        """The worst state of the findings."""
        return max((finding.state for finding in self.findings), key=STATES.index)


def make_report(port: int, *, is_serving: bool, confirmation: Confirmation | None = None) -> Report:
    """Run all checks; `is_serving` tells that this process is the server at that port."""
    addresses = lan_addresses()
    firewall = read_firewall(port, addresses[0]) if addresses else Firewall(is_readable=False)
    findings = [
        *_check_program(),
        *_check_storage(),
        *_check_computer(),
        network.check_port(port, is_ours=is_serving),
        network.check_network(addresses),
        network.check_firewall(firewall, port),
        network.check_phones(confirmation, addresses, port),
    ]
    return Report(findings, list_remedies(port, firewall.kind))


def _check_program() -> list[Finding]:
    return [
        system.check_python(),
        system.check_packages(system.read_pins(settings.BASE_DIR)),
        program.check_fonts(),
        program.check_engine(),
        program.check_word_lists(lists_folder()),
    ]


def _check_storage() -> list[Finding]:
    data, backups = Path(settings.DATA_DIR), get_backup_folder()
    return [
        storage.check_data_folder(data),
        *([storage.check_database(Project(settings.BASE_DIR, data))] if database.is_ours() else []),
        *check_services(),
        storage.check_disk("disk", data),
        storage.check_backup_folder(backups, is_chosen=bool(settings.BACKUP_DIR)),
        *([storage.check_disk("backup-disk", backups)] if settings.BACKUP_DIR else []),
    ]


def _check_computer() -> list[Finding]:
    return [
        clock.check_clock(
            datetime.now(UTC),
            program_of=clock.find_program_date(settings.BASE_DIR),
            newest_entry=_find_newest_entry(),
            off_ms=timeline.off_ms(),
        ),
        clock.check_time_zone(settings.TIME_ZONE),
        system.check_memory(system.get_available_memory_mb()),
        system.check_open_files(system.get_file_limit()),
    ]


def _find_newest_entry() -> datetime | None:
    """Return the time of the newest stored act. A file is read without opening it for writing: it may be damaged."""
    if database.is_ours():
        return database.newest_entry(Path(settings.DATA_DIR) / "multiplo.sqlite3")
    try:
        newest: datetime | None = LedgerEntry.objects.aggregate(newest=Max("at"))["newest"]
    except DatabaseError:  # check_services gives the reason
        return None
    return newest
