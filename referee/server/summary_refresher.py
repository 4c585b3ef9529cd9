"""Thread that stores results of events and ratings again when a game has ended or a finished one has changed.

So rankings, ratings and histories of members are up to date before anybody opens their pages. It runs apart from the
game: a failure is logged, and the next change or the next page of a season tries again.
"""

from __future__ import annotations

import logging
import threading
from typing import Any

from django.db import connection
from django.db.models import Q

from tournaments import signals
from tournaments.enums import GameState
from tournaments.models import Game
from tournaments.ratings.services.refresh import refresh_ratings

logger = logging.getLogger(__name__)
DELAY_S = 3.0  # so that the acts of a judge after the end cause one computation


class SummaryRefresher:
    """Refreshing thread of one process."""

    def __init__(self, delay_s: float = DELAY_S) -> None:
        self._delay_s = delay_s
        self._changed: set[int] = set()
        self._lock = threading.Lock()
        self._wake_up = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="multiplo-summaries", daemon=True)

    def start(self) -> None:
        """Refresh once, then after changes of finished games."""
        signals.game_changed.connect(self._on_game, dispatch_uid=f"summaries {id(self)}")
        self._thread.start()

    def stop(self, seconds: float = 1.0) -> None:
        """Stop, waiting a moment for a running computation; an interrupted one stores nothing."""
        signals.game_changed.disconnect(dispatch_uid=f"summaries {id(self)}")
        self._ended.set()
        self._wake_up.set()
        self._thread.join(seconds)

    def _on_game(self, game_id: int, **_facts: Any) -> None:
        """Note the game; this runs between an act of a judge and its answer, so it queries nothing."""
        with self._lock:
            self._changed.add(game_id)
        self._wake_up.set()

    def _run(self) -> None:
        self._refresh(None)
        while not self._ended.is_set():
            self._wake_up.wait()
            if self._ended.wait(self._delay_s):
                return
            self._wake_up.clear()
            with self._lock:
                games, self._changed = self._changed, set()
            self._refresh(games)

    def _refresh(self, games: set[int] | None) -> None:
        try:
            if games is None or _concerns_results(games):
                refresh_ratings()
        except Exception:
            logger.exception("the results of finished events could not be stored for seasons and ratings")
        finally:
            connection.close()


def _concerns_results(games: set[int]) -> bool:
    """Return True if one of these games is over, or was over and goes on."""
    is_over = Q(state=GameState.FINISHED) | Q(event__summary__isnull=False)
    return Game.objects.filter(is_over, pk__in=games).exists()
