"""The desk of a typist: the public view, the tables without a slip, and the input line for paper slips.

It is built from the public view, so no top and no verdict has to be hidden.
"""

from __future__ import annotations

import json
from datetime import datetime

from referee.calls.speech import voice_texts
from referee.desk.desk import Desk
from referee.desk.play.console import board_json, clock_values, headline
from referee.views.hall import get_public_view


def typist_context(desk: Desk, now: datetime) -> dict[str, object]:
    """Return the context of `desk/play/_main_typist.html`."""
    public_view = get_public_view(desk.game, desk.room, now)
    return {
        "event": desk.event,
        "game": desk.game,
        "hall": public_view,
        "main_template": "desk/play/_main_typist.html",
        "headline": headline(public_view),
        "clock": clock_values(public_view, now),
        "board_json": board_json(public_view),
        "values_json": json.dumps(public_view.values),
        "voice": voice_texts(desk.event.language),
        "page": "console",
    }
