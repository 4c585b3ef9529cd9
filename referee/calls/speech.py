"""Texts that a browser speaks, made from public information in the language of the event."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.board.coordinates import Notation
from engine.tiles.edition import Edition
from referee.calls.caller_text import build_clock_calls, build_move_call, build_rack_call
from referee.views.hall import PublicView
from tournaments.models import Event, Game
from tournaments.play.position import edition_of
from tournaments.play.queries.phases import Phase

PHASES_WITH_RACK = frozenset({Phase.RUNNING, Phase.PAUSED, Phase.CLOSED})
PHASES_WITH_MOVE = frozenset({Phase.PLACED, Phase.FINISHED})


def get_current_calls(event: Event, game: Game, view: PublicView) -> dict[str, Any]:
    """Return the calls for the current phase.

    `rack` and `move` have the language of each text, since code words are in the language of the tiles. `clock` maps
    remaining seconds to texts.
    """
    edition = edition_of(game)
    with override(event.language):
        return {
            "turn": view.turn,
            "phase": str(view.phase),
            "language": event.language,
            "rack": _rack(edition, view),
            "move": _move(edition, view),
            "clock": build_clock_calls(view.calls),
        }


def voice_texts(language: str) -> dict[str, Any]:
    """Return the labels of the voice switch in the active language, and a hint for devices without a voice for
    `language`."""
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


def _rack(edition: Edition, view: PublicView) -> dict[str, Any] | None:
    if view.rack is None or view.phase not in PHASES_WITH_RACK:
        return None
    call = build_rack_call(edition, view.turn, view.rack, view.clock_s)
    return {"language": edition.language, "letters": call.plain, "words": call.spelled, "time": call.time}


def _move(edition: Edition, view: PublicView) -> list[dict[str, str]]:
    """Return the sentences of the last placed move; none before it is announced."""
    last = view.last
    if last is None or view.phase not in PHASES_WITH_MOVE:
        return []
    call = build_move_call(edition, Notation(view.notation), last.turn, last.word, last.ref, last.score, 0)
    return [{"text": text, "language": edition.language if text == call.word else ""} for text in call.sentences]
