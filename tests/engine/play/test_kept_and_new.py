from __future__ import annotations

import pytest

from engine.play.kept_and_new import split_rack
from engine.tiles.edition import load_edition


@pytest.mark.parametrize(
    ("kept", "rack", "is_new", "parts"),
    [
        ("AEI", "AEINRST", False, ("AEI", "NRST")),
        ("?A", "?AAEIRS", False, ("?A", "AEIRS")),
        ("", "AEINRST", False, ("", "AEINRST")),
        ("AEI", "AEINRST", True, ("", "AEINRST")),
        ("AEQ", "AEINRST", False, ("", "AEINRST")),
        ("AEINRST", "AEINRST", False, ("AEINRST", "")),
    ],
)
def test_a_rack_is_kept_and_new_letters(kept: str, rack: str, is_new: bool, parts: tuple[str, str]) -> None:
    assert split_rack(load_edition("it"), kept, rack, is_new=is_new) == parts
