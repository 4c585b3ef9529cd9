"""Guards for `referee.server.uvicorn_overrides`: the internals of uvicorn and websockets that it overrides or uses."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from referee.server.uvicorn_overrides import FastWebSocketProtocol, NotifyingServer, TimeLimitedProtocol

REVIEWED_VERSIONS = {"uvicorn": "0.54.0", "websockets": "17.4", "httptools": "0.9.0"}
# Overridden methods, and those whose behaviour the overrides depend on.
REVIEWED_SOURCES: dict[tuple[type[Any], str], str] = {
    (WebSocketsSansIOProtocol, "connection_lost"): "dd116afc4d80",
    (WebSocketsSansIOProtocol, "shutdown"): "e8ace796ada6",
    (WebSocketsSansIOProtocol, "send_receive_event_to_app"): "a2b10de91477",
    (WebSocketsSansIOProtocol, "__init__"): "631dcd744eab",
    (WebSocketsSansIOProtocol, "data_received"): "c89d394077d8",
    (WebSocketsSansIOProtocol, "handle_events"): "b2c9351a5d13",
    (WebSocketsSansIOProtocol, "handle_text"): "6ae523180cf0",
    (WebSocketsSansIOProtocol, "handle_cont"): "d96fe1479da6",
    (WebSocketsSansIOProtocol, "handle_bytes"): "2b22b21bf8fe",
    (WebSocketsSansIOProtocol, "send"): "d4919ed760ce",
    (WebSocketsSansIOProtocol, "receive"): "1dc0e7153900",
    (WebSocketsSansIOProtocol, "pause_writing"): "4830f7e0d81f",
    (WebSocketsSansIOProtocol, "resume_writing"): "ef79384e5fff",
    (WebSocketsSansIOProtocol, "stop_keepalive"): "bbb91b997b37",
    (HttpToolsProtocol, "connection_made"): "6efb565ff3d3",
    (HttpToolsProtocol, "connection_lost"): "c91a4c9bf2e2",
    (HttpToolsProtocol, "data_received"): "010a7ae59a5d",
    (HttpToolsProtocol, "handle_websocket_upgrade"): "179c4f769386",
    (HttpToolsProtocol, "on_message_begin"): "96d377fdc7c2",
    (HttpToolsProtocol, "on_headers_complete"): "1ea8589acfad",
    (HttpToolsProtocol, "on_body"): "dba9c32aeba3",
    (HttpToolsProtocol, "on_message_complete"): "1fbad42dc31f",
    (HttpToolsProtocol, "pause_writing"): "17a8fd215d96",
    (HttpToolsProtocol, "resume_writing"): "7844bbaa8cce",
    (HttpToolsProtocol, "__init__"): "4f0899941034",
    (HttpToolsProtocol, "on_url"): "37be44e962b0",
    (HttpToolsProtocol, "on_header"): "65d62c044f61",
    (HttpToolsProtocol, "shutdown"): "d7351fa33f00",
    (uvicorn.Server, "startup"): "2aa1d70a244b",
    (uvicorn.Server, "capture_signals"): "e1bbcd4770d1",
    (uvicorn.Server, "handle_exit"): "553276efa26e",
    (uvicorn.Server, "serve"): "112ef41af521",
    (uvicorn.Server, "shutdown"): "9b33c5056299",
}
OVERRIDES = [
    (FastWebSocketProtocol, WebSocketsSansIOProtocol),
    (TimeLimitedProtocol, HttpToolsProtocol),
    (NotifyingServer, uvicorn.Server),
]
REVIEW = (
    "Compare the new source with the class in referee/server/uvicorn_overrides.py that overrides it, "
    "run tests/referee/live and tests/referee/security/threats, then update this test."
)


def fingerprint(method: Callable[..., Any]) -> str:
    return sha256(inspect.getsource(method).encode()).hexdigest()[:12]


@pytest.mark.parametrize("package", REVIEWED_VERSIONS)
def test_the_installed_version_is_the_one_the_overrides_were_reviewed_with(package: str) -> None:
    reviewed = REVIEWED_VERSIONS[package]
    assert version(package) == reviewed, f"{package} is no longer {reviewed}. {REVIEW}"


@pytest.mark.parametrize(("owner", "name"), REVIEWED_SOURCES)
def test_the_source_of_a_method_the_overrides_depend_on_is_unchanged(owner: type[Any], name: str) -> None:
    found = fingerprint(getattr(owner, name))
    reviewed = REVIEWED_SOURCES[owner, name]
    assert found == reviewed, f"{owner.__name__}.{name} has changed (now {found}). {REVIEW}"


@pytest.mark.parametrize(("override", "base"), OVERRIDES)
def test_every_overridden_method_is_reviewed_and_keeps_its_parameters(override: type[Any], base: type[Any]) -> None:
    overridden = [name for name in vars(override) if not name.startswith("__") and callable(getattr(base, name, None))]
    assert overridden
    for name in overridden:
        assert (base, name) in REVIEWED_SOURCES, f"{base.__name__}.{name} is overridden without a guard here."
        parameters = [list(inspect.signature(getattr(owner, name)).parameters) for owner in (override, base)]
        assert parameters[0] == parameters[1], f"{base.__name__}.{name} has other parameters. {REVIEW}"


async def test_the_attributes_the_overrides_use_exist_and_new_names_are_free() -> None:
    config = uvicorn.Config(lambda _scope, _receive, _send: None, interface="asgi3", log_config=None)
    config.load()
    socket = WebSocketsSansIOProtocol(config, ServerState(), {})
    http = HttpToolsProtocol(config, ServerState(), {})
    http.on_message_begin()
    used: list[tuple[object, str]] = [
        *((socket, name) for name in ("close_sent", "disconnected", "writable", "transport", "conn", "queue")),
        *((socket, name) for name in ("frames", "curr_msg_data_type", "stop_keepalive")),
        *((http, name) for name in ("transport", "client", "config", "headers", "url", "loop")),
        (config, "proxy_headers"),
        (uvicorn.Server(config), "should_exit"),
    ]
    missing = [f"{type(owner).__name__}.{name}" for owner, name in used if not hasattr(owner, name)]
    assert not missing, f"{missing} are gone. {REVIEW}"
    assert socket.conn.handshake_exc is None
    assert inspect.isgenerator(socket.conn.parser), f"The frame parser is no generator that can be closed. {REVIEW}"
    own_names = {"on_text", "write_now"}, {"_timeout", "_unread", "_half_open_address", "_head_size", "_in_head"}
    for protocol, names in zip((socket, http), own_names, strict=True):
        taken = [name for name in names if hasattr(protocol, name)]
        assert not taken, f"{type(protocol).__name__} now has {taken} itself: rename ours. {REVIEW}"
