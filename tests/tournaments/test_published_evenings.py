"""Evenings of a French club, typed in as paper slips: racks, moves, points, totals and ranks end as they are printed.

What the players wrote is not printed; tests/tournaments/printed_evening.py says what stands on the slips here.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from engine.archive import read_archive
from engine.replay import verify
from tests.engine.test_published_games import FILES, GAMES
from tests.tournaments.night import Night, begin
from tests.tournaments.printed_evening import (
    ALAIN,
    PLAYERS,
    RULED_ON,
    TABLES,
    PrintedTurn,
    install,
    totals_of,
    turns_of,
)
from tournaments import lexicons
from tournaments.enums import DrawMode, EndReason, Ruling, SlipSource
from tournaments.errors import Refused
from tournaments.models import Slip, Turn
from tournaments.selectors.archive import export_game
from tournaments.selectors.results import results_of, running_totals, standings_rows
from tournaments.services import drawing, paper

pytestmark = pytest.mark.django_db
each_evening = pytest.mark.parametrize("name", GAMES)


def evening(judge: User, settings: Settings, folder: Path, name: str) -> Night:
    """The event as the judge of that evening would set it up, with the word list of that evening."""
    settings.DATA_DIR = folder
    install(folder, name)
    when, formula = date.fromisoformat(name.removeprefix("hiersac-")), FILES[name]["formula"]
    how = {"edition": "fr", "profile": "fisf", "formula": formula, "rhythm_s": 180, "draw_mode": DrawMode.TYPED}
    return begin(judge, PLAYERS, name="Hiersac", place="Hiersac", date=when, **how)


def type_rack(night: Night, text: str) -> Turn | None:
    return drawing.type_rack(game=night.refresh(), text=text, now=night.later(), by=night.judge)


def type_slips(night: Night, turn: PrintedTurn) -> None:
    """Every line as it goes in at the desk; `=` stands for the line typed last."""
    same = ""
    for line in turn.lines:
        typed, now = paper.Typed(line, same=same, turn=turn.played.number), night.later()
        game, room = night.refresh(), night.room
        assert paper.enter_line(game=game, typed=typed, room=room, judges=True, now=now, by=night.judge) is not None
        same = same if line.endswith("=") else line


def play(night: Night, turn: PrintedTurn, name: str) -> Turn:
    """Bag, clock, slips, rulings, board: one turn as the judge does it."""
    for rack in turn.back:
        with pytest.raises(Refused, match="all its tiles go back"):
            type_rack(night, rack)
    drawn = type_rack(night, turn.rack)
    assert drawn is not None
    assert (drawn.number, drawn.kept, drawn.rejected) == (
        turn.played.number,
        turn.played.left.kept.text,
        list(turn.back),
    )
    night.announce()
    type_slips(night, turn)
    night.close()
    if turn.word.upper() in RULED_ON[name]:
        night.rule(turn.word, Ruling.ACCEPTED, "in the list of that evening")
    return night.place(word=turn.word, ref=turn.ref, why="the move of that evening")


def play_all(night: Night, name: str) -> list[PrintedTurn]:
    turns = turns_of(name)
    for turn in turns:
        play(night, turn, name)
    assert type_rack(night, turns[-1].rack) is None, "the rule ends the game where the page ends"
    return turns


@each_evening
def test_an_evening_on_paper_ends_with_the_printed_scores(
    judge: User, settings: Settings, tmp_path: Path, name: str
) -> None:
    night = evening(judge, settings, tmp_path, name)
    turns = play_all(night, name)
    printed = [turn.played.points for turn in turns]
    stored = list(Turn.objects.filter(game=night.game).order_by("number"))
    assert [(turn.top, turn.master_score) for turn in stored] == [(points, points) for points in printed]
    assert [turn.master_word for turn in stored] == [turn.word for turn in turns]
    assert night.refresh().end_why == EndReason.MINIMUM
    points = {table: [turn.points[table] for turn in turns] for table in TABLES}
    results = results_of(night.game)
    assert {table: [result.points for result in given] for table, given in results.by_table.items()} == points
    assert results.tops == printed
    assert running_totals(night.game)[ALAIN] == totals_of(name)
    ranked = sorted(((sum(given), table) for table, given in points.items()), reverse=True)
    assert [(row.rank, row.table, row.total, row.negative) for row in standings_rows(night.game)] == [
        (rank, table, total, total - FILES[name]["total"]) for rank, (total, table) in enumerate(ranked, 1)
    ]


@each_evening
def test_the_archive_of_that_evening_proves_itself(judge: User, settings: Settings, tmp_path: Path, name: str) -> None:
    night = evening(judge, settings, tmp_path, name)
    turns = play_all(night, name)
    archive = read_archive(json.dumps(export_game(night.refresh())))
    assert [str(each) for each in verify(archive, lexicons.graph_of(lexicons.of_game(night.game)))] == []
    assert {ruled["word"] for ruled in archive["lexicon"]["accepted"]} == RULED_ON[name]
    assert [turn["rejected"] for turn in archive["turns"]] == [list(turn.back) for turn in turns]
    assert {slip.source for slip in Slip.objects.filter(turn__game=night.game)} == {SlipSource.PAPER}
