"""Reading of packages and returns: the first fault of a file is named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.archive.json_shape import FormatError
from engine.simultaneous.package import FORMAT, Package, read_package
from engine.simultaneous.returned import make_return, read_return

PACKAGE: Package = {
    "format": FORMAT,
    "version": 1,
    "id": "0" * 32,
    "title": "Open",
    "note": "",
    "opens_at": "2026-03-06T20:30:00+00:00",
    "closes_at": "2026-03-08T20:30:00+00:00",
    "embargo_until": "2026-03-09T20:30:00+00:00",
    "hub": "",
    "games": [],
    "clubs": [],
}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "duplicate-game"}, 'its "format" is not "duplicate-simultaneous"'),
        ({"version": 2}, "it is of version 2; .* install a newer Multiplo$"),
        ({"title": None}, "title must be a text, not null"),
        ({"closes_at": "soon"}, 'closes_at must be a time such as .*, not "soon"'),
        ({}, "it has no game"),
    ],
)
def test_the_first_fault_of_a_package_is_named(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_package(json.dumps({**PACKAGE, **changes}))


def test_the_first_fault_of_a_return_is_named() -> None:
    returned = make_return("0" * 32, 1, "00", [], "2026-03-07T20:30:00+00:00")
    assert read_return(json.dumps(returned)) == returned
    for text, reason in (
        ("{", "it is not JSON"),
        (json.dumps({**returned, "version": "1"}), 'it is of version "1"'),
        (json.dumps({**returned, "games": [{"game": 1}]}), r"games\[0\].archive is missing"),
    ):
        with pytest.raises(FormatError, match=reason):
            read_return(text)
