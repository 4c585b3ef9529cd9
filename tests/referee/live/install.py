"""An installation of its own: a data folder with database and key, the commands on it, and a server."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.referee.live.actor import Actor
from tests.referee.live.evening import install_words
from tests.referee.live.serving import ROOT, Served


class Installation:
    """What set-up makes on a laptop, with a word list of few words."""

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
        """Make the tables."""
        done = self.run("migrate", "-v0")
        assert done.returncode == 0, done.stderr
        return self

    def judge(self) -> Actor:
        """Somebody who has made an event here and knows its cookies."""
        return Actor({**os.environ, **self.environment})

    def serve(self, *options: str, port: int = 0, command: tuple[str, ...] | None = None) -> Served:
        """A server on this folder."""
        more: dict[str, Any] = {"command": command} if command else {}
        return Served(data=self.data, database=None, port=port, options=options, environment=self.environment, **more)
