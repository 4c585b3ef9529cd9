"""The printing page: groups, paper size, language of the event, preview."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pypdf import PdfReader

from referee.pdf.catalogue import DOCUMENTS, Group, list_printables
from referee.security.permissions import DIRECTOR
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.enums import Role
from tournaments.models import Document, Membership

pytestmark = pytest.mark.django_db


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game(joined=False)


@pytest.fixture
def director(client: Client, live_game: LiveGame) -> Client:
    client.force_login(live_game.judge)
    return client


def page(client: Client, live_game: LiveGame, address: str = "") -> str:
    answer = client.get(f"/desk/{live_game.event.code}/documents/{address}", headers={"Accept-Language": "en"})
    assert answer.status_code == 200
    return answer.content.decode()


def asked(client: Client, live_game: LiveGame, **fields: str) -> str:
    address = f"/desk/{live_game.event.code}/do/make-document/"
    answer = client.post(address, fields, headers={"Accept": "application/json", "Accept-Language": "en"})
    return str(answer.json()["sentence"])


def test_the_page_has_every_document_in_its_group_with_a_preview(director: Client, live_game: LiveGame) -> None:
    text = page(director, live_game)
    groups = [str(group.label) for group, _listed in list_printables(Role.DIRECTOR)]
    assert [text.index(f"<h2>{name}</h2>") for name in groups] == sorted(
        text.index(f"<h2>{name}</h2>") for name in groups
    )
    for name, each in DOCUMENTS.items():
        assert (f'name="kind" value="{name}"' in text) == each.has_desk
    assert 'data-key="m 1"' in text
    assert 'data-key="v 1"' in text
    assert str(Group.ARCHIVE.label) in text


def test_paper_and_language_of_the_page_are_those_of_the_sheet(director: Client, live_game: LiveGame) -> None:
    assert 'name="paper" value="a4"' in page(director, live_game)
    assert f'name="language" value="{live_game.event.language}"' in page(director, live_game)
    turned = page(director, live_game, "?paper=letter&language=it")
    assert 'name="paper" value="letter"' in turned
    assert 'name="language" value="it"' in turned
    assert 'name="paper" value="a4"' in page(director, live_game, "?paper=papyrus&language=xx")
    assert asked(director, live_game, kind="rules", paper="letter", language="it") == ""
    document = Document.objects.get()
    assert (document.kind, document.paper, document.language) == ("rules", "letter", "it")


def test_a_sheet_is_in_the_language_of_the_event_when_none_is_chosen(director: Client, live_game: LiveGame) -> None:
    type(live_game.event).objects.update(language="it")
    asked(director, live_game, kind="match")
    assert Document.objects.get().language == "it"


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_preview_is_made_at_once_and_not_stored(director: Client, live_game: LiveGame, paper: str) -> None:
    answer = director.get(f"/desk/{live_game.event.code}/documents/preview/", {"kind": "rules", "paper": paper})
    assert answer.headers["Content-Type"] == "application/pdf"
    width = float(PdfReader(BytesIO(answer.content)).pages[0].mediabox.width)
    assert round(width) == {"a4": 595, "letter": 612}[paper]
    assert not Document.objects.exists()


@pytest.mark.parametrize("fields", [{"kind": "novel"}, {"kind": "prepared"}, {"kind": "rules", "paper": "papyrus"}, {}])
def test_what_there_is_not_is_refused_in_a_sentence(
    director: Client, live_game: LiveGame, fields: dict[str, str]
) -> None:
    assert asked(director, live_game, **fields).startswith("There is no such ")
    assert director.get(f"/desk/{live_game.event.code}/documents/preview/", fields).status_code == 404
    assert not Document.objects.exists()


def test_a_document_for_the_director_is_refused_to_a_judge(
    live_game: LiveGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DOCUMENTS, "match", replace(DOCUMENTS["match"], may=DIRECTOR))
    colleague, client = User.objects.create(username="judge"), Client()
    Membership.objects.create(event=live_game.event, user=colleague, role=Role.JUDGE)
    client.force_login(colleague)
    assert 'value="match"' not in page(client, live_game)
    assert asked(client, live_game, kind="match") == "Your role may not print this: ask the director."
    assert client.get(f"/desk/{live_game.event.code}/documents/preview/", {"kind": "match"}).status_code == 404
    assert asked(client, live_game, kind="rules") == ""
