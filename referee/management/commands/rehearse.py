"""`manage.py rehearse`: how many phones this computer carries."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from referee.rehearsal import advice
from referee.rehearsal.loop import run
from referee.rehearsal.own_server import DidNotStart, OwnServer
from referee.rehearsal.playing import Result, rehearse
from referee.rehearsal.remote import CannotRehearse, Remote
from referee.serving.server import allow_many_sockets
from referee.serving.tongue import tongue
from tournaments.validators import MOST_PLAYERS

MOST_TURNS = 20
LONGEST_S = 1800.0
STOPPED = 130


class Command(BaseCommand):
    """Plays turns with simulated phones, prints one JSON object, and says in words what it means."""

    help = "Play turns with many simulated phones and say how many this computer carries."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The outside names of the command."""
        parser.add_argument("--phones", type=int, default=1000, help=f"1 to {MOST_PLAYERS} (default: 1000)")
        parser.add_argument("--turns", type=int, default=2, help=f"1 to {MOST_TURNS} (default: 2)")
        parser.add_argument("--url", help="the address of a rehearsal that was opened at the desk of a running server")

    def handle(self, *, phones: int, turns: int, url: str | None, **_options: Any) -> None:
        """Rehearse; ends with 1 when the light is red, with 2 when there is nothing to rehearse with."""
        with translation.override(tongue()):
            allow_many_sockets()
            self._demand(1 <= phones <= MOST_PLAYERS, _("--phones is a number from 1 to %d.") % MOST_PLAYERS)
            self._demand(1 <= turns <= MOST_TURNS, _("--turns is a number from 1 to %d.") % MOST_TURNS)
            too_few = advice.too_few_files(phones)
            self._demand(too_few is None, too_few or "")
            try:
                light = self._with_server(url, lambda remote: self._rehearse(remote, phones, turns))
            except (CannotRehearse, DidNotStart) as fault:
                self._demand(False, getattr(fault, "sentence", "") or _did_not_start(fault))
            except KeyboardInterrupt:
                self._tell(_("Stopped; what was made for the rehearsal is removed."))
                sys.exit(STOPPED)
            self._tell(str(light))
            sys.exit(1 if light.colour == "red" else 0)

    def _with_server(self, url: str | None, work: Callable[[Remote], Result]) -> advice.Light:
        """Work with the server at the address, or with one of our own that is gone afterwards."""
        if url is not None:
            return advice.light_of(work(Remote(url)), None)
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        # In the data folder, because its disk is the one that will count.
        with tempfile.TemporaryDirectory(prefix="rehearsal-", dir=settings.DATA_DIR) as folder:
            commit_ms = advice.commit_ms(Path(folder))
            self._tell(_("Starting a server of its own; your events are not touched."))
            server = OwnServer(Path(folder))
            try:
                return advice.light_of(work(Remote(server.url)), commit_ms)
            finally:
                server.stop()

    def _rehearse(self, remote: Remote, phones: int, turns: int) -> Result:
        result = run(self._bounded(rehearse(remote, phones, turns, self._tell)))
        self.stdout.write(json.dumps(result.as_json()))
        self.stdout.flush()
        return result

    @staticmethod
    async def _bounded(work: Awaitable[Result]) -> Result:
        try:
            return await asyncio.wait_for(work, LONGEST_S)
        except TimeoutError:
            raise CannotRehearse(_("The rehearsal took more than half an hour and was stopped.")) from None

    def _tell(self, text: str) -> None:
        self.stderr.write(text)
        self.stderr.flush()

    def _demand(self, sound: bool, sentence: str) -> None:
        if not sound:
            self._tell(sentence)
            sys.exit(2)


def _did_not_start(fault: Exception) -> str:
    return _("The server of the rehearsal did not start: %(said)s") % {"said": str(fault)}
