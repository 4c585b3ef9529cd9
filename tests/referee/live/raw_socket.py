"""A WebSocket as a client, written from RFC 6455 on plain TCP. Nothing of the program is imported here."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import secrets
import struct
from collections.abc import Mapping
from itertools import cycle

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUATION, _TEXT, _CLOSE, _PING, _PONG = 0x0, 0x1, 0x8, 0x9, 0xA
_NO_CODE = 1005
_ABNORMAL = 1006


class Closed(Exception):
    """The connection is over. `code` as in the protocol; 1006 when it broke."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class NotAccepted(Exception):
    """The handshake was answered by something else than 101."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class RawSocket:
    """One connection. Only whole text messages come out of `receive`; pings are answered by themselves."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, host: str, port: int, path: str, headers: Mapping[str, str]) -> RawSocket:
        """Shake hands; raises NotAccepted or OSError."""
        reader, writer = await asyncio.open_connection(host, port)
        socket = cls(reader, writer)
        try:
            await socket._shake_hands(f"{host}:{port}", path, headers)
        except BaseException:
            socket.drop()
            raise
        return socket

    async def send(self, text: str) -> None:
        """Send a text message. What was sent to a dead line is simply lost."""
        await self._send(_TEXT, text.encode())

    async def receive(self) -> str:
        """The next text message; raises Closed at the end of the line."""
        parts: list[bytes] = []
        while True:
            final, opcode, payload = await self._frame()
            if opcode in (_TEXT, _CONTINUATION):
                parts.append(payload)
                if final:
                    return b"".join(parts).decode()
            elif opcode == _PING:
                await self._send(_PONG, payload)
            elif opcode == _CLOSE:
                await self._send(_CLOSE, payload[:2])
                self.drop()
                raise Closed(struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else _NO_CODE)

    async def close(self) -> None:
        """Say goodbye and hang up, without waiting for the answer."""
        await self._send(_CLOSE, struct.pack(">H", 1000))
        self.drop()

    def drop(self) -> None:
        """Hang up as a phone does whose battery is empty."""
        self._writer.close()

    async def _shake_hands(self, host: str, path: str, headers: Mapping[str, str]) -> None:
        key = base64.b64encode(secrets.token_bytes(16))
        asked = {
            "Host": host,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": key.decode(),
            "Sec-WebSocket-Version": "13",
            **headers,
        }
        lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in asked.items()), "", ""]
        self._writer.write("\r\n".join(lines).encode("latin-1"))
        try:
            head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        except asyncio.IncompleteReadError:
            raise ConnectionResetError("the line broke in the handshake") from None
        if (status := int(head[0].split()[1])) != 101:
            raise NotAccepted(status)
        answered = {
            name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])
        }
        proof = base64.b64encode(hashlib.sha1(key + _GUID, usedforsecurity=False).digest()).decode()
        if answered.get("sec-websocket-accept") != proof:
            raise NotAccepted(status)

    async def _frame(self) -> tuple[bool, int, bytes]:
        try:
            first, second = await self._reader.readexactly(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", await self._reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", await self._reader.readexactly(8))
            return bool(first & 0x80), first & 0x0F, await self._reader.readexactly(size)
        except (asyncio.IncompleteReadError, OSError):
            self.drop()
            raise Closed(_ABNORMAL) from None

    async def _send(self, opcode: int, payload: bytes) -> None:
        size = len(payload)
        if size < 126:
            head = struct.pack(">BB", 0x80 | opcode, 0x80 | size)
        else:
            head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, size)
        mask = secrets.token_bytes(4)
        masked = bytes(byte ^ key for byte, key in zip(payload, cycle(mask), strict=False))
        try:
            self._writer.write(head + mask + masked)
            await self._writer.drain()
        except OSError:
            self.drop()
