"""Context of the console: the view of the desk, and the actions open to the judge."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.calls.speech import voice_texts
from referee.desk.desk import Desk
from referee.desk.events.game_form import NextGameForm
from referee.desk.judging.next_moves import list_next_moves
from referee.views.desk import DeskView, get_desk_view
from referee.views.hall import PublicView
from tournaments.errors import Refused
from tournaments.events.services.round_setup import setup_of_next_game
from tournaments.ledger.queries import may_set_hall_word
from tournaments.lexicons.names import edition_name, rules_name
from tournaments.lexicons.word_lists import word_list_of_game
from tournaments.play.position import edition_of, profile_of, variant_of
from tournaments.play.queries.phases import PHASES_TAKING_SLIPS, Phase
from tournaments.players.queries.players import names_by_table

MOST_CLEAR = 12
"""Above this number the groups without doubt are fetched when they are opened."""
PODIUM = 3

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
    """A step of a turn in the header of the desk."""

    name: str
    on: bool
    done: bool = False


def console_context(desk: Desk, now: datetime) -> dict[str, object]:
    """Return the context of `desk/play/_main.html`."""
    view = get_desk_view(desk.game, desk.room, now)
    phase = view.hall.phase
    return {
        "names": names_by_table(desk.event) if phase is Phase.CLOSED and not view.anonymous else {},
        "next_moves": list_next_moves(view) if phase is Phase.CLOSED else None,
        "undone": _word_to_undo(view),
        "folded_slips": sum(group.count for group in view.queue.unmarked),
        "clear_is_long": len(view.queue.unmarked) > MOST_CLEAR,
        "podium": [row for row in view.standings if row.rank is not None][:PODIUM],
        "place_title": _("Show the move now?") if view.follows else _("Place the move now?"),
        "place_verb": _("Place it"),
        "place_leave": _("Decide first"),
        "event": desk.event,
        "game": desk.game,
        "view": view,
        "hall": view.hall,
        "edition_name": edition_name(edition_of(desk.game)),
        "in_brackets": " ".join(f"[{face}]" for face in edition_of(desk.game).letters if len(face) > 1),
        "rules_name": rules_name(profile_of(desk.game), variant_of(desk.game)),
        "main_template": "desk/play/_main.html",
        "headline": headline(view.hall),
        "may_warn": phase in PHASES_TAKING_SLIPS,
        "steps": steps_of(phase, follows=view.follows),
        "phase_template": f"desk/play/phase_{_choose_template(phase, follows=view.follows)}.html",
        "place_question": _place_question(view),
        "primary_template": f"desk/play/primary_{_choose_primary_action(phase, follows=view.follows)}.html",
        "clock": clock_values(view.hall, now),
        "board_json": board_json(view.hall),
        **_word_list(desk, phase),
        **_next_game(desk, phase),
        "values_json": json.dumps(view.hall.values),
        "voice": voice_texts(desk.event.language),
        "takes_hall_word": _can_take_hall_word(desk),
        "now": now,
        "page": "console",
    }


def _word_to_undo(view: DeskView) -> str:
    """Return the word that undoing takes off the board; empty if the turn has none."""
    last = next((line for line in reversed(view.log) if line.placed), None)
    return last.master if last is not None else ""


def _place_question(view: DeskView) -> str:
    """Return the question before placing while slips still need the judge; empty if there are none."""
    sentences = []
    if waiting := len(view.queue.open):
        sentences.append(
            ngettext("%(n)d question waits for a judge.", "%(n)d questions wait for a judge.", waiting) % {"n": waiting}
        )
    if unchecked := len(view.spots):
        sentences.append(
            ngettext("%(n)d slip waits for the spot check.", "%(n)d slips wait for the spot check.", unchecked)
            % {"n": unchecked}
        )
    return " ".join([*sentences, _("The move will be placed all the same.")]) if sentences else ""


def _word_list(desk: Desk, phase: Phase) -> dict[str, object]:
    """Return the game's word list for the page before the first turn, or the sentence that it is missing."""
    if phase is not Phase.LOBBY:
        return {}
    try:
        return {"word_list": word_list_of_game(desk.game)}
    except Refused as refused:
        return {"word_list_missing": refused.sentence}


def _can_take_hall_word(desk: Desk) -> bool:
    """Return True if the audience may call out a word for the new seed, after the old one was shown."""
    return bool(desk.game.earlier_draws) and may_set_hall_word(desk.game)


def _next_game(desk: Desk, phase: Phase) -> dict[str, object]:
    """Return the form for the next game once this one is over."""
    if phase is not Phase.FINISHED:
        return {}
    plan = setup_of_next_game(desk.event, desk.game.number + 1)
    return {"game_form": NextGameForm(rules=profile_of(desk.game), plan=plan)}


def board_json(public_view: PublicView) -> str:
    """Return the board for static/common/board.js."""
    return json.dumps(
        {
            "board": public_view.board,
            "fresh": public_view.new,
            "values": public_view.values,
            "notation": public_view.notation,
        }
    )


def _choose_template(phase: Phase, *, follows: bool) -> str:
    if follows and phase is Phase.LOBBY:
        return "following"
    return "running" if phase is Phase.PAUSED else str(phase)


def _choose_primary_action(phase: Phase, *, follows: bool) -> str:
    return "following" if follows and phase in (Phase.LOBBY, Phase.CLOSED, Phase.PLACED) else str(phase)


def headline(public_view: PublicView) -> str:
    """Return the state of the game for the header of the desk."""
    if public_view.phase is Phase.LOBBY:
        return _("Before the first turn")
    if public_view.phase is Phase.FINISHED:
        return _("The game is over")
    return _("Turn %(number)s") % {"number": public_view.turn}


def steps_of(phase: Phase, *, follows: bool) -> list[Step]:
    """Return the steps of a turn, with the present one marked. In a room that follows the last step is Show."""
    last = _("Show") if follows else _("Place")
    names = (_("Draw"), _("Announce"), _("Slips"), _("Judge"), last)
    now = _STEP_OF_PHASE[phase]
    steps = [Step(name, now == number, now > number) for number, name in enumerate(names)]
    return [Step(steps[1].name, phase is Phase.LOBBY), *steps[2:]] if follows else steps


def clock_values(public_view: PublicView, now: datetime) -> dict[str, object]:
    """Return the values of the page's clock (static/desk/desk.js)."""
    deadline = public_view.deadline
    return {
        "deadline": deadline.isoformat() if deadline else "",
        "deadline_ms": int(deadline.timestamp() * 1000) if deadline else None,
        "remaining_ms": public_view.remaining_ms,
        "now_ms": int(now.timestamp() * 1000),
        "calls": json.dumps(list(public_view.calls)),
    }
