"""Preparation of the engine and a first word list beside the running server."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import get_language

from engine.lexicon.sources import LANGUAGES
from tournaments.lexicons import engine_build
from tournaments.lexicons.list_builds import request_build
from tournaments.lexicons.word_lists import installed_lists
from tournaments.models import Turn
from tournaments.now import utc_now

_USUAL_LANGUAGE = "it"
_IN_PLAY = timedelta(hours=12)


def start_preparation() -> None:
    """Compile the engine and, without any word list, build that of the active language; neither is waited for.

    Only when the program is started again during a game does it wait for the engine, because phones and judges need it
    before anybody could read an explanation.
    """
    engine_build.start_compiling()
    if Turn.objects.filter(game__finished_at=None, drawn_at__gt=utc_now() - _IN_PLAY).exists():
        engine_build.wait_for_engine()
    if not installed_lists():
        language = (get_language() or "")[:2]
        request_build(language=language if language in LANGUAGES else _USUAL_LANGUAGE, now=utc_now())
