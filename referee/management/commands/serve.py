"""`manage.py serve`: the whole program in one process."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection
from django.urls import reverse
from django.utils import translation

from referee.live import relay
from referee.security.login import make_link_token
from referee.serving import addresses
from referee.serving.certificate import BadCertificate
from referee.serving.demo import create_demo
from referee.serving.keeper import Keeper, chosen_folder
from referee.serving.occupied import occupy
from referee.serving.secure import Secure
from referee.serving.server import CannotListen, HallServer, allow_many_sockets, configuration, listen
from referee.serving.tongue import tongue
from referee.serving.welcome import EVERYWHERE, Place, found, goodbye, welcome
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.selectors.events import events_of
from tournaments.services import documents, preparing
from tournaments.services.access import first_judge

LOOK_AGAIN_S = 5.0


class Command(BaseCommand):
    """Starts the server and tells where it is."""

    help = "Start the program: the judge's desk opens in the browser, players join with their phones."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The outside names of the command."""
        parser.add_argument("--host", default=EVERYWHERE[0], help="address to listen on (default: all of them)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
        parser.add_argument("--data", metavar="DIR", help="folder that keeps the data (default: var)")
        parser.add_argument("--no-browser", action="store_true", help="only print the judge's link")
        parser.add_argument("--demo", action="store_true", help="make an event to try out when there is none")
        secure = parser.add_mutually_exclusive_group()
        secure.add_argument("--tls", nargs=2, metavar=("CERT", "KEY"), help="serve https with this certificate (PEM)")
        secure.add_argument("--tls-ca", action="store_true", help="serve https with a certificate of Multiplo's own")
        parser.add_argument("--backup", metavar="DIR", help="folder for backups, for example on a USB stick")

    def handle(
        self,
        *,
        host: str,
        port: int,
        no_browser: bool,
        demo: bool,
        backup: str | None,
        tls: list[str] | None,
        tls_ca: bool,
        **_options: Any,
    ) -> None:
        """Run until Ctrl-C."""
        if backup:
            settings.BACKUP_DIR = backup
        with translation.override(tongue()):
            try:
                listener = listen(host, port)
                self._secure = Secure.chosen(tls, own=tls_ca, plain=Place.at(host, port))
            except (CannotListen, BadCertificate) as fault:
                self.stderr.write(fault.sentence)
                sys.exit(2)
            place = self._secure.place(host, listener.getsockname()[1])
            _allow(place)
            _publish(place, instead_of=None)
            allow_many_sockets()
            self._held = occupy(Path(settings.DATA_DIR))
            link = self._prepare(place, demo)
            self._serve(place, listener, link, open_browser=not no_browser)

    def _prepare(self, place: Place, demo: bool) -> str:
        """Make what the first page needs; returns the judge's one-time link."""
        judge = first_judge()
        if settings.EMBEDDED:  # otherwise other processes may be at work on them
            documents.give_up_unfinished(now=utc_now())
            preparing.give_up_unfinished()
        if demo and not events_of(judge).exists():
            try:
                create_demo(by=judge, now=utc_now(), language=translation.get_language() or settings.LANGUAGE_CODE)
            except Refused as refusal:
                self.stderr.write(refusal.sentence)
        return place.local + reverse("enter", args=[make_link_token(judge)])

    def _serve(self, place: Place, listener: Any, link: str, *, open_browser: bool) -> None:
        tongue, encoding = translation.get_language(), self.stdout.encoding
        ended = threading.Event()
        keeper = _keeper()

        def on_ready() -> None:
            with translation.override(tongue):
                self._say(welcome(place, link, encoding, self._secure.ca_fingerprint))
            if open_browser and _has_screen():
                threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
            threading.Thread(target=self._watch_addresses, args=(place, ended, tongue), daemon=True).start()
            if keeper is not None:
                keeper.start()

        def on_end() -> None:
            if not ended.is_set():
                ended.set()
                with translation.override(tongue):
                    self._say("\n" + goodbye(str(settings.DATA_DIR)))

        HallServer(configuration(self._secure.context(place)), on_ready, on_end).run(sockets=[listener])
        if keeper is not None:
            keeper.stop()
        on_end()

    def _watch_addresses(self, place: Place, ended: threading.Event, tongue: str | None) -> None:
        """A laptop may join the hall's network after the start, or get another address in mid-game."""
        while not ended.wait(LOOK_AGAIN_S):
            present = self._secure.place(place.host, place.port)
            if present.hall not in (None, place.hall):
                _allow(present)
                _publish(present, instead_of=place)
                relay.notify(relay.alarm("new_address", address=present.hall))
                with translation.override(tongue):
                    self._say(found(present, self.stdout.encoding))
            place = present if present.hall is not None else place

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def _allow(place: Place) -> None:
    """Let requests by every name of this computer in."""
    certified = place.certificate.names if place.certificate else ()
    names = ["localhost", "127.0.0.1", *place.addresses, *addresses.own_names(), *certified]
    addresses.allow([name for name in names if "*" not in name], place.port, place.scheme)


def _publish(place: Place, instead_of: Place | None) -> None:
    """Let pages name the address that phones reach, unless the environment has set another one."""
    ours = "" if instead_of is None else instead_of.hall or ""
    if ours == settings.PUBLIC_URL:
        settings.PUBLIC_URL = place.hall or ""


def _keeper() -> Keeper | None:
    """Whoever makes the backups; a PostgreSQL has its own ways (docs/operating.md)."""
    if connection.vendor != "sqlite":
        return None
    return Keeper(chosen_folder(), lambda kind, **details: relay.notify(relay.alarm(kind, **details)))


def _has_screen() -> bool:
    """Whether a browser could be seen; over a plain terminal a text browser would take the terminal away."""
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
