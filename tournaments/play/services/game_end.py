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
from tournaments.play.position import DrawPosition, get_draw_position
from tournaments.play.queries.phases import current_turn
from tournaments.play.services.game_lock import append_to_ledger, lock_game, seal_room_chains
from tournaments.play.services.return_rack import return_unannounced_rack


def end_game(*, game: Game, why: str = EndReason.JUDGE, by: User | None, now: datetime) -> Game:
    """End a game by the judge's decision. An unannounced rack is returned; an announced turn must be placed first."""
    if why not in EndReason.values:
        raise ValueError(f"a game cannot end for {why!r}")
    with lock_game(game) as locked:
        if locked.state == GameState.FINISHED:
            raise AlreadyDone(_("The game is over."))
        turn = current_turn(locked)
        if turn is None:
            raise Refused(_("Nothing has been played yet; draw the first rack."))
        put_back = return_unannounced_rack(turn=turn) if turn.placed_at is None else {}
        finish_game(game=locked, why=why, left=get_draw_position(locked), now=now, by=by, put_back=put_back)
        locked.refresh_from_db()
    return locked


def finish_game(
    *,
    game: Game,
    why: str,
    left: DrawPosition,
    now: datetime,
    by: User | None,
    put_back: Mapping[str, object] = MappingProxyType({}),
) -> None:
    """Store the end of the game; the caller has locked the drawing room. `put_back` describes a returned rack, if there
    was one."""
    Game.objects.filter(pk=game.pk).update(
        state=GameState.FINISHED,
        end_why=why,
        end_kept=left.kept.text,
        end_bag=left.bag.text,
        typed_rejected=[],
        finished_at=now,
    )
    ended = {"why": why, "kept": left.kept.text, "bag": left.bag.text, **seal_room_chains(game)}
    append_to_ledger(game=game, kind="end", by=by, now=now, data={**ended, **put_back})
    signals.send_game_changed(game)
