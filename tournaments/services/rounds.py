"""The rounds of an event: what they are called and when they begin, and how the game to come is played."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Event, Game, Round
from tournaments.position import formula_of, profile_of
from tournaments.services.acting import acting_in, acting_on, record
from tournaments.services.game_rules import (
    LEXICON_FIELDS,
    GameRules,
    TurnsWanted,
    combine_lists,
    demand_drawable,
    rules_of_next,
)
from tournaments.services.rules import put_first_rack_back, refuse_once_begun

MOST_ROUNDS = 50


def plan_round(
    *, event: Event, number: int, name: str, starts_at: datetime | None, by: User | None, now: datetime
) -> Round | None:
    """Name a round and say when it begins; without both what was said of it goes, and None is given.

    Rounds may be planned before their games are there: the game of this number plays it.
    """
    if not 1 <= number <= MOST_ROUNDS:
        raise Refused(_("An event has rounds 1 to %(most)d.") % {"most": MOST_ROUNDS})
    called = validators.round_name(name)
    with acting_in(event) as game:
        planned = Round.objects.filter(event=event, number=number)
        if (called, starts_at) == (planned.values_list("name", "starts_at").first() or ("", None)):
            raise AlreadyDone(_("Round %(number)d is planned so already.") % {"number": number})
        told = {"round": number, "name": called, "starts_at": starts_at.isoformat() if starts_at else None}
        if called or starts_at:
            kept, _made = Round.objects.update_or_create(
                event=event, number=number, defaults={"name": called, "starts_at": starts_at}
            )
        else:
            planned.delete()
            kept = None
        record(game=game, kind="round", by=by, now=now, data=told)
        signals.changed(game)
    return kept


def set_up(
    *,
    game: Game,
    formula: str | None = None,
    rhythm_s: int | None = None,
    profile: str | None = None,
    turns: TurnsWanted = "same",
    by: User | None,
    now: datetime,
) -> Game:
    """Let a game whose first rack nobody has seen be played otherwise: another formula, time, rules, number of turns.

    What is None, or "same", stays. A rack that is drawn but not announced goes back, since another rule may hold.
    """
    with acting_on(game) as locked:
        wanted = rules_of_next(locked, formula=formula, rhythm_s=rhythm_s, profile=profile, turns=turns)
        if _is_so(locked, wanted):
            raise AlreadyDone(_("The game is set up so already."))
        refuse_once_begun(locked)
        demand_drawable(wanted, locked.draw_mode)
        told = {
            "formula": wanted.formula.code,
            "rhythm_s": wanted.rules.clock_s,
            "profile": wanted.profile,
            "max_turns": wanted.rules.max_turns,
            "switches": wanted.rules.switches(),
            **combine_lists(locked, wanted.rules),
            **put_first_rack_back(locked),
        }
        locked.formula, locked.rhythm_s, locked.profile = wanted.formula.code, wanted.rules.clock_s, wanted.profile
        locked.switches, locked.typed_rejected = wanted.rules.switches(), []
        fields = ["formula", "rhythm_s", "profile", "switches", "typed_rejected", *LEXICON_FIELDS]
        locked.save(update_fields=fields)
        record(game=locked, kind="rules", by=by, now=now, data=told)
        signals.changed(locked)
    return locked


def _is_so(game: Game, wanted: GameRules) -> bool:
    return (game.profile, profile_of(game), formula_of(game)) == (wanted.profile, wanted.rules, wanted.formula)
