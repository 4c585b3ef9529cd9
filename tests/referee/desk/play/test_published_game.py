"""A printed evening typed in at the desk over HTTP, from a new event to the standings.

The slips are in tests/tournaments/printed_game.py; the racks, moves, points and totals are those as printed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tests.tournaments.printed_game import (
    ALAIN,
    PLAYERS,
    RULED_ON,
    TABLES,
    PrintedTurn,
    install_word_list,
    totals_of,
    turns_of,
)
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
NAME = "hiersac-2023-11-10"


class AtTheDesk:
    """The judge's browser: only the pages and forms that a judge uses."""

    def __init__(self) -> None:
        self.client = Client(headers={"Accept": "application/json"})
        self.client.force_login(first_judge())
        lines = "\n".join(f"{player.table}, {player.name}, {player.club}" for player in PLAYERS)
        fields = {"name": "Hiersac", "date": "2023-11-10", "place": "Hiersac", "edition": "fr", "profile": "fisf"}
        how = {"draw_mode": "typed", "variant": "joker", "time_control": "180", "language": "en", "lines": lines}
        self.desk = self.client.post("/desk/new/", fields | how)["Location"]

    def does(self, action: str, **fields: str) -> dict[str, Any]:
        answer: dict[str, Any] = self.client.post(f"{self.desk}do/{action}/", fields).json()
        return answer

    def types(self, line: str, same: str, turn: int) -> dict[str, Any]:
        fields = {"line": line, "same": same, "turn": turn}
        answer: dict[str, Any] = self.client.post(f"{self.desk}paper/", fields).json()
        return answer

    def results(self) -> dict[str, Any]:
        results: dict[str, Any] = self.client.get(f"{self.desk}results/", {"as": "json"}).json()
        return results

    def plays(self, turn: PrintedTurn) -> None:
        """Play a turn from the bag to the board."""
        for rack in turn.back:
            assert "all its tiles go back" in str(self.does("type-rack", rack=rack))
        steps = [self.does("type-rack", rack=turn.rack), self.does("announce")]
        same = ""
        for line in turn.lines:
            steps.append(self.types(line, same, turn.played.number))
            same = same if line.endswith("=") else line
        steps.append(self.does("close"))
        if turn.word.upper() in RULED_ON[NAME]:
            steps.append(
                self.does("rule-word", word=turn.word, ruling="accepted", reason="in the list of that evening")
            )
        steps.append(self.does("place", word=turn.word, ref=turn.ref, why="the move of that evening"))
        assert [step for step in steps if not step["ok"]] == []


def test_an_evening_typed_in_at_the_desk_ends_with_the_printed_scores(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    install_word_list(tmp_path, NAME)
    desk, turns = AtTheDesk(), turns_of(NAME)
    for turn in turns:
        desk.plays(turn)
    assert desk.does("type-rack", rack=turns[-1].rack)["ok"]
    page = desk.client.get(desk.desk).content.decode()
    assert 'data-phase="finished"' in page
    [game] = desk.results()["games"]
    assert game["tops"] == [turn.played.points for turn in turns]
    lines = {line["table"]: line for line in game["results"]}
    assert {table: line["points"] for table, line in lines.items()} == {
        table: [turn.points[table] for turn in turns] for table in TABLES
    }
    assert (lines[ALAIN]["rank"], lines[ALAIN]["total"]) == (1, totals_of(NAME)[-1])
