"""Requested sheets: queued once, made by one worker, with progress."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.tournaments.club_game import ClubGame
from tournaments import signals
from tournaments.documents.services import documents
from tournaments.enums import DocumentState
from tournaments.errors import Refused
from tournaments.models import Document


def ask(club_game: ClubGame, kind: str = "standings") -> Document:
    return documents.request_document(game=club_game.game, kind=kind, language="it", now=club_game.later())


def forget_worker(document: Document) -> None:
    silent = documents.LOST_AFTER + timedelta(seconds=1)
    Document.objects.filter(pk=document.pk).update(worked_at=Now() - silent)


def test_a_second_request_returns_the_unfinished_document(club_game: ClubGame) -> None:
    first = ask(club_game)
    assert ask(club_game) == first
    assert ask(club_game, "match") != first
    documents.finish_document(document=first, path="documents/1.pdf", now=club_game.later())
    assert ask(club_game) != first


@pytest.mark.parametrize("asked", [{"kind": "../x"}, {"choice": "<b>"}, {"paper": "A4 "}, {"kind": ""}, {"paper": ""}])
def test_invalid_requests_are_refused(club_game: ClubGame, asked: dict[str, str]) -> None:
    with pytest.raises(Refused, match="no such document"):
        documents.request_document(
            game=club_game.game,
            language="it",
            now=club_game.later(),
            kind=asked.get("kind", "match"),
            choice=asked.get("choice", ""),
            paper=asked.get("paper", "a4"),
        )


def test_the_same_on_other_paper_is_another_document(club_game: ClubGame) -> None:
    first = documents.request_document(game=club_game.game, kind="match", language="it", now=club_game.later())
    second = documents.request_document(
        game=club_game.game, kind="match", language="it", paper="letter", now=club_game.later()
    )
    assert (first.paper, second.paper) == ("a4", "letter")


def test_one_worker_claims_it_and_stores_its_progress(
    club_game: ClubGame, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    told: list[str] = []

    def asked(document_id: int, **_: object) -> None:
        told.append(f"asked {document_id}")

    def changed(document_id: int, **_: object) -> None:
        told.append(f"changed {document_id}")

    signals.document_requested.connect(asked)
    signals.document_changed.connect(changed)
    with django_capture_on_commit_callbacks(execute=True):
        document = ask(club_game)
        assert documents.claim_document(document=document) is True
        assert documents.claim_document(document=document) is False
        documents.record_progress(document=document, percent=140)
    document.refresh_from_db()
    assert (document.state, document.progress) == (DocumentState.RUNNING, 100)
    assert told == [f"asked {document.pk}", f"changed {document.pk}", f"changed {document.pk}"]


def test_what_failed_says_why_and_can_be_asked_for_again(club_game: ClubGame) -> None:
    document = ask(club_game)
    documents.fail_document(document=document, error="The disk is full." * 100, now=club_game.later())
    document.refresh_from_db()
    assert (document.state, len(document.error)) == (DocumentState.FAILED, 300)
    assert ask(club_game) != document


def test_a_restart_fails_unfinished_documents(club_game: ClubGame) -> None:
    waiting, done = ask(club_game), ask(club_game, "match")
    documents.finish_document(document=done, path="x.pdf", now=club_game.later())
    assert documents.fail_unfinished(now=club_game.later()) == 1
    waiting.refresh_from_db()
    assert waiting.error == "The program was restarted before the document was ready; ask for it again."


def test_a_sheet_whose_worker_gives_no_sign_is_queued_again_and_fails_in_the_end(
    club_game: ClubGame, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    requested: list[int] = []

    def asked(document_id: int, **_: object) -> None:
        requested.append(document_id)

    document = ask(club_game)
    signals.document_requested.connect(asked)
    for restarts in range(1, documents.MOST_RESTARTS + 2):
        assert documents.claim_document(document=document)
        assert documents.queue_lost_documents(now=club_game.later()) == 0
        forget_worker(document)
        documents.record_work(document.pk)
        assert documents.queue_lost_documents(now=club_game.later()) == 0, "its worker has given a sign"
        forget_worker(document)
        with django_capture_on_commit_callbacks(execute=True):
            queued = documents.queue_lost_documents(now=club_game.later())
        assert queued == (restarts <= documents.MOST_RESTARTS)
        document.refresh_from_db()
    assert (document.state, document.restarts) == (DocumentState.FAILED, documents.MOST_RESTARTS)
    assert requested == [document.pk] * documents.MOST_RESTARTS


def test_what_a_task_gave_up_is_taken_again_by_it(club_game: ClubGame) -> None:
    document = ask(club_game)
    assert documents.claim_document(document=document)
    documents.record_progress(document=document, percent=40)
    assert documents.claim_document(document=document, again=True) is True
    document.refresh_from_db()
    assert (document.state, document.progress) == (DocumentState.RUNNING, 0)
    documents.finish_document(document=document, path="documents/1.pdf", now=club_game.later())
    assert documents.claim_document(document=document, again=True) is False


@pytest.mark.parametrize("begun", [True, False])
def test_what_got_lost_with_its_worker_or_its_queue_can_be_asked_for_again(club_game: ClubGame, begun: bool) -> None:
    lost = ask(club_game)
    if begun:
        documents.claim_document(document=lost)
    soon, late = lost.asked_at + documents.STALE_AFTER / 2, lost.asked_at + documents.STALE_AFTER
    assert documents.request_document(game=club_game.game, kind="standings", language="it", now=soon) == lost
    again = documents.request_document(game=club_game.game, kind="standings", language="it", now=late)
    assert again != lost
    lost.refresh_from_db()
    assert (lost.state, lost.error) == (DocumentState.FAILED, "The sheet was lost and is being created again.")
