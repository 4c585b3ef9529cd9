"""A judge's browser without a screen: a session and the desk's real pages and buttons over HTTP."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tests.referee.live.live_server import HttpAnswer, ServerProcess
from tests.waiting import PATIENCE_S


@dataclass
class DeskClient:
    """One browser of a judge, by the cookie of his session."""

    served: ServerProcess
    code: str
    session: str
    _token: str = field(default="", init=False)

    def page(self, path: str = "") -> HttpAnswer:
        """A page of the event."""
        return self._ask("GET", f"/desk/{self.code}/{path}", None, {})

    def act(self, action: str, **fields: object) -> HttpAnswer:
        """Press a button. The answer is the one that the console gets (htmx)."""
        if not self._token:
            self._token = self._cookie_of(self.page()).removeprefix("csrftoken=")
        headers = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        headers |= {"X-CSRFToken": self._token, "Origin": f"http://{self.served.host}"}
        return self._ask("POST", f"/desk/{self.code}/do/{action}/", urlencode(fields).encode(), headers)

    def _ask(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> HttpAnswer:
        cookie = f"{self.session}; csrftoken={self._token}" if self._token else self.session
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body, {"Cookie": cookie, "Accept-Language": "en", **headers})
            response = connection.getresponse()
            names = {name.lower(): value for name, value in response.getheaders()}
            return HttpAnswer(response.status, names, response.read().decode())
        finally:
            connection.close()

    @staticmethod
    def _cookie_of(answer: HttpAnswer) -> str:
        assert answer.status == 200, answer.text[:300]
        return answer.headers["set-cookie"].partition(";")[0]
