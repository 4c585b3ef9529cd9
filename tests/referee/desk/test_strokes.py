"""How many keys the slips of a turn cost a trained typist, and that the desk then has them exactly."""

from __future__ import annotations

from datetime import timedelta
from statistics import median

import pytest
from django.test import Client

from engine.rules.slip import Slip as WrittenSlip
from tests.referee.desk.typist_at_work import (
    CONTENTS,
    SLIPS,
    piles,
    slips_of_a_turn,
    strokes,
    strokes_by_table,
    work,
)
from tests.tournaments.night import begin
from tests.tournaments.word_list import WORDS
from tournaments.enums import SlipSource
from tournaments.models import Slip
from tournaments.now import utc_now
from tournaments.services.access import first_judge
from tournaments.services.players import NewPlayer
from tournaments.verdicts import written

WORDS_ON_SLIPS = [word for word in WORDS.split() if 3 <= len(word) <= 8]
IN_TEN_MINUTES = 600 * 4
"""At four keys a second, which is slow for somebody who types every week."""


@pytest.mark.parametrize("seed", range(5))
def test_two_hundred_slips_cost_no_more_keys_than_ten_minutes_have(seed: int) -> None:
    slips = slips_of_a_turn(WORDS_ON_SLIPS, seed)
    assert (len(slips), len(piles(slips))) == (SLIPS, CONTENTS)
    spent = strokes_by_table(slips)
    grouped = [spent[table] for _slip, tables in piles(slips) for table in tables[1:]]
    assert median(grouped) <= 10
    assert median(spent.values()) <= 10
    assert sum(strokes(line) for line, _tables in work(slips)) <= IN_TEN_MINUTES


def test_keys_are_counted_as_a_hand_presses_them() -> None:
    assert strokes("17 8h corno 22") == 15
    assert strokes("17 8h CORNO 22") == 20
    assert strokes("21+") == 4
    assert strokes("17 8h corn(o) 22") == 19


@pytest.mark.django_db
def test_the_desk_has_every_slip_that_was_typed_exactly(client: Client) -> None:
    slips = slips_of_a_turn(WORDS_ON_SLIPS)
    night = begin(first_judge(), players=[NewPlayer(table, f"Player {table}") for table in slips])
    night.now = utc_now() - timedelta(seconds=60)
    night.begin_turn("ACEIRST")
    client.force_login(night.judge)
    same = ""
    for line, tables in work(slips):
        answer = client.post(f"/desk/{night.event.code}/paper/", {"line": line, "same": same}).json()
        assert (answer["ok"], answer.get("tables")) == (True, tables), (line, answer)
        same = same if line.endswith("+") else line
    stored = Slip.objects.filter(turn=night.turn).select_related("player")
    assert {slip.player.table: written(slip) for slip in stored if slip.source == SlipSource.PAPER} == {
        table: written_lower(slip.word, slip.ref, slip.declared) for table, slip in slips.items()
    }


def written_lower(word: str, ref: str, declared: int | None) -> WrittenSlip:
    """As it is read where it was typed in small letters: the brackets mark the blank."""
    head, bracket, tail = word.partition("(")
    return WrittenSlip(head + bracket + tail.lower(), ref, declared)
