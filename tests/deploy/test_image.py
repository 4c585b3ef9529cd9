"""The image: what its build may read, and a server that runs from it as a user without rights. Docker is not needed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest
from docker.utils.build import exclude_paths
from dockerfile_parse import DockerfileParser

from tests.chaos.programs import ROOT, Program, free_port
from tests.deploy.test_compose import PINNED
from tests.waiting import PATIENCE_S

SECRETS = (
    ".env",
    ".env.production",
    "deploy/certificates/front.crt",
    "deploy/certificates/front.key",
    "var/secret_key",
    "var/multiplo.sqlite3",
    "referee/.env",
    "engine/tls/server.key",
    "referee/server/secret_key",
    "id.pem",
)
NOT_NEEDED = (
    ".git/config",
    ".venv/bin/python",
    "tests/conftest.py",
    "staticfiles/x.js",
    "referee/__pycache__/apps.pyc",
)


def test_no_secret_test_or_data_gets_into_the_build(tmp_path: Path) -> None:
    for name in (*SECRETS, *NOT_NEEDED, "manage.py", "referee/settings.py", "docs/handbook/en/README.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    read = exclude_paths(str(tmp_path), _ignored())
    assert {path for path in read if (tmp_path / path).is_file()} == {
        "manage.py",
        "referee/settings.py",
        "docs/handbook/en/README.md",
    }


def test_the_build_starts_from_a_digest_installs_by_hash_and_runs_as_a_user() -> None:
    steps = DockerfileParser(str(ROOT / "deploy" / "Dockerfile")).structure
    names = [step["instruction"] for step in steps]
    values = {name: [step["value"] for step in steps if step["instruction"] == name] for name in names}
    [base] = values["FROM"]
    assert PINNED.fullmatch(base)
    assert "--require-hashes" in values["RUN"][0]
    assert [user for user in values["USER"] if user not in ("root", "0")] == ["multiplo"]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert values["COPY"] == ["requirements.lock ./", ". ."]


@pytest.mark.endurance
def test_the_files_of_the_build_become_a_server_that_cannot_write_to_them(tmp_path: Path) -> None:
    """The steps of the Dockerfile, in a folder: packages of the lock file, set-up, a server."""
    image, data, packages = tmp_path / "image", tmp_path / "data", tmp_path / "packages"
    for path in exclude_paths(str(ROOT), _ignored()):
        if (ROOT / path).is_file():
            (image / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, image / path)
    _run([sys.executable, "-m", "venv", str(packages)])
    python = packages / "bin" / "python"
    options = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "--requirement", "requirements.lock"]
    _run([str(python), "-m", "pip", "install", "--quiet", *options], cwd=image)
    environment = {
        "PATH": f"{packages / 'bin'}:{os.environ['PATH']}",
        "DATA_DIR": str(data),
        "NUMBA_CACHE_DIR": str(data / "machine-code"),
        "SECRET_KEY": "build",
        "HOME": str(data),
    }
    _run([str(python), "manage.py", "setup"], cwd=image, env=environment)
    for file in data.glob("multiplo.sqlite3*"):
        file.unlink()
    assert not (data / "secret_key").exists()
    for path in [image, *image.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    port = free_port()
    environment["SECRET_KEY"] = "k" * 50
    serve = [str(python), str(image / "manage.py"), "serve", "--port", str(port), "--no-browser", "--no-mdns"]
    # Without capabilities, root obeys the modes of files, too.
    without_rights = (
        ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"] if os.geteuid() == 0 else []
    )
    server = Program("server", [*without_rights, *serve], tmp_path, lambda: _answers(port), environment)
    try:
        server.start()
        assert (data / "machine-code").is_dir()
        assert (data / "lexicons" / "it.npy").is_file()
        with pytest.raises(subprocess.CalledProcessError):
            subprocess.run([*without_rights, "touch", str(image / "x")], check=True, capture_output=True)
    finally:
        server.stop()


def _ignored() -> list[str]:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _run(command: list[str], cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    ended = subprocess.run(command, cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr[-3000:]


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status in (200, 302)
    except OSError:
        return False
    finally:
        connection.close()
