"""`compose.yaml` and the scripts beside it hold together with the program, and give no process more than it needs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import compose_spec
import psycopg
import pytest
import yaml
from django.core.management import get_commands

from referee.environment.reference import COMPOSE_VARIABLES
from referee.environment.variables import VARIABLES
from tests.chaos import programs
from tests.chaos.programs import free_port
from tests.conftest import missing

ROOT = Path(__file__).resolve().parents[2]
WEB = ("web-1", "web-2")
OURS = (*WEB, "worker", "migrate")
READ_BY_LIBPQ = {"PGPASSWORD"}
PINNED = re.compile(r"[a-z/]+:[\w.-]+@sha256:[0-9a-f]{64}")
SCRIPTS = [path for path in (ROOT / "deploy").rglob("*") if path.is_file() and b"sh\n" in path.read_bytes()[:20]]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    stored: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return stored


def test_the_file_follows_the_compose_specification(compose: dict[str, Any]) -> None:
    plain = json.dumps({name: value for name, value in compose.items() if not name.startswith("x-")})
    filled = re.sub(r"\$\{\w+(?::-([^}]*)|[^}]*)\}", lambda found: found[1] or "value", plain)
    # Docker takes a tag with a digest, which this reader does not know.
    read = compose_spec.PyCompose.from_json(re.sub(r":[\w.-]+@sha256", "@sha256", filled))
    read.validate()
    assert set(read.service_names()) == set(compose["services"])


def test_every_variable_is_one_that_the_program_reads(compose: dict[str, Any]) -> None:
    read_by_program = {variable.name for variable in VARIABLES}
    for name in OURS:
        variables = set(compose["services"][name]["environment"])
        assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "HTTPS"} <= variables
        assert variables <= read_by_program | READ_BY_LIBPQ


def test_what_the_file_takes_from_dot_env_is_in_its_example() -> None:
    taken = set(re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text()))
    assert taken <= {variable.name for variable in VARIABLES} | set(COMPOSE_VARIABLES)


def test_the_commands_exist(compose: dict[str, Any]) -> None:
    image = (ROOT / "deploy" / "Dockerfile").read_text()
    [started] = re.findall(r'^CMD \["(\w+)"', image, re.MULTILINE)
    [_shell, _option, line] = compose["services"]["migrate"]["entrypoint"]
    named = {started, *re.findall(r"manage\.py (\w+)", line)}
    assert named == {"serve", "migrate", "engine"}
    assert named - {"engine"} <= set(get_commands())
    assert compose["services"]["worker"]["entrypoint"][1:3] == ["-A", "referee.celery"]


def test_everything_waits_for_what_it_needs(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, service in services.items():
        for needed, how in service.get("depends_on", {}).items():
            assert needed in services, name
            if how["condition"] == "service_healthy":
                assert "healthcheck" in services[needed]
    assert services["web-1"]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_the_front_knows_each_web_process_by_its_service(compose: dict[str, Any]) -> None:
    upstream = (ROOT / "deploy" / "front" / "upstream.conf").read_text()
    assert tuple(re.findall(r"^ *server ([\w-]+):8000 resolve", upstream, re.MULTILINE)) == WEB
    assert tuple(name for name in compose["services"] if name.startswith("web")) == WEB
    assert compose["services"]["web-1"] == compose["services"]["web-2"]


def test_every_service_that_stays_has_a_health_check(compose: dict[str, Any]) -> None:
    lasting = {name for name, service in compose["services"].items() if service["restart"] != "no"}
    assert lasting == set(compose["services"]) - {"migrate"}
    assert {name for name in lasting if "healthcheck" not in compose["services"][name]} == set()


def test_no_service_can_change_its_image_or_gain_rights(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        # Our image has a user of its own; certbot is root in its container, to give the front its key.
        assert name in (*OURS, "certbot") or not str(service["user"]).startswith("0"), name


def test_every_image_of_others_is_pinned_by_its_digest(compose: dict[str, Any]) -> None:
    images = {name: service["image"] for name, service in compose["services"].items()}
    assert {name for name, image in images.items() if not PINNED.fullmatch(image)} == set(OURS)


def test_nothing_is_open_to_the_world_but_the_front(compose: dict[str, Any]) -> None:
    assert [name for name, service in compose["services"].items() if "ports" in service] == ["front"]
    assert compose["networks"]["data"] == {"internal": True}
    assert {name for name, service in compose["services"].items() if service.get("networks") == ["data"]} == {
        "postgres",
        "redis",
    }


def test_no_secret_stands_in_the_file(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for variable, value in service.get("environment", {}).items():
            if variable in ("SECRET_KEY", "POSTGRES_PASSWORD", "PGPASSWORD"):
                assert value.startswith("${")


def test_what_is_mounted_from_the_project_is_there_or_named_in_the_manual(compose: dict[str, Any]) -> None:
    manual = (ROOT / "docs" / "operating.md").read_text()
    for service in compose["services"].values():
        for mount in service.get("volumes", []):
            source = mount.replace("${BACKUP_STORE:-backups}", "backups").split(":")[0]
            if source.startswith("./"):
                assert (ROOT / source).exists() or source.removeprefix("./") in manual
            else:
                assert source in compose["volumes"]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the user of PostgreSQL can reach, since PostgreSQL refuses to run as root."""
    with tempfile.TemporaryDirectory(prefix="multiplo-password-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


@pytest.mark.services
@pytest.mark.endurance
def test_the_password_of_the_database_may_contain_any_sign(compose: dict[str, Any], open_folder: Path) -> None:
    password = "$HOME${x}$$@/?#%41:&= \"'\\"
    (open_folder / "postgres").mkdir()
    port = free_port()
    try:
        server = programs.postgres(open_folder / "postgres", port)
    except programs.MissingProgram as lacking:
        missing(str(lacking))
    access = "host all postgres 127.0.0.1/32 trust\nhost all multiplo 127.0.0.1/32 scram-sha-256\n"
    (open_folder / "postgres" / "data" / "pg_hba.conf").write_text(access)
    variables = compose["services"]["web-1"]["environment"]
    assert variables["PGPASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    url = variables["DATABASE_URL"].replace("@postgres:5432/", f"@127.0.0.1:{port}/")
    environment = {"DATABASE_URL": url, "DATA_DIR": str(open_folder / "data"), "SECRET_KEY": "k" * 50}
    command = [sys.executable, "-m", "django", "migrate", "-v0", "--settings", "referee.settings"]
    try:
        server.start()
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{port}/postgres", autocommit=True) as connection:
            connection.execute(psycopg.sql.SQL("CREATE ROLE multiplo LOGIN PASSWORD {}").format(password))
            connection.execute("CREATE DATABASE multiplo OWNER multiplo")
        for given, is_right in ((password, True), (password[1:], False)):
            environment["PGPASSWORD"] = given
            ended = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True)
            assert (ended.returncode == 0) == is_right, ended.stderr
    finally:
        server.stop()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_shellcheck_finds_nothing_in_the_scripts(script: Path) -> None:
    checked = subprocess.run([Path(sys.executable).with_name("shellcheck"), script], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
