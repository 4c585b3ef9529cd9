"""A data folder without faults, and `manage.py doctor` as a process of its own."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.conftest import missing
from tests.made_once import ROOT, copy_migrated_database
from tests.referee.live.live_game import install_words
from tests.waiting import PATIENCE_S

NAMESPACE = ("unshare", *(() if os.name == "nt" or os.geteuid() == 0 else ("--map-root-user",)))
HALL = "ip link set lo up && ip link add hall type veth peer name phone && ip addr add 192.168.77.1/24 dev hall"
"""Commands that give a network namespace the address of a hall."""
HALL_UP = f"{HALL} && ip link set hall up && ip link set phone up"
Findings = dict[str, dict[str, str]]


def make_data_folder(data: Path) -> Path:
    """Fill a folder with what the first start makes: key, database, and a word list of few words."""
    data.mkdir(mode=0o700)
    install_words(data / "lexicons")
    facts = {"edition": "it", "sha256": hashlib.sha256((data / "lexicons" / "few.txt").read_bytes()).hexdigest()}
    (data / "lexicons" / "few.txt.json").write_text(json.dumps(facts), encoding="utf-8")
    (data / "secret_key").write_text("k" * 64)
    copy_migrated_database(data)
    for path in data.iterdir():
        path.chmod(0o700 if path.is_dir() else 0o600)
    return data


def run_doctor(
    data: Path,
    *options: str,
    within: Sequence[str] = (),
    python: Sequence[str] = (sys.executable,),
    variables: Mapping[str, str] | None = None,
) -> tuple[int, Findings]:
    """Run the command, `within` another one; return its exit code and the findings by name."""
    done = subprocess.run(
        [*within, *python, "-m", "django", "doctor", "--json", *options],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "referee.settings",
            "DATA_DIR": str(data),
            "DATABASE_URL": "",
            "REDIS_URL": "",
            "LANG": "C.UTF-8",
            **(variables or {}),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.stdout, done.stderr
    return done.returncode, {finding["name"]: finding for finding in json.loads(done.stdout)["findings"]}


def in_namespace(kind: str, commands: str) -> list[str]:
    """Return the command that runs another one in a namespace ("--net", "--mount") after these shell commands."""
    for program in ("unshare", "ip", "mount"):
        if shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is None:
            missing(f"{program} is not installed")
    if subprocess.run([*NAMESPACE, kind, "true"], check=False, capture_output=True).returncode:
        missing("this user may make no namespaces")
    return [*NAMESPACE, kind, "sh", "-ec", f'PATH="$PATH:/usr/sbin:/sbin"; {commands}; exec "$@"', "sh"]
