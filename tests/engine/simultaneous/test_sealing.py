"""Sealing of a game: parts open in their order with the key of the package, and in no other way."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.prepared.script import Script
from engine.simultaneous.sealing import BLOCK, NO_END, NONCE_BYTES, OpenableGame, SealBroken, open_turns, seal_game

KEY = bytes(range(32))
TAG_BYTES = 16
LETTERS = st.text("ABCDEFGH", min_size=1, max_size=7)
TURNS = st.lists(
    st.fixed_dictionaries({"rack": LETTERS, "tops": st.lists(LETTERS, max_size=400)}), min_size=1, max_size=6
)


def seal_turns(turns: list[dict[str, Any]]) -> OpenableGame:
    script = {
        "title": "Cup",
        "draw": {"commitment": "c", "seed": "secret seed"},
        "turns": turns,
        "end": {"why": "turns"},
    }
    nonces = iter(range(1000))
    sealed = seal_game(cast(Script, script), 1, KEY, lambda size: next(nonces).to_bytes(size, "big"))
    return {**sealed, "key": KEY.hex()}


@given(TURNS)
def test_what_was_sealed_opens_turn_by_turn_and_the_end_after_the_last(turns: list[dict[str, Any]]) -> None:
    game = seal_turns(turns)
    for number in range(len(turns) + 1):
        opened = open_turns(game, number)
        assert (opened["turns"], opened["end"]) == (turns[:number], NO_END)
    assert open_turns(game, len(turns) + 1)["end"] == {"why": "turns"}
    assert "secret seed" not in json.dumps(game)
    assert {len(b64decode(part)) % BLOCK for part in game["parts"]} == {NONCE_BYTES + TAG_BYTES}


@given(TURNS, st.data())
def test_a_part_opens_only_after_the_parts_before_it_and_unaltered(turns: list[dict[str, Any]], data: Any) -> None:
    game = seal_turns(turns)
    parts = game["parts"]
    at = data.draw(st.integers(0, len(parts) - 1))
    changed = parts[at][:-6] + ("A" if parts[at][-6] != "A" else "B") + parts[at][-5:]
    for wrong in ({**game, "parts": [*parts[:at], changed, *parts[at + 1 :]]}, {**game, "key": bytes(32).hex()}):
        with pytest.raises(SealBroken):
            open_turns(cast(OpenableGame, wrong), at + 1)
    if at:
        with pytest.raises(SealBroken):
            open_turns({**game, "parts": parts[at:]}, 1)
