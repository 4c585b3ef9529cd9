"""What the voice of a browser says in the hall: made from what the hall may know, in the language of the event."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.coords import Notation
from engine.edition import Edition
from referee.calling import clock_calls, move_call, rack_call
from tournaments.models import Event, Game
from tournaments.position import edition_of
from tournaments.selectors.hall import HallView
from tournaments.selectors.phases import Phase

WITH_RACK = frozenset({Phase.RUNNING, Phase.PAUSED, Phase.CLOSED})
WITH_MOVE = frozenset({Phase.PLACED, Phase.FINISHED})


def spoken(event: Event, game: Game, hall: HallView) -> dict[str, Any]:
    """The calls of this moment: `rack` and `move` with the language in which each is said (code words are of the tiles'
    own language), `clock` by the seconds that are left."""
    edition = edition_of(game)
    with override(event.language):
        return {
            "turn": hall.turn,
            "phase": str(hall.phase),
            "language": event.language,
            "rack": _rack(edition, hall),
            "move": _move(edition, hall),
            "clock": clock_calls(hall.calls),
        }


def voice_texts(language: str) -> dict[str, Any]:
    """What the switch says, in the active language: its positions, and what to do where no voice speaks `language`."""
    return {
        "language": language,
        "off": _("Voice: off"),
        "letters": _("Voice: letters"),
        "words": _("Voice: letters with code words"),
        "none": _(
            "This device has no voice of its own for the language of the event, so nothing is spoken. Add one in the "
            "settings of its system (speech, voices), or let another device speak."
        ),
        "blocked": _("The browser lets the voice speak only after a click on this page: press any key here."),
    }


def _rack(edition: Edition, hall: HallView) -> dict[str, Any] | None:
    if hall.rack is None or hall.phase not in WITH_RACK:
        return None
    call = rack_call(edition, hall.turn, hall.rack, hall.clock_s)
    return {"language": edition.language, "letters": call.plain, "words": call.spelled, "time": call.time}


def _move(edition: Edition, hall: HallView) -> list[dict[str, str]]:
    """The move that was placed last, sentence by sentence; nothing before the hall may know it."""
    last = hall.last
    if last is None or hall.phase not in WITH_MOVE:
        return []
    call = move_call(edition, Notation(hall.notation), last.turn, last.word, last.ref, last.score, 0)
    return [{"text": text, "language": edition.language if text == call.word else ""} for text in call.sentences]
