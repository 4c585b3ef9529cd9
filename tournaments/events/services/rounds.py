"""Plan the rounds of an event (name, start, and how the game is played) and the setup of the next game."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services.game_rules import (
    LEXICON_FIELDS,
    GameRules,
    TurnsWanted,
    combine_lists,
    require_drawable,
    rules_of_next_game,
)
from tournaments.events.services.round_setup import EMPTY_SETUP, RoundSetup, rules_as_planned, setup_of
from tournaments.events.services.rule_changes import require_not_begun, return_first_rack
from tournaments.models import Event, Game, Round
from tournaments.play.position import profile_of, variant_of
from tournaments.play.services.game_lock import append_to_ledger, lock_current_game, lock_game

MOST_ROUNDS = 50


def plan_round(
    *,
    event: Event,
    number: int,
    name: str,
    starts_at: datetime | None,
    setup: RoundSetup | None = None,
    by: User | None,
    now: datetime,
) -> Round | None:
    """Set the name and starting time of a round, and how its game is played (None: as planned before).

    A round without any of them is removed; then return None. Rounds can be planned before their games exist, but how a
    game is played only before.
    """
    if not 1 <= number <= MOST_ROUNDS:
        raise Refused(_("An event has rounds 1 to %(most)d.") % {"most": MOST_ROUNDS})
    called = validators.round_name(name)
    with lock_current_game(event) as game:
        planned = Round.objects.filter(event=event, number=number)
        before = planned.first() or Round(event=event, number=number)
        wanted = setup or setup_of(before)
        if (called, starts_at, wanted) == (before.name, before.starts_at, setup_of(before)):
            raise AlreadyDone(_("Round %(number)d is already planned this way.") % {"number": number})
        if wanted != setup_of(before):
            _require_possible_setup(game, number, wanted)
        details = {"round": number, "name": called, "starts_at": starts_at.isoformat() if starts_at else None}
        details |= {name: value for name, value in asdict(wanted).items() if value}
        if called or starts_at or wanted != EMPTY_SETUP:
            facts = {"name": called, "starts_at": starts_at, **asdict(wanted)}
            stored, _made = Round.objects.update_or_create(event=event, number=number, defaults=facts)
        else:
            planned.delete()
            stored = None
        append_to_ledger(game=game, kind="round", by=by, now=now, data=details)
        signals.send_game_changed(game)
    return stored


def _require_possible_setup(last: Game, number: int, setup: RoundSetup) -> None:
    """Refuse rules that contradict each other, and a setup for a game that exists."""
    if number <= last.number:
        raise Refused(
            _("Game %(number)d is there already: change how it is played below, or on the page “Rules”.")
            % {"number": number}
        )
    require_drawable(rules_as_planned(last, setup), last.draw_mode)


def change_game_setup(
    *,
    game: Game,
    variant: str | None = None,
    turn_seconds: int | None = None,
    profile: str | None = None,
    turns: TurnsWanted = "same",
    by: User | None,
    now: datetime,
) -> Game:
    """Change variant, time, rules or number of turns of a game whose first rack was not announced.

    None, or "same", leaves a value unchanged. A drawn rack is returned, because another rule may apply to it.
    """
    with lock_game(game) as locked:
        wanted = rules_of_next_game(locked, variant=variant, turn_seconds=turn_seconds, profile=profile, turns=turns)
        if _has_values(locked, wanted):
            raise AlreadyDone(_("The game is already set up this way."))
        require_not_begun(locked)
        require_drawable(wanted, locked.draw_mode)
        details = {
            "formula": wanted.variant.code,
            "rhythm_s": wanted.rules.clock_s,
            "profile": wanted.profile,
            "max_turns": wanted.rules.max_turns,
            "switches": wanted.rules.switches(),
            **combine_lists(locked, wanted.rules),
            **return_first_rack(locked),
        }
        locked.variant, locked.turn_seconds, locked.profile = wanted.variant.code, wanted.rules.clock_s, wanted.profile
        locked.switches, locked.typed_rejected = wanted.rules.switches(), []
        fields = ["variant", "turn_seconds", "profile", "switches", "typed_rejected", *LEXICON_FIELDS]
        locked.save(update_fields=fields)
        append_to_ledger(game=locked, kind="rules", by=by, now=now, data=details)
        signals.send_game_changed(locked)
    return locked


def _has_values(game: Game, wanted: GameRules) -> bool:
    return (game.profile, profile_of(game), variant_of(game)) == (wanted.profile, wanted.rules, wanted.variant)
