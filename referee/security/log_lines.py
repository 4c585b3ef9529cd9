"""One line of the log stays one line, whatever people have written into names, words, addresses and headers."""

from __future__ import annotations

import copy
import ipaddress
import logging
import re
import unicodedata
from typing import TypeVar

from django.http.response import HttpResponseBase

from referee.security.throttle import ip_prefix

# Control signs, and those that turn the direction of reading round or break a line.
_UNSAFE = ("Cc", "Cf", "Cs", "Zl", "Zp")
_TRACE = "  | "
_ADDRESS = re.compile(r"(?<![\d.])(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}(?!\d|\.\d|/\d)")
_COLONS = re.compile(r"(?<![\w:])[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:]*(?!/\d)")


def escaped(text: str) -> str:
    """The text with every control sign written out (`\\n`, `\\x1b`), so that it neither ends a line nor colours it."""
    return "".join(_written_out(sign) if unicodedata.category(sign) in _UNSAFE else sign for sign in text)


def without_hosts(text: str) -> str:
    """The text with the part of addresses left out that tells one device from another: the network tells enough."""
    return _COLONS.sub(lambda found: _network(found[0]), _ADDRESS.sub(r"\1.x", text))


ResponseT = TypeVar("ResponseT", bound=HttpResponseBase)


def logged(response: ResponseT) -> ResponseT:
    """The response to a request that has its line in the log already: Django writes no second one."""
    response._has_been_logged = True  # type: ignore[attr-defined]  # django.utils.log.log_response
    return response


class OneLine(logging.Formatter):
    """Escapes what is logged. The lines of a traceback follow, each with a mark, so that none looks like an entry."""

    def format(self, record: logging.LogRecord) -> str:
        """The whole entry; a request that was refused (status below 500) is no fault and gets no traceback."""
        if record.exc_info and getattr(record, "status_code", 500) < 500:
            record = copy.copy(record)
            record.exc_info = record.exc_text = None
        return super().format(record)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the name is that of logging
        """The entry itself."""
        return without_hosts(escaped(super().formatMessage(record)))

    def formatException(self, ei: object) -> str:  # noqa: N802
        """The traceback, marked."""
        return _marked(super().formatException(ei))  # type: ignore[arg-type]  # as logging passes it on

    def formatStack(self, stack_info: str) -> str:  # noqa: N802
        """The stack, marked."""
        return _marked(super().formatStack(stack_info))


def _network(text: str) -> str:
    """The network of an IPv6 address; a time of day, and what else has colons, stays."""
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return text
    return ip_prefix(text)


def _marked(text: str) -> str:
    return "\n".join(_TRACE + without_hosts(escaped(line)) for line in text.split("\n"))


def _written_out(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
