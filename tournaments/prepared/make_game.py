"""Generate an ordered game. Attempts are limited in number and time; progress is reported twice a second."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.prepared.prepare_game import MAX_ATTEMPTS
from tournaments.models import PreparedGame
from tournaments.prepared.services import prepared_games

MAX_SEARCH_S = 60.0
PROGRESS_INTERVAL_S = 0.5
log = logging.getLogger(__name__)


def make_game(prepared_id: int, *, clock: Callable[[], float] = time.monotonic) -> None:
    """Generate the game with this number, if it is still wanted; a failure is reported to the user who ordered it."""
    prepared = PreparedGame.objects.filter(pk=prepared_id, state="making").first()
    if prepared is None:
        return
    with override(prepared.order.get("language", "en")):
        try:
            prepared_games.generate_game(prepared=prepared, go_on=_watch_search(prepared, clock))
        except Exception:
            log.exception("game %s could not be prepared", prepared_id)
            sentence = _("The game could not be prepared. Try again; the log of the program says more.")
            prepared_games.record_failure(prepared=prepared, sentence=sentence)


def _watch_search(prepared: PreparedGame, clock: Callable[[], float]) -> Callable[[int], bool]:
    """Make the callback that stores the progress of the search and stops it when its time is up."""
    began = reported_at = clock()

    def go_on(attempt: int) -> bool:
        nonlocal reported_at
        now = clock()
        share = max(attempt / MAX_ATTEMPTS, (now - began) / MAX_SEARCH_S)
        if now - reported_at >= PROGRESS_INTERVAL_S:
            reported_at = now
            prepared_games.record_progress(prepared=prepared, percent=int(100 * share))
        return now - began < MAX_SEARCH_S

    return go_on
