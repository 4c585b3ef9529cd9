"""Sheets are made without anybody waiting: by a thread of this process, or by a Celery worker where there is Redis."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest
from django.conf import settings

from referee.pdf.catalogue import DOCUMENTS, DocumentSource
from tests.referee.celery_worker import celery_worker
from tests.referee.live.live_game import install_words
from tests.waiting import until
from tournaments.documents.services import documents
from tournaments.enums import DocumentState
from tournaments.events.queries.events import get_drawing_room
from tournaments.events.services import events
from tournaments.models import Document, Game
from tournaments.now import utc_now
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    """A game that has just begun, with the few words of the tests."""
    install_words(Path(settings.DATA_DIR) / "lexicons")
    return events.create_event(
        events.NewEvent(
            name="Club night",
            date=date(2026, 11, 21),
            place="Torino",
            language="it",
            edition="it",
            profile="it-box",
            draw_mode="seeded",
            lexicon="few",
        ),
        players=[],
        by=first_judge(),
        now=utc_now(),
        seed=b"s" * 32,
    )


def is_done(document: Document) -> bool:
    document.refresh_from_db()
    assert document.state != DocumentState.FAILED, document.error
    return document.state == DocumentState.DONE


def pdf_of(document: Document) -> bytes:
    return (Path(settings.DATA_DIR) / document.path).read_bytes()


@pytest.mark.parametrize(
    "kind", sorted(each.name for each in DOCUMENTS.values() if each.has_desk and each.needs is not DocumentSource.TURN)
)
def test_a_sheet_is_made_by_a_thread_while_nobody_waits(game: Game, kind: str) -> None:
    document = documents.request_document(game=game, kind=kind, language="it", now=utc_now())
    until(lambda: is_done(document))
    assert pdf_of(document).startswith({"pdf": b"%PDF", "zip": b"PK", "png": b"\x89PNG"}[DOCUMENTS[kind].suffix])
    assert document.progress == 100


def test_a_sheet_that_cannot_be_made_says_so_and_can_be_asked_for_again(game: Game) -> None:
    folder = Path(settings.DATA_DIR) / "documents"
    shutil.rmtree(folder, ignore_errors=True)
    folder.write_text("in the way")
    document = documents.request_document(game=game, kind="standings", language="en", now=utc_now())
    until(lambda: Document.objects.get(pk=document.pk).state == DocumentState.FAILED)
    document.refresh_from_db()
    assert document.error.startswith("The sheet could not be created.")
    folder.unlink()
    again = documents.request_document(game=game, kind="standings", language="en", now=utc_now())
    until(lambda: is_done(again))


@pytest.mark.endurance
@pytest.mark.services
def test_with_redis_a_celery_worker_makes_it(game: Game, redis_url: str) -> None:
    with celery_worker(redis_url, "sheets") as call:
        # Asked for without a listener in this process, as another machine would ask.
        document = Document.objects.create(
            game=game, room=get_drawing_room(game.event), kind="standings", language="it", asked_at=utc_now()
        )
        call("multiplo.make_document", f"[{document.pk}]")
        until(lambda: is_done(document))
        assert pdf_of(document).startswith(b"%PDF")
