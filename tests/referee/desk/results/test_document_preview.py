"""Preview of finished documents: the first pages as pictures, only for roles that may have the document."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.test import Client
from PIL import Image

from referee.pdf import pictures
from referee.pdf.make_document import make_stored_document
from referee.pdf.sheets.player_sheets import player_sheets_pdf
from tests.engine.archive.played_game import play_game_archive
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.documents.services import documents
from tournaments.enums import DocumentState, GameState, Role
from tournaments.models import Document, Game, Membership
from tournaments.now import utc_now
from tournaments.players.services import anonymise

pytestmark = pytest.mark.django_db


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game(joined=False)


def made(live_game: LiveGame, kind: str = "rules") -> Document:
    """A finished document with its pictures, as the worker makes it."""
    document = documents.request_document(game=live_game.game, kind=kind, language="en", now=utc_now())
    make_stored_document(document.pk)
    document.refresh_from_db()
    assert document.state == DocumentState.DONE, document.error
    return document


def address(live_game: LiveGame, document: Document, what: str) -> str:
    return f"/desk/{live_game.event.code}/documents/{document.pk}/{what}"


def test_pages_become_pictures_of_a_bounded_number_and_size() -> None:
    pdf = player_sheets_pdf(play_game_archive(turns=4), language="en")
    shown = pictures.render_pages(pdf, most=3)
    assert len(shown) == 3
    for each in shown:
        picture = Image.open(BytesIO(each))
        assert (picture.format, picture.width) == ("PNG", pictures.WIDTH)
        assert np.asarray(picture.convert("L")).min() < 60, "there is something on it"


def test_the_judge_sees_the_pages_and_the_way_to_the_pdf(client: Client, live_game: LiveGame) -> None:
    client.force_login(live_game.judge)
    document = made(live_game)
    pages = pictures.count_pages(settings.DATA_DIR / document.path)
    text = client.get(address(live_game, document, "look/"), headers={"Accept-Language": "en"}).content.decode()
    assert text.count('class="preview-pages"') == 1
    assert text.count("/page-") == pages
    assert 'data-key="o"' in text
    assert "as it will be printed." in text or "as they will be printed." in text
    listed = client.get(f"/desk/{live_game.event.code}/documents/").content.decode()
    assert address(live_game, document, "page-1.png") in listed
    picture = client.get(address(live_game, document, "page-1.png"))
    assert picture.headers["Content-Type"] == "image/png"
    assert Image.open(BytesIO(b"".join(picture.streaming_content))).width == pictures.WIDTH  # type: ignore[attr-defined]


@pytest.mark.parametrize("what", ["page-0.png", "page-99.png"])
def test_there_is_no_picture_of_a_page_that_there_is_not(client: Client, live_game: LiveGame, what: str) -> None:
    client.force_login(live_game.judge)
    assert client.get(address(live_game, made(live_game), what)).status_code == 404


@pytest.mark.parametrize("what", ["look/", "page-1.png"])
def test_a_typist_sees_no_picture_of_a_document_that_they_may_not_print(
    client: Client, live_game: LiveGame, what: str
) -> None:
    document = made(live_game, "match")
    Membership.objects.filter(event=live_game.event, user=live_game.judge).update(role=Role.TYPIST)
    client.force_login(live_game.judge)
    assert client.get(address(live_game, document, what)).status_code in (403, 404)


def test_a_file_of_many_sheets_has_no_pages_to_look_at(client: Client, live_game: LiveGame) -> None:
    client.force_login(live_game.judge)
    document = made(live_game, "player-files")
    assert document.path.endswith(".zip")
    assert client.get(address(live_game, document, "look/")).status_code == 404
    listed = client.get(f"/desk/{live_game.event.code}/documents/", headers={"Accept-Language": "en"}).content.decode()
    assert "Save the file" in listed


def test_a_preview_of_all_players_shows_the_first_one(client: Client, live_game: LiveGame) -> None:
    client.force_login(live_game.judge)
    answer = client.get(f"/desk/{live_game.event.code}/documents/preview/", {"kind": "player-sheets", "paper": "a4"})
    assert answer.headers["Content-Type"] == "application/pdf"


def test_forgetting_an_event_leaves_no_picture_behind(
    live_game: LiveGame, django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]]
) -> None:
    path = Path(settings.DATA_DIR) / made(live_game).path
    kept = [path, pictures.picture_path(path, 1)]
    assert all(each.is_file() for each in kept)
    Game.objects.filter(pk=live_game.game.pk).update(state=GameState.FINISHED)
    with django_capture_on_commit_callbacks(execute=True):
        anonymise.anonymise_event(event=live_game.event, by=live_game.judge, now=utc_now())
    assert not any(each.exists() for each in kept)
