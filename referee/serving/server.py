"""uvicorn as this program needs it: many quiet sockets, small frames, a quick end."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator

import uvicorn
from django.utils.translation import gettext as _

from referee.live.straight import StraightProtocol
from referee.serving.patience import PatientProtocol

PATIENCE_S = 1.8
LARGEST_FRAME = 32_768  # what is longer than a slip may be (8 kB) gets a sentence, what is longer than this is cut off
MOST_FILES = 65_536


class CannotListen(Exception):
    """The port cannot be had. `sentence` tells why and what to do."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; 0 takes any free port. Raises CannotListen."""
    try:
        family = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
    except OSError as error:
        raise CannotListen(_reason(host, port, error)) from None
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1)
    except (OSError, OverflowError) as error:
        listener.close()
        raise CannotListen(_reason(host, port, error)) from None
    return listener


def _reason(host: str, port: int, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return _(
            "Port %(port)d is in use, perhaps by a Multiplo that runs already: stop that program, "
            "or choose another port with --port %(other)d."
        ) % {"port": port, "other": port + 1 if port < 65_535 else 8000}
    if number in (errno.EACCES, errno.EPERM):
        return _("This user may not use port %(port)d: choose one from 1024 on, for example --port 8000.") % {
            "port": port
        }
    if isinstance(error, OverflowError):
        return _("There is no port %(port)d: choose one from 1024 to 65535, for example --port 8000.") % {"port": port}
    return _("This computer has no address %(host)s: leave --host away to listen on all of its addresses.") % {
        "host": host
    }


def allow_many_sockets() -> None:
    """Raise the limit of open files as far as the system lets us: every phone holds one."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def configuration(tls: ssl.SSLContext | None = None) -> uvicorn.Config:
    """The settings that were measured to carry thousands of phones in one process; https with a context for it."""
    behind_proxy = os.environ.get("FORWARDED_ALLOW_IPS", "")
    return uvicorn.Config(
        "referee.asgi:application",
        http=PatientProtocol,
        ws=StraightProtocol,
        ws_per_message_deflate=False,
        ws_max_size=LARGEST_FRAME,
        ws_max_queue=8,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=1,
        backlog=4096,
        access_log=False,
        log_config=None,
        log_level="warning",
        lifespan="on",
        server_header=False,
        proxy_headers=bool(behind_proxy),
        forwarded_allow_ips=behind_proxy or None,
        ssl_context_factory=None if tls is None else lambda _config, _default: tls,
    )


class HallServer(uvicorn.Server):
    """Says when it is ready, and is gone within two seconds once it was asked to stop."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None], on_end: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready
        self._on_end = on_end

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the hall, listen, and say so."""
        await super().startup(sockets)
        self._on_ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ctrl-C and a polite kill both stop the server; unlike uvicorn's own way they then leave no traceback."""
        handled = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in handled}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: object) -> None:
        """Stop. A search or a sheet that is still being made in a thread may not hold the end up."""
        if not self.should_exit:
            watchdog = threading.Timer(PATIENCE_S, self._end_hard)
            watchdog.daemon = True
            watchdog.start()
        self.should_exit = True

    def _end_hard(self) -> None:
        self._on_end()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
