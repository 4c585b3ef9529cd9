"""The server under rehearsal as its judge's other end: plain requests to the rehearsal's address."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from referee.rehearsal.crowd import Hall

PATIENCE_S = 60.0


class CannotRehearse(Exception):
    """It does not go on; `sentence` tells people why, and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Remote:
    """A rehearsal, open at its address. Raises CannotRehearse when there is none."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "/rehearsal/" not in parts.path:
            raise CannotRehearse(
                _(
                    "%(url)s is not the address of a rehearsal: press “Rehearsal” at the desk and copy the address "
                    "that is shown there. A real game is never loaded."
                )
                % {"url": url}
            )
        port = parts.port or (443 if parts.scheme == "https" else 80)
        self.hall = Hall(parts.hostname, port, parts.netloc, parts.scheme == "https")
        self._path = parts.path.rstrip("/") + "/"
        self.most = int(self.status()["most"])

    def status(self) -> dict[str, Any]:
        """What the server says about itself."""
        return self._ask("GET", self._path)

    def do(self, step: str, **wanted: object) -> dict[str, Any]:
        """One step of the rehearsal."""
        return self._ask("POST", f"{self._path}{step}/", wanted)

    def clock_ahead_s(self) -> float:
        """By how many seconds the server's clock is ahead of ours, to the half of the quickest round trip."""
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
            raise CannotRehearse(_("The server does not answer as a Multiplo would: is it running?")) from None
        if status != 200:
            raise CannotRehearse(str(answer.get("refused")))
        return dict(answer)

    def _request(self, method: str, path: str, body: str) -> tuple[int, bytes]:
        kind = http.client.HTTPSConnection if self.hall.secure else http.client.HTTPConnection
        connection = kind(self.hall.address, self.hall.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body, {"Host": self.hall.host, "Content-Type": "application/json"})
            response = connection.getresponse()
            if response.status == 404:
                raise CannotRehearse(_("There is no rehearsal at this address: open a new one at the desk."))
            return response.status, response.read()
        finally:
            connection.close()
