"""What a room that plays on its own server hands in: its archive so far, for the drawing server."""

from __future__ import annotations

import json

from engine.feed import HAND_IN, VERSION
from tournaments import fed
from tournaments.enums import GameState
from tournaments.models import Entry, Game
from tournaments.selectors.archive import export_game


def hand_in_of(game: Game) -> str:
    """The hand-in as JSON text."""
    line = fed.line_of(game)
    entries = Entry.objects.filter(game=game).exclude(player__nickname="")
    nicknames = {str(table): name for table, name in entries.values_list("player__table", "player__nickname")}
    handed_in = {
        "format": HAND_IN,
        "version": VERSION,
        "game": fed.feed_in(line)["game"],
        "commitment": game.commitment,
        "final": line.given_up_at is not None or game.state == GameState.FINISHED,
        "nicknames": nicknames,
        "archive": export_game(game),
    }
    return json.dumps(handed_in, ensure_ascii=False)
