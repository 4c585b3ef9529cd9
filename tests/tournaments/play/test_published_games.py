"""Evenings of a French club, typed in as paper slips: racks, moves, points, totals and ranks end as they are printed.

What the players wrote is not printed; tests/tournaments/printed_game.py says what stands on the slips here.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from tests.engine.archive.test_published_games import FILES, GAMES
from tests.examples import representative
from tests.tournaments.club_game import ClubGame, create_club_game
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
from tournaments.enums import DrawMode, EndReason, Ruling, SlipSource
from tournaments.errors import Refused
from tournaments.lexicons import word_lists
from tournaments.models import Slip, Turn
from tournaments.play.services import draw_rack, paper_slips
from tournaments.results.queries.archive import export_game
from tournaments.results.queries.results import results_of, running_totals, standings_rows

pytestmark = pytest.mark.django_db
each_game = pytest.mark.parametrize("name", representative(GAMES))


def live_game(judge: User, settings: Settings, folder: Path, name: str) -> ClubGame:
    """The event as the judge of that evening would set it up, with the word list of that evening."""
    settings.DATA_DIR = folder
    install_word_list(folder, name)
    when, variant = date.fromisoformat(name.removeprefix("hiersac-")), FILES[name]["formula"]
    how = {"edition": "fr", "profile": "fisf", "variant": variant, "turn_seconds": 180, "draw_mode": DrawMode.TYPED}
    return create_club_game(judge, PLAYERS, name="Hiersac", place="Hiersac", date=when, **how)


def type_rack(club_game: ClubGame, text: str) -> Turn | None:
    return draw_rack.type_rack(game=club_game.refresh(), text=text, now=club_game.later(), by=club_game.judge)


def type_slips(club_game: ClubGame, turn: PrintedTurn) -> None:
    """Every line as it goes in at the desk; `=` stands for the line typed last."""
    same = ""
    for line in turn.lines:
        typed, now = paper_slips.DeskLine(line, same=same, turn=turn.played.number), club_game.later()
        game, room = club_game.refresh(), club_game.room
        assert (
            paper_slips.enter_line(game=game, typed=typed, room=room, judges=True, now=now, by=club_game.judge)
            is not None
        )
        same = same if line.endswith("=") else line


def play(club_game: ClubGame, turn: PrintedTurn, name: str) -> Turn:
    """Bag, clock, slips, rulings, board: one turn as the judge does it."""
    for rack in turn.back:
        with pytest.raises(Refused, match="all its tiles go back"):
            type_rack(club_game, rack)
    drawn = type_rack(club_game, turn.rack)
    assert drawn is not None
    assert (drawn.number, drawn.kept, drawn.rejected) == (
        turn.played.number,
        turn.played.left.kept.text,
        list(turn.back),
    )
    club_game.announce()
    type_slips(club_game, turn)
    club_game.close()
    if turn.word.upper() in RULED_ON[name]:
        club_game.rule(turn.word, Ruling.ACCEPTED, "in the list of that evening")
    return club_game.place(word=turn.word, ref=turn.ref, why="the move of that evening")


def play_all(club_game: ClubGame, name: str) -> list[PrintedTurn]:
    turns = turns_of(name)
    for turn in turns:
        play(club_game, turn, name)
    assert type_rack(club_game, turns[-1].rack) is None, "the rule ends the game where the page ends"
    return turns


@each_game
def test_an_evening_on_paper_ends_with_the_printed_scores(
    judge: User, settings: Settings, tmp_path: Path, name: str
) -> None:
    club_game = live_game(judge, settings, tmp_path, name)
    turns = play_all(club_game, name)
    printed = [turn.played.points for turn in turns]
    stored = list(Turn.objects.filter(game=club_game.game).order_by("number"))
    assert [(turn.top, turn.master_score) for turn in stored] == [(points, points) for points in printed]
    assert [turn.master_word for turn in stored] == [turn.word for turn in turns]
    assert club_game.refresh().end_why == EndReason.MINIMUM
    points = {table: [turn.points[table] for turn in turns] for table in TABLES}
    results = results_of(club_game.game)
    assert {table: [result.points for result in given] for table, given in results.by_table.items()} == points
    assert results.tops == printed
    assert running_totals(club_game.game)[ALAIN] == totals_of(name)
    ranked = sorted(((sum(given), table) for table, given in points.items()), reverse=True)
    assert [(row.rank, row.table, row.total, row.negative) for row in standings_rows(club_game.game)] == [
        (rank, table, total, total - FILES[name]["total"]) for rank, (total, table) in enumerate(ranked, 1)
    ]


@pytest.mark.endurance
@each_game
def test_the_archive_of_that_evening_proves_itself(judge: User, settings: Settings, tmp_path: Path, name: str) -> None:
    club_game = live_game(judge, settings, tmp_path, name)
    turns = play_all(club_game, name)
    archive = read_archive(json.dumps(export_game(club_game.refresh())))
    assert [
        str(each) for each in verify(archive, word_lists.graph_of(word_lists.word_list_of_game(club_game.game)))
    ] == []
    assert {ruled["word"] for ruled in archive["lexicon"]["accepted"]} == RULED_ON[name]
    assert [turn["rejected"] for turn in archive["turns"]] == [list(turn.back) for turn in turns]
    assert {slip.source for slip in Slip.objects.filter(turn__game=club_game.game)} == {SlipSource.PAPER}
