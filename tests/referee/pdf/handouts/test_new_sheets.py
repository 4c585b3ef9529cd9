"""Seating list, hall plan, badges, score sheets, board, appeals, club standings: content, order and page counts."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from django.utils.translation import override

from engine.archive.schema import Archive
from engine.standings.person_names import split_name, surname_first
from referee.pdf.drawing.sheet import Sheet
from referee.pdf.handouts.badges import PLAIN, SHEETS, draw_badges
from referee.pdf.handouts.forms import appeals_pdf, blank_board_pdf, draw_score_sheets, score_sheet_pdf
from referee.pdf.handouts.table_plan import (
    BY_NAME,
    BY_TABLE,
    draw_hall,
    draw_seating,
    hall_plan_pdf,
    reads_width,
    table_plan_pdf,
)
from referee.pdf.sheets.clubs import chosen_club_standings_pdf, club_standings_pdf
from tests.engine.archive.played_game import play_game_archive
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.referee.pdf.pages import MM, pages_of
from tournaments.models import Player
from tournaments.players.queries.table_plan import RoomPlan, Seat

CLUBS = ("Circolo Milano", "Scarabeo Club Torino", "")


def crowd(size: int) -> Archive:
    """A game with this many players of three clubs."""
    archive: dict[str, Any] = json.loads(json.dumps(play_game_archive(turns=2)))
    line = archive["standings"][0]
    archive["players"] = [
        {"table": n, "name": f"Anna Maria De Luca {n}", "club": CLUBS[n % 3], "series": None}
        for n in range(1, size + 1)
    ]
    archive["standings"] = [line | {"rank": n, "table": n} for n in range(1, size + 1)]
    return cast(Archive, archive)


@pytest.fixture
def live_game(db: None) -> LiveGame:
    return make_live_game(joined=False)


@pytest.mark.parametrize(
    ("name", "surname"),
    [
        ("Anna Rossi", "Rossi"),
        ("Rossi, Anna", "Rossi"),
        ("ROSSI Anna", "ROSSI"),
        ("Anna De Luca", "De Luca"),
        ("Jan van der Berg", "Berg"),
        ("Anna", "Anna"),
        ("", ""),
    ],
)
def test_the_surname_is_found(name: str, surname: str) -> None:
    assert split_name(name).surname == surname


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_hundred_and_twenty_players_are_on_one_page_by_surname(paper: str) -> None:
    name = "Anna Maria Di Bartolomeo-{:03}"
    players = [Player(table=n, name=name.format(n), club="Scarabeo Club") for n in range(120, 0, -1)]
    with override("it"):
        sheet = Sheet("Elenco dei posti", "Torneo · Torino · 3 marzo 2026", [], paper=paper)
        draw_seating(sheet, players, BY_NAME)
        [page] = pages_of(sheet.finish())
    assert page.collisions() == []
    assert page.outside(5 * MM) == []
    names = [box for box in page.boxes if box.text.startswith("Di Bartolomeo")]
    ordered = sorted(names, key=lambda box: (box.left > page.width / 2, -box.low))
    assert [box.text for box in ordered] == [f"Di Bartolomeo-{n:03} Anna Maria" for n in range(1, 121)]


def test_the_seating_list_of_a_desk_has_surnames_first(live_game: LiveGame) -> None:
    text = pages_of(table_plan_pdf(live_game.game, live_game.room, BY_NAME, language="en"))[0].text
    for player in Player.objects.filter(event=live_game.event):
        assert surname_first(player.name) in text


@pytest.mark.parametrize("choice", [BY_NAME, BY_TABLE])
def test_the_seating_list_has_a_column_for_clubs_if_anybody_has_one(choice: str) -> None:
    heads = []
    for club in ("", "Asti"):
        players = [Player(table=1, name="Anna Rossi", club=""), Player(table=2, name="Bruno Neri", club=club)]
        with override("en"):
            sheet = Sheet("Seating list", "Club night", [])
            draw_seating(sheet, players, choice)
            [page] = pages_of(sheet.finish())
        assert {"Rossi Anna", "Neri Bruno", "1", "2"} <= {box.text for box in page.boxes}
        heads.append({"Name", "Club", "Table"} & {box.text for box in page.boxes})
    assert heads == [{"Name", "Table"}, {"Name", "Club", "Table"}]


@pytest.mark.parametrize("width", [4, 12])
def test_a_hall_of_a_hundred_and_twenty_tables_fits_its_page(width: int) -> None:
    seats = [Seat(n, "Anna Maria Di Bartolomeo", "Scarabeo Club Torino", "", True) for n in range(1, 121)]
    with override("de"):
        sheet = Sheet("Hall", "Torneo", [], wide=True)
        draw_hall(sheet, RoomPlan("Hall", [seats[at : at + width] for at in range(0, 120, width)], 0), width)
        pages = pages_of(sheet.finish())
    assert len(pages) == (1 if width == 12 else 2)
    for page in pages:
        assert page.collisions() == []
        assert page.outside(5 * MM) == []
    assert {str(n) for n in range(1, 121)} <= {box.text for page in pages for box in page.boxes}


def test_the_hall_plan_has_the_chosen_number_of_tables_in_a_row(live_game: LiveGame) -> None:
    [page] = pages_of(hall_plan_pdf(live_game.game, live_game.room, "3", language="en"))
    numbers = {box.text: box for box in page.boxes if box.text in ("1", "2", "3", "4")}
    assert round(numbers["1"].low) == round(numbers["3"].low) > numbers["4"].low
    assert not reads_width("0")
    assert not reads_width("21")


@pytest.mark.parametrize(("size", "count"), [(PLAIN, 8), ("L4785", 10), ("L7160", 21)])
def test_badges_lie_on_their_labels(size: str, count: int) -> None:
    form = SHEETS[size]
    pages = pages_of(draw_badges(crowd(count + 1), form, language="it", paper="letter"))
    assert len(pages) == 2
    assert round(pages[0].width) == (612 if size == PLAIN else 595), "label sheets are A4"
    assert pages[0].collisions() == []
    with override("it"):
        cells = form.cells(Sheet("", "", [], paper="a4" if size else "letter", bare=True))
    assert len(cells) == count
    for number, cell in enumerate(cells):
        inside = [box for box in pages[0].boxes if cell.x <= box.left and cell.y <= box.low]
        inside = [box for box in inside if box.right <= cell.x + cell.width and box.top <= cell.y + cell.height]
        assert any("Luca" in box.text for box in inside), number
        assert any(box.text.startswith("Tavolo ") for box in inside), number


def test_a_page_for_each_club_has_its_players_and_no_others() -> None:
    archive = crowd(12)
    pages = pages_of(club_standings_pdf(archive, language="en"))
    assert [page.boxes[1].text for page in pages][:2] == ["Circolo Milano", "Scarabeo Club Torino"]
    assert "Players without a club" in pages[2].text
    for page, own in zip(pages, (range(3, 13, 3), range(1, 13, 3), range(2, 13, 3)), strict=True):
        named = {box.text for box in page.boxes if box.text.startswith("Anna Maria")}
        assert named == {f"Anna Maria De Luca {n}" for n in own}


def test_a_club_of_sixty_players_has_one_page() -> None:
    archive = crowd(120)
    for player in archive["players"]:
        player["club"] = CLUBS[player["table"] % 2]
    assert len(pages_of(club_standings_pdf(archive, language="de", paper="letter"))) == 2


def test_club_standings_of_the_whole_event(live_game: LiveGame) -> None:
    pdf = chosen_club_standings_pdf(live_game.game, live_game.room, "event", language="en")
    assert len(pages_of(pdf)) == 1


def test_a_score_sheet_has_a_line_for_each_turn_and_is_made_for_each_player() -> None:
    archive = play_game_archive(turns=1)
    [page] = pages_of(score_sheet_pdf(archive, language="en"))
    assert {"Turn", "Rack", "Word", "Reference", "Points", "Total", "25"} <= {box.text for box in page.boxes}
    pages = pages_of(draw_score_sheets(archive, [("1", "Anna"), ("2", "Bruno")], language="en", paper="a4"))
    assert [("Anna" in page.text, "Bruno" in page.text) for page in pages] == [(True, False), (False, True)]


def test_board_and_appeal_fill_one_page_each() -> None:
    archive = play_game_archive(turns=1)
    [board] = pages_of(blank_board_pdf(archive, language="it"))
    assert {"A", "O", "1", "15", "3P"} <= {box.text for box in board.boxes}
    [appeal] = pages_of(appeals_pdf(archive, language="en"))
    assert appeal.text.count("Decision of the judge:") == 2


@pytest.mark.parametrize("language", ["it", "de", "fr", "ro", "ca", "es", "en"])
def test_new_sheets_fit_in_every_language(language: str) -> None:
    archive = crowd(6)
    drawn = [
        appeals_pdf(archive, language=language, paper="letter"),
        score_sheet_pdf(archive, language=language),
        club_standings_pdf(archive, language=language),
        draw_badges(archive, SHEETS["L7160"], language=language, paper="a4"),
    ]
    for pdf in drawn:
        for page in pages_of(pdf):
            assert page.collisions() == []
            assert page.outside(5 * MM) == []
