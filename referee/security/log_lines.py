"""Log formatting that writes each entry on one line, whatever names, words, addresses and headers contain."""

from __future__ import annotations

import copy
import ipaddress
import json
import logging
import re
import unicodedata
from datetime import UTC, datetime
from typing import TypeVar

from django.http.response import HttpResponseBase

from referee.security.request_ids import request_id, room_id
from referee.security.token_bucket import ip_prefix

# Control characters, and those that change the writing direction or break a line.
_UNSAFE = ("Cc", "Cf", "Cs", "Zl", "Zp")
_TRACE = "  | "
_ADDRESS = re.compile(r"(?<![\d.])(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}(?!\d|\.\d|/\d)")
# A token in an address (of a judge, a wall, a practice page), a password in an address, and a token in a header.
_TOKENS = re.compile(r"(?<=/)[A-Za-z0-9_=-]{20,}(?=[/?#\s'\"\])>,:]|$)")
_PASSWORDS = re.compile(r"(?<=://)[^/@\s]*@")
_BEARERS = re.compile(r"(?i)\b(bearer|token|password|cookie|sessionid|secret)(\"?'?[ :=]+\"?'?)[^\s,;&'\"]{8,}")
# What PostgreSQL adds to an error about a row: its values, such as names and slips.
_ROW = re.compile(r"\s*\bDETAIL: [^\n]*")
_COLONS = re.compile(r"(?<![\w:])[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:]*(?!/\d)")


def escape_controls(text: str) -> str:
    """Return the text with control characters escaped (`\\n`, `\\x1b`), so that none ends a line or sets a colour."""
    return "".join(_escape_sign(sign) if unicodedata.category(sign) in _UNSAFE else sign for sign in text)


def without_hosts(text: str) -> str:
    """Return the text with addresses reduced to their networks, which do not identify a device."""
    return _COLONS.sub(lambda match: _network(match[0]), _ADDRESS.sub(r"\1.x", text))


def without_secrets(text: str) -> str:
    """Return the text without tokens and passwords in addresses and headers."""
    return _BEARERS.sub(r"\1\2…", _PASSWORDS.sub("…@", _TOKENS.sub("…", text)))


def scrub(text: str) -> str:
    """Return the text escaped, without addresses of devices, secrets and values of rows."""
    return without_hosts(without_secrets(escape_controls(_ROW.sub("", text))))


ResponseT = TypeVar("ResponseT", bound=HttpResponseBase)


def mark_logged(response: ResponseT) -> ResponseT:
    """Mark the response to a request that has been logged, so that Django does not log it again."""
    response._has_been_logged = True  # type: ignore[attr-defined]  # django.utils.log.log_response
    return response


class OneLineFormatter(logging.Formatter):
    """Formatter that escapes entries. Each line of a traceback is marked, so that none looks like an entry."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the whole entry. A refused request (status below 500) is not a fault and gets no traceback."""
        if record.exc_info and getattr(record, "status_code", 500) < 500:
            record = copy.copy(record)
            record.exc_info = record.exc_text = None
        return super().format(record)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the name is that of logging
        """Return the entry itself, escaped."""
        return scrub(super().formatMessage(record))

    def formatException(self, ei: object) -> str:  # noqa: N802
        """Return the traceback, with each line marked."""
        return _mark_traceback(super().formatException(ei))  # type: ignore[arg-type]  # as logging passes it on

    def formatStack(self, stack_info: str) -> str:  # noqa: N802
        """Return the stack, with each line marked."""
        return _mark_traceback(super().formatStack(stack_info))


class JsonFormatter(logging.Formatter):
    """Formatter that writes an entry as one line of JSON, with the ids of the request and the room."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the entry. A refused request (status below 500) is not a fault and gets no traceback."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": scrub(record.getMessage()),
            "process": record.process,
            "request": request_id.get(),
            "room": room_id.get(),
        }
        if record.exc_info and getattr(record, "status_code", 500) >= 500:
            lines = self.formatException(record.exc_info).split("\n")
            fields["traceback"] = "\n".join(map(scrub, lines))
        return json.dumps({name: value for name, value in fields.items() if value}, ensure_ascii=False)


def _network(text: str) -> str:
    """Return the network of an IPv6 address; return times and other text with colons unchanged."""
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return text
    return ip_prefix(text)


def _mark_traceback(text: str) -> str:
    return "\n".join(_TRACE + scrub(line) for line in text.split("\n"))


def _escape_sign(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
