"""`manage.py rehearse`: measure how many phones this computer serves.

With `--api-per-second` other programs read the API meanwhile. With `--rooms` several rooms with clocks of their own are
measured, with `--benchmark` all figures of a hall that docs/performance.md lists.
"""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from referee.rehearsal import advice
from referee.rehearsal.api_readers import ApiAccess, ApiReaders
from referee.rehearsal.bench import measure_hall
from referee.rehearsal.loop import run
from referee.rehearsal.own_server import OwnServer, ServerNotStarted, temporary_data_folder
from referee.rehearsal.playing import Result, rehearse
from referee.rehearsal.remote import RehearsalError, Remote
from referee.rehearsal.rooms import RoomsRequest, rehearse_rooms
from referee.server.terminal_language import get_terminal_language
from referee.server.uvicorn_server import allow_many_sockets
from tournaments.events.services.rooms import MOST_ROOMS
from tournaments.validators import MOST_PLAYERS

MOST_TURNS = 20
MOST_API = 50
LONGEST_S = 1800.0
STOPPED = 130


class Command(BaseCommand):
    """Command that plays turns with simulated phones, prints one JSON object and a recommendation."""

    help = "Play turns with many simulated phones and say how many this computer carries."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument("--phones", type=int, default=1000, help=f"1 to {MOST_PLAYERS} (default: 1000)")
        parser.add_argument("--turns", type=int, default=2, help=f"1 to {MOST_TURNS} (default: 2)")
        parser.add_argument("--url", help="the address of a rehearsal that was opened at the desk of a running server")
        parser.add_argument("--benchmark", action="store_true", help="all figures of docs/performance.md, in minutes")
        parser.add_argument("--few", type=int, default=400, help="phones of the first benchmark (default: 400)")
        parser.add_argument(
            "--api-per-second", type=int, default=0, help=f"requests to the API meanwhile, 0 to {MOST_API} (default: 0)"
        )
        rooms = parser.add_argument_group("several rooms")
        rooms.add_argument("--rooms", type=int, help=f"1 to {MOST_ROOMS}; each follows the first with its own clock")
        rooms.add_argument("--players", type=int, default=100, help="phones of each room (default: 100)")
        rooms.add_argument("--seconds", type=int, default=40, help="time of a turn (default: 40)")
        rooms.add_argument("--offset", type=int, default=20, help="seconds of the last room behind the first (20)")
        rooms.add_argument("--window", type=float, default=3.0, help="the last seconds in which all hand in (3)")
        rooms.add_argument("--servers", type=int, default=1, help="server processes (default: 1)")
        rooms.add_argument("--database", default="", help="a PostgreSQL whose user may create databases")
        rooms.add_argument("--redis", default="", help="a Redis, with a database number of its own")
        rooms.add_argument("--json", action="store_true", help="print the result of all turns only")

    def handle(self, *, phones: int, turns: int, url: str | None, **options: Any) -> None:
        """Rehearse; exit with 1 if the result is red or a slip was lost, with 2 if the rehearsal cannot run."""
        with translation.override(get_terminal_language()):
            allow_many_sockets()
            self._require(1 <= phones <= MOST_PLAYERS, _("--phones is a number from 1 to %d.") % MOST_PLAYERS)
            self._require(1 <= turns <= MOST_TURNS, _("--turns is a number from 1 to %d.") % MOST_TURNS)
            reads = options["api_per_second"]
            self._require(0 <= reads <= MOST_API, _("--api-per-second is a number from 0 to %d.") % MOST_API)
            self._require(not reads or url is None, _("--api-per-second needs a server of its own: leave out --url."))
            rooms = self._rooms_request(turns, options) if options["rooms"] is not None else None
            everybody = phones if rooms is None else rooms.rooms * rooms.players
            too_few = advice.too_few_files(everybody)
            self._require(too_few is None, too_few or "")
            try:
                if rooms is not None:
                    result = rehearse_rooms(rooms)
                    if options["json"]:
                        self.stdout.write(json.dumps(result.as_json()))
                    else:
                        self._print(result.details)
                    sys.exit(0 if result.is_sound else 1)
                if options["benchmark"]:
                    return self._print(measure_hall(options["few"], phones))
                light = self._with_server(
                    url, lambda remote, api: self._rehearse(remote, phones, turns, _readers(remote, api, reads))
                )
            except (RehearsalError, ServerNotStarted) as fault:
                self._require(False, getattr(fault, "sentence", "") or _did_not_start(fault))
            except KeyboardInterrupt:
                self._tell(_("Stopped; what was made for the rehearsal is removed."))
                sys.exit(STOPPED)
            self._tell(str(light))
            sys.exit(1 if light.colour == "red" else 0)

    def _rooms_request(self, turns: int, options: dict[str, Any]) -> RoomsRequest:
        sizes = {name: options[name] for name in ("rooms", "players", "seconds", "offset", "window", "servers")}
        self._require(1 <= sizes["rooms"] <= MOST_ROOMS, _("--rooms is a number from 1 to %d.") % MOST_ROOMS)
        self._require(
            sizes["players"] >= 1 and sizes["rooms"] * sizes["players"] <= MOST_PLAYERS,
            _("All rooms together have at most %d phones: change --rooms or --players.") % MOST_PLAYERS,
        )
        shared = (options["database"], options["redis"])
        self._require(
            sizes["servers"] == 1 or all(shared), _("Several servers need a shared store: add --database and --redis.")
        )
        return RoomsRequest(turns=turns, database=shared[0], redis=shared[1], **sizes)

    def _print(self, figures: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(figures, indent=1))

    def _with_server(self, url: str | None, work: Callable[[Remote, ApiAccess | None], Result]) -> advice.Light:
        """Run `work` with the server at the address, or with a temporary one and access to its API."""
        if url is not None:
            return advice.assess_result(work(Remote(url), None), None)
        with temporary_data_folder() as folder:
            commit_ms = advice.commit_ms(folder)
            self._tell(_("Starting a server of its own; your events are not touched."))
            server = OwnServer(folder)
            try:
                return advice.assess_result(work(Remote(server.url), server.api), commit_ms)
            finally:
                server.stop()

    def _rehearse(self, remote: Remote, phones: int, turns: int, readers: ApiReaders | None) -> Result:
        result = run(self._bounded(rehearse(remote, phones, turns, self._tell, readers)))
        self.stdout.write(json.dumps(result.as_json()))
        self.stdout.flush()
        return result

    @staticmethod
    async def _bounded(work: Awaitable[Result]) -> Result:
        try:
            return await asyncio.wait_for(work, LONGEST_S)
        except TimeoutError:
            raise RehearsalError(_("The rehearsal took more than half an hour and was stopped.")) from None

    def _tell(self, text: str) -> None:
        self.stderr.write(text)
        self.stderr.flush()

    def _require(self, sound: bool, sentence: str) -> None:
        if not sound:
            self._tell(sentence)
            sys.exit(2)


def _readers(remote: Remote, api: ApiAccess | None, per_second: int) -> ApiReaders | None:
    return ApiReaders(remote.server, api, per_second) if api is not None and per_second else None


def _did_not_start(fault: Exception) -> str:
    return _("The server of the rehearsal did not start: %(said)s") % {"said": str(fault)}
