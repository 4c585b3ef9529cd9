"""Division of rooms among processes by what these report of themselves."""

from __future__ import annotations

from referee.live.rooms.room_owners import PATIENCE_S, REPORT_LIFETIME_S, RoomOwners

ROOMS = range(1, 61)
NAMES = ("one", "two", "three")


def divide(sockets: dict[str, set[int]], now: float = 0.0) -> dict[str, set[int]]:
    """Divide the rooms among processes that have heard each other's reports."""
    divided = {}
    for name, own in sockets.items():
        owners = RoomOwners(name)
        for other in sockets.keys() - {name}:
            owners.hear(other, sockets[other], [], now)
        divided[name] = owners.divide(ROOMS, own, [], now)
    return divided


def test_each_room_has_one_owner_and_no_process_has_most() -> None:
    for everywhere in (set(ROOMS), set[int]()):
        divided = divide(dict.fromkeys(NAMES, everywhere))
        assert sorted(room for rooms in divided.values() for room in rooms) == list(ROOMS)
        assert max(len(rooms) for rooms in divided.values()) < len(ROOMS) / 2


def test_a_room_falls_to_a_process_with_its_sockets() -> None:
    divided = divide({"one": {1, 2, 3}, "two": {4}, "three": set()})
    assert {1, 2, 3} <= divided["one"]
    assert 4 in divided["two"]


def test_a_process_that_falls_silent_loses_its_rooms() -> None:
    owners = RoomOwners("one")
    owners.hear("two", ROOMS, ROOMS, 0.0)
    assert owners.is_served_elsewhere(7, REPORT_LIFETIME_S / 2)
    assert owners.divide(ROOMS, ROOMS, [], REPORT_LIFETIME_S / 2) < set(ROOMS)
    assert owners.divide(ROOMS, ROOMS, [], REPORT_LIFETIME_S + 0.1) == set(ROOMS)
    assert not owners.is_served_elsewhere(7, REPORT_LIFETIME_S + 0.1)


def test_a_room_that_its_owner_does_not_take_is_taken_by_another() -> None:
    owners, owned_by_two = RoomOwners("one"), divide({"one": set(ROOMS), "two": set(ROOMS)})["two"]
    wanted = []
    for now in (0.0, PATIENCE_S / 2, PATIENCE_S + 0.1):
        owners.hear("two", ROOMS, owned_by_two - {min(owned_by_two)}, now)
        wanted.append(min(owned_by_two) in owners.divide(ROOMS, ROOMS, [], now))
    assert wanted == [False, False, True]
    assert not (owned_by_two - {min(owned_by_two)}) & owners.divide(ROOMS, ROOMS, [], PATIENCE_S + 0.2)
