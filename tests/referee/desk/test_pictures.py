"""A look at what was made: the first pages as pictures, for those who may have the document, and for nobody else."""

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
from referee.pdf.making import make
from referee.pdf.player_sheets import player_sheets_pdf
from tests.engine.played import play
from tests.referee.live.evening import Evening, make_evening
from tournaments.enums import DocumentState, GameState, Role
from tournaments.models import Document, Game, Membership
from tournaments.now import utc_now
from tournaments.services import documents, forgetting

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    return make_evening(joined=False)


def made(evening: Evening, kind: str = "rules") -> Document:
    """A document that is ready, with its pictures, as the worker makes it."""
    document = documents.ask(game=evening.game, kind=kind, language="en", now=utc_now())
    make(document.pk)
    document.refresh_from_db()
    assert document.state == DocumentState.DONE, document.error
    return document


def address(evening: Evening, document: Document, what: str) -> str:
    return f"/desk/{evening.event.code}/documents/{document.pk}/{what}"


def test_pages_become_pictures_of_a_bounded_number_and_size() -> None:
    pdf = player_sheets_pdf(play(turns=4), language="en")
    shown = pictures.pictures_of(pdf, most=3)
    assert len(shown) == 3
    for each in shown:
        picture = Image.open(BytesIO(each))
        assert (picture.format, picture.width) == ("PNG", pictures.WIDTH)
        assert np.asarray(picture.convert("L")).min() < 60, "there is something on it"


def test_the_judge_sees_the_pages_and_the_way_to_the_pdf(client: Client, evening: Evening) -> None:
    client.force_login(evening.judge)
    document = made(evening)
    pages = pictures.number_of_pages(settings.DATA_DIR / document.path)
    text = client.get(address(evening, document, "look/"), headers={"Accept-Language": "en"}).content.decode()
    assert text.count('class="look-pages"') == 1
    assert text.count("/page-") == pages
    assert 'data-key="o"' in text
    assert "as it will be printed." in text or "as they will be printed." in text
    listed = client.get(f"/desk/{evening.event.code}/documents/").content.decode()
    assert address(evening, document, "page-1.png") in listed
    picture = client.get(address(evening, document, "page-1.png"))
    assert picture.headers["Content-Type"] == "image/png"
    assert Image.open(BytesIO(b"".join(picture.streaming_content))).width == pictures.WIDTH  # type: ignore[attr-defined]


@pytest.mark.parametrize("what", ["page-0.png", "page-99.png"])
def test_there_is_no_picture_of_a_page_that_there_is_not(client: Client, evening: Evening, what: str) -> None:
    client.force_login(evening.judge)
    assert client.get(address(evening, made(evening), what)).status_code == 404


@pytest.mark.parametrize("what", ["look/", "page-1.png"])
def test_a_typist_sees_no_picture_of_what_he_may_not_print(client: Client, evening: Evening, what: str) -> None:
    document = made(evening, "match")
    Membership.objects.filter(event=evening.event, user=evening.judge).update(role=Role.TYPIST)
    client.force_login(evening.judge)
    assert client.get(address(evening, document, what)).status_code in (403, 404)


def test_a_file_of_many_sheets_has_no_pages_to_look_at(client: Client, evening: Evening) -> None:
    client.force_login(evening.judge)
    document = made(evening, "player-files")
    assert document.path.endswith(".zip")
    assert client.get(address(evening, document, "look/")).status_code == 404
    listed = client.get(f"/desk/{evening.event.code}/documents/", headers={"Accept-Language": "en"}).content.decode()
    assert "Save the file" in listed


def test_a_preview_of_all_players_shows_the_first_one(client: Client, evening: Evening) -> None:
    client.force_login(evening.judge)
    answer = client.get(f"/desk/{evening.event.code}/documents/preview/", {"kind": "player-sheets", "paper": "a4"})
    assert answer.headers["Content-Type"] == "application/pdf"


def test_forgetting_an_event_leaves_no_picture_behind(
    evening: Evening, django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]]
) -> None:
    path = Path(settings.DATA_DIR) / made(evening).path
    kept = [path, pictures.picture_path(path, 1)]
    assert all(each.is_file() for each in kept)
    Game.objects.filter(pk=evening.game.pk).update(state=GameState.FINISHED)
    with django_capture_on_commit_callbacks(execute=True):
        forgetting.forget(event=evening.event, by=evening.judge, now=utc_now())
    assert not any(each.exists() for each in kept)
