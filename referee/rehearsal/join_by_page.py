"""Simulated phones that join through the join page with code and table number."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator, Sequence

from referee.rehearsal.crowd import ServerAddress

AT_ONCE = 40
LONGEST_S = 300.0
TRIES = 3
_COOKIE = re.compile(rb"^set-cookie: (csrftoken|seat)=([^;\r]+)", re.IGNORECASE | re.MULTILINE)
_LENGTH = re.compile(rb"^content-length: (\d+)", re.IGNORECASE | re.MULTILINE)


async def join_all(server: ServerAddress, code: str, tables: Sequence[int]) -> tuple[list[str], float]:
    """Return the cookies of the phones that joined, and the seconds it took."""
    began, waiting = time.perf_counter(), iter(tables)
    work = [_join_some(server, code, waiting) for _number in range(min(AT_ONCE, len(tables)))]
    joined = await asyncio.wait_for(asyncio.gather(*work), LONGEST_S)
    return [cookie for some in joined for cookie in some], time.perf_counter() - began


async def _join_some(server: ServerAddress, code: str, waiting: Iterator[int]) -> list[str]:
    """Join phones from the shared queue over one keep-alive connection."""
    reader, writer = await asyncio.open_connection(server.address, server.port, ssl=server.secure or None)
    page = f"/j/{code}/"
    try:
        token = (await _ask(reader, writer, _get(server, page)))["csrftoken"]
        cookies = []
        for table in waiting:
            for _again in range(TRIES):
                came = await _ask(reader, writer, _post(server, page, token, table))
                if "seat" in came:
                    cookies.append(f"seat={came['seat']}")
                    break
        return cookies
    finally:
        writer.close()


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> dict[str, str]:
    """Send a request; return the cookies of the response."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    if (length := _LENGTH.search(head)) is not None:
        await reader.readexactly(int(length[1]))
    return {name.decode().lower(): value.decode() for name, value in _COOKIE.findall(head)}


def _get(server: ServerAddress, path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()


def _post(server: ServerAddress, path: str, token: str, table: int) -> bytes:
    body = f"csrfmiddlewaretoken={token}&table={table}"
    scheme = "https" if server.secure else "http"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {scheme}://{server.host}\r\n"
        f"Cookie: csrftoken={token}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    )
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()
