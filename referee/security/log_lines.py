"""Log formatting that writes each entry on one line, whatever names, words, addresses and headers contain."""

from __future__ import annotations

import copy
import ipaddress
import logging
import re
import unicodedata
from typing import TypeVar

from django.http.response import HttpResponseBase

from referee.security.token_bucket import ip_prefix

# Control characters, and those that change the writing direction or break a line.
_UNSAFE = ("Cc", "Cf", "Cs", "Zl", "Zp")
_TRACE = "  | "
_ADDRESS = re.compile(r"(?<![\d.])(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}(?!\d|\.\d|/\d)")
_COLONS = re.compile(r"(?<![\w:])[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:]*(?!/\d)")


def escape_controls(text: str) -> str:
    """Return the text with control characters escaped (`\\n`, `\\x1b`), so that none ends a line or sets a colour."""
    return "".join(_escape_sign(sign) if unicodedata.category(sign) in _UNSAFE else sign for sign in text)


def without_hosts(text: str) -> str:
    """Return the text with addresses reduced to their networks, which do not identify a device."""
    return _COLONS.sub(lambda match: _network(match[0]), _ADDRESS.sub(r"\1.x", text))


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
        return without_hosts(escape_controls(super().formatMessage(record)))

    def formatException(self, ei: object) -> str:  # noqa: N802
        """Return the traceback, with each line marked."""
        return _mark_traceback(super().formatException(ei))  # type: ignore[arg-type]  # as logging passes it on

    def formatStack(self, stack_info: str) -> str:  # noqa: N802
        """Return the stack, with each line marked."""
        return _mark_traceback(super().formatStack(stack_info))


def _network(text: str) -> str:
    """Return the network of an IPv6 address; return times and other text with colons unchanged."""
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return text
    return ip_prefix(text)


def _mark_traceback(text: str) -> str:
    return "\n".join(_TRACE + without_hosts(escape_controls(line)) for line in text.split("\n"))


def _escape_sign(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
