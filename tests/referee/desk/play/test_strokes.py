"""Number of keystrokes that a trained typist needs for the slips of a turn, and their exact result at the desk."""

from __future__ import annotations

from datetime import timedelta
from statistics import median

import pytest
from django.test import Client

from engine.slips.slip import Slip as WrittenSlip
from tests.referee.desk.play.typist_at_work import (
    CONTENTS,
    SLIPS,
    make_slips,
    piles,
    strokes,
    strokes_by_table,
    typed_lines,
)
from tests.tournaments.club_game import create_club_game
from tests.tournaments.word_list import WORDS
from tournaments.enums import SlipSource
from tournaments.judging.verdicts import to_written_slip
from tournaments.models import Slip
from tournaments.now import utc_now
from tournaments.players.services.players import NewPlayer
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.endurance

WORDS_ON_SLIPS = [word for word in WORDS.split() if 3 <= len(word) <= 8]
IN_TEN_MINUTES = 600 * 4
"""At four keystrokes a second, slow for somebody who types every week."""


@pytest.mark.parametrize("seed", range(5))
def test_two_hundred_slips_cost_no_more_keys_than_ten_minutes_have(seed: int) -> None:
    slips = make_slips(WORDS_ON_SLIPS, seed)
    assert (len(slips), len(piles(slips))) == (SLIPS, CONTENTS)
    spent = strokes_by_table(slips)
    grouped = [spent[table] for _slip, tables in piles(slips) for table in tables[1:]]
    assert median(grouped) <= 10
    assert median(spent.values()) <= 10
    assert sum(strokes(line) for line, _tables in typed_lines(slips)) <= IN_TEN_MINUTES


def test_keys_are_counted_as_a_hand_presses_them() -> None:
    assert strokes("17 8h corno 22") == 15
    assert strokes("17 8h CORNO 22") == 20
    assert strokes("21+") == 4
    assert strokes("17 8h corn(o) 22") == 19


@pytest.mark.django_db
def test_the_desk_has_every_slip_that_was_typed_exactly(client: Client) -> None:
    slips = make_slips(WORDS_ON_SLIPS)
    club_game = create_club_game(first_judge(), players=[NewPlayer(table, f"Player {table}") for table in slips])
    club_game.now = utc_now() - timedelta(seconds=60)
    club_game.begin_turn("ACEIRST")
    client.force_login(club_game.judge)
    same = ""
    for line, tables in typed_lines(slips):
        answer = client.post(f"/desk/{club_game.event.code}/paper/", {"line": line, "same": same}).json()
        assert (answer["ok"], answer.get("tables")) == (True, tables), (line, answer)
        same = same if line.endswith("+") else line
    stored = Slip.objects.filter(turn=club_game.turn).select_related("player")
    assert {slip.player.table: to_written_slip(slip) for slip in stored if slip.source == SlipSource.PAPER} == {
        table: written_lower(slip.word, slip.ref, slip.declared) for table, slip in slips.items()
    }


def written_lower(word: str, ref: str, declared: int | None) -> WrittenSlip:
    """Return the word as it is read when typed in small letters, with brackets around the blank."""
    head, bracket, tail = word.partition("(")
    return WrittenSlip(head + bracket + tail.lower(), ref, declared)
