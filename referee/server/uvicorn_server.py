"""Listening sockets and uvicorn's configuration: thousands of open WebSockets, small frames, a fast shutdown."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import ssl
import sys

import uvicorn
from django.conf import settings
from django.utils.translation import gettext as _

from referee.server.uvicorn_overrides import FastWebSocketProtocol, TimeLimitedProtocol

LARGEST_FRAME = 32_768  # bytes; frames over 8 kB are refused with a message, larger ones close the connection
MOST_FILES = 65_536
FINISH_S = 5
"""Time in a cluster for running requests of a process that stops; on a laptop a second has to do."""


class CannotListen(Exception):
    """Error: the address cannot be bound. `sentence` names the reason and the remedy for the user."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free port. Raises CannotListen."""
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
    return _("This computer has no address %(host)s: leave out --host to listen on all of its addresses.") % {
        "host": host
    }


def allow_many_sockets() -> None:
    """Raise the limit of open files as far as the system allows; every phone needs one."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def configuration(tls: ssl.SSLContext | None = None) -> uvicorn.Config:
    """Return uvicorn's configuration, measured with thousands of phones in one process; https if `tls` is given."""
    return uvicorn.Config(
        "referee.asgi:application",
        http=TimeLimitedProtocol,
        ws=FastWebSocketProtocol,
        ws_per_message_deflate=False,
        ws_max_size=LARGEST_FRAME,
        ws_max_queue=8,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=1 if settings.EMBEDDED else FINISH_S,
        backlog=4096,
        access_log=False,
        log_config=None,
        log_level="warning",
        lifespan="on",
        server_header=False,
        proxy_headers=bool(settings.TRUSTED_PROXIES),
        forwarded_allow_ips=settings.TRUSTED_PROXIES or None,
        ssl_context_factory=None if tls is None else lambda _config, _default: tls,
    )
