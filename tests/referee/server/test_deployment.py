"""`manage.py check --deploy` in both ways to be reached, and the questions of this program in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as configured
from pytest_django import Settings

from referee import checks
from referee.security.transport import PLAIN_HTTP, https_settings
from tests.examples import representative
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]
KEY = "a-key-of-more-than-fifty-signs-" * 3


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    (data / "lexicons").mkdir(parents=True)
    return data


def deploy_check(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATA_DIR": str(folder), "SECRET_KEY": KEY, "LANG": "C.UTF-8", **variables}
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def run(code: str, folder: Path) -> str:
    """Output of a program with the plain settings of an installation of its own."""
    settings_of = {"DATA_DIR": str(folder), "SECRET_KEY": KEY, "DJANGO_SETTINGS_MODULE": "referee.settings"}
    environment = {**os.environ, "DATABASE_URL": "", "REDIS_URL": "", **settings_of}
    command = [sys.executable, "-c", code]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@pytest.mark.endurance
def test_by_https_nothing_is_silenced_and_nothing_is_said(folder: Path) -> None:
    checked = deploy_check(folder, HTTPS="yes")
    assert checked.returncode == 0, checked.stderr
    assert "no issues (0 silenced)" in checked.stdout


@pytest.mark.endurance
def test_by_plain_http_only_the_named_exceptions_are_silenced(folder: Path) -> None:
    checked = deploy_check(folder)
    assert checked.returncode == 0, checked.stderr
    assert f"no issues ({len(PLAIN_HTTP)} silenced)" in checked.stdout


@pytest.mark.endurance
def test_the_exceptions_are_exactly_what_plain_http_cannot_have(folder: Path) -> None:
    code = (
        "import django; django.setup(); from django.core import checks;"
        "print(sorted(each.id for each in checks.run_checks(include_deployment_checks=True)))"
    )
    said = run(code, folder)
    assert re.findall(r"security\.W\d+", said) == ["security.W004", "security.W008", "security.W012", "security.W016"]
    assert re.findall(r"[a-z]+\.[A-Z]\d+", said) == sorted(PLAIN_HTTP)
    assert all(len(reason) > 20 for reason in PLAIN_HTTP.values())


@pytest.mark.endurance
@pytest.mark.parametrize(
    ("variables", "fault"),
    representative(
        [
            ({"ALLOWED_HOSTS": "*"}, "referee.W001"),
            ({"CSRF_TRUSTED_ORIGINS": "https://*.example.org"}, "referee.W001"),
            ({"HTTPS": "yes", "CSRF_TRUSTED_ORIGINS": "http://club.example.org"}, "referee.W001"),
            ({"BACKUP_DIR": "/proc/no-such-place"}, "referee.W005"),
            ({"HTTPS": "yes", "HSTS_SECONDS": "0"}, "security.W004"),
            ({"SECRET_KEY": "short"}, "security.W009"),
        ]
    ),
)
def test_a_fault_of_the_installation_is_named(folder: Path, variables: dict[str, str], fault: str) -> None:
    checked = deploy_check(folder, **variables)
    assert checked.returncode == 1
    assert f"({fault})" in checked.stderr


def test_origins_that_are_listed_one_by_one_are_right(settings: Settings) -> None:
    settings.ALLOWED_HOSTS, settings.CSRF_TRUSTED_ORIGINS = ["club.example.org"], ["https://club.example.org"]
    settings.HTTPS = True
    assert checks.check_origins() == []


def test_redis_as_the_program_sets_it_up_is_right_and_another_way_is_not(settings: Settings) -> None:
    settings.EMBEDDED = False
    host = {"address": "redis://127.0.0.1", "socket_timeout": None, "max_connections": 1000}
    layer = {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [host]}}
    settings.CHANNEL_LAYERS = {"default": layer}
    assert checks.check_redis_options() == []
    settings.CHANNEL_LAYERS = {"default": {**layer, "CONFIG": {"hosts": [{**host, "socket_timeout": 5}]}}}
    assert [each.id for each in checks.check_redis_options()] == ["referee.W002"]


@pytest.mark.endurance
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_too_few_open_files_are_named(folder: Path) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (500, 500));"
        "import django; django.setup(); from referee.checks import check_open_files as check;"
        "print([each.id for each in check()])"
    )
    said = run(code, folder)
    assert said == "['referee.W003']"


@pytest.mark.endurance
@pytest.mark.parametrize(("mode", "found"), representative([("DELETE", ["referee.W004"]), ("WAL", [])]))
def test_a_database_without_its_log_of_changes_is_named(folder: Path, mode: str, found: list[str]) -> None:
    (folder / "multiplo.sqlite3").touch()
    code = (
        "from django.conf import settings;"
        f"settings.DATABASES['default']['OPTIONS']['init_command'] = 'PRAGMA journal_mode={mode}';"
        "import django; django.setup(); from referee.checks import check_write_ahead_log as check;"
        "print([each.id for each in check()])"
    )
    assert run(code, folder) == str(found)


def test_a_backup_folder_that_takes_files_is_right(settings: Settings, tmp_path: Path) -> None:
    settings.BACKUP_DIR = str(tmp_path / "stick")
    assert checks.check_backup_folder() == []


def test_cookies_are_secure_and_the_opener_is_cut_off_by_https_alone() -> None:
    by_https = https_settings(hsts_s=5, for_the_world=True)
    assert (by_https["SESSION_COOKIE_SECURE"], by_https["CSRF_COOKIE_SECURE"]) == (True, True)
    assert by_https["SECURE_CROSS_ORIGIN_OPENER_POLICY"] == "same-origin"
    assert configured.SECURE_CROSS_ORIGIN_OPENER_POLICY is None
    assert not configured.SESSION_COOKIE_SECURE
