"""Starts a server and draws the first rack as its judge: `python judge.py COMMAND…`.

Standard library only. The output ends with a line of JSON: the seconds to the judge's link, and the desk's page.
"""

from __future__ import annotations

import contextlib
import json
import re
import signal
import subprocess
import sys
import time
from http.cookiejar import CookieJar
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

LONGEST_S = 900


def read_link(output: IO[str]) -> str:
    """Return the judge's link that the server prints."""
    for line in output:
        if found := re.search(r"http://\S+/enter/\S+", line):
            return found[0]
    raise SystemExit("the server ended before it showed the judge's link")


class Browser:
    """Browser with the judge's session, for a server at `origin`."""

    def __init__(self, origin: str) -> None:
        self._origin, self._cookies = origin, CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self._cookies))

    def get(self, path: str) -> str:
        """Return a page."""
        return self._send(path, None)

    def post(self, path: str) -> str:
        """Press a button without fields."""
        return self._send(path, b"")

    def _send(self, path: str, body: bytes | None) -> str:
        token = next((cookie.value or "" for cookie in self._cookies if cookie.name == "csrftoken"), "")
        headers = {"Accept-Language": "en", "X-CSRFToken": token, "Origin": self._origin, "Accept": "*/*"}
        with self._opener.open(Request(self._origin + path, body, headers)) as response:  # noqa: S310 - http
            return str(response.read().decode())


def draw_first_rack(link: str) -> str:
    """Enter with the link, draw, and return the desk's page; a program that still prepares itself is waited for."""
    parts = urlsplit(link)
    browser = Browser(f"{parts.scheme}://{parts.netloc}")
    browser.get(parts.path)
    home = browser.post(parts.path)
    deadline = time.monotonic() + LONGEST_S
    while time.monotonic() < deadline:
        if found := re.search(r"/desk/([A-Z0-9]{4,8})/", home):
            desk = browser.get(f"/desk/{found[1]}/main/")
            if re.search(r'data-phase="(?!lobby)\w+" data-turn="[1-9]', desk):
                return desk
            with contextlib.suppress(HTTPError):
                browser.post(f"/desk/{found[1]}/do/draw/")
        time.sleep(1)
        home = browser.get("/desk/")
    raise SystemExit(f"no rack was drawn; the start page is:\n{home}")


def main() -> None:
    """Run the server and print the result."""
    began = time.monotonic()
    server = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        link = read_link(server.stdout)
        seconds = time.monotonic() - began
        result = {"seconds": round(seconds, 1), "desk": draw_first_rack(link)}
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate()
    print(json.dumps(result))


if __name__ == "__main__":
    main()
