"""The ledger at the desk: verified on demand; going on after the end records the new seed."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from pypdf import PdfReader

from engine.archive.ledger import format_hash_groups
from referee.pdf.make_document import make_stored_document
from tests.ledger_table import unprotected
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.judging.services.judge_slips import judge_turn
from tournaments.models import Document, LedgerEntry, SlipRuling
from tournaments.play.services import game_end
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def club_game(judge: User) -> ClubGame:
    return create_club_game(judge, lexicon="it")


@pytest.fixture
def judge(db: None) -> User:
    return first_judge()


@pytest.fixture
def desk(client: Client, judge: User) -> Client:
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page(desk: Client, club_game: ClubGame, query: str = "") -> str:
    answer = desk.get(f"/desk/{club_game.event.code}/log/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def placed(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn()
    club_game.phone(1, "CASA", "8H", 10)
    club_game.close()
    club_game.place()
    return club_game


def test_the_chain_is_verified_on_demand(desk: Client, placed: ClubGame) -> None:
    assert "Check the ledger" in page(desk, placed)
    assert "The ledger is complete" not in page(desk, placed)
    text = page(desk, placed, "?ledger=1")
    number = LedgerEntry.objects.count()
    assert f"The ledger is complete: {number} entries, each linked to the one before it." in text


def test_every_head_that_was_on_the_wall_is_there_in_full(desk: Client, placed: ClubGame) -> None:
    text = page(desk, placed, "?ledger=1")
    for kind, words in (("created", "game begun"), ("announce", "turn 1 announced"), ("place", "turn 1 placed")):
        entry = LedgerEntry.objects.get(kind=kind)
        assert words in text
        assert format_hash_groups(entry.hash) in text
    assert format_hash_groups(LedgerEntry.objects.get(kind="slips").hash) not in text


def test_a_forged_entry_is_named_with_number_kind_and_time(desk: Client, placed: ClubGame) -> None:
    with unprotected():
        LedgerEntry.objects.filter(kind="announce").update(data={"turn": 1, "rack": "FORGED"})
    entry = LedgerEntry.objects.get(kind="announce")
    text = page(desk, placed, "?ledger=1")
    assert f"The ledger breaks at entry {entry.n} (announce, {entry.at.isoformat(timespec='microseconds')})" in text
    assert "The ledger is complete" not in text


def test_the_acts_on_the_draw_are_shown(desk: Client, placed: ClubGame) -> None:
    placed.draw()
    placed.undo()
    entry = LedgerEntry.objects.get(kind="undo")
    text = page(desk, placed, "?ledger=1")
    assert f"Entry {entry.n}: The rack drawn for turn 2 was put back before it was announced." in text


def test_the_way_back_from_the_end_says_that_there_is_a_new_seed(desk: Client, placed: ClubGame, judge: User) -> None:
    before = placed.refresh().commitment
    game_end.end_game(game=placed.refresh(), by=judge, now=placed.later())
    address = f"/desk/{placed.event.code}/do/undo/"
    answer = desk.post(address, {"finished": "yes"}, headers={"HX-Request": "true"})
    assert "the next racks are drawn from a new seed" in answer.headers["HX-Trigger"]
    after = placed.refresh().commitment
    assert after != before
    text = answer.content.decode()
    assert after in text
    assert 'name="word"' in text
    desk.post(f"/desk/{placed.event.code}/do/hall-word/", {"word": "mela"}, headers={"HX-Request": "true"})
    assert placed.refresh().hall_word == "mela"


def test_an_undo_within_the_game_says_nothing_of_seeds(desk: Client, placed: ClubGame) -> None:
    answer = desk.post(f"/desk/{placed.event.code}/do/undo/", {}, headers={"HX-Request": "true"})
    assert "new one" not in answer.headers["HX-Trigger"]
    assert 'id="called-word"' not in answer.content.decode()


def verified(desk: Client, club_game: ClubGame) -> str:
    """Return the text of the document that the button requests, made outside the request as all documents are."""
    assert 'value="verification"' in page(desk, club_game)
    desk.post(f"/desk/{club_game.event.code}/do/make-document/", {"kind": "verification", "language": "en"})
    document = Document.objects.latest("pk")
    make_stored_document(document.pk)
    document.refresh_from_db()
    assert document.error == ""
    content = (Path(settings.DATA_DIR) / document.path).read_bytes()
    return " ".join("".join(sheet.extract_text() for sheet in PdfReader(BytesIO(content)).pages).split())


def test_the_check_at_the_desk_covers_slips_and_verdicts(desk: Client, placed: ClubGame) -> None:
    assert "No difference: draws, verdicts, standings and the ledger agree." in verified(desk, placed)
    group, turn = placed.verdict(1).group, placed.turn
    SlipRuling.objects.create(
        turn=turn, group=group, points=999, known_since=turn.number, reason="x", by=placed.judge, at=placed.now
    )
    judge_turn(turn=turn)
    text = verified(desk, placed)
    assert "The ledger is complete" in page(desk, placed, "?ledger=1")
    assert 'ledger, turn 1, table 1, decision: the archive says {"points": 999}, the ledger says null' in text
    preview = desk.get(f"/desk/{placed.event.code}/documents/preview/?kind=verification")
    assert preview.status_code == 404
