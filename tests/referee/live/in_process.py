"""Sockets to the application in this very process, for what a real line does not show."""

from __future__ import annotations

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator

from tests.waiting import PATIENCE_S

HOST = "localhost"


class SocketInProcess:
    """One socket of the ASGI application."""

    def __init__(self, path: str, cookie: str = "", *, origin: str = f"http://{HOST}", language: str = "en") -> None:
        from referee.asgi import application

        headers = {"host": HOST, "origin": origin, "cookie": cookie, "accept-language": language}
        scope = {
            "type": "websocket",
            "path": path,
            "query_string": b"",
            "subprotocols": [],
            "client": ("127.0.0.1", 5),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        self._line: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]

    async def open(self) -> bool:
        """Return True if the handshake is accepted."""
        await self._line.send_input({"type": "websocket.connect"})
        return bool((await self._line.receive_output(PATIENCE_S))["type"] == "websocket.accept")

    async def receive(self, seconds: float = PATIENCE_S) -> dict[str, Any]:
        """The next message; `{"close": code}` for the end."""
        output = await self._line.receive_output(seconds)
        if output["type"] == "websocket.close":
            return {"close": output.get("code")}
        message: dict[str, Any] = json.loads(output["text"])
        return message

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next message of a kind with these fields; others are passed over."""
        while True:
            message = await self.receive()
            if message.get("t") == kind and all(message.get(name) == value for name, value in fields.items()):
                return message

    async def until_close(self) -> object:
        """The code with which the server ends the connection; messages before it are passed over."""
        while "close" not in (message := await self.receive()):
            pass
        return message["close"]

    async def kinds_before_pong(self) -> list[object]:
        """Send a ping; the kinds of all messages until it is answered. What was posted before comes before."""
        await self.send({"t": "ping", "c": 1})
        kinds: list[object] = []
        while "pong" not in kinds:
            message = await self.receive()
            kinds.append(message.get("t", "close"))
        return kinds

    async def silence(self, seconds: float = 0.1) -> bool:
        """Return True if nothing comes for a while."""
        return bool(await self._line.receive_nothing(timeout=seconds))

    async def send(self, message: object) -> None:
        """Send an object as JSON, or a text as it is."""
        text = message if isinstance(message, str) else json.dumps(message)
        await self._line.send_input({"type": "websocket.receive", "text": text})

    async def hang_up(self) -> None:
        """End the connection from this side."""
        await self._line.send_input({"type": "websocket.disconnect", "code": 1001})
        await self._line.wait(PATIENCE_S)
