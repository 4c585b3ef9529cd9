"""Checks whose fault no test can plant in this computer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from referee.readiness.clock import check_clock, check_time_zone
from referee.readiness.firewall import Packet, blocks_by_iptables
from referee.readiness.network import check_network
from referee.readiness.remedies import list_remedies
from referee.readiness.system import check_memory, check_packages, check_python

MADE = datetime(2026, 5, 1, tzinfo=UTC)
UFW = """-P INPUT DROP
-P FORWARD DROP
-P OUTPUT ACCEPT
-N ufw-before-input
-N ufw-user-input
-N ufw-logging
-A INPUT -j ufw-before-input
-A INPUT -j ufw-user-input
-A INPUT -m limit --limit 3/min -j ufw-logging
-A ufw-before-input -i lo -j ACCEPT
-A ufw-before-input -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-A ufw-before-input -p icmp -m icmp --icmp-type 8 -j ACCEPT
-A ufw-logging -j LOG --log-prefix "[UFW BLOCK] "
"""


def test_a_python_that_is_too_old_or_has_32_bits_is_a_fault() -> None:
    assert [check_python((3, 10, 1), 64).state, check_python((3, 12, 0), 32).state] == ["fault", "fault"]
    assert check_python().state == "ok"


def test_another_version_of_a_package_is_a_fault_and_other_platforms_do_not_count() -> None:
    assert check_packages(["Django==1.0"]).state == "fault"
    assert check_packages(["nowhere==1.0; sys_platform == 'amiga'", "Django>1"]).state == "ok"


def test_little_memory_is_a_warning_and_hardly_any_a_fault() -> None:
    assert [check_memory(mb).state for mb in (4000, 300, 50, None)] == ["ok", "warning", "fault", "ok"]


def test_the_clock_is_compared_with_program_data_and_steady_clock() -> None:
    def state(now: datetime, newest: datetime | None = None, off_ms: int = 0) -> str:
        return check_clock(now, program_of=MADE, newest_entry=newest, off_ms=off_ms).state

    day = timedelta(days=1)
    assert state(MADE + day) == state(MADE - day / 2) == state(MADE, MADE + day / 2) == "ok"
    assert state(MADE - 2 * day) == state(MADE + day, MADE + 9 * day) == state(MADE + 9000 * day) == "fault"
    assert state(MADE, off_ms=-90_000) == "warning"
    assert check_time_zone("Mars/Base").state == "warning"


def test_addresses_of_the_internet_and_addresses_without_a_router_are_warnings() -> None:
    networks: tuple[list[str], ...] = ([], ["169.254.3.4"], ["8.8.8.8"], ["192.168.1.5", "169.254.3.4"])
    assert [check_network(each).state for each in networks] == ["fault", "warning", "warning", "ok"]


def test_the_rules_of_ufw_block_until_the_port_is_allowed() -> None:
    packet = Packet(8000, "192.168.1.5")
    assert blocks_by_iptables(UFW, packet) is True
    assert blocks_by_iptables(UFW + "-A ufw-user-input -p tcp -m tcp --dport 8000 -j ACCEPT\n", packet) is False
    assert blocks_by_iptables(UFW + "-A ufw-user-input -i wlan7 -j ACCEPT\n", packet) is None
    assert blocks_by_iptables(UFW + "-A ufw-user-input ! -s 10.0.0.0/8 -p tcp -j ACCEPT\n", packet) is False


def test_the_remedies_begin_with_those_of_the_platform() -> None:
    first = {name: list_remedies(8000, "", name)[0].cause for name in ("win32", "darwin", "linux")}
    assert first == {"win32": "windows", "darwin": "macos", "linux": "ufw"}
    assert list_remedies(8000, "firewalld", "linux")[0].cause == "firewalld"
    steps = [step for remedy in list_remedies(8123) for step in remedy.steps]
    assert any("ufw allow 8123/tcp" in step for step in steps)
    assert not any("%(" in step for step in steps)
