"""Environment variables of an installation, read once by the settings. docs/operating.md describes each.

A variable may also be given as a file: NAME_FILE holds the path. An empty value means the default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from importlib import import_module
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import environ
from django.core.exceptions import ImproperlyConfigured
from tzlocal import get_localzone_name

from referee import program_files
from referee.security.transport import A_MONTH_S
from referee.server.databases import read_postgresql_url

LONGEST_RETENTION_DAYS = 36_500
LONGEST_HSTS_S = 10 * 365 * 24 * 3600
_YES, _NO = ("true", "on", "ok", "y", "yes", "1"), ("false", "off", "n", "no", "0")
_PLAIN_HOSTS = ("localhost", "127.0.0.1", "[::1]")
_MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
_REMEDY = (
    "install “multiplo[federation]” in place of “multiplo”, with the same program"
    if program_files.IS_INSTALLED
    else "run pip install -r requirements-federation.txt in the environment of this program"
)
_ORIGIN = re.compile(r"https?://[^/?#\s]+$")
T = TypeVar("T")


class EnvironmentFault(ImproperlyConfigured):
    """Wrong environment variables. `sentences` has one for each: its name, its value and the remedy."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)


@dataclass(frozen=True, slots=True)
class Environment:
    """Values of the environment variables; optional texts are empty if not set."""

    data_dir: Path
    backup_dir: str
    secret_key: str
    database_url: str
    redis_url: str
    allowed_hosts: list[str]
    csrf_trusted_origins: list[str]
    public_url: str
    https: bool
    hsts_s: int
    retention_days: int
    time_zone: str
    email_url: MailServer | None
    email_from: str
    metrics_token: str  # of the page /metrics, which does not exist without it
    sentry_dsn: str  # address of a Sentry-compatible service; empty: errors are reported to nobody
    trusted_proxies: str  # addresses of proxies whose forwarding headers are believed; empty without a proxy


@dataclass(frozen=True, slots=True)
class MailServer:
    """A mail server (SMTP): `starts_tls` on a plain connection, or `is_tls` from the first byte."""

    host: str
    port: int
    user: str
    password: str
    starts_tls: bool
    is_tls: bool


class _Fault(ValueError):
    """The remedy for a wrong value."""


class _Reader:
    """Reader of single variables; collects the faults. Values of secret variables stay out of the sentences."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = environ.fileaware_mapping.FileAwareMapping(env=dict(variables))
        self.faults: list[str] = []

    def read(self, name: str, parse: Callable[[str], T], default: T, *, is_secret: bool = False) -> T:
        """Return the parsed value; the default if it is empty or wrong."""
        try:
            text = str(self._variables.get(name, ""))
        except OSError as error:
            file = self._variables.env[f"{name}_FILE"]
            self.faults.append(f"{name}_FILE is “{file}”, which cannot be read ({error.strerror}): name another file.")
            return default
        except UnicodeDecodeError:
            file = self._variables.env[f"{name}_FILE"]
            self.faults.append(f"{name}_FILE is “{file}”, which is not a text file: save it as UTF-8.")
            return default
        try:
            return parse(text) if text.strip() else default
        except _Fault as fault:
            value = "not valid" if is_secret else f"“{text.strip()}”"
            self.faults.append(f"{name} is {value}: {fault}.")
            return default


def read_environment(variables: Mapping[str, str]) -> Environment:
    """Read all variables. Raises EnvironmentFault with a sentence for each wrong one."""
    reader = _Reader(variables)
    found = Environment(
        data_dir=reader.read("DATA_DIR", _folder, program_files.usual_data_folder()).resolve(),
        backup_dir=reader.read("BACKUP_DIR", str, ""),
        secret_key=reader.read("SECRET_KEY", str, ""),
        database_url=reader.read("DATABASE_URL", _postgresql, "", is_secret=True),
        redis_url=reader.read("REDIS_URL", _redis_url, "", is_secret=True),
        allowed_hosts=reader.read("ALLOWED_HOSTS", _hosts, list(_PLAIN_HOSTS)),
        csrf_trusted_origins=reader.read("CSRF_TRUSTED_ORIGINS", _origins, []),
        public_url=reader.read("PUBLIC_URL", _public_url, ""),
        https=reader.read("HTTPS", _boolean, default=False),
        hsts_s=reader.read("HSTS_SECONDS", _whole_number(LONGEST_HSTS_S), A_MONTH_S),
        retention_days=reader.read("RETENTION_DAYS", _whole_number(LONGEST_RETENTION_DAYS), 0),
        time_zone=reader.read("TZ", _time_zone, "") or get_localzone_name(),
        email_url=reader.read("EMAIL_URL", _mail_server, None, is_secret=True),
        email_from=reader.read("EMAIL_FROM", _mail_address, ""),
        metrics_token=reader.read("METRICS_TOKEN", _long_token, "", is_secret=True),
        sentry_dsn=reader.read("SENTRY_DSN", _web_address, "", is_secret=True),
        trusted_proxies=reader.read("FORWARDED_ALLOW_IPS", str, ""),
    )
    if found.email_url is not None and not found.email_from:
        reader.faults.append(
            "EMAIL_FROM is empty: write the address from which the club sends, such as club@example.org."
        )
    reader.faults += [
        *_missing_packages("DATABASE_URL", found.database_url, ("psycopg", "psycopg_pool")),
        *_missing_packages("REDIS_URL", found.redis_url, ("celery", "channels_redis")),
        *_missing_packages("METRICS_TOKEN", found.metrics_token, ("prometheus_client",)),
        *_missing_packages("SENTRY_DSN", found.sentry_dsn, ("sentry_sdk",)),
    ]
    if reader.faults:
        raise EnvironmentFault(reader.faults)
    return found


def _missing_packages(name: str, value: str, packages: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each package that a set variable needs and that cannot be imported."""
    for package in packages if value else ():
        try:
            import_module(package)
        except ImportError:
            yield f"{name} needs the Python package {package}, which is not installed: {_REMEDY}."


def _folder(text: str) -> Path:
    if Path(text).is_file():
        raise _Fault("name a folder, not a file")
    return Path(text)


def _postgresql(text: str) -> str:
    if read_postgresql_url(text) is None:
        raise _Fault("write postgres://user:password@host:port/database, or leave it empty for the data folder's file")
    return text


def _redis_url(text: str) -> str:
    if not text.startswith(("redis://", "rediss://", "unix://")):
        raise _Fault("write redis://host:port/0, or leave it empty for one process without Redis")
    return text


def _mail_server(text: str) -> MailServer:
    try:
        address = urlsplit(text)
        port = address.port
    except ValueError:
        address, port = urlsplit(""), None
    if address.scheme not in _MAIL_PORTS or not address.hostname or address.path not in ("", "/"):
        raise _Fault("write smtp+tls://user:password@host:587, smtps://user:password@host:465 or smtp://host:25")
    return MailServer(
        host=address.hostname,
        port=port or _MAIL_PORTS[address.scheme],
        user=unquote(address.username or ""),
        password=unquote(address.password or ""),
        starts_tls=address.scheme == "smtp+tls",
        is_tls=address.scheme == "smtps",
    )


def _mail_address(text: str) -> str:
    name, address = parseaddr(text)
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", address) or "\n" in name:
        raise _Fault("write an e-mail address, such as club@example.org or Club <club@example.org>")
    return text.strip()


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _hosts(text: str) -> list[str]:
    hosts = _list(text)
    if any("/" in host for host in hosts):
        raise _Fault("write names or addresses only, separated by commas, such as club.example.org")
    return hosts


def _origins(text: str) -> list[str]:
    origins = _list(text)
    if not all(map(_ORIGIN.match, origins)):
        raise _Fault("write addresses with their scheme, separated by commas, such as https://club.example.org")
    return origins


def _public_url(text: str) -> str:
    address = urlsplit(text)
    if address.scheme not in ("http", "https") or not address.netloc:
        raise _Fault("write the whole address that phones open, such as https://club.example.org")
    return text


def _long_token(text: str) -> str:
    if not re.fullmatch(r"[\x21-\x7e]{16,}", text.strip()):
        raise _Fault("write 16 characters or more without spaces, such as the output of openssl rand -hex 32")
    return text.strip()


def _web_address(text: str) -> str:
    address = urlsplit(text.strip())
    if address.scheme not in ("http", "https") or not address.netloc:
        raise _Fault("write the address that the service shows, such as https://key@errors.example.org/1")
    return text.strip()


def _boolean(text: str) -> bool:
    word = text.strip().lower()
    if word not in _YES + _NO:
        raise _Fault("write yes or no")
    return word in _YES


def _whole_number(largest: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text.strip()) or int(text) > largest:
            raise _Fault(f"write a whole number from 0 to {largest}")
        return int(text)

    return parse


def _time_zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise _Fault("write the name of a time zone, such as Europe/Rome") from None
    return text
