"""Connections to PostgreSQL and Redis, tried within a few seconds: each fault is a sentence with its remedy."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from tournaments.validators import one_line

logger = logging.getLogger(__name__)
CONNECT_S = 3
_WORKER_ANSWER_S = 2.0
_WORKER_ATTEMPTS, _WORKER_PAUSE_S = 8, 2.0
_LONGEST_REASON = 200
_PREAMBLE = re.compile(
    r"^connection (?:failed|is bad): (?:connection to server at .*? failed: )?|\s*Is the server running .*$"
)
"""What libpq says before and after the reason: the address, which the sentence has, and a question."""


def find_database_fault() -> str:
    """Connect to PostgreSQL; return an empty text if it answers."""
    import psycopg

    wanted = {**connection.get_connection_params(), "connect_timeout": CONNECT_S}
    try:
        psycopg.connect(**wanted).close()
    except psycopg.Error as error:
        return _describe_database_error(_PREAMBLE.sub("", one_line(str(error))), wanted)
    return ""


def _describe_database_error(reason: str, wanted: Mapping[str, Any]) -> str:
    """Return the sentence on a message of libpq or of the server; the server writes in a language of its own."""
    address = f"{wanted.get('host') or 'localhost'}:{wanted.get('port') or 5432}"
    said = {
        "address": address,
        "user": wanted.get("user", ""),
        "database": wanted["dbname"],
        "reason": shorten(reason),
    }
    for signs, sentence in _DATABASE_FAULTS:
        if re.search(signs, reason, re.IGNORECASE):
            return sentence() % said
    return (
        _(
            "DATABASE_URL: PostgreSQL at %(address)s does not open the database “%(database)s” (%(reason)s): correct "
            "the address."
        )
        % said
    )


_DATABASE_FAULTS: tuple[tuple[str, Callable[[], str]], ...] = (
    (
        "invalid connection option|invalid .*value|must be",
        lambda: _(
            "DATABASE_URL has an option that is not known to PostgreSQL (%(reason)s): correct the part after the “?”."
        ),
    ),
    (
        "ssl|tls|certificate",
        lambda: _(
            "DATABASE_URL: PostgreSQL at %(address)s cannot be reached with these TLS options (%(reason)s): correct "
            "sslmode and sslrootcert, or the certificate of the server."
        ),
    ),
    (
        'database ".*" does not exist',
        lambda: _(
            "DATABASE_URL: PostgreSQL at %(address)s has no database “%(database)s”: create it with createdb, or "
            "correct the name."
        ),
    ),
    (
        "password|authentication|role .* does not exist|pg_hba",
        lambda: _(
            "DATABASE_URL: PostgreSQL at %(address)s does not accept the user “%(user)s” with this password: correct "
            "user and password."
        ),
    ),
    (
        "timeout|timed out|refused|resolve|unreachable|no route|No such file|closed the connection|"
        "name or service|reset by peer",
        lambda: _(
            "DATABASE_URL: no PostgreSQL answers at %(address)s (%(reason)s): start it, or correct host and port."
        ),
    ),
)


def find_redis_fault() -> str:
    """Connect to Redis; return an empty text if it answers."""
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    options: dict[str, Any] = {"socket_connect_timeout": CONNECT_S, "socket_timeout": CONNECT_S}
    try:
        client = redis.Redis.from_url(settings.REDIS_URL, **options, retry=Retry(NoBackoff(), 0))
        with client:
            client.ping()
    except redis.AuthenticationError:
        return _("REDIS_URL: Redis at %(address)s does not accept this user and password: correct them.") % {
            "address": _redis_address()
        }
    except (redis.ConnectionError, redis.TimeoutError, OSError) as error:
        said = {"address": _redis_address(), "reason": shorten(str(error))}
        return _("REDIS_URL: no Redis answers at %(address)s (%(reason)s): start it, or correct host and port.") % said
    except (redis.RedisError, ValueError, TypeError) as error:
        said = {"address": _redis_address(), "reason": shorten(str(error))}
        return _("REDIS_URL: Redis at %(address)s refuses (%(reason)s): correct the address.") % said
    return ""


def _redis_address() -> str:
    """Return host and port, or the path of a socket, without user and password."""
    url = urlsplit(settings.REDIS_URL)
    return f"{url.hostname}:{url.port or 6379}" if url.hostname else url.path


def find_worker_fault() -> str:
    """Ask the Celery workers to report; return an empty text if one does, or if Redis is away."""
    from referee.celery import app

    if find_redis_fault() or app.control.ping(timeout=_WORKER_ANSWER_S, limit=1):
        return ""
    return _(
        "No worker answers, so sheets, prepared games and e-mails wait: start one with celery -A referee.celery worker"
    )


def warn_without_worker() -> None:
    """Log a warning if no worker answers in the first half minute: it may start after the web processes.

    A web process does not refuse to start without a worker, which may itself wait for the web processes.
    """
    for _attempt in range(_WORKER_ATTEMPTS):
        fault = find_worker_fault()
        if not fault:
            return
        time.sleep(_WORKER_PAUSE_S)
    logger.warning(fault)


def shorten(reason: str) -> str:
    """Return the first part of an error message on one line."""
    text = one_line(reason)
    return text if len(text) <= _LONGEST_REASON else text[:_LONGEST_REASON] + "…"
