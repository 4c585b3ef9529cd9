"""Firewall of this computer on Linux: the rules for packets to a port, as far as they can be read.

The rules of nft and iptables are walked with the packet of a phone that opens the port: TCP, a new connection, from
the local network. A condition that this module does not know makes the answer uncertain, not wrong.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Kind = Literal["ufw", "firewalld", "nftables", "iptables"]
Verdict = Literal["accept", "drop"]
_TIME_LIMIT_S = 5
_UFW_SETTING = Path("/etc/ufw/ufw.conf")
_FOLDERS = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))
_DROPS = ("drop", "reject", "queue")


@dataclass(frozen=True, slots=True)
class Firewall:
    """State of the firewall: `kind` is empty if none was found; `blocks` is None if that is not known."""

    kind: Kind | Literal[""] = ""
    blocks: bool | None = False
    is_readable: bool = True


@dataclass(frozen=True, slots=True)
class Packet:
    """First packet of a phone: to this port and address of this computer, from the same network."""

    port: int
    address: str

    @property
    def network(self) -> ipaddress.IPv4Network:
        """The network that this computer and the phones share, as home routers and hot spots make them."""
        return ipaddress.IPv4Network(f"{self.address}/24", strict=False)


@dataclass(slots=True)
class Rule:
    """A rule: `applies` to the packet or not, or None if that is not known; then `verdict`, or go on in `target`."""

    applies: bool | None
    verdict: Verdict | Literal["return", "unknown", ""] = ""
    target: str = ""


@dataclass(slots=True)
class Chain:
    """Rules in order; the policy counts at the end of a chain that the system enters."""

    policy: Verdict | Literal[""] = ""
    rules: list[Rule] = field(default_factory=list)


def read_firewall(port: int, address: str) -> Firewall:
    """Return what is known of the firewall for this port. Reading the rules needs the rights of root."""
    if not sys.platform.startswith("linux"):
        return Firewall(blocks=None, is_readable=False)
    packet, kind = Packet(port, address), _find_front_end()
    answers = list(_read_rules(packet))
    if not answers:
        return Firewall(kind, None if kind else False, is_readable=False)
    blocking = [name for name, blocks in answers if blocks]
    if blocking:
        return Firewall(kind or blocking[0], blocks=True)
    unknown = [name for name, blocks in answers if blocks is None]
    return Firewall(kind or unknown[0], blocks=None) if unknown else Firewall(kind)


def _find_front_end() -> Kind | Literal[""]:
    """Return the program that manages the rules, if it is switched on; everybody may ask that."""
    with contextlib.suppress(OSError):
        if "ENABLED=yes" in _UFW_SETTING.read_text().splitlines():
            return "ufw"
    return "firewalld" if (_run("firewall-cmd", "--state") or "").strip() == "running" else ""


def _read_rules(packet: Packet) -> Iterator[tuple[Kind, bool | None]]:
    """Yield for each program whose rules can be read if they block the packet; None if that is not known."""
    rules = _run("iptables", "-S")
    if rules is not None:
        yield "iptables", blocks_by_iptables(rules, packet)
    ruleset = _run("nft", "-j", "list", "ruleset")
    if ruleset is not None:
        # nft lists the rules of iptables too, in a form that only iptables reads.
        skipped = ("ip", "filter") if rules is not None else None
        yield "nftables", blocks_by_nft(json.loads(ruleset or "{}"), packet, skipped)


def _run(program: str, *arguments: str) -> str | None:
    """Return what a program says; None if it is not installed or refuses, as without the rights of root."""
    path = shutil.which(program, path=_FOLDERS)
    if path is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system with fixed arguments
            [path, *arguments], capture_output=True, text=True, timeout=_TIME_LIMIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def blocks_by_iptables(saved: str, packet: Packet) -> bool | None:
    """Answer for the output of `iptables -S`."""
    chains: dict[str, Chain] = {}
    for words in map(shlex.split, saved.splitlines()):
        if words[:1] == ["-P"]:
            chains[words[1]] = Chain("accept" if words[2] == "ACCEPT" else "drop")
        elif words[:1] == ["-N"]:
            chains[words[1]] = Chain()
        elif words[:1] == ["-A"]:
            chains[words[1]].rules.append(_iptables_rule(words[2:], packet))
    return _walk(chains, "INPUT") if "INPUT" in chains else False


def _iptables_rule(words: Sequence[str], packet: Packet) -> Rule:
    applies: bool | None = True
    target, queue, negated = "", list(words), False
    while queue:
        option = queue.pop(0)
        if option == "!":
            negated = True
        elif option in ("-j", "-g"):
            target, queue = queue[0], []  # what follows are options of the target
        elif option != "-m":
            values = [queue.pop(0) for _value in range(_count_values(queue))]
            applies = _both(applies, _negate(_iptables_match(option, values, packet), negated=negated))
            negated = False
        else:
            queue.pop(0)
    verdicts: Mapping[str, Verdict | Literal["return"]] = {"ACCEPT": "accept", "RETURN": "return"}
    if target in ("DROP", "REJECT"):
        return Rule(applies, "drop")
    return Rule(applies, verdicts.get(target, ""), "" if target in verdicts else target)


def _count_values(queue: Sequence[str]) -> int:
    return next((place for place, word in enumerate(queue) if word.startswith("-") or word == "!"), len(queue))


def _iptables_match(option: str, values: Sequence[str], packet: Packet) -> bool | None:
    value = values[0] if values else ""
    known: Mapping[str, Callable[[], bool | None]] = {
        "-p": lambda: value in ("tcp", "all", "6"),
        "--dport": lambda: _is_in_ports([value], packet.port),
        "--dports": lambda: _is_in_ports(value.split(","), packet.port),
        "-i": lambda: None if value != "lo" else False,
        "-s": lambda: _contains(value, packet),
        "-d": lambda: ipaddress.ip_address(packet.address) in ipaddress.ip_network(value, strict=False),
        "--ctstate": lambda: "NEW" in value.split(","),
        "--state": lambda: "NEW" in value.split(","),
        "--dst-type": lambda: value == "LOCAL",
        "--comment": lambda: True,
    }
    return known[option]() if option in known else None


def _is_in_ports(ranges: Sequence[str], port: int) -> bool:
    bounds = [part.split(":") for part in ranges]
    return any(int(part[0] or 0) <= port <= int(part[-1] or 65535) for part in bounds)


def blocks_by_nft(ruleset: Mapping[str, Any], packet: Packet, skipped: tuple[str, str] | None = None) -> bool | None:
    """Answer for the output of `nft -j list ruleset`; a packet passes every table. `skipped`: family and table."""
    tables: dict[tuple[str, str], dict[str, Chain]] = {}
    entered: list[tuple[tuple[str, str], str]] = []
    for item in ruleset.get("nftables", []):
        for kind, facts in item.items():
            table = (str(facts.get("family")), str(facts.get("table")))
            if kind not in ("chain", "rule") or table[0] not in ("inet", "ip") or table == skipped:
                continue
            chains = tables.setdefault(table, {})
            if kind == "rule":
                chains[facts["chain"]].rules.append(_nft_rule(facts["expr"], packet))
                continue
            chains[facts["name"]] = Chain("drop" if facts.get("policy") == "drop" else "accept")
            if facts.get("hook") == "input":
                entered.append((table, facts["name"]))
    answers = [_walk(tables[table], name) for table, name in entered]
    return True if True in answers else None if None in answers else False


def _nft_rule(expressions: Sequence[Mapping[str, Any]], packet: Packet) -> Rule:
    rule = Rule(applies=True)
    for expression in expressions:
        ((kind, facts),) = expression.items()
        if kind == "match":
            rule.applies = _both(rule.applies, _nft_match(facts, packet))
        elif kind == "accept":
            rule.verdict = "accept"
        elif kind == "return":
            rule.verdict = "return"
        elif kind in _DROPS:
            rule.verdict = "drop"
        elif kind in ("jump", "goto"):
            rule.target = str(facts["target"])
        elif kind not in ("counter", "log"):
            rule.applies = _both(rule.applies, None)
            rule.verdict = "unknown" if kind == "vmap" else rule.verdict
    return rule


def _nft_match(facts: Mapping[str, Any], packet: Packet) -> bool | None:
    left, right = facts["left"], facts["right"]
    matched = _nft_value_matches(left, right, packet)
    return _negate(matched, negated=facts.get("op") == "!=")


def _nft_value_matches(left: Any, right: Any, packet: Packet) -> bool | None:
    values = right["set"] if isinstance(right, dict) and "set" in right else right
    values = values if isinstance(values, list) else [values]
    match left:
        case {"payload": {"protocol": "tcp" | "th", "field": "dport"}}:
            return any(_nft_port_matches(value, packet.port) for value in values)
        case {"payload": {"protocol": "udp" | "icmp" | "icmpv6" | "ip6"}}:
            return False
        case {"payload": {"protocol": "ip", "field": "saddr"}}:
            return _any_known([_contains(_nft_network(value), packet) for value in values])
        case {"payload": {"protocol": "ip", "field": "protocol"}} | {"meta": {"key": "l4proto"}}:
            return any(value in ("tcp", 6) for value in values)
        case {"meta": {"key": "iif" | "iifname"}}:
            return False if values == ["lo"] else None
        case {"ct": {"key": "state"}}:
            return "new" in values
    return None


def _nft_port_matches(value: Any, port: int) -> bool:
    if isinstance(value, dict) and "range" in value:
        return int(value["range"][0]) <= port <= int(value["range"][1])
    return bool(value == port)


def _nft_network(value: Any) -> str:
    if isinstance(value, dict) and "prefix" in value:
        return f"{value['prefix']['addr']}/{value['prefix']['len']}"
    return str(value)


def _contains(network: str, packet: Packet) -> bool | None:
    """Tell if all phones of the local network, or none, are in a network; None for some, or for an unknown form."""
    try:
        other = ipaddress.IPv4Network(network, strict=False)
    except ValueError:
        return None
    if packet.network.subnet_of(other):
        return True
    return None if packet.network.overlaps(other) else False


def _walk(chains: Mapping[str, Chain], name: str) -> bool | None:
    """Tell if the packet is dropped; None if a rule of unknown effect could decide otherwise."""
    possible: set[str] = set()
    verdict = _walk_chain(chains, name, possible, depth=0) or chains[name].policy
    return None if possible - {verdict} else verdict == "drop"


def _walk_chain(chains: Mapping[str, Chain], name: str, possible: set[str], depth: int) -> str:
    """Return the verdict of a chain, empty if it has none for the packet.

    `possible` gets the verdicts of rules of which it is not known if they apply.
    """
    if depth > len(chains) or name not in chains:
        return ""  # a target such as LOG, which decides nothing
    for rule in chains[name].rules:
        if rule.applies is False:
            continue
        verdict = rule.verdict or (_walk_chain(chains, rule.target, possible, depth + 1) if rule.target else "")
        if rule.applies and verdict:
            return "" if verdict == "return" else verdict
        if verdict:
            possible.update(("accept", "drop") if verdict in ("return", "unknown") else (verdict,))
    return ""


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _any_known(answers: Sequence[bool | None]) -> bool | None:
    return True if True in answers else None if None in answers else False


def _negate(matched: bool | None, *, negated: bool) -> bool | None:
    return matched if matched is None or not negated else not matched
