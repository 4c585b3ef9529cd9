"""Addresses of services with user and password, in which a password may contain any sign."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

# The last "@" that a host follows ends the password, so that it may contain "@", "/" and "?".
_START = (
    r"(?P<scheme>[a-z+]+)://(?:(?P<user>[^:@/]*)(?::(?P<password>.*))?@)?"
    r"(?P<host>[^@/:?#\[\]\s]*|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
)
_OPTIONS = r"(?:\?(?P<options>.*))?"
DATABASE_NAME, DATABASE_NUMBER, NO_NAME = r"/(?P<name>[^/?@\s]+)", r"(?:/(?P<name>[0-9]*))?", r"/?(?P<name>)"
"""What may stand after host and port."""


@dataclass(frozen=True, slots=True)
class ServiceUrl:
    """Parts of `scheme://user:password@host:port/name?option=value`, decoded; missing ones are empty."""

    scheme: str
    user: str
    password: str
    host: str
    port: str
    name: str
    options: Mapping[str, str]

    def __str__(self) -> str:
        """Return the address in the standard form, in which signs of the password are encoded."""
        login = ":".join(quote(part, safe="") for part in (self.user, self.password)) + "@"
        host = f"[{self.host}]" if ":" in self.host else self.host
        options = "&".join(f"{name}={quote(value, safe='/')}" for name, value in self.options.items())
        parts = (login if self.user or self.password else "", host, self.port and f":{self.port}")
        return f"{self.scheme}://{''.join(parts)}{self.name and f'/{self.name}'}{options and f'?{options}'}"


def read_service_url(text: str, schemes: Collection[str], name: str) -> ServiceUrl:
    """Return the parts of an address with one of the schemes. Raises ValueError for another text."""
    found = re.fullmatch(_START + name + _OPTIONS, text)
    if found is None or found["scheme"] not in schemes:
        raise ValueError("not an address of this service")
    parts: dict[str, Any] = {name: unquote(value or "") for name, value in found.groupdict().items()}
    if parts["port"] and not 0 < int(parts["port"]) < 65_536:
        raise ValueError("not a port")
    options = dict(parse_qsl(found["options"] or ""))
    return ServiceUrl(**{**parts, "host": parts["host"].strip("[]"), "options": options})
