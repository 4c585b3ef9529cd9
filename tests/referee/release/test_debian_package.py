"""The Debian package in an empty system without network: installed, used, upgraded, removed and purged.

The system is made by debootstrap from the mirror of this machine. It has no systemd, so that the unit is read and its
command run as its user, but it is not started by systemd.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from referee.release.deb import build_deb
from referee.release.lock import read_lock
from referee.release.wheels import PYTHONS, Target, build_wheel, download_wheels
from tests.conftest import missing
from tests.referee.release.conftest import run

pytestmark = pytest.mark.endurance
WORDS = ["CASA", "CASE", "CASO", "SALE", "SALI", "SOLE", "ORE", "ORA", "AIA", "REALE", "REALI", "TENERE", "ERE", "ERA"]
INSIDE = """\
set -e
mount --bind /proc "$1/proc"
mount -t tmpfs tmpfs "$1/dev"
for device in null zero random urandom full; do
  touch "$1/dev/$device"
  mount --bind "/dev/$device" "$1/dev/$device"
done
mkdir "$1/dev/shm"
ip link set lo up 2>/dev/null || true
exec chroot "$1" env -i LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -ec "$2"
"""
FIRST_PAGE = """
{start} >/tmp/serve.log 2>&1 &
python3 - <<'END'
import time, urllib.request
for _ in range(1200):
    try:
        print(urllib.request.urlopen("http://127.0.0.1:8123/").read().decode())
        break
    except OSError:
        time.sleep(0.5)
END
cat /tmp/serve.log
"""


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a minimal system of the same distribution as this machine, with Python."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "--net", "true"], check=False).returncode != 0:
        missing("installing a Debian package in a system of its own needs root and namespaces")
    if not shutil.which("debootstrap"):
        missing("debootstrap is not installed")
    format_ = "$(REPO_URI) $(CODENAME)"
    mirror = next(line.split() for line in run("apt-get", "indextargets", "--format", format_).splitlines() if line)
    folder = tmp_path_factory.mktemp("system")
    folder.chmod(0o755)
    run("debootstrap", "--variant=minbase", "--include=python3", mirror[1], folder, mirror[0])
    return folder


@pytest.fixture(scope="module")
def inside(system: Path) -> Callable[[str], str]:
    """Run a script in the system without network; every process that it starts ends with it."""
    namespaces = ("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child")
    return lambda script: run(*namespaces, "sh", "-c", INSIDE, "sh", system, dedent(script))


def test_the_package_is_installed_used_upgraded_removed_and_purged(
    system: Path, inside: Callable[[str], str], checkout: Path, tmp_path: Path
) -> None:
    python = inside("python3 -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])'").strip()
    assert python in PYTHONS, f"this distribution has Python {python}"
    _build_packages(checkout, python, tmp_path, system / "srv")
    (system / "srv/words.txt").write_text("\n".join(WORDS), encoding="utf-8")

    inside("useradd --create-home anna; dpkg --install /srv/multiplo_0.1.0_amd64.deb")
    inside("/opt/multiplo/environment/bin/python -m pip check; dpkg --verify multiplo")
    _anna_starts_the_program(inside)
    _the_service_starts(system, inside)

    (system / "etc/default/multiplo").write_text('OPTIONS="--port 8090"\n')
    inside("dpkg --install /srv/multiplo_0.2.0_amd64.deb")
    assert (system / "etc/default/multiplo").read_text() == 'OPTIONS="--port 8090"\n'
    assert _installed_version(inside) == "0.2.0"
    assert "<!doctype html>" in inside(FIRST_PAGE.format(start="su anna -c 'multiplo serve --no-browser --port 8123'"))

    # The Python of the system was exchanged: the package makes its environment again.
    inside("""
        ln --symbolic --force /usr/bin/python2 /opt/multiplo/environment/bin/python3
        dpkg-trigger --by-package=python3-minimal /usr/bin/python3
        dpkg --configure --pending
    """)
    assert _installed_version(inside) == "0.2.0"

    database = system / "home/anna/.local/share/multiplo/multiplo.sqlite3"
    inside("dpkg --remove multiplo")
    assert not (system / "opt/multiplo").exists()
    assert not (system / "usr/bin/multiplo").exists()
    assert (system / "var/lib/multiplo/multiplo.sqlite3").exists()
    enabled = system / "etc/systemd/system/multi-user.target.wants/multiplo.service"
    enabled.parent.mkdir(parents=True, exist_ok=True)
    enabled.symlink_to("/usr/lib/systemd/system/multiplo.service")
    inside("dpkg --purge multiplo")
    assert not enabled.is_symlink()
    assert not (system / "var/lib/multiplo").exists()
    assert not (system / "etc/default/multiplo").exists()
    assert "multiplo" not in (system / "etc/passwd").read_text()
    assert database.exists()


def _build_packages(checkout: Path, python: str, wheels: Path, target: Path) -> None:
    """Build the package of the checkout, and one with a higher version, into the system."""
    variables = {"SOURCE_DATE_EPOCH": "1767988800"}
    download_wheels(read_lock(checkout), Target(python), wheels)
    downloaded = sorted(wheels.glob("*.whl"))
    project = checkout / "engine" / "version.py"
    for version in ("0.1.0", "0.2.0"):
        text = project.read_text(encoding="utf-8")
        project.write_text(re.sub(r'^VERSION = ".*"$', f'VERSION = "{version}"', text, count=1, flags=re.MULTILINE))
        (wheels / version).mkdir()
        wheel = build_wheel(checkout, wheels / version, variables)
        build_deb(checkout, [wheel, *downloaded], [python], target, variables)


def _anna_starts_the_program(inside: Callable[[str], str]) -> None:
    """A person gets the first page and the first rack, with the data in their own folder."""
    inside("su anna -c 'multiplo lexicon import --edition it --name it /srv/words.txt'")
    game = inside("""
        su anna -c 'multiplo simulate --words /srv/words.txt --players 2 --seed 1 --out ~/game'
        ls ~anna/game
    """)
    assert re.search(r"^ *1 +[A-Z?]{7} ", game, re.MULTILINE), game
    assert "standings.pdf" in game
    page = inside(FIRST_PAGE.format(start="su anna -c 'multiplo serve --no-browser --port 8123'"))
    assert "<!doctype html>" in page, page


def _the_service_starts(system: Path, inside: Callable[[str], str]) -> None:
    """The command of the unit, run as its user with its data folder, serves the first page."""
    unit = (system / "usr/lib/systemd/system/multiplo.service").read_text()
    (command,) = re.findall(r"^ExecStart=(.*) \$OPTIONS$", unit, re.MULTILINE)
    # With the word list and the compiled engine of Anna, to save a minute.
    inside("""
        install --directory --owner multiplo --group multiplo --mode 0700 /var/lib/multiplo
        cp --recursive ~anna/.cache ~anna/.local/share/multiplo/lexicons /var/lib/multiplo
        chown --recursive multiplo:multiplo /var/lib/multiplo
    """)
    page = inside(FIRST_PAGE.format(start=f"runuser --user multiplo -- {command} --port 8123"))
    assert "<!doctype html>" in page, page
    assert "judge-link" in page
    assert "/enter/" not in page, "the log of the service has a link to the desk"
    data = command.partition("--data ")[2].split()[0]
    judge_link = f"multiplo judge-link --data {data} --address http://laptop:8000"
    assert inside(f"runuser --user multiplo -- {judge_link}").startswith("http://laptop:8000/enter/")
    assert {path.stat().st_uid for path in (system / "var/lib/multiplo").rglob("*")} == {
        (system / "var/lib/multiplo").stat().st_uid
    }


def _installed_version(inside: Callable[[str], str]) -> str:
    program = 'import importlib.metadata; print(importlib.metadata.version("multiplo"))'
    return inside(f"/opt/multiplo/environment/bin/python -c '{program}'").strip()
