"""A phone reaches a laptop over a cable between two network namespaces, by address and by name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.made_once import ROOT
from tests.referee.readiness.hall import PHONE
from tests.referee.readiness.planted import HALL, in_namespace, make_data_folder
from tests.waiting import PATIENCE_S

pytestmark = [
    pytest.mark.endurance,
    pytest.mark.skipif(sys.platform != "linux", reason="namespaces are of Linux"),
]
CABLE = (
    f"{HALL}; ip link set hall up; unshare --net sleep 300 & phone=$!; "
    'until [ "$(readlink /proc/$phone/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do sleep 0.1; done; '
    "ip link set phone netns $phone; "
    f"nsenter -t $phone -n sh -c 'ip link set lo up; ip addr add {PHONE}/24 dev phone; ip link set phone up'; "
    "trap 'kill $phone' EXIT"
)
NAMES = """
import sys, time
from zeroconf import Zeroconf
from referee.server import local_name
from referee.server.local_name import LocalName, resolve
local_name._ANSWER_MS = 4000  # a loaded machine answers late
names = []
laptops = [LocalName(8000, names.append), LocalName(8000, names.append)]
def offer(laptop, address, count):
    laptop.offer([address])
    while len(names) < count:
        time.sleep(0.05)
    with laptop._lock:
        pass
for count, (laptop, address) in enumerate(zip(laptops, ("127.0.0.1", "127.0.0.2")), start=1):
    offer(laptop, address, count)
network = Zeroconf(interfaces=["127.0.0.1"])
found = [resolve(network, name) for name in ("multiplo.local", "multiplo-2.local")]
offer(laptops[0], "127.0.0.3", 3)
moved = resolve(network, "multiplo.local")
for laptop in laptops:
    laptop.stop()
gone = resolve(network, "multiplo.local") | resolve(network, "multiplo-2.local")
network.close()
print(names, found, moved, gone)
"""


def variables(data: Path) -> dict[str, str]:
    return {**os.environ, "DJANGO_SETTINGS_MODULE": "referee.settings", "DATA_DIR": str(data), "LANG": "C.UTF-8"}


def test_a_phone_finds_the_laptop_by_name_and_the_desk_shows_that_it_has(tmp_path: Path) -> None:
    data = make_data_folder(tmp_path / "data")
    # `exec` of the common helper would end the shell that holds the phone's namespace.
    *within, script, name = in_namespace("--net", CABLE)
    script = script.replace('exec "$@"', '"$@" $phone')
    done = subprocess.run(
        [*within, script, name, sys.executable, "-m", "tests.referee.readiness.hall", "serve"],
        cwd=ROOT,
        env={**variables(data), "PYTHONUNBUFFERED": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 3,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert "http://192.168.77.1:8000" in told["banner"]
    assert "http://multiplo.local:8000" in told["banner"]
    assert "multiplo.local:8000" in told["page"]
    assert told["phone"]["addresses"] == ["192.168.77.1"]
    assert told["phone"]["status"] == 200
    assert "The connection works" in told["phone"]["page"]
    assert "Confirmed by a phone at" in told["part"]
    assert told["after"] == {"addresses": []}


def test_a_second_laptop_takes_the_next_name_and_a_new_address_is_offered() -> None:
    loopback = "ip link set lo up; ip addr add 127.0.0.2/8 dev lo; ip addr add 127.0.0.3/8 dev lo; "
    within = in_namespace("--net", loopback + "ip route add 224.0.0.0/4 dev lo")
    done = subprocess.run(
        [*within, sys.executable, "-c", NAMES],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names = ["multiplo.local", "multiplo-2.local", "multiplo.local"]
    assert done.stdout.strip() == f"{names} [{{'127.0.0.1'}}, {{'127.0.0.2'}}] {{'127.0.0.3'}} set()"
