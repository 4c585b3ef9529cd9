"""Checks of the network: the port, the addresses of this computer, and the way of a phone to it."""

from __future__ import annotations

import http.client
import ipaddress
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from referee.readiness.finding import Finding
from referee.readiness.firewall import Firewall
from referee.readiness.reach import Confirmation
from referee.server.addresses import EVERYWHERE, bracket_ipv6
from referee.server.uvicorn_server import CannotListen, listen

_ANSWER_S = 2
_LISTENING = "0A"
_TCP_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_PROCESSES = Path("/proc")


def check_port(port: int, *, is_ours: bool = False) -> Finding:
    """Check that the port is free, or that Multiplo itself has it; otherwise name the program, as far as known."""
    if not is_ours:
        try:
            listen(EVERYWHERE[0], port).close()
        except CannotListen as fault:
            if not _is_multiplo(port):
                return _taken(port, fault)
            is_ours = True
    if is_ours:
        return Finding("port", "ok", _("Multiplo runs at port %(port)d.") % {"port": port})
    return Finding("port", "ok", _("Port %(port)d is free.") % {"port": port})


def _taken(port: int, fault: CannotListen) -> Finding:
    holder = find_listener(port)
    if holder is None:
        return Finding("port", "fault", fault.sentence)
    text = _("Port %(port)d is in use by the program “%(program)s” (process %(pid)d).")
    remedy = _("Stop that program, or start Multiplo at another port: --port %(other)d")
    said = {"port": port, "program": holder[1], "pid": holder[0], "other": port + 1 if port < 65_535 else 8000}
    return Finding("port", "fault", text % said, remedy % said)


def _is_multiplo(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_ANSWER_S)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().read(64) == b"Multiplo\n"
    except (OSError, OverflowError, http.client.HTTPException):  # no port has this number
        return False
    finally:
        connection.close()


def find_listener(port: int) -> tuple[int, str] | None:
    """Return number and name of the process that listens on a port; None where that is not known, as for others'."""
    if not sys.platform.startswith("linux"):
        return None
    sockets = {f"socket:[{inode}]" for inode in _list_inodes(port)}
    for folder in _PROCESSES.glob("[0-9]*") if sockets else ():
        with suppress(OSError):
            if any(os.readlink(file) in sockets for file in (folder / "fd").iterdir()):
                return int(folder.name), (folder / "comm").read_text().strip()
    return None


def _list_inodes(port: int) -> list[str]:
    lines = [line.split() for table in _TCP_TABLES if table.exists() for line in table.read_text().splitlines()[1:]]
    return [line[9] for line in lines if line[3] == _LISTENING and int(line[1].rpartition(":")[2], 16) == port]


def check_network(addresses: Sequence[str]) -> Finding:
    """Check that this computer has an address that phones can reach."""
    if not addresses:
        text = _("This computer is in no network, so phones cannot reach it.")
        remedy = _("Connect it to the Wi-Fi of the hall, or switch on a hot spot. Paper slips need no network.")
        return Finding("network", "fault", text, remedy)
    said = {"addresses": ", ".join(addresses)}
    found = [ipaddress.ip_address(address) for address in addresses]
    if all(address.is_link_local for address in found):
        text = _("No router has given this computer an address (%(addresses)s).") % said
        remedy = _("Connect it to the Wi-Fi again, or start the router again; phones need the same Wi-Fi.")
        return Finding("network", "warning", text, remedy)
    if any(address.is_global for address in found):
        text = _("This computer has an address of the internet (%(addresses)s), so strangers may reach it too.") % said
        remedy = _("Use a Wi-Fi behind a router, or serve https, as docs/operating.md says.")
        return Finding("network", "warning", text, remedy)
    return Finding("network", "ok", _("The address of this computer is %(addresses)s.") % said)


def check_firewall(firewall: Firewall, port: int) -> Finding:
    """Check that the firewall of this computer lets phones in, as far as its rules can be read."""
    said = {"port": port, "kind": firewall.kind}
    if firewall.blocks:
        text = _("The firewall of this computer (%(kind)s) does not let phones in at port %(port)d.") % said
        return Finding("firewall", "fault", text, remedy_of(firewall, port))
    if firewall.is_readable and firewall.blocks is False:
        return Finding("firewall", "ok", _("The firewall of this computer lets phones in at port %(port)d.") % said)
    if not firewall.kind:
        return Finding("firewall", "ok", _("The rules of the firewall could not be read; a phone tells if it is open."))
    text = _("A firewall (%(kind)s) is active; if it lets phones in at port %(port)d could not be determined.") % said
    return Finding("firewall", "warning", text, remedy_of(firewall, port))


def remedy_of(firewall: Firewall, port: int) -> str:
    """Return the command that opens the port in the firewall of this computer."""
    commands = {
        "ufw": "sudo ufw allow {}/tcp",
        "firewalld": "sudo firewall-cmd --add-port={}/tcp",
        "iptables": "sudo iptables -I INPUT -p tcp --dport {} -j ACCEPT",
    }
    if firewall.kind in commands:
        return _("Open the port: %(command)s") % {"command": commands[firewall.kind].format(port)}
    return _(
        "Remove the rule that blocks the port, or accept TCP at port %(port)d before it: sudo nft list ruleset"
    ) % {"port": port}


def check_phones(confirmation: Confirmation | None, addresses: Sequence[str], port: int) -> Finding:
    """Tell if a phone has reached this computer."""
    if confirmation is not None:
        moment = date_format(timezone.localtime(confirmation.at), "TIME_FORMAT")
        return Finding("phones", "ok", _("Confirmed by a phone at %(time)s.") % {"time": moment})
    if not addresses:
        text = _("Only this computer can open Multiplo: it is in no network, or was started with --host.")
        remedy = _("Connect it to the Wi-Fi of the hall, and start Multiplo without --host.")
        return Finding("phones", "warning", text, remedy)
    text = _("No phone has confirmed that it reaches this computer at %(address)s.")
    remedy = _(
        "Open the page “Is everything ready?” at the desk, and scan its QR code with a phone in the Wi-Fi of the hall."
    )
    return Finding("phones", "warning", text % {"address": f"{bracket_ipv6(addresses[0])}:{port}"}, remedy)
