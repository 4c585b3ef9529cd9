"""Starts an installed program, fetches its first page in Italian and what that loads, and prints both as JSON.

`python visit.py PROGRAM`, with a `PROGRAM serve`. Standard library only. The exit code is 1 if no page came.
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import time
import urllib.request

PORT, LONGEST_START_S = 8765, 300
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def fetch(path: str) -> str:
    """Return a page or a file of the server."""
    asked = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", headers={"Accept-Language": "it"})
    with _opener.open(asked, timeout=60) as answer:
        return str(answer.read().decode("utf-8", "replace"))


def visit(server: subprocess.Popen[bytes]) -> dict[str, str]:
    """Return the first page and its static files by their paths; nothing if the server ends or does not answer."""
    deadline = time.monotonic() + LONGEST_START_S
    while server.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            page = fetch("/")
            return {"/": page, **{path: fetch(path) for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', page)}}
        time.sleep(0.2)
    return {}


def main(program: str) -> int:
    """Visit the program and end it."""
    line = [program, "serve", "--host", "127.0.0.1", "--port", str(PORT), "--no-browser"]
    server = subprocess.Popen(line, stdout=sys.stderr)
    try:
        found = visit(server)
    finally:
        server.terminate()
        server.wait(60)
    print(json.dumps(found))
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
