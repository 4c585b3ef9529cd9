"""Editions at the desk: choices, marks, and a game with tiles of several letters."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import cast

import pytest
from django.test import Client
from pypdf import PdfReader
from pytest_django import Settings

from engine.archive.schema import Archive
from referee.pdf.sheets.match import match_pdf
from referee.views.desk import get_desk_view
from tournaments.events.queries.events import get_drawing_room
from tournaments.lexicons.own_editions import copy_to_edit
from tournaments.models import Event, Turn
from tournaments.now import utc_now
from tournaments.results.queries.archive import export_game
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db

LISTS = {
    "it": "CASA\nCASE\nROSA",
    "de": "STRASSE\nGROSS",
    "es": "CHICO\nCHICA\nLLAMAR\nCARRO\nPERRO\nCALLE\nROCA\nOCA",
}


@pytest.fixture
def judge(client: Client, settings: Settings, tmp_path: Path) -> Client:
    """Browser of a judge, with a data folder of three small word lists."""
    settings.DATA_DIR = tmp_path
    (tmp_path / "lexicons").mkdir()
    for code, words in LISTS.items():
        (tmp_path / "lexicons" / f"{code}.txt").write_text(words + "\n", encoding="utf-8")
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


def begin(judge: Client, **wanted: str) -> Event:
    given = {"name": "Night", "date": "2026-11-21", "profile": "club", "draw_mode": "typed", "language": "en"} | wanted
    answer = judge.post("/desk/new/", given)
    assert answer.status_code == 302, answer.context["form"].errors
    return Event.objects.get()


def act(judge: Client, event: Event, action: str, **fields: object) -> str:
    answer = judge.post(f"/desk/{event.code}/do/{action}/", fields, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_editions_with_a_word_list_can_be_chosen_and_the_unverified_one_is_marked(judge: Client) -> None:
    form = judge.get("/desk/new/").context["form"]
    choices = dict(form.fields["edition"].choices)
    assert choices == {
        "de": "German, 102 tiles",
        "de-2024": "German 2024, five blanks – unverified: check the letter counts",
        "es": "Spanish, 100 tiles",
        "it": "Italian, 120 tiles",
    }


def test_the_page_of_an_event_says_that_its_letters_are_unverified(judge: Client) -> None:
    event = begin(judge, edition="de-2024", lexicon="de")
    page = judge.get(f"/desk/{event.code}/").content.decode()
    assert "German 2024, five blanks – unverified: check the letter counts" in page


def test_a_bad_file_of_the_organiser_is_left_out_with_the_reason(judge: Client) -> None:
    path = copy_to_edit("it", "torino")
    assert "torino" in dict(judge.get("/desk/new/").context["form"].fields["edition"].choices)
    path.write_text("name = 3\n", encoding="utf-8")
    page = judge.get("/desk/new/")
    assert "torino" not in dict(page.context["form"].fields["edition"].choices)
    reason = "One of your editions cannot be used: torino.toml, line 1: the entry language is missing"
    assert reason in page.content.decode()


def test_a_spanish_turn_with_tiles_of_several_letters(judge: Client) -> None:
    """Check the typed rack, echo, paper slips, placement, wall and sheet: CH is one tile, C and H are two."""
    event = begin(judge, edition="es", lexicon="es", lines="1, Ana\n2, Blas\n3, Carla")
    page = judge.get(f"/desk/{event.code}/").content.decode()
    assert "Write a tile of several letters in square brackets: [CH] [LL] [RR]" in page
    act(judge, event, "type-rack", rack="chicoae", attempt="0")
    assert Turn.objects.get().rack == "ACCEHIO"
    act(judge, event, "announce")
    for line in ("1 8H CHICO 20", "2 8H OCA 10", "3 8H [C]HICO 20"):
        act(judge, event, "paper", line=line)
    act(judge, event, "close")
    game = event.games.get()
    reasons = {slip["table"]: slip["verdict"]["reason"] for slip in export_game(game)["turns"][0]["slips"]}
    assert reasons == {1: "letters_not_in_rack", 2: None, 3: "not_a_word"}


def test_the_digraph_stands_on_one_square_everywhere(judge: Client) -> None:
    event = begin(judge, edition="es", lexicon="es", lines="1, Ana")
    act(judge, event, "type-rack", rack="[ch]icoaee", attempt="0")
    assert Turn.objects.get().rack == "AC[CH]EEIO"
    act(judge, event, "announce")
    act(judge, event, "paper", line="1 8E CHICO 20")
    act(judge, event, "close")
    game = event.games.get()
    (slip,) = export_game(game)["turns"][0]["slips"]
    assert (slip["verdict"]["result"], slip["verdict"]["points"]) == ("valid", 20)
    act(judge, event, "place")
    game.refresh_from_db()
    view = get_desk_view(game, get_drawing_room(event), utc_now()).hall
    assert view.last is not None
    assert view.last.word.startswith("[CH]IC")
    row = next(row for row in view.board if "[CH]" in row)
    assert len(row.replace("[CH]", "#")) == 15
    sheet = match_pdf(cast(Archive, export_game(game)), language="en")
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(sheet)).pages)
    assert "[CH]IC" in text
    assert "Spanish, 100 tiles" in text
