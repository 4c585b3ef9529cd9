"""HTTP client for the control address of a rehearsal."""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from referee.rehearsal.crowd import ServerAddress

TIMEOUT_S = 60.0


class RehearsalError(Exception):
    """Error that stops a rehearsal; `sentence` says why and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Remote:
    """Client of a rehearsal at its address. Raises RehearsalError if there is none."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "/rehearsal/" not in parts.path:
            raise RehearsalError(
                _(
                    "%(url)s is not the address of a rehearsal: press “Rehearsal” at the desk and copy the address "
                    "that is shown there. A real game is never loaded."
                )
                % {"url": url}
            )
        port = parts.port or (443 if parts.scheme == "https" else 80)
        self.server = ServerAddress(parts.hostname, port, parts.netloc, parts.scheme == "https")
        self._path = parts.path.rstrip("/") + "/"
        self.most = int(self.status()["most"])

    def status(self) -> dict[str, Any]:
        """Return the server's status."""
        return self._ask("GET", self._path)

    def do(self, step: str, **wanted: object) -> dict[str, Any]:
        """Execute one step of the rehearsal."""
        return self._ask("POST", f"{self._path}{step}/", wanted)

    async def execute(self, step: str, **wanted: object) -> dict[str, Any]:
        """Execute one step without blocking the event loop."""
        return await asyncio.to_thread(lambda: self.do(step, **wanted))

    async def load(self) -> dict[str, Any]:
        """Return the server's status without blocking the event loop."""
        return await asyncio.to_thread(self.status)

    def clock_ahead_s(self) -> float:
        """Return how far the server's clock is ahead, in seconds, accurate to half the shortest round trip."""
        trips = [self._trip() for _number in range(5)]
        return min(trips)[1]

    def _trip(self) -> tuple[float, float]:
        began = time.time()
        now = float(self.status()["now"])
        ended = time.time()
        return ended - began, now - (began + ended) / 2

    def _ask(self, method: str, path: str, wanted: object = None) -> dict[str, Any]:
        try:
            status, body = self._request(method, path, json.dumps(wanted))
            answer = json.loads(body)
        except (OSError, ValueError, http.client.HTTPException):
            raise RehearsalError(_("No Multiplo server answers at this address: is it running?")) from None
        if status != 200:
            raise RehearsalError(str(answer.get("refused")))
        return dict(answer)

    def _request(self, method: str, path: str, body: str) -> tuple[int, bytes]:
        kind = http.client.HTTPSConnection if self.server.secure else http.client.HTTPConnection
        connection = kind(self.server.address, self.server.port, timeout=TIMEOUT_S)
        try:
            connection.request(method, path, body, {"Host": self.server.host, "Content-Type": "application/json"})
            response = connection.getresponse()
            if response.status == 404:
                raise RehearsalError(_("There is no rehearsal at this address: open a new one at the desk."))
            return response.status, response.read()
        finally:
            connection.close()
