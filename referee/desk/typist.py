"""The desk of a typist: the hall's view, the tables that have not handed in, and the line for paper slips.

It is made from what the hall may know, so that no top and no verdict has to be hidden.
"""

from __future__ import annotations

import json
from datetime import datetime

from referee.desk.access import Desk
from referee.desk.console import board_json, clock, headline
from referee.spoken import voice_texts
from tournaments.selectors.desk import missing_tables
from tournaments.selectors.hall import hall_view
from tournaments.selectors.phases import RACK_IS_PUBLIC, turn_in


def typist_context(desk: Desk, now: datetime) -> dict[str, object]:
    """Everything that `desk/_main_typist.html` shows."""
    hall = hall_view(desk.game, desk.room, now)
    turn = turn_in(desk.game, desk.room) if hall.phase in RACK_IS_PUBLIC else None
    return {
        "event": desk.event,
        "game": desk.game,
        "hall": hall,
        "main_template": "desk/_main_typist.html",
        "headline": headline(hall),
        "clock": clock(hall, now),
        "board_json": board_json(hall),
        "values_json": json.dumps(hall.values),
        "missing": missing_tables(turn, desk.room) if turn else [],
        "voice": voice_texts(desk.event.language),
        "page": "console",
    }
