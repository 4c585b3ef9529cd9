"""A laptop and a phone in two network namespaces, for test_hall.py; prints what each of them saw as JSON.

python3 -m tests.referee.readiness.hall serve PID   in the namespace of the laptop; PID lives in that of the phone
python3 -m tests.referee.readiness.hall phone NAME PORT PATH   as the phone: resolve the name, open the path
"""

from __future__ import annotations

import http.client
import http.cookiejar
import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from urllib.parse import urlencode, urlsplit

from zeroconf import Zeroconf

from referee.server.local_name import resolve

PHONE = "192.168.77.5"
WAIT_S = 60
BANNER = re.compile(r"(http://localhost:\d+/enter/\S+)")
NAME = "http://multiplo.local:8000"


def serve(phone_pid: str) -> dict[str, object]:
    """Start the program on all addresses, let the phone open the address of the page, and end the program."""
    command = [sys.executable, "-m", "django", "serve", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert server.stdout is not None
    banner = ""
    while not BANNER.search(banner) or NAME not in banner:  # a name that is found late is said after the link
        line = server.stdout.readline()
        assert line, banner
        banner += line
    link = BANNER.findall(banner)[0]
    try:
        desk = _enter(link)
        page = desk.open("http://localhost:8000/desk/readiness/").read().decode()
        [address] = re.findall(r'reach-address">([^<]*)<', page)
        seen = _as_phone(phone_pid, "multiplo.local", "8000", urlsplit(address).path)
        part = desk.open("http://localhost:8000/desk/readiness/phone/").read().decode()
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=WAIT_S)
    after = _as_phone(phone_pid, "multiplo.local", "8000", "/")
    return {"banner": banner, "page": page, "part": part, "phone": seen, "after": after}


def _enter(link: str) -> urllib.request.OpenerDirector:
    """Log in by the link of the banner."""
    cookies = http.cookiejar.CookieJar()
    desk = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    page = desk.open(link).read().decode()
    [token] = re.findall(r'name="csrfmiddlewaretoken" value="([^"]*)"', page)
    desk.open(link, urlencode({"csrfmiddlewaretoken": token}).encode()).read()
    return desk


def _as_phone(pid: str, *arguments: str) -> dict[str, object]:
    inside = ["nsenter", "-t", pid, "-n", sys.executable, "-m", "tests.referee.readiness.hall", "phone"]
    done = subprocess.run([*inside, *arguments], capture_output=True, text=True, timeout=WAIT_S, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def phone(name: str, port: str, path: str) -> dict[str, object]:
    """Ask the network for the name, and open the path at its address under the name."""
    network = Zeroconf(interfaces=[PHONE])
    until = time.monotonic() + WAIT_S / 4
    addresses: set[str] = set()
    while not addresses and path != "/" and time.monotonic() < until:
        addresses = resolve(network, name)
    addresses = addresses or resolve(network, name)
    network.close()
    if not addresses:
        return {"addresses": []}
    connection = http.client.HTTPConnection(min(addresses), int(port), timeout=WAIT_S)
    connection.request("GET", path, headers={"Host": f"{name}:{port}"})
    answer = connection.getresponse()
    return {"addresses": sorted(addresses), "status": answer.status, "page": answer.read().decode()}


if __name__ == "__main__":
    print(json.dumps(serve(sys.argv[2]) if sys.argv[1] == "serve" else phone(*sys.argv[2:])))
