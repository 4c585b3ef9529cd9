"""Demonstration event in which nothing counts: eight simulated players play some turns while somebody watches."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from random import Random
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection, transaction
from django.utils.translation import gettext as _

from tournaments.enums import SlipSource
from tournaments.errors import Refused
from tournaments.events.services import rehearsals
from tournaments.lexicons.engine_build import wait_for_engine
from tournaments.lexicons.list_builds import get_build
from tournaments.lexicons.word_lists import get_solver, installed_lists
from tournaments.models import Event, Game, Player, Turn
from tournaments.now import utc_now
from tournaments.play.position import board_before, edition_of, profile_of, rack_of
from tournaments.play.services import slips
from tournaments.play.simulation import SimulatedPlayer, WrittenSlip, make_simulated_players, write_slip
from tournaments.players.services.players import NewPlayer
from tournaments.signals import send_game_changed
from tournaments.slip_content import SlipContent

logger = logging.getLogger(__name__)
_PLAYERS = (
    ("Anna Ferri", "Torino"),
    ("Bruno Galli", "Torino"),
    ("Carla Monti", "Genova"),
    ("Dario Serra", "Genova"),
    ("Elena Villa", "Milano"),
    ("Fabio Costa", "Milano"),
    ("Giulia Riva", "Torino"),
    ("Ivo Marini", "Genova"),
)
_PROFILES = {"it": "it-box"}
_CLUB_RULES = "club"
_SIMULATED_TURN_S = 180
"""Seconds of a turn for which `write_slip` gives the times of its slips."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Number of turns, seconds of a turn, and seconds between two steps of the referee."""

    turns: int = 5
    turn_s: int = 30
    pause_s: float = 6.0


@dataclass(slots=True)
class _Demo:
    stopped: threading.Event
    turn: int = 1


_demos: dict[int, _Demo] = {}


def open_demo(*, by: User, now: datetime, language: str, pace: Pace = Pace()) -> Game:
    """Create an event with this account as director, and let its players begin once it is committed.

    Raises Refused without a word list.
    """
    edition = _choose_edition(language)
    with transaction.atomic():
        game = rehearsals.open_rehearsal(
            by=by,
            now=now,
            seed=secrets.token_bytes(32),
            language=language,
            name=_("Demo of a club night"),
            rules=(edition, _PROFILES.get(edition, _CLUB_RULES)),
            players=[NewPlayer(table, name, club) for table, (name, club) in enumerate(_PLAYERS, start=1)],
        )
        transaction.on_commit(partial(_start, game, pace))
    return game


def get_demo_turn(event: Event) -> int | None:
    """Return the number of the turn that the simulated players of an event play; None if they do not play."""
    demo = _demos.get(event.pk)
    return demo.turn if demo is not None else None


def stop_demo(event: Event) -> None:
    """Let the simulated players of an event stop."""
    demo = _demos.pop(event.pk, None)
    if demo is not None:
        demo.stopped.set()


def play_demo(game: Game, pace: Pace, stopped: threading.Event) -> None:
    """Play the turns of a demo. Ends early if it is stopped, or if somebody else takes a step at the desk."""
    rng = Random()  # noqa: S311  simulated players
    players = make_simulated_players(list(Player.objects.filter(event=game.event)), rng)
    wait_for_engine()
    for number in range(1, pace.turns + 1):
        if stopped.wait(pace.pause_s):
            return
        turn = rehearsals.begin_turn(event=game.event, seconds=pace.turn_s, now=utc_now())
        if turn.number != number:
            return
        if (demo := _demos.get(game.event_id)) is not None:
            demo.turn = number
        _hand_in(turn, _write_slips(turn, players, rng), pace, stopped)
        if stopped.is_set():
            return
        rehearsals.end_turn(event=game.event, now=utc_now())
        if stopped.wait(pace.pause_s):
            return
        rehearsals.place_master_move(event=game.event, now=utc_now())


def _choose_edition(language: str) -> str:
    """Return an edition with a word list, of this language if there is one."""
    editions = [entry.edition for entry in installed_lists()]
    if not editions:
        build = get_build(utc_now())
        if build is not None and build.is_under_way:
            text = _("The word list is being built (%(percent)d %%): start the demo when it is ready.")
            raise Refused(text % {"percent": build.percent})
        raise Refused(_("There is no word list yet: build one on the page “Word lists”, then start the demo."))
    return min(editions, key=lambda edition: (edition.language != language, edition.code != "it")).code


def _start(game: Game, pace: Pace) -> None:
    demo = _demos[game.event_id] = _Demo(threading.Event())
    threading.Thread(target=_run, args=(game, pace, demo), name="demo", daemon=True).start()


def _run(game: Game, pace: Pace, demo: _Demo) -> None:
    try:
        play_demo(game, pace, demo.stopped)
    except (Refused, ObjectDoesNotExist) as error:  # somebody has taken the next step, or deleted the event
        logger.info("demo ended: %s", error)
    finally:
        _demos.pop(game.event_id, None)
        if Event.objects.filter(pk=game.event_id).exists():
            send_game_changed(game)
        connection.close()


def _write_slips(
    turn: Turn, players: Sequence[SimulatedPlayer], rng: Random
) -> list[tuple[SimulatedPlayer, WrittenSlip]]:
    """Return the slips of the players who hand one in, by time."""
    moves = get_solver(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    written = [(each, write_slip(each.strength, moves, edition, notation, rng)) for each in players if moves]
    in_time = [(each, slip) for each, slip in written if slip is not None and slip.seconds < _SIMULATED_TURN_S]
    return sorted(in_time, key=lambda pair: pair[1].seconds)


def _hand_in(
    turn: Turn, written: Sequence[tuple[SimulatedPlayer, WrittenSlip]], pace: Pace, stopped: threading.Event
) -> None:
    """Hand in slips at their times, as phones do, and wait for the end of the turn."""
    passed = 0.0
    for each, slip in written:
        due = slip.seconds * pace.turn_s / _SIMULATED_TURN_S
        if stopped.wait(due - passed):
            return
        passed = due
        now = utc_now()
        incoming = slips.IncomingSlip(
            player_id=each.player.pk,
            turn_id=turn.pk,
            client_id=uuid4(),
            source=SlipSource.PHONE,
            content=SlipContent(slip.word, slip.ref, slip.declared),
            received_at=now,
            sent_at=None,
            in_time=True,
        )
        slips.submit_batch([incoming], now=now)
    stopped.wait(pace.turn_s - passed)
