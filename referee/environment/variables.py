"""The environment variables of an installation.

Each is declared once, as a field of `Environment`. Its name is that of the field in capitals; or NAME_FILE holds the
path of a file with the value. An empty value means the default. `manage.py settings_reference --write` writes
.env.example and the tables of docs/operating.md from this module.
"""

# ruff: noqa: RUF009 - the fields are declared by a function that returns `field(…)`
from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, cast, get_args

from referee import program_files
from referee.environment import kinds
from referee.environment.kinds import Kind, MailServer
from referee.environment.service_url import ServiceUrl
from referee.security.transport import A_MONTH_S

LONGEST_RETENTION_DAYS: Final = 36_500
LONGEST_HSTS_S: Final = 10 * 365 * 24 * 3600
Group = Literal["Every installation", "A server on the internet", "Several processes", "E-mail", "Monitoring"]
GROUPS: tuple[Group, ...] = get_args(Group)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Variable:
    """Declaration of a variable. `about` is Markdown; `needs` are packages of the extra “federation”."""

    name: str
    kind: Kind[Any]
    default: Any
    group: Group
    about: str
    default_text: str
    is_secret: bool
    needs: tuple[str, ...]

    @property
    def attribute(self) -> str:
        """Name of the field of `Environment`."""
        return self.name.lower()


def _variable(
    kind: Kind[T],
    default: T,
    group: Group,
    about: str,
    *,
    default_text: str = "",
    is_secret: bool = False,
    needs: tuple[str, ...] = (),
) -> T:
    """Declare a variable. Sentences on a wrong value repeat it, unless it is secret."""
    declared = {"group": group, "about": about, "default_text": default_text, "is_secret": is_secret, "needs": needs}
    return cast(T, field(metadata={"kind": kind, "default": default, **declared}))


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Values of the variables; optional texts are empty if not set."""

    data_dir: Path = _variable(
        kinds.FOLDER,
        program_files.usual_data_folder().resolve(),
        "Every installation",
        "The data folder: word lists, your own editions, finished sheets, and the database if there is no "
        "`DATABASE_URL`. The option `--data` does the same.",
        default_text="`var` of a checkout, else a folder of the user",
    )
    backup_dir: str = _variable(
        kinds.TEXT,
        "",
        "Every installation",
        "The folder for backups of SQLite, for example a USB stick. The option `--backup` of `serve` does the same.",
        default_text="`backups` in the data folder",
    )
    secret_key: str = _variable(
        kinds.TEXT,
        "",
        "Every installation",
        "The key that signs log-ins and the seats of the phones: 50 random characters or more, the same in all "
        "processes. See [The secret key](#the-secret-key).",
        default_text="the file `secret_key` in the data folder",
        is_secret=True,
    )
    retention_days: int = _variable(
        kinds.whole_number(LONGEST_RETENTION_DAYS),
        0,
        "Every installation",
        "Days after an event until the names of its players are deleted; 0 keeps them without a limit.",
    )
    tz: str = _variable(
        kinds.TIME_ZONE,
        "",
        "Every installation",
        "The time zone of pages and sheets.",
        default_text="the computer’s",
    )
    public_url: str = _variable(
        kinds.PUBLIC_URL,
        "",
        "A server on the internet",
        "The address that QR codes and links show.",
        default_text="the computer’s address in its network",
    )
    allowed_hosts: list[str] = _variable(
        kinds.HOSTS,
        ["localhost", "127.0.0.1", "[::1]"],
        "A server on the internet",
        "The host names under which the program may be opened. `serve` adds the addresses of the computer.",
    )
    csrf_trusted_origins: list[str] = _variable(
        kinds.ORIGINS,
        [],
        "A server on the internet",
        "The addresses of pages that may send forms, for a front that changes the host name.",
    )
    https: bool = _variable(
        kinds.YES_OR_NO,
        False,
        "A server on the internet",
        "Whether a front serves https: secure cookies, redirects, HSTS.",
    )
    hsts_seconds: int = _variable(
        kinds.whole_number(LONGEST_HSTS_S),
        A_MONTH_S,
        "A server on the internet",
        "How long browsers keep to https, with `HTTPS=yes`; 0 for not at all.",
    )
    forwarded_allow_ips: str = _variable(
        kinds.TEXT,
        "",
        "A server on the internet",
        "The addresses of the front, separated by commas, whose `X-Forwarded-For` and `X-Forwarded-Proto` are "
        "believed. Make sure that nobody else can reach the web processes.",
    )
    database_url: ServiceUrl | None = _variable(
        kinds.POSTGRESQL_URL,
        None,
        "Several processes",
        "The PostgreSQL database, with options of libpq such as `?sslmode=verify-full`.",
        default_text="SQLite in the data folder",
        is_secret=True,
        needs=("psycopg", "psycopg_pool"),
    )
    redis_url: str = _variable(
        kinds.REDIS_URL,
        "",
        "Several processes",
        "Redis, for messages between processes and the queue of the workers. With `appendonly yes`, queued sheets "
        "survive a restart of Redis; otherwise the judge orders them again.",
        default_text="one process without Redis",
        is_secret=True,
        needs=("celery", "channels_redis"),
    )
    email_url: MailServer | None = _variable(
        kinds.MAIL_SERVER,
        None,
        "E-mail",
        "The mail server for results to members who asked for them. Write `%40` for an @ in the user name. The links "
        "in the e-mails begin with `PUBLIC_URL`, and are left out without it.",
        default_text="no e-mail is sent",
        is_secret=True,
    )
    email_from: str = _variable(
        kinds.MAIL_ADDRESS,
        "",
        "E-mail",
        "The sender of the e-mails. It is required with `EMAIL_URL`.",
    )
    metrics_token: str = _variable(
        kinds.LONG_TOKEN,
        "",
        "Monitoring",
        "The token that Prometheus shows for the page `/metrics`.",
        default_text="the page does not exist",
        is_secret=True,
        needs=("prometheus_client",),
    )
    sentry_dsn: str = _variable(
        kinds.WEB_ADDRESS,
        "",
        "Monitoring",
        "The Sentry-compatible service to which errors are reported.",
        default_text="errors are reported to nobody",
        is_secret=True,
        needs=("sentry_sdk",),
    )


VARIABLES = tuple(Variable(name=each.name.upper(), **each.metadata) for each in fields(Environment))
