"""Making a game that was ordered: tries are bounded in number and in time, and progress is told twice a second."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.prepare import MOST_TRIES
from tournaments.models import PreparedGame
from tournaments.services import preparing

LONGEST_S = 60.0
TELL_EVERY_S = 0.5
log = logging.getLogger(__name__)


def make_game(prepared_id: int, *, clock: Callable[[], float] = time.monotonic) -> None:
    """Make the game with this number, if it is still wanted; a failure is told to whoever ordered it."""
    prepared = PreparedGame.objects.filter(pk=prepared_id, state="making").first()
    if prepared is None:
        return
    with override(prepared.order.get("language", "en")):
        try:
            preparing.make(prepared=prepared, go_on=_watch(prepared, clock))
        except Exception:
            log.exception("game %s could not be prepared", prepared_id)
            sentence = _("The game could not be prepared. Try again; the log of the program tells more.")
            preparing.fail(prepared=prepared, sentence=sentence)


def _watch(prepared: PreparedGame, clock: Callable[[], float]) -> Callable[[int], bool]:
    """Stops the search when its time is up, and stores how far it is."""
    began = told = clock()

    def go_on(attempt: int) -> bool:
        nonlocal told
        now = clock()
        share = max(attempt / MOST_TRIES, (now - began) / LONGEST_S)
        if now - told >= TELL_EVERY_S:
            told = now
            preparing.progress(prepared=prepared, percent=int(100 * share))
        return now - began < LONGEST_S

    return go_on
