"""An installation of its own: a data folder with database and key, the commands on it, and a server."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.made_once import copy_migrated_database
from tests.referee.live.actor import DatabaseProcess
from tests.referee.live.live_game import install_words
from tests.referee.live.live_server import ROOT, ServerProcess


class Installation:
    """Folder as set-up makes it on a laptop, with a short word list."""

    def __init__(self, data: Path, **variables: str) -> None:
        self.data = data
        data.mkdir(parents=True, exist_ok=True)
        install_words(data / "lexicons")
        (data / "secret_key").write_text(secrets.token_urlsafe(48))
        self.environment: Mapping[str, str] = {
            "DATA_DIR": str(data),
            "DJANGO_SETTINGS_MODULE": "tests.referee.live.served",
            "SECRET_KEY": "",
            "DATABASE_URL": "",
            "LANG": "C.UTF-8",
            **variables,
        }

    def run(self, *command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        """A management command, to its end."""
        line = [sys.executable, "-m", "django", *map(str, command)]
        environment = {**os.environ, **self.environment}
        return subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, **options)

    def migrate(self) -> Installation:
        """Give it a database with all tables."""
        copy_migrated_database(self.data)
        return self

    def judge(self) -> DatabaseProcess:
        """Somebody who has made an event here and knows its cookies."""
        return DatabaseProcess({**os.environ, **self.environment})

    def serve(self, *options: str, port: int = 0, command: tuple[str, ...] | None = None) -> ServerProcess:
        """A server on this folder."""
        more: dict[str, Any] = {"command": command} if command else {}
        return ServerProcess(
            data=self.data, database=None, port=port, options=options, environment=self.environment, **more
        )
