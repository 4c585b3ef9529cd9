"""The console of a game as templates need it: the selector's view, and what the judge can do next."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.desk.access import Desk
from referee.desk.game_form import NextGameForm
from referee.spoken import voice_texts
from tournaments.errors import Refused
from tournaments.lexicons import of_game
from tournaments.names import edition_name, rules_name
from tournaments.position import edition_of, formula_of, profile_of
from tournaments.selectors.desk import DeskView, desk_view
from tournaments.selectors.hall import HallView
from tournaments.selectors.ledger import may_set_hall_word
from tournaments.selectors.phases import TAKES_SLIPS, Phase

_STEP_OF_PHASE = {
    Phase.LOBBY: 0,
    Phase.DRAWN: 1,
    Phase.RUNNING: 2,
    Phase.PAUSED: 2,
    Phase.CLOSED: 3,
    Phase.PLACED: 4,
    Phase.FINISHED: 4,
}


@dataclass(frozen=True, slots=True)
class Step:
    """One of the steps of a turn in the head of the desk."""

    name: str
    on: bool


def console_context(desk: Desk, now: datetime) -> dict[str, object]:
    """Everything that `desk/_main.html` shows."""
    view = desk_view(desk.game, desk.room, now)
    phase = view.hall.phase
    return {
        "event": desk.event,
        "game": desk.game,
        "view": view,
        "hall": view.hall,
        "edition_name": edition_name(edition_of(desk.game)),
        "in_brackets": " ".join(f"[{face}]" for face in edition_of(desk.game).letters if len(face) > 1),
        "rules_name": rules_name(profile_of(desk.game), formula_of(desk.game)),
        "main_template": "desk/_main.html",
        "headline": headline(view.hall),
        "may_warn": phase in TAKES_SLIPS,
        "steps": steps_of(phase, follows=view.follows),
        "phase_template": f"desk/phase_{_template_of(phase, follows=view.follows)}.html",
        "place_question": _place_question(view),
        "primary_template": f"desk/primary_{_primary_of(phase, follows=view.follows)}.html",
        "clock": clock(view.hall, now),
        "board_json": board_json(view.hall),
        **_word_list(desk, phase),
        **_next_game(desk, phase),
        "values_json": json.dumps(view.hall.values),
        "voice": voice_texts(desk.event.language),
        "takes_hall_word": _takes_hall_word(desk),
        "now": now,
        "page": "console",
    }


def _place_question(view: DeskView) -> str:
    """What the judge is asked once before he places while slips wait for him; nothing when none does."""
    told = []
    if waiting := len(view.queue.open):
        told.append(
            ngettext("%(n)d question waits for a judge.", "%(n)d questions wait for a judge.", waiting) % {"n": waiting}
        )
    if unchecked := len(view.spots):
        told.append(
            ngettext("%(n)d slip waits for the spot check.", "%(n)d slips wait for the spot check.", unchecked)
            % {"n": unchecked}
        )
    return " ".join([*told, _("Go on all the same?")]) if told else ""


def _word_list(desk: Desk, phase: Phase) -> dict[str, object]:
    """The game's word list for the page before the first turn, or the sentence that it is missing."""
    if phase is not Phase.LOBBY:
        return {}
    try:
        return {"word_list": of_game(desk.game)}
    except Refused as refused:
        return {"word_list_missing": refused.sentence}


def _takes_hall_word(desk: Desk) -> bool:
    """Whether the hall may call out a word for the new seed of a game that goes on after its seed was shown."""
    return bool(desk.game.earlier_draws) and may_set_hall_word(desk.game)


def _next_game(desk: Desk, phase: Phase) -> dict[str, object]:
    """How the next game may be played, once this one is over."""
    return {"game_form": NextGameForm(rules=profile_of(desk.game))} if phase is Phase.FINISHED else {}


def board_json(hall: HallView) -> str:
    """What the page's board is drawn from (static/common/board.js)."""
    return json.dumps({"board": hall.board, "fresh": hall.new, "values": hall.values, "notation": hall.notation})


def _template_of(phase: Phase, *, follows: bool) -> str:
    if follows and phase is Phase.LOBBY:
        return "following"
    return "running" if phase is Phase.PAUSED else str(phase)


def _primary_of(phase: Phase, *, follows: bool) -> str:
    return "following" if follows and phase in (Phase.LOBBY, Phase.CLOSED, Phase.PLACED) else str(phase)


def headline(hall: HallView) -> str:
    """Where the game is, in the head of the desk."""
    if hall.phase is Phase.LOBBY:
        return _("Before the first turn")
    if hall.phase is Phase.FINISHED:
        return _("The game is over")
    return _("Turn %(number)s") % {"number": hall.turn}


def steps_of(phase: Phase, *, follows: bool) -> list[Step]:
    """The steps of a turn, and at which it is. A room that follows draws nothing, and shows what was placed."""
    last = _("Show") if follows else _("Place")
    names = (_("Draw"), _("Announce"), _("Slips"), _("Judge"), last)
    steps = [Step(name, _STEP_OF_PHASE[phase] == number) for number, name in enumerate(names)]
    return [Step(steps[1].name, phase is Phase.LOBBY), *steps[2:]] if follows else steps


def clock(hall: HallView, now: datetime) -> dict[str, object]:
    """What the page's clock counts down from (static/desk/desk.js)."""
    deadline = hall.deadline
    return {
        "deadline": deadline.isoformat() if deadline else "",
        "deadline_ms": int(deadline.timestamp() * 1000) if deadline else None,
        "remaining_ms": hall.remaining_ms,
        "now_ms": int(now.timestamp() * 1000),
        "calls": json.dumps(list(hall.calls)),
    }
