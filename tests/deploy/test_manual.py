"""Everything that the documents tell an operator to type exists: commands, scripts, services of compose.yaml."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BEFORE_DJANGO = {"setup", "test", "engine", "help"}
"""Commands of manage.py that Django does not know."""


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_and_scripts_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    commands = {name.replace("-", "_") for name in re.findall(r"manage\.py ([a-z][\w-]*)", text)}
    assert commands - set(get_commands()) - BEFORE_DJANGO == set()
    scripts = set(re.findall(r"(?<![\w/.-])deploy/[\w./-]*\w", text))
    assert {name for name in scripts if not (ROOT / name).exists() and "/certificates" not in name} == set()


def test_services_of_docker_compose_that_are_named_exist() -> None:
    services = set(yaml.safe_load((ROOT / "compose.yaml").read_text())["services"])
    text = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
    commands = r"(?:restart|exec(?: -T)?|logs(?: --\w+ \w+)?|up --detach(?: --no-deps)?|stop) (\w[\w-]*)"
    named = set(re.findall(r"docker compose (?:--profile \w+ )?" + commands, text))
    assert len(named) > 4
    assert named <= services
