"""The judge's desk over HTTP: what its page shows, and what its buttons do."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from tests.referee.live.raw_phone import Address

_CSRF = "c" * 32


class Unreachable(Exception):
    """No server answered, or one that could not do it."""


@dataclass(frozen=True, slots=True)
class DeskState:
    """State of the desk page. `away_s`: seconds for which the server was away, None when the page does not say."""

    phase: str
    turn: int
    deadline_ms: int | None
    away_s: int | None
    offers_time: bool


class DeskBrowser:
    """A browser with the judge's session; it goes on at the next of `addresses` when one does not answer."""

    def __init__(self, addresses: Sequence[Address], code: str, session: str) -> None:
        self.code = code
        self._addresses, self._session, self._at = addresses, session, 0

    async def look(self) -> DeskState:
        """The console as it is now; raises Unreachable."""
        page = await self.get(f"/desk/{self.code}/main/")
        main = re.search(r'data-phase="(\w+)" data-turn="(\d+)"[^>]*?data-deadline="(\d*)"', page)
        if main is None:
            raise Unreachable(page[:200])
        away = re.search(r'class="outage"[^>]*>\s*<p>\D*(\d+)', page)
        return DeskState(
            phase=main[1],
            turn=int(main[2]),
            deadline_ms=int(main[3]) if main[3] else None,
            away_s=int(away[1]) if away else None,
            offers_time="/do/give-back/" in page,
        )

    async def act(self, action: str, **fields: Any) -> str:
        """Press a button; the sentence that is shown when it is refused, else nothing. Raises Unreachable."""
        answer = json.loads(await self._ask("POST", f"/desk/{self.code}/do/{action}/", urlencode(fields)))
        return "" if answer["ok"] else str(answer["sentence"])

    async def get(self, path: str) -> str:
        """A page of the desk."""
        return (await self._ask("GET", path)).decode("utf-8", "replace")

    async def sheets(self) -> list[tuple[str, bytes]]:
        """State and content of each sheet that was asked for, the newest first."""
        page = await self.get(f"/desk/{self.code}/documents/")
        found = re.findall(r'documents/(\d+)/"|<progress|class="bad-text">([^<]*)<', page)
        return [await self._sheet(number, error) for number, error in found]

    async def _sheet(self, number: str, error: str) -> tuple[str, bytes]:
        if not number:
            return ("failed" if error else "under way", error.encode())
        return ("done", await self._ask("GET", f"/desk/{self.code}/documents/{number}/"))

    async def _ask(self, method: str, path: str, body: str | None = None) -> bytes:
        try:
            return await asyncio.to_thread(self._request, method, path, body)
        except (OSError, http.client.HTTPException) as error:
            self._at += 1
            raise Unreachable(str(error)) from None

    def _request(self, method: str, path: str, body: str | None) -> bytes:
        host, port = self._addresses[self._at % len(self._addresses)]
        headers = {
            "Cookie": f"sessionid={self._session}; csrftoken={_CSRF}",
            "X-CSRFToken": _CSRF,
            "Origin": f"http://{host}:{port}",
            "Accept": "application/json" if body is not None else "text/html",
            "Accept-Language": "en",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        connection = http.client.HTTPConnection(host, port, timeout=10)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        if response.status != 200:
            raise http.client.HTTPException(f"{method} {path}: status {response.status}")
        return content
