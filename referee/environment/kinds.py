"""Kinds of values of environment variables: the form in which a value is written, and its parser."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from referee.environment.service_url import DATABASE_NAME, DATABASE_NUMBER, NO_NAME, ServiceUrl, read_service_url

_YES, _NO = ("true", "on", "ok", "y", "yes", "1"), ("false", "off", "n", "no", "0")
_MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
_ORIGIN = re.compile(r"https?://[^/?#\s]+$")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """Kind of a value. `form` completes the sentence “Write …”; `parse` raises ValueError for another form.

    `form` is empty if any text is right.
    """

    form: str
    parse: Callable[[str], T]


@dataclass(frozen=True, slots=True)
class MailServer:
    """A mail server (SMTP): `starts_tls` on a plain connection, or `is_tls` from the first byte."""

    host: str
    port: int
    user: str
    password: str
    starts_tls: bool
    is_tls: bool


def whole_number(largest: int) -> Kind[int]:
    """Return the kind of a number from 0 to `largest`."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > largest:
            raise ValueError(text)
        return int(text)

    return Kind(f"a whole number from 0 to {largest}", parse)


def _folder(text: str) -> Path:
    if Path(text).is_file():
        raise ValueError(text)
    return Path(text).resolve()


def _postgresql_url(text: str) -> ServiceUrl:
    return read_service_url(text, ("postgresql", "postgres"), DATABASE_NAME)


def _redis_url(text: str) -> str:
    if text.startswith("unix:///"):
        return text
    return str(_with_host(read_service_url(text, ("redis", "rediss"), DATABASE_NUMBER)))


def _mail_server(text: str) -> MailServer:
    url = _with_host(read_service_url(text, _MAIL_PORTS, NO_NAME))
    return MailServer(
        host=url.host,
        port=int(url.port or _MAIL_PORTS[url.scheme]),
        user=url.user,
        password=url.password,
        starts_tls=url.scheme == "smtp+tls",
        is_tls=url.scheme == "smtps",
    )


def _with_host(url: ServiceUrl) -> ServiceUrl:
    if not url.host:
        raise ValueError("no host")
    return url


def _mail_address(text: str) -> str:
    name, address = parseaddr(text)
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", address) or "\n" in name:
        raise ValueError(text)
    return text


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _hosts(text: str) -> list[str]:
    hosts = _list(text)
    if not hosts or any(re.search(r"[/\s]", host) for host in hosts):
        raise ValueError(text)
    return hosts


def _origins(text: str) -> list[str]:
    origins = _list(text)
    if not all(map(_ORIGIN.match, origins)):
        raise ValueError(text)
    return origins


def _public_url(text: str) -> str:
    address = urlsplit(text)
    if address.scheme not in ("http", "https") or not address.netloc:
        raise ValueError(text)
    return text


def _long_token(text: str) -> str:
    if not re.fullmatch(r"[\x21-\x7e]{16,}", text):
        raise ValueError(text)
    return text


def _boolean(text: str) -> bool:
    word = text.lower()
    if word not in _YES + _NO:
        raise ValueError(text)
    return word in _YES


def _time_zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(text) from error
    return text


TEXT = Kind("", str)
FOLDER = Kind("the path of a folder", _folder)
YES_OR_NO = Kind("yes or no", _boolean)
TIME_ZONE = Kind("the name of a time zone, such as Europe/Rome", _time_zone)
POSTGRESQL_URL: Kind[ServiceUrl | None] = Kind("postgresql://user:password@host:port/database", _postgresql_url)
REDIS_URL = Kind("redis://host:port/0, rediss://… for TLS, or unix:///path of a socket", _redis_url)
HOSTS = Kind("names or addresses without http://, separated by commas, such as club.example.org", _hosts)
ORIGINS = Kind("addresses with their scheme, separated by commas, such as https://club.example.org", _origins)
PUBLIC_URL = Kind("the whole address that phones open, such as https://club.example.org", _public_url)
MAIL_SERVER: Kind[MailServer | None] = Kind(
    "smtp+tls://user:password@host:587, smtps://user:password@host:465 or smtp://host:25", _mail_server
)
MAIL_ADDRESS = Kind("an e-mail address, such as club@example.org or Club <club@example.org>", _mail_address)
LONG_TOKEN = Kind("16 characters or more without spaces, such as the output of openssl rand -hex 32", _long_token)
WEB_ADDRESS = Kind("the address that the service shows, such as https://key@errors.example.org/1", _public_url)
