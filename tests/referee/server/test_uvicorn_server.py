"""Listening, and shutdown within two seconds."""

from __future__ import annotations

import socket
import subprocess
import sys
import textwrap
import time

import pytest

from referee.server.uvicorn_overrides import FastWebSocketProtocol
from referee.server.uvicorn_server import CannotListen, configuration, listen
from tests.waiting import PATIENCE_S


def test_a_free_port_can_be_had() -> None:
    with listen("127.0.0.1", 0) as listener:
        assert listener.getsockname()[1] > 0


def test_a_port_in_use_is_refused_with_the_remedy() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(CannotListen) as fault:
            listen("127.0.0.1", port)
    assert f"Port {port} is in use" in fault.value.sentence
    assert f"--port {port + 1}" in fault.value.sentence


def test_a_port_for_administrators_only_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    class Guarded(socket.socket):
        def bind(self, address: object) -> None:
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "socket", Guarded)
    with pytest.raises(CannotListen, match=r"may not use port 80: choose one from 1024 on"):
        listen("127.0.0.1", 80)


@pytest.mark.parametrize("port", [70_000, -1])
def test_a_port_that_does_not_exist_is_refused_with_the_remedy(port: int) -> None:
    with pytest.raises(CannotListen, match=f"no port {port}"):
        listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["203.0.113.9", "no-such-host.invalid"])
def test_an_address_that_is_not_ours_is_refused_with_the_remedy(host: str) -> None:
    with pytest.raises(CannotListen, match="leave out --host"):
        listen(host, 0)


def test_sockets_are_not_compressed_and_frames_are_small() -> None:
    config = configuration()
    assert config.ws is FastWebSocketProtocol
    assert config.ws_per_message_deflate is False
    assert config.ws_max_size <= 32_768
    assert not config.access_log
    assert not config.proxy_headers


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=PATIENCE_S
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_the_limit_of_open_files_is_raised_as_far_as_allowed() -> None:
    done = run(
        """
        import resource
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 2000))
        from referee.server.uvicorn_server import allow_many_sockets
        allow_many_sockets()
        print(resource.getrlimit(resource.RLIMIT_NOFILE))
        """
    )
    assert done.stdout.strip() == "(2000, 2000)", done.stderr


@pytest.mark.endurance
def test_a_search_that_still_runs_does_not_hold_up_the_end() -> None:
    began = time.monotonic()
    done = run(
        """
        import os, signal, threading, time
        import uvicorn
        from referee.server.uvicorn_overrides import NotifyingServer
        from referee.server.uvicorn_server import listen

        async def application(scope, receive, send):
            while scope["type"] == "lifespan":
                message = await receive()
                await send({"type": message["type"] + ".complete"})

        def ready():
            threading.Thread(target=time.sleep, args=(600,)).start()
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()

        server = NotifyingServer(uvicorn.Config(application, log_config=None), ready, lambda: print("goodbye"))
        server.run(sockets=[listen("127.0.0.1", 0)])
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "goodbye"
    assert time.monotonic() - began < 2 * PATIENCE_S
