"""A sheet is asked for once, made by one, and tells how far it is."""

from __future__ import annotations

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.tournaments.night import Night
from tournaments import signals
from tournaments.enums import DocumentState
from tournaments.errors import Refused
from tournaments.models import Document
from tournaments.services import documents


def ask(night: Night, kind: str = "standings") -> Document:
    return documents.ask(game=night.game, kind=kind, language="it", now=night.later())


def test_a_second_click_gets_the_document_that_is_under_way(night: Night) -> None:
    first = ask(night)
    assert ask(night) == first
    assert ask(night, "match") != first
    documents.finish(document=first, path="documents/1.pdf", now=night.later())
    assert ask(night) != first


@pytest.mark.parametrize("asked", [{"kind": "../x"}, {"choice": "<b>"}, {"paper": "A4 "}, {"kind": ""}, {"paper": ""}])
def test_what_can_be_no_document_is_refused(night: Night, asked: dict[str, str]) -> None:
    with pytest.raises(Refused, match="no such document"):
        documents.ask(
            game=night.game,
            language="it",
            now=night.later(),
            kind=asked.get("kind", "match"),
            choice=asked.get("choice", ""),
            paper=asked.get("paper", "a4"),
        )


def test_the_same_on_other_paper_is_another_document(night: Night) -> None:
    first = documents.ask(game=night.game, kind="match", language="it", now=night.later())
    second = documents.ask(game=night.game, kind="match", language="it", paper="letter", now=night.later())
    assert (first.paper, second.paper) == ("a4", "letter")


def test_one_worker_takes_it_and_tells_how_far_it_is(
    night: Night, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    told: list[str] = []

    def asked(document_id: int, **_: object) -> None:
        told.append(f"asked {document_id}")

    def changed(document_id: int, **_: object) -> None:
        told.append(f"changed {document_id}")

    signals.document_asked.connect(asked)
    signals.document_changed.connect(changed)
    with django_capture_on_commit_callbacks(execute=True):
        document = ask(night)
        assert documents.start(document=document) is True
        assert documents.start(document=document) is False
        documents.progress(document=document, percent=140)
    document.refresh_from_db()
    assert (document.state, document.progress) == (DocumentState.RUNNING, 100)
    assert told == [f"asked {document.pk}", f"changed {document.pk}", f"changed {document.pk}"]


def test_what_failed_says_why_and_can_be_asked_for_again(night: Night) -> None:
    document = ask(night)
    documents.fail(document=document, error="The disk is full." * 100, now=night.later())
    document.refresh_from_db()
    assert (document.state, len(document.error)) == (DocumentState.FAILED, 300)
    assert ask(night) != document


def test_a_restart_gives_up_what_nobody_makes_any_more(night: Night) -> None:
    waiting, done = ask(night), ask(night, "match")
    documents.finish(document=done, path="x.pdf", now=night.later())
    assert documents.give_up_unfinished(now=night.later()) == 1
    waiting.refresh_from_db()
    assert waiting.error == "The program was restarted before the document was ready; ask for it again."


def test_what_a_dead_worker_had_in_hand_is_taken_again_by_whoever_knows_it(night: Night) -> None:
    document = ask(night)
    assert documents.start(document=document)
    documents.progress(document=document, percent=40)
    assert documents.start(document=document, again=True) is True
    document.refresh_from_db()
    assert (document.state, document.progress) == (DocumentState.RUNNING, 0)
    documents.finish(document=document, path="documents/1.pdf", now=night.later())
    assert documents.start(document=document, again=True) is False


@pytest.mark.parametrize("begun", [True, False])
def test_what_got_lost_with_its_worker_or_its_queue_can_be_asked_for_again(night: Night, begun: bool) -> None:
    lost = ask(night)
    if begun:
        documents.start(document=lost)
    soon, late = lost.asked_at + documents.LOST_AFTER / 2, lost.asked_at + documents.LOST_AFTER
    assert documents.ask(game=night.game, kind="standings", language="it", now=soon) == lost
    again = documents.ask(game=night.game, kind="standings", language="it", now=late)
    assert again != lost
    lost.refresh_from_db()
    assert (lost.state, lost.error) == (DocumentState.FAILED, "The sheet was lost on its way; it is made anew.")
