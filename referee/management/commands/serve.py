"""`manage.py serve`: run the whole program in one process."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from referee import task_dispatch
from referee.live.rooms import broadcast
from referee.readiness.reach import reach_test
from referee.security.login import make_link_token
from referee.server import addresses, restart
from referee.server.backup_scheduler import BackupScheduler, get_backup_folder
from referee.server.data_lock import lock_data_folder
from referee.server.demo import open_demo
from referee.server.local_name import LocalName
from referee.server.preparation import start_preparation
from referee.server.start_checks import require_start
from referee.server.startup_banner import (
    ListeningAddresses,
    local_name_text,
    new_address_text,
    shutdown_text,
    startup_text,
)
from referee.server.summary_refresher import SummaryRefresher
from referee.server.terminal_language import get_terminal_language
from referee.server.tls.certificate import BadCertificate
from referee.server.tls.https import HttpsSetup
from referee.server.uvicorn_overrides import ALONE, IN_CLUSTER, NotifyingServer
from referee.server.uvicorn_server import CannotListen, allow_many_sockets, configuration, listen
from tournaments.documents.services import documents
from tournaments.errors import Refused
from tournaments.events.queries.events import events_of
from tournaments.lexicons import list_builds
from tournaments.now import utc_now
from tournaments.prepared.services import prepared_games
from tournaments.publishing.services import website_runs
from tournaments.staff.services.login_links import first_judge

ADDRESS_CHECK_S = 5.0
NAME_WAIT_S = 1.0


class Command(BaseCommand):
    """Command that starts the server and prints its addresses."""

    help = "Start the program: the judge's desk opens in the browser, players join with their phones."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument(
            "--host", default=addresses.EVERYWHERE[0], help="address to listen on (default: all of them)"
        )
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
        parser.add_argument("--data", metavar="DIR", help="folder that keeps the data (default: var)")
        parser.add_argument("--no-browser", action="store_true", help="only print the judge's link")
        parser.add_argument("--no-link", action="store_true", help="do not print it either: judge-link makes one")
        parser.add_argument(
            "--demo", action="store_true", help="begin with a demo: eight simulated players, if there is no event"
        )
        secure = parser.add_mutually_exclusive_group()
        secure.add_argument("--tls", nargs=2, metavar=("CERT", "KEY"), help="serve https with this certificate (PEM)")
        secure.add_argument("--tls-ca", action="store_true", help="serve https with a certificate of Multiplo's own")
        parser.add_argument("--no-mdns", action="store_true", help="offer no name (multiplo.local) in the network")
        parser.add_argument("--backup", metavar="DIR", help="folder for backups, for example on a USB stick")

    def handle(
        self,
        *,
        host: str,
        port: int,
        no_browser: bool,
        no_link: bool,
        demo: bool,
        backup: str | None,
        tls: list[str] | None,
        tls_ca: bool,
        no_mdns: bool,
        **_options: Any,
    ) -> None:
        """Serve until Ctrl-C."""
        if backup:
            settings.BACKUP_DIR = backup
        require_start(serves_pages=True)
        with translation.override(get_terminal_language()):
            try:
                listener = listen(host, port)
                self._secure = HttpsSetup.chosen(tls, own=tls_ca, plain=ListeningAddresses.at(host, port))
            except (CannotListen, BadCertificate) as fault:
                self.stderr.write(fault.sentence)
                sys.exit(2)
            place = self._secure.place(host, listener.getsockname()[1])
            _allow_hosts(place)
            _publish(place, instead_of=None)
            allow_many_sockets()
            has_name = (
                not no_mdns and host in addresses.EVERYWHERE and settings.EMBEDDED
            )  # several processes have a front
            self._local_name = OfferedName(place, self._say, is_wanted=has_name)
            self._held = lock_data_folder(Path(settings.DATA_DIR))
            self._prepare(demo)
            # The logs of a service or cluster are kept and read by others, so its link comes from a command.
            link = "" if no_link or not settings.EMBEDDED else _make_link(place)
            self._serve(place, listener, link, open_browser=not no_browser)

    def _prepare(self, demo: bool) -> None:
        """Prepare the data for the first page."""
        judge = first_judge()
        if settings.EMBEDDED:  # otherwise other processes may be working on them
            documents.fail_unfinished(now=utc_now())
            prepared_games.fail_unfinished()
            list_builds.fail_unfinished()
            website_runs.fail_unfinished()
            task_dispatch.judge_waiting_returns()
        try:
            start_preparation()
        except Refused as refusal:
            self.stderr.write(refusal.sentence)
        if demo and not settings.EMBEDDED:
            self.stderr.write(_("The demo is for one process: without REDIS_URL, it plays and can be stopped."))
        elif demo and not events_of(judge).exists():
            try:
                open_demo(by=judge, now=utc_now(), language=translation.get_language() or settings.LANGUAGE_CODE)
            except Refused as refusal:
                self.stderr.write(refusal.sentence)

    def _serve(self, place: ListeningAddresses, listener: Any, link: str, *, open_browser: bool) -> None:
        language, encoding = translation.get_language(), self.stdout.encoding
        ended, ending = threading.Event(), threading.Lock()
        backup_scheduler, summary_refresher = _create_backup_scheduler(), SummaryRefresher()

        def on_ready() -> None:
            with translation.override(language):
                name = self._local_name.show()
                self._say(startup_text(place, link, encoding, self._secure.ca_fingerprint, name))
            if open_browser and link and _has_screen():
                threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
            threading.Thread(target=self._watch_addresses, args=(place, ended, language), daemon=True).start()
            if backup_scheduler is not None:
                backup_scheduler.start()
            summary_refresher.start()

        def on_end() -> None:
            with ending, translation.override(language):  # the watchdog of the server waits while files are renamed
                if ended.is_set():
                    return
                ended.set()
                self._local_name.stop()
                if restart.is_restarting():
                    self._say("\n" + _("Multiplo starts again with the restored backup."))
                    restart.start_again(place.port)
                self._say("\n" + shutdown_text(str(settings.DATA_DIR)))

        limits = ALONE if settings.EMBEDDED else IN_CLUSTER
        server = NotifyingServer(configuration(self._secure.context(place)), on_ready, on_end, limits)
        restart.allow_restart(lambda: server.handle_exit(signal.SIGTERM, None), self._held)
        server.run(sockets=[listener])
        summary_refresher.stop()
        if backup_scheduler is not None:
            backup_scheduler.stop()
        on_end()

    def _watch_addresses(self, place: ListeningAddresses, ended: threading.Event, language: str | None) -> None:
        """Update the addresses when the laptop joins a network or changes its address during a game."""
        while not ended.wait(ADDRESS_CHECK_S):
            present = self._secure.place(place.host, place.port)
            self._local_name.offer(present)
            if present.hall not in (None, place.hall):
                _allow_hosts(present)
                _publish(present, instead_of=place)
                reach_test.start_again()
                broadcast.notify(broadcast.send_alarm("new_address", address=present.hall))
                with translation.override(language):
                    self._say(new_address_text(present, self.stdout.encoding))
            place = present if present.hall is not None else place

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _make_link(place: ListeningAddresses) -> str:
    """Return a link that opens the judge's desk once."""
    return place.local + reverse("enter", args=[make_link_token(first_judge())])


def _allow_hosts(place: ListeningAddresses) -> None:
    """Accept requests by every name of this computer."""
    certified = place.certificate.names if place.certificate else ()
    names = ["localhost", "127.0.0.1", *place.addresses, *addresses.own_names(), *certified]
    addresses.allow_hosts([name for name in names if "*" not in name], place.port, place.scheme)


def _publish(place: ListeningAddresses, instead_of: ListeningAddresses | None) -> None:
    """Set the address that pages show to phones, unless the environment sets one."""
    ours = "" if instead_of is None else instead_of.hall or ""
    if ours == settings.PUBLIC_URL:
        settings.PUBLIC_URL = place.hall or ""


class OfferedName:
    """The name of this server in the local network, for banner and pages, next to its address."""

    def __init__(self, place: ListeningAddresses, say: Callable[[str], None], *, is_wanted: bool) -> None:
        self._say, self._language = say, translation.get_language()
        self._is_banner_shown = False
        self._lock = threading.Lock()
        self._name = LocalName(place.port, self._publish) if is_wanted else None
        self._place = replace(place, addresses=())
        self.offer(place)

    def offer(self, place: ListeningAddresses) -> None:
        """Register the name for the present addresses, if they have changed."""
        if self._name is not None and place.addresses != self._place.addresses:
            self._place, settings.LOCAL_NAME_URL = place, ""
            self._name.offer(place.addresses)

    def show(self) -> str:
        """Return the address with the name for the banner; a name that is found later is said by itself."""
        if self._name is not None and self._place.addresses:
            self._name.wait(NAME_WAIT_S)
        with self._lock:
            self._is_banner_shown = True
            return settings.LOCAL_NAME_URL

    def stop(self) -> None:
        """Take the name out of the network."""
        if self._name is not None:
            self._name.stop()

    def _publish(self, name: str) -> None:
        certificate = self._place.certificate
        if not name or (certificate is not None and not certificate.covers(name)):
            settings.LOCAL_NAME_URL = ""
            return
        addresses.allow_hosts([name], self._place.port, self._place.scheme)
        with self._lock, translation.override(self._language):
            settings.LOCAL_NAME_URL = f"{self._place.scheme}://{name}:{self._place.port}"
            if self._is_banner_shown:
                self._say("\n  " + local_name_text(settings.LOCAL_NAME_URL) + "\n")


def _create_backup_scheduler() -> BackupScheduler | None:
    """Return the backup scheduler; None for PostgreSQL, which has its own tools (docs/operating.md)."""
    if connection.vendor != "sqlite":
        return None
    return BackupScheduler(
        get_backup_folder(), lambda kind, **details: broadcast.notify(broadcast.send_alarm(kind, **details))
    )


def _has_screen() -> bool:
    """Return True if a graphical browser can open; a text browser would take over the terminal."""
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
