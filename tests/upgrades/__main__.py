"""`python -m tests.upgrades`: write the data folder of this version, with which later versions test their upgrade.

fixtures/data_folders/VERSION/ gets the backup of a small club (`data.zip`), the same rows as a dump of PostgreSQL
(`postgresql.sql.xz`), and what they hold (`facts.json`). TEST_DATABASE_URL names a PostgreSQL server.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from engine.version import VERSION
from tests.upgrades.postgresql import SERVER, copy_rows, dump, temporary_database

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "fixtures" / "data_folders" / VERSION


def main() -> None:
    """Write the three files."""
    with tempfile.TemporaryDirectory(prefix="multiplo-") as folder:
        data = Path(folder)
        FOLDER.mkdir(parents=True, exist_ok=True)
        _django(data, "from tests.upgrades.club import fill; fill()")
        facts = _django(
            data, "import json; from tests.upgrades.facts import read_facts; print(json.dumps(read_facts()))"
        )
        (FOLDER / "facts.json").write_text(json.dumps(json.loads(facts), indent=1, ensure_ascii=False) + "\n")
        _django(data, f"from tests.upgrades.club import back_up_to; back_up_to({str(FOLDER)!r})")
        with temporary_database(SERVER) as url:
            _manage(data, "migrate", "-v0", DATABASE_URL=url)
            copy_rows(data / "multiplo.sqlite3", url)
            (FOLDER / "postgresql.sql.xz").write_bytes(lzma.compress(dump(url).encode()))
    for path in sorted(FOLDER.iterdir()):
        sys.stdout.write(f"{path.relative_to(ROOT)} {path.stat().st_size}\n")


def _django(data: Path, program: str) -> str:
    return _manage(data, "shell", "-v0", "-c", program)


def _manage(data: Path, *arguments: str, **variables: str) -> str:
    environment = {**os.environ, "DATABASE_URL": "", "SECRET_KEY": "", "SECRET_KEY_FILE": ""}
    environment |= {"DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "referee.settings", **variables}
    if not (data / "secret_key").exists():
        (data / "secret_key").write_text("a made key of a data folder that exists for tests only")
    command = [sys.executable, "-m", "django", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    main()
