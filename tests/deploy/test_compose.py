"""`compose.yaml` holds together with the program: what it sets is read, what it starts and mounts is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from referee.environment.reference import COMPOSE_VARIABLES
from referee.environment.variables import VARIABLES

ROOT = Path(__file__).resolve().parents[2]
OURS = ("web", "worker", "migrate")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    stored: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return stored


def test_every_variable_is_one_that_the_program_reads(compose: dict[str, Any]) -> None:
    read_by_program = {variable.name for variable in VARIABLES}
    for name in OURS:
        variables = set(compose["services"][name]["environment"])
        assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "HTTPS"} <= variables
        assert variables <= read_by_program


def test_what_the_file_takes_from_dot_env_is_in_its_example() -> None:
    taken = set(re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text()))
    assert taken <= {variable.name for variable in VARIABLES} | set(COMPOSE_VARIABLES)


def test_the_commands_exist(compose: dict[str, Any]) -> None:
    image = (ROOT / "deploy" / "Dockerfile").read_text()
    [started] = re.findall(r'^CMD \["(\w+)"', image, re.MULTILINE)
    assert {started, compose["services"]["migrate"]["command"][0]} <= set(get_commands())
    assert compose["services"]["worker"]["entrypoint"][1:3] == ["-A", "referee.celery"]


def test_everything_waits_for_what_it_needs(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, service in services.items():
        for needed, how in service.get("depends_on", {}).items():
            assert needed in services, name
            if how["condition"] == "service_healthy":
                assert "healthcheck" in services[needed]
    assert services["web"]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_nothing_is_open_to_the_world_but_the_front(compose: dict[str, Any]) -> None:
    assert [name for name, service in compose["services"].items() if "ports" in service] == ["front"]


def test_no_secret_stands_in_the_file(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for variable, value in service.get("environment", {}).items():
            if variable in ("SECRET_KEY", "POSTGRES_PASSWORD"):
                assert value.startswith("${")


def test_what_is_mounted_from_the_project_is_there_or_named_in_the_manual(compose: dict[str, Any]) -> None:
    manual = (ROOT / "docs" / "operating.md").read_text()
    for service in compose["services"].values():
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            if source.startswith("./"):
                assert (ROOT / source).exists() or source.removeprefix("./") in manual
            else:
                assert source in compose["volumes"]
