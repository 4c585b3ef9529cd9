"""Environment variables: defaults, files, and one sentence for each wrong value."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from kombu.utils.url import url_to_parts
from redis.connection import parse_url

from referee.environment import EnvironmentFault, MailServer, read_environment, reference
from referee.environment.variables import VARIABLES
from referee.program_files import PACKAGES
from referee.server.databases import postgresql_config
from tests.waiting import PATIENCE_S


def test_without_variables_everything_is_embedded() -> None:
    found = read_environment({})
    assert (found.data_dir, found.redis_url, found.database_url) == (PACKAGES / "var", "", None)
    assert (found.https, found.retention_days, found.hsts_seconds) == (False, 0, 30 * 24 * 3600)
    assert found.allowed_hosts == ["localhost", "127.0.0.1", "[::1]"]


def test_an_empty_value_is_the_default() -> None:
    assert read_environment(dict.fromkeys(("HTTPS", "HSTS_SECONDS", "DATABASE_URL", "TZ"), "")) == read_environment({})


def test_lists_and_words_are_read_as_documented() -> None:
    found = read_environment({"ALLOWED_HOSTS": "a.example, b.example", "HTTPS": "True", "RETENTION_DAYS": "365"})
    assert (found.allowed_hosts, found.https, found.retention_days) == (["a.example", "b.example"], True, 365)


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp+tls://club:a%40b@mail.example", MailServer("mail.example", 587, "club", "a@b", True, False)),
        ("smtps://mail.example/", MailServer("mail.example", 465, "", "", False, True)),
        ("smtp://127.0.0.1:2525", MailServer("127.0.0.1", 2525, "", "", False, False)),
    ],
)
def test_a_mail_server_is_one_address_and_needs_a_sender(url: str, server: MailServer) -> None:
    assert read_environment({}).email_url is None
    assert read_environment({"EMAIL_URL": url, "EMAIL_FROM": "Club <c@example.org>"}).email_url == server
    with pytest.raises(EnvironmentFault, match="EMAIL_FROM is empty"):
        read_environment({"EMAIL_URL": url})


@pytest.mark.parametrize("secret", ["$HOME", "p@s/s$x?#1:", "100%"])
def test_a_secret_may_contain_any_sign(secret: str) -> None:
    assert read_environment({"SECRET_KEY": secret, "HOME": "/root"}).secret_key == secret
    found = read_environment(
        {
            "DATABASE_URL": f"postgresql://club:{secret}@db.example:5433/multiplo?sslmode=verify-full",
            "REDIS_URL": f"rediss://club:{secret}@redis.example:6380/2?ssl_ca_certs=/etc/ca.pem",
            "EMAIL_URL": f"smtps://club:{secret}@mail.example",
            "EMAIL_FROM": "c@example.org",
        }
    )
    assert found.email_url is not None
    assert found.email_url.password == secret
    read_by_redis: Mapping[str, object] = parse_url(found.redis_url)  # type: ignore[no-untyped-call]
    assert (read_by_redis["username"], read_by_redis["password"], read_by_redis["db"]) == ("club", secret, 2)
    assert (read_by_redis["host"], read_by_redis["ssl_ca_certs"]) == ("redis.example", "/etc/ca.pem")
    read_by_celery = url_to_parts(found.redis_url)
    assert (read_by_celery.hostname, read_by_celery.port, read_by_celery.password) == ("redis.example", 6380, secret)
    assert found.database_url is not None
    config = postgresql_config(found.database_url)
    assert (config["PASSWORD"], config["HOST"], config["PORT"], config["NAME"]) == (
        *(secret, "db.example", "5433", "multiplo"),
    )
    assert config["OPTIONS"]["sslmode"] == "verify-full"


def test_a_secret_can_be_given_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from a file")
    assert read_environment({"SECRET_KEY_FILE": str(tmp_path / "key")}).secret_key == "from a file"


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("DATA_DIR", __file__, "write the path of a folder"),
        ("HTTPS", "maybe", "write yes or no"),
        ("RETENTION_DAYS", "a year", "from 0 to 36500"),
        ("RETENTION_DAYS", "-1", "from 0 to 36500"),
        ("HSTS_SECONDS", "1e9", "write a whole number"),
        ("TZ", "Rome", "such as Europe/Rome"),
        ("PUBLIC_URL", "club.example.org", "such as https://"),
        ("ALLOWED_HOSTS", "https://club.example.org", "names or addresses without http://"),
        ("CSRF_TRUSTED_ORIGINS", "club.example.org", "with their scheme"),
        ("EMAIL_FROM", "the club", "such as club@example.org"),
        ("SECRET_KEY_FILE", "/no/such/file", "cannot be read"),
    ],
)
def test_a_wrong_value_is_one_sentence_with_variable_value_and_remedy(name: str, value: str, remedy: str) -> None:
    with pytest.raises(EnvironmentFault) as fault:
        read_environment({name: value})
    [sentence] = fault.value.sentences
    assert sentence.startswith(f"{name} is “{value}”")
    assert remedy in sentence


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EMAIL_URL", "imap://u:pass-word@host"),
        ("EMAIL_URL", "smtp://u:pass-word@host:port"),
        ("DATABASE_URL", "mysql://u:pass-word@host/name"),
        ("REDIS_URL", "http://:pass-word@host"),
        ("REDIS_URL", "redis://:pass-word@host:six/0"),
        ("REDIS_URL", "redis://:pass-word@host/first"),
        ("METRICS_TOKEN", "pass-word"),
        ("SENTRY_DSN", "pass-word@host/1"),
    ],
)
def test_a_wrong_address_with_a_password_is_not_repeated(name: str, value: str) -> None:
    with pytest.raises(EnvironmentFault) as fault:
        read_environment({name: value})
    [sentence] = fault.value.sentences
    assert sentence.startswith(f"{name} is not valid: write ")
    assert "pass-word" not in sentence


def test_a_command_prints_every_fault_and_no_traceback(tmp_path: Path) -> None:
    variables = {"DATA_DIR": str(tmp_path), "HTTPS": "maybe", "RETENTION_DAYS": "long"}
    command = [sys.executable, "-m", "django", "check", "--settings", "referee.settings"]
    ended = subprocess.run(
        command, cwd=PACKAGES, env={**os.environ, **variables}, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert ended.returncode == 2
    assert [line.split(" is ")[0] for line in ended.stderr.splitlines()] == ["RETENTION_DAYS", "HTTPS"]


def test_a_variable_of_a_federation_without_its_packages_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "celery", None)  # as Python marks a module that is not there
    with pytest.raises(EnvironmentFault) as fault:
        read_environment({"REDIS_URL": "redis://localhost/0"})
    [sentence] = fault.value.sentences
    assert sentence.startswith("REDIS_URL needs the Python package celery, which is not installed: ")
    assert "requirements-federation.txt" in sentence
    assert read_environment({}).redis_url == ""


def test_the_reference_is_that_of_the_declarations() -> None:
    remedy = "run: python3 manage.py settings_reference --write"
    manual = (PACKAGES / reference.MANUAL).read_text(encoding="utf-8")
    assert (PACKAGES / reference.ENV_EXAMPLE).read_text(encoding="utf-8") == reference.render_env_example(), remedy
    assert manual == reference.replace_tables(manual), remedy


def test_the_example_with_every_comment_removed_is_the_default() -> None:
    lines = [line.removeprefix("# ") for line in reference.render_env_example().splitlines()]
    variables = dict(line.split("=", 1) for line in lines if re.match(r"[A-Z_]+=", line))
    assert {variable.name for variable in VARIABLES} < set(variables)
    assert read_environment(variables) == read_environment({})
