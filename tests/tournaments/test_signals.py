"""Signals are sent after the commit, and a failing listener has no effect on the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.tournaments.club_game import ClubGame
from tournaments import signals
from tournaments.models import Turn


@pytest.fixture
def told() -> Iterator[list[int]]:
    heard: list[int] = []

    def listener(game_id: int, **_: object) -> None:
        heard.append(game_id)

    signals.game_changed.connect(listener)
    yield heard
    signals.game_changed.disconnect(listener)


def test_news_comes_after_the_commit_once_an_act(
    club_game: ClubGame, told: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        club_game.draw()
        assert told == []
    assert told == [club_game.game.pk]


def test_what_is_rolled_back_is_not_told(
    club_game: ClubGame, told: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        club_game.draw()
        transaction.set_rollback(True)
    assert told == []
    assert not Turn.objects.exists()


def test_a_listener_that_fails_does_not_undo_the_act(
    club_game: ClubGame, told: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("the network is gone")

    signals.game_changed.connect(broken)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            club_game.draw()
    finally:
        signals.game_changed.disconnect(broken)
    assert told == [club_game.game.pk]
    assert Turn.objects.count() == 1
