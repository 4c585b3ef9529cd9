"""The process is killed while slips come in: what was acknowledged is there afterwards, each once, in order."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S

pytestmark = [pytest.mark.sqlite_file, pytest.mark.endurance]

ROOT = Path(__file__).resolve().parents[3]
ENOUGH = 60
SERVER = """
import os, sys
from uuid import uuid4
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0, skip_checks=True)
from tests.tournaments.club_game import create_club_game
from tournaments.slip_content import SlipContent
from tournaments.enums import SlipSource
from tournaments.play.services import slips
from tournaments.staff.services.login_links import first_judge

night = create_club_game(first_judge())
night.begin_turn()
turn_id, tables = night.turn.pk, [night.player(table).pk for table in (1, 2, 3, 17)]
while True:
    now = night.later(0.001)
    batch = [
        slips.IncomingSlip(player, turn_id, uuid4(), SlipSource.PHONE, SlipContent("CASA", "8H", 10), now, None, True)
        for player in tables
    ]
    for receipt in slips.submit_batch(batch, now=now):
        print(receipt.client_id.hex, receipt.version, flush=True)
"""


def test_no_acknowledged_slip_is_lost_by_a_kill(tmp_path: Path, small_data_folder: Path) -> None:
    (tmp_path / "lexicons").symlink_to(small_data_folder / "lexicons")
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment |= {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "referee.settings", "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    acknowledged = dict(server.stdout.readline().split() for _ in range(ENOUGH))
    server.send_signal(signal.SIGKILL)
    acknowledged |= dict(line.split() for line in server.stdout.read().splitlines() if line.count(" ") == 1)
    server.stdout.close()
    server.wait(PATIENCE_S)

    with closing(sqlite3.connect(tmp_path / "multiplo.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        stored = database.execute("SELECT client_id, version, player_id FROM tournaments_slip ORDER BY id").fetchall()
    assert {client: int(version) for client, version in acknowledged.items() if len(client) == 32}.items() <= {
        client: version for client, version, _ in stored
    }.items()
    for player in {player for _, _, player in stored}:
        versions = [version for _, version, of in stored if of == player]
        assert versions == list(range(1, len(versions) + 1))
