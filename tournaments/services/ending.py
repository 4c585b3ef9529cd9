"""The end of a game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.enums import EndReason, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Game
from tournaments.position import Left, what_is_left
from tournaments.selectors.phases import current_turn
from tournaments.services.acting import acting_on, record
from tournaments.services.discarding import discard_unannounced


def end_game(*, game: Game, why: str = EndReason.JUDGE, by: User | None, now: datetime) -> Game:
    """End a game by the judge's word. A rack that nobody has seen is put back; an announced turn is placed first."""
    if why not in EndReason.values:
        raise ValueError(f"a game cannot end for {why!r}")
    with acting_on(game) as locked:
        if locked.state == GameState.FINISHED:
            raise AlreadyDone(_("The game is over."))
        turn = current_turn(locked)
        if turn is None:
            raise Refused(_("Nothing has been played yet; draw the first rack."))
        put_back = discard_unannounced(turn=turn) if turn.placed_at is None else {}
        finish(game=locked, why=why, left=what_is_left(locked), now=now, by=by, put_back=put_back)
        locked.refresh_from_db()
    return locked


def finish(
    *,
    game: Game,
    why: str,
    left: Left,
    now: datetime,
    by: User | None,
    put_back: Mapping[str, object] = MappingProxyType({}),
) -> None:
    """Write the end down; the caller has locked the game. `put_back` tells of a rack that nobody has seen."""
    Game.objects.filter(pk=game.pk).update(
        state=GameState.FINISHED,
        end_why=why,
        end_kept=left.kept.text,
        end_bag=left.bag.text,
        typed_rejected=[],
        finished_at=now,
    )
    ended = {"why": why, "kept": left.kept.text, "bag": left.bag.text}
    record(game=game, kind="end", by=by, now=now, data={**ended, **put_back})
    signals.changed(game)
