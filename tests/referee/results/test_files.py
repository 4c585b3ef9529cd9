"""Exported results are unchanged when read in again."""

from __future__ import annotations

import csv
import json
import re
from copy import deepcopy
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation
from openpyxl import load_workbook
from pytest_django import DjangoAssertNumQueries

from referee.results.files import EMPTY_TABLE, FILES
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tests.tournaments.conftest import KeptRows
from tournaments.enums import EndReason, Role
from tournaments.events.services import events, rounds
from tournaments.formula_guard import escape_formula
from tournaments.models import Membership
from tournaments.play.services import game_end
from tournaments.players.cell_tables import read_cells
from tournaments.players.roster_table import parse_player_rows
from tournaments.players.services import players
from tournaments.players.services.disqualification import disqualify
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.event_export import EventExport, event_export
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db

FIELD = (
    NewPlayer(1, "Anna Rossi", "Torino", "A", "senior", "ITA", "Reds"),
    NewPlayer(2, "Bruno <b>Verdi</b>", "Torino", "B", "junior", "ITA", "Reds", "Bru"),
    NewPlayer(3, "=1+1", "Milano; Nord", "B", "senior", "ESP", "Blues"),
    NewPlayer(17, "Dalí “Țuc”", "", "A"),
)


@pytest.fixture(scope="module")
def played_once(kept_rows: KeptRows) -> Any:
    return kept_rows(play)


@pytest.fixture
def live_game(played_once: Any, db: None) -> Any:
    """The event; a test may change it."""
    return deepcopy(played_once)


def play() -> ClubGame:
    """Two games of two turns; table 2 has left after the first, the second has a name."""
    club_game, rng = create_club_game(first_judge(), FIELD), seeded_random(11)
    play_turn(club_game, rng)
    play_turn(club_game, rng)
    players.leave_game(player=club_game.player(2), now=club_game.later(), by=club_game.judge)
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=club_game.judge, now=club_game.later())
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    rounds.plan_round(
        event=club_game.event, number=2, name="After: lunch", starts_at=None, by=club_game.judge, now=club_game.later()
    )
    play_turn(club_game, rng)
    play_turn(club_game, rng)
    return club_game


def export(club_game: ClubGame, **which: Any) -> EventExport:
    found = event_export(club_game.event, **which)
    assert found is not None
    return found


def csv_rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(content.decode("utf-8-sig")), delimiter=";"))


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_players_of_a_file_are_read_in_again_as_they_were(live_game: ClubGame, kind: str, language: str) -> None:
    with translation.override(language):
        content = FILES[kind].write(export(live_game))
    sheet = parse_player_rows(read_cells(content))
    assert list(sheet.errors) == []
    assert sorted(sheet.new_players, key=lambda player: player.table or 0) == list(FIELD)


def test_results_of_a_spreadsheet_are_the_results(live_game: ClubGame) -> None:
    given = export(live_game)
    book = load_workbook(BytesIO(FILES["xlsx"].write(given)))
    assert book.sheetnames == ["Standings", "Game 1", "Game 2 · After  lunch"]
    assert book.properties.title.endswith("provisional")
    head, *rows = book["Standings"].iter_rows(values_only=True)
    lines = {line["Table"]: line for line in (dict(zip(head, row, strict=True)) for row in rows)}
    for row in given.view.rows:
        line = lines[row.line.table]
        assert (line["Rank"], line["Total"], line["Negative"]) == (row.line.rank, row.line.total, row.line.negative)
        assert line["Percent"] == float(row.line.percent)
    for results, name in zip(given.games, book.sheetnames[1:], strict=True):
        _head, tops, *turns = book[name].iter_rows(values_only=True)
        assert list(tops[7:]) == list(results.tops)
        assert [list(turn[7:]) for turn in turns] == [list(line.points) for line in results.lines]
        assert all(isinstance(points, int | None) for turn in turns for points in turn[7:])


def test_results_of_a_csv_are_the_results(live_game: ClubGame) -> None:
    given = export(live_game)
    head, *rows = csv_rows(FILES["csv"].write(given))
    at = {title: head.index(title) for title in ("Rank", "Table", "Total", "Percent")}
    assert [[row[place] for place in at.values()] for row in rows] == [
        [str(row.line.rank), str(row.line.table), str(row.line.total), str(row.line.percent)] for row in given.view.rows
    ]


NUMBER = re.compile(r"-?\d+([.,]\d+)?$")
VARIANTS = ("=1+1", "＝1+1", "+1", "－2", "＠SUM(A1)", "'=1+1", "-cmd|' /C calc'!A0")


def test_no_text_becomes_a_formula_in_any_format_and_reading_in_gives_it_back(live_game: ClubGame) -> None:
    for name in VARIANTS:
        players.rename_player(
            live_game.player(3), players.PlayerDetails(name=name, club=name), now=live_game.later(), by=live_game.judge
        )
        rounds.plan_round(
            event=live_game.event, number=2, name=name, starts_at=None, by=live_game.judge, now=live_game.later()
        )
        given = export(live_game)
        book = load_workbook(BytesIO(FILES["xlsx"].write(given)))
        cells = [cell for sheet in book for row in sheet for cell in row if isinstance(cell.value, str)]
        assert {cell.data_type for cell in cells} == {"s"}
        texts = [cell.value for cell in cells]
        texts += [cell for row in csv_rows(FILES["csv"].write(given)) for cell in row]
        texts += [row[1] for row in csv.reader(FILES["sigles"].write(given).decode("latin-1").splitlines())]
        texts = [text for text in texts if not NUMBER.match(text) and text != EMPTY_TABLE]
        assert [text for text in texts if escape_formula(text) != text and not text.startswith("'")] == []
        assert texts.count(f"'{name}") >= 4, "name, club and round in the files"
        for kind in ("csv", "xlsx"):
            read = parse_player_rows(read_cells(FILES[kind].write(given)))
            assert name in [player.name for player in read.new_players]


def test_every_field_of_a_csv_is_in_quotes(live_game: ClubGame) -> None:
    for line in FILES["csv"].write(export(live_game)).decode("utf-8-sig").splitlines():
        assert re.fullmatch(r'"[^"]*"(;"[^"]*")*', line)


def test_the_data_hold_everything_in_the_documented_form(live_game: ClubGame) -> None:
    told = json.loads(FILES["json"].write(export(live_game)))
    assert (told["format"], told["version"], told["ranking"]) == ("duplicate-event", 1, "total")
    assert told["players"][1] == {
        **{"table": 2, "name": "Bruno <b>Verdi</b>", "club": "Torino", "series": "B", "nickname": "Bru"},
        **{"age_class": "junior", "country": "ITA", "team": "Reds"},
    }
    first, second = told["games"]
    assert (first["number"], second["name"], second["state"]) == (1, "After: lunch", "running")
    by_table = {line["table"]: line for line in told["standings"]}
    for game in told["games"]:
        for line in game["results"]:
            assert line["total"] == sum(points or 0 for points in line["points"])
            part = next(each for each in by_table[line["table"]]["games"] if each["number"] == game["number"])
            assert part["points"] == line["total"]
    assert [part["presence"] for part in by_table[2]["games"]] == ["played", "missed"]
    assert {team["team"] for team in told["teams"]} == {"Reds", "Blues"}


def test_the_page_is_one_file_that_asks_nobody_and_shows_nicknames(live_game: ClubGame) -> None:
    with translation.override("it"):
        page = FILES["html"].write(export(live_game)).decode()
    assert '<html lang="it">' in page
    assert "Bru</th>" in page
    assert "Bruno" not in page
    assert "=1+1" in page
    assert "Dalí “Țuc”" in page
    for foreign in ("<script", "http://", "https://", "src=", "<link", "@import"):
        assert foreign not in page


def test_names_on_the_page_are_escaped(live_game: ClubGame) -> None:
    players.rename_player(
        live_game.player(3), players.PlayerDetails(name="<img src=x>"), now=live_game.later(), by=live_game.judge
    )
    page = FILES["html"].write(export(live_game)).decode()
    assert "&lt;img src=x&gt;" in page
    assert "<img" not in page


def test_sigles_gets_a_line_for_every_table(live_game: ClubGame) -> None:
    given = export(live_game, game=1)
    lines = FILES["sigles"].write(given).decode("latin-1").splitlines()
    totals = {row.line.table: row.line.total for row in given.view.rows}
    assert len(lines) == 17
    assert lines[0] == f'"1","Anna Rossi","{totals[1]}"'
    assert lines[3] == '"4","--table vide--","-1"'
    assert lines[16] == f'''"17","Dalí 'Tuc'","{totals[17]}"'''


def test_a_player_without_a_game_is_among_the_players_and_has_no_rank(live_game: ClubGame) -> None:
    game_end.end_game(game=live_game.refresh(), why=EndReason.JUDGE, by=live_game.judge, now=live_game.later())
    head, *rows = csv_rows(FILES["csv"].write(export(live_game, game=2)))
    [bruno] = [row for row in rows if row[1] == "2"]
    assert (bruno[0], bruno[head.index("Total")]) == ("", "")


def test_more_players_ask_for_no_more_queries(
    live_game: ClubGame, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    def queries() -> int:
        with django_assert_max_num_queries(300) as counted:
            for kind in FILES.values():
                kind.write(export(live_game))
        return len(counted)

    queries()
    few = queries()
    more = [NewPlayer(None, f"Player {number}", "Asti", "C") for number in range(30)]
    players.add_players(event=live_game.event, players=more, now=live_game.later())
    queries()
    assert queries() == few


@pytest.fixture
def judge(client: Client) -> Client:
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.parametrize("kind", list(FILES))
def test_the_desk_gives_every_file(judge: Client, live_game: ClubGame, kind: str) -> None:
    answer = judge.get(f"/desk/{live_game.event.code}/results/", {"as": kind})
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith(f'attachment; filename="{live_game.event.code}')
    assert answer["Content-Type"] == FILES[kind].media
    assert answer.content


@pytest.mark.parametrize("query", [{}, {"as": "exe"}, {"as": "csv", "game": "9"}, {"as": "csv", "game": "x"}])
def test_files_that_there_are_not_are_not_found(judge: Client, live_game: ClubGame, query: dict[str, str]) -> None:
    assert judge.get(f"/desk/{live_game.event.code}/results/", query).status_code == 404


def test_a_typist_takes_no_results_away(live_game: ClubGame, client: Client) -> None:
    judge = first_judge()
    Membership.objects.filter(event=live_game.event, user=judge).update(role=Role.TYPIST)
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(f"/desk/{live_game.event.code}/results/", {"as": "csv"}).status_code == 403


def test_the_command_writes_the_same_file_in_the_language_of_the_event(live_game: ClubGame, tmp_path: Path) -> None:
    out = tmp_path / "results.csv"
    call_command("export_event", live_game.event.code.lower(), "--format", "csv", "--out", str(out))
    assert out.read_bytes() == FILES["csv"].write(export(live_game))
    call_command("export_event", live_game.event.code, "--format", "csv", "--out", str(out), "--lang", "it")
    assert csv_rows(out.read_bytes())[0][2] == "Nome"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(["NOPE9"], "There is no event NOPE9."), (["--game", "7"], "has no game 7"), (["--out", "/"], "not be written")],
)
def test_the_command_says_what_is_wrong(
    live_game: ClubGame, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    given = ["--format", "csv", "--out", str(tmp_path / "x")]
    code = [] if arguments[0] == "NOPE9" else [live_game.event.code]
    with pytest.raises(CommandError, match=sentence):
        call_command("export_event", *code, *given, *arguments)


def test_a_disqualified_player_has_no_rank_in_any_file_and_stays_in_it(live_game: ClubGame) -> None:
    disqualify(player=live_game.player(1), reason="shouted", by=live_game.judge, now=live_game.later())
    given = export(live_game)
    assert csv_rows(FILES["csv"].write(given))[-1][:3] == ["disqualified", "1", "Anna Rossi"]
    book = load_workbook(BytesIO(FILES["xlsx"].write(given)))
    assert [sheet.cell(sheet.max_row, 1).value for sheet in list(book)[::2]] == ["disqualified", "disqualified"]
    told = json.loads(FILES["json"].write(given))
    assert [(line["rank"], line["table"]) for line in told["standings"]][-1] == (None, 1)
    assert told["games"][0]["results"][0]["rank"] == 1, "the first game was over"
    assert [line["rank"] for line in told["games"][1]["results"] if line["table"] == 1] == [None]
    assert re.search(r"Anna Rossi\s*<span", FILES["html"].write(given).decode())
    assert FILES["sigles"].write(given).decode("latin-1").splitlines()[0] == '"1","--table vide--","-1"'
