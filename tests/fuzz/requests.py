"""Requests to every route of the URLconf, with changed values of the forms on the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode

from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from referee.desk.registry import ACTIONS
from tests.fuzz.mutations import Mutator

_CONVERTER = re.compile(r"<(?:(\w+):)?(\w+)>")
_NAMES_READ = re.compile(r"(?:POST|GET|FILES|post|_text\(|_number\(|text\(|number\()[^\"\n]{0,20}\"([a-z][\w-]*)\"")
METHODS = ("GET",) * 10 + ("POST",) * 12 + ("HEAD", "PUT", "OPTIONS", "DELETE", "PATCH")
MEDIA = (
    "application/json",
    "text/plain",
    "",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "x" * 300,
    "a/b;c=\x00",
)
FILE_FIELDS = ("file", "file", "files", "logo")
Fields = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Form:
    """Form or link of a page: address, method and field values."""

    method: str
    address: str
    fields: Fields
    has_file: bool = False


@dataclass(frozen=True)
class FuzzRequest:
    """Request that is ready to be sent."""

    method: str
    path: str
    body: bytes
    media: str
    headers: Mapping[str, str]

    def send(self, client: Client) -> object:
        """Return the response of the application; exceptions are raised."""
        return client.generic(self.method, self.path, self.body, self.media, headers=dict(self.headers))

    def __str__(self) -> str:
        return f"{self.method} {self.path[:300]} ({self.media}) {self.body[:600]!r} {dict(self.headers)}"


@cache
def routes() -> Sequence[str]:
    """List every route of the URLconf with its converters."""
    return tuple(_routes(get_resolver().url_patterns, ""))


@cache
def names_read() -> Sequence[str]:
    """Collect the names of form fields and query parameters that the views read."""
    sources = (Path(settings.BASE_DIR) / "referee").rglob("*.py")
    return tuple(sorted({name for path in sources for name in _NAMES_READ.findall(path.read_text("utf-8"))}))


def forms_of(page: str, address: str) -> list[Form]:
    """Return all forms of a page and all links to this server."""
    reader = _Forms(address)
    reader.feed(page)
    return reader.forms


def make_request(
    random: Mutator, known: Mapping[str, Sequence[str]], forms: Sequence[Form], files: Mapping[str, bytes]
) -> FuzzRequest:
    """Build a request from a known form with changes, or from an address and random fields."""
    if forms and random.often(0.6):
        form = random.choice(forms)
        method, path, fields = form.method, form.address, list(form.fields)
        has_file = form.has_file
    else:
        method, path = random.choice(METHODS), path_of(random, random.choice(routes()), known)
        fields, has_file = [(random.choice(names_read()), random.text()) for _ in range(random.randrange(4))], False
    fields = _changed(random, fields)
    if method in ("GET", "HEAD"):
        return FuzzRequest(method, f"{path.partition('?')[0]}?{_encoded(fields)}", b"", "", _headers(random))
    body, media = _body(random, fields, files, has_file)
    return FuzzRequest(method, path, body, media, _headers(random))


def path_of(random: Mutator, route: str, known: Mapping[str, Sequence[str]], share: float = 0.85) -> str:
    """Return an address of this route; in this share of the cases with an existing value.

    A value of a part of the site stands in `known` with the first part of its routes: "m/token".
    """
    part = route.partition("/")[0]

    def value(found: re.Match[str]) -> str:
        name = found[2]
        if name == "action" and random.often(0.95):
            return random.choice(list(ACTIONS))
        values = known.get(f"{part}/{name}") or known.get(name)
        if values and random.often(share):
            return random.choice(values)
        return quote(random.text()[:5_000].encode("utf-8", "replace"), safe="")

    return "/" + _CONVERTER.sub(value, route)


def _routes(patterns: Sequence[URLPattern | URLResolver], prefix: str) -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        else:
            yield route


def _changed(random: Mutator, fields: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Change up to two fields, sometimes remove or add one."""
    for _ in range(random.randrange(3) if fields else 0):
        at = random.randrange(len(fields))
        fields[at] = fields[at][0], random.changed_text(fields[at][1])
    if fields and random.often(0.1):
        fields.pop(random.randrange(len(fields)))
    if random.often(0.15):
        fields.append((random.choice(names_read()), random.text()))
    if random.often(0.005):
        fields += [("x", "")] * 2_000
    return fields


def _encoded(fields: Fields) -> str:
    return urlencode([(name, text.encode("utf-8", "surrogatepass")) for name, text in fields])


def _body(random: Mutator, fields: Fields, files: Mapping[str, bytes], has_file: bool) -> tuple[bytes, str]:
    """Return (body, media type) of a form, mostly as a browser sends it."""
    if random.often(0.05):
        text = random.json_text({**dict(fields), "id": "0f8fad5b-d9cb-469f-a165-70867728950e", "game": 1, "turn": 1})
        return text.encode("utf-8", "surrogatepass"), "application/json"
    if random.often(0.03):
        return random.text().encode(), random.choice(MEDIA)
    if not has_file and random.often(0.9):
        body = _encoded(fields).encode()
        return (body if random.often(0.97) else random.changed_bytes(body)), "application/x-www-form-urlencoded"
    name = random.choice(list(files))
    content = files[name] if random.often(0.3) else random.changed_bytes(files[name])
    name = name if random.often(0.8) else random.text()[:50]
    parts = [_part(f'name="{field}"', text.encode("utf-8", "surrogatepass")) for field, text in fields]
    parts.append(_part(f'name="{random.choice(FILE_FIELDS)}"; filename="{name}"'.replace("\n", ""), content))
    body = b"".join(parts) + b"--X--\r\n"
    return (body if random.often(0.85) else random.changed_bytes(body)), "multipart/form-data; boundary=X"


def _part(head: str, content: bytes) -> bytes:
    line = f"--X\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode("utf-8", "replace")
    return line + content + b"\r\n"


def _headers(random: Mutator) -> dict[str, str]:
    headers: dict[str, str] = {}
    if random.often(0.3):
        headers["HX-Request"] = "true"
    if random.often(0.15):
        headers["Accept"] = random.choice(("application/json", "*/*", "text/html;q=x", ";", "a/b;q=9" * 50))
    for name in (
        "Accept-Language",
        "If-None-Match",
        "If-Modified-Since",
        "Origin",
        "Referer",
        "Cookie",
        "X-Forwarded-For",
    ):
        if random.often(0.03):
            headers[name] = random.text()[:500].replace("\0", "").encode("latin-1", "replace").decode("latin-1")
    headers.setdefault("Origin", "http://testserver")
    return headers


class _Forms(HTMLParser):
    """Parser that collects forms with their fields, and links as forms without fields."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._address = address
        self._form: Form | None = None
        self._fields: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "form":
            method = given.get("method", "get").upper()
            address = given.get("action") or given.get("hx-post") or self._address
            self._fields = []
            self._form = Form(method, address, self._fields, "multipart" in given.get("enctype", ""))
        elif tag == "a" and given.get("href", "").startswith("/"):
            self.forms.append(Form("GET", given["href"], ()))
        elif tag == "option":
            self._option(given)
        elif tag in ("input", "button", "select", "textarea"):
            self._control(given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self._form is not None:
            self.forms.append(self._form)
            self._form = None

    def _control(self, given: Mapping[str, str]) -> None:
        if given.get("name") and given.get("type") != "file":
            self._fields.append((given["name"], given.get("value", "")))
        if post := given.get("hx-post"):
            self.forms.append(Form("POST", post, tuple(self._fields)))

    def _option(self, given: Mapping[str, str]) -> None:
        """Use the selected option, else the last one."""
        if self._fields and (not self._fields[-1][1] or "selected" in given):
            self._fields[-1] = self._fields[-1][0], given.get("value", "")
