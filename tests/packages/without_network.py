"""Runs a program where only the loopback interface exists: `python without_network.py PROGRAM ARGUMENT …`.

As a module it makes that command line for a test. Standard library only, because every interpreter can run it.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import sys
from collections.abc import Sequence

_SIOCSIFFLAGS, _UP_AND_RUNNING = 0x8914, 0x41  # netdevice(7)


def without_network(line: Sequence[str]) -> list[str]:
    """Return the command line that runs a program without network; `line` begins with its path."""
    return ["unshare", "--map-root-user", "--net", sys.executable, __file__, *line]


if __name__ == "__main__":
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh", b"lo", _UP_AND_RUNNING))
    os.execv(sys.argv[1], sys.argv[1:])
