"""Health reports between processes, and their merging for a desk."""

from __future__ import annotations

import json
from collections.abc import Collection

from referee.live.monitoring.health import REPORT_LIFETIME_S, Health, PeerReports, build_report, merge_health

HALL, UPSTAIRS = (1, 1), (1, 2)


def signs(phones: Collection[int] = (), weak: tuple[int, ...] = (), per_second: float = 0.0) -> Health:
    return Health(frozenset(phones), weak, per_second, 0, None)


def told(rooms: dict[tuple[int, int], Health], per_second: float = 0.0) -> dict[str, object]:
    """A report as it comes over the wire."""
    report: dict[str, object] = json.loads(json.dumps(build_report(rooms, per_second, 0, None)))
    return report


def test_phones_and_slips_add_up_and_the_worst_of_the_rest_counts() -> None:
    here, there = signs((6, 7, 9), (7, 9), 1.5), Health(frozenset((8, 9)), (8,), 0.5, -4000, "disk_full")
    assert merge_health([here, there]) == Health(frozenset((6, 7, 8, 9)), (7, 8, 9), 2.0, -4000, "disk_full")
    assert merge_health([]) == Health(frozenset(), (), 0, 0, None)


def test_a_neighbour_tells_of_each_room_and_of_its_slips_also_where_it_has_no_phone() -> None:
    neighbours = PeerReports()
    neighbours.hear("b", told({HALL: signs((1, 2, 3, 4), (2,))}, 3.0), 0.0)
    assert neighbours.signs(HALL, 1.0) == [signs((1, 2, 3, 4), (2,), 3.0)]
    assert neighbours.signs(UPSTAIRS, 1.0) == [signs((), (), 3.0)]


def test_the_newest_report_counts_and_a_silent_process_is_forgotten() -> None:
    neighbours = PeerReports()
    neighbours.hear("b", told({HALL: signs((1, 2, 3, 4))}), 0.0)
    neighbours.hear("b", told({HALL: signs((1,))}), 5.0)
    neighbours.hear("c", told({HALL: signs((1, 2))}), 6.0)
    assert sorted(each.phones for each in neighbours.signs(HALL, 7.0)) == [1, 2]
    assert [each.phones for each in neighbours.signs(HALL, 5.0 + REPORT_LIFETIME_S)] == [2]
    assert neighbours.signs(HALL, 6.0 + REPORT_LIFETIME_S) == []
