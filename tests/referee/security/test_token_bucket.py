"""Token buckets, with a clock that the test moves."""

from __future__ import annotations

import pytest

from referee.security.token_bucket import Allowance, Rate, Throttle, ip_prefix


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_passes_and_then_the_rate_counts() -> None:
    clock = Clock()
    throttle = Throttle(Rate(per_second=2, burst=3), clock=clock)
    assert [throttle.take("a") for _ in range(3)] == [0.0, 0.0, 0.0]
    assert throttle.take("a") == pytest.approx(0.5)
    clock.now = 0.5
    assert throttle.take("a") == 0.0
    assert throttle.take("a") == pytest.approx(0.5)


def test_a_refused_request_costs_no_tokens() -> None:
    clock = Clock()
    throttle = Throttle(Rate(per_second=1, burst=1), clock=clock)
    throttle.take("a")
    for _ in range(100):
        throttle.take("a")
    clock.now = 1.0
    assert throttle.take("a") == 0.0


def test_a_long_rest_gives_one_burst_and_not_more() -> None:
    clock = Clock()
    throttle = Throttle(Rate(per_second=1, burst=2), clock=clock)
    clock.now = 3600.0
    assert [throttle.take("a") == 0.0 for _ in range(3)] == [True, True, False]


def test_one_sender_does_not_slow_another() -> None:
    throttle = Throttle(Rate(per_second=1, burst=1), clock=Clock())
    assert (throttle.take("a"), throttle.take("b")) == (0.0, 0.0)


def test_only_so_many_senders_are_remembered_the_latest_ones() -> None:
    throttle = Throttle(Rate(per_second=0.001, burst=1), clock=Clock(), most_keys=2)
    for key in "abc":
        throttle.take(key)
    assert throttle.take("c") > 0.0
    assert throttle.take("a") == 0.0


def test_looking_takes_nothing() -> None:
    throttle = Throttle(Rate(per_second=1, burst=1), clock=Clock())
    assert [throttle.wait("a") for _ in range(5)] == [0.0] * 5


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.1.77", "192.168.1.0/24"),
        ("::ffff:192.168.1.77", "192.168.1.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (None, "unknown"),
        ("testserver", "unknown"),
    ],
)
def test_neighbours_share_a_network(address: str | None, network: str) -> None:
    assert ip_prefix(address) == network


def test_one_phone_that_floods_is_held_up_while_its_neighbour_is_not() -> None:
    allowance = Allowance(Rate(0.001, 2), Rate(100, 100), Rate(100, 100))
    assert [allowance.take("flood", "10.0.0.1") == 0.0 for _ in range(4)] == [True, True, False, False]
    assert allowance.take("calm", "10.0.0.2") == 0.0


def test_many_phones_of_one_network_are_held_up_together() -> None:
    allowance = Allowance(Rate(0.001, 1), Rate(0.001, 3), Rate(100, 100))
    assert [allowance.take(f"phone {n}", "10.0.0.1") == 0.0 for n in range(4)] == [True, True, True, False]
    assert allowance.take("elsewhere", "10.9.0.1") == 0.0
