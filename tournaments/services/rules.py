"""The rules of a game: all of them changed before its first rack is announced, those of judging while it is played."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.rules.profile import Profile, ProfileError
from tournaments import signals
from tournaments.enums import ClockState, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Game, Turn, TurnClock
from tournaments.selectors import preview
from tournaments.selectors.reversed_places import SETTLED, is_open, is_settled
from tournaments.services.acting import acting_on, record
from tournaments.services.discarding import discard_unannounced
from tournaments.services.game_rules import LEXICON_FIELDS, combine_lists, rules_of_first
from tournaments.services.judging import write_verdicts
from tournaments.services.rulings import demand_seen


def change_rules(*, game: Game, profile: str, switches: Mapping[str, object], by: User | None, now: datetime) -> Game:
    """Let the game be played by `profile` with `switches` set otherwise, all others as the profile has them.

    Until the first rack is announced. A rack that is drawn but that nobody has seen goes back, since another rule may
    hold for it; racks typed as rejected are forgotten likewise. What the formula sets stays as the formula has it. A
    new time to think becomes the rhythm of the game. Two word lists are combined as the new rules say.
    """
    with acting_on(game) as locked:
        rules = rules_of_first(profile=profile, switches=switches, formula=locked.formula).rules
        before = Profile.from_switches(locked.switches)
        if before == rules and locked.profile == profile:
            return locked
        refuse_once_begun(locked)
        combined = combine_lists(locked, rules)
        facts = {**_facts(before, rules), **combined, **put_first_rack_back(locked)}
        locked.profile, locked.switches, locked.typed_rejected = profile, rules.switches(), []
        if rules.clock_s != before.clock_s:
            locked.rhythm_s = facts["rhythm_s"] = rules.clock_s
        locked.save(update_fields=["profile", "switches", "typed_rejected", "rhythm_s", *LEXICON_FIELDS])
        record(game=locked, kind="rules", by=by, now=now, data=facts)
        signals.changed(locked)
    return locked


IN_PLAY = (
    "first_move_maximum",
    "wrong_reference",
    "missing_reference",
    "rescue_when_ambiguous",
    "extension_needs_reference",
    "last_letter",
    "wrong_score",
    "missing_score",
    "blank_unmarked",
    "blank_wrong",
    "several_slips",
    "free_warnings",
    "free_warnings_blitz",
    "blitz_below_s",
    "sanction",
    "sanctions_per_slip",
    "discipline_points",
    "floor",
    "average_for_second_zero",
    "solo_bonus",
    "solo_min_players",
    "sole_best_bonus",
    "bonus_cap",
    "ranking",
    "ranking_ties",
    "q_for_qu",
)
"""What may change while a game is played: how slips are judged and players ranked, since all of that can be done anew.
The draw, the search, the clock and what went on the board have happened."""


def change_in_play(
    *, game: Game, switches: Mapping[str, object], by: User | None, now: datetime, seen: str | None = None
) -> Game:
    """Set some of the switches `IN_PLAY` otherwise, for all turns of a game that is being played; judge them anew.

    Refused when by the new rules another move would have had to go on the board. `seen` is the token of the preview
    that the judge confirmed: refused when it would be another one by now.
    """
    with acting_on(game) as locked:
        if locked.state == GameState.FINISHED:
            raise Refused(_("The game is over: its rules stay as they are."))
        before = Profile.from_switches(locked.switches)
        rules = rules_in_play(locked, switches)
        if rules == before:
            raise AlreadyDone(_("The rules are so already."))
        demand_seen(seen, lambda: preview.with_rules(locked, rules))
        change = preview.with_rules(locked, rules)
        _demand_same_board(preview.shown(change))
        locked.switches = rules.switches()
        locked.save(update_fields=["switches"])
        record(game=locked, kind="rules", by=by, now=now, data=_facts(before, rules))
        for facts, derived in preview.derived_by(change):
            write_verdicts(turn=facts.turn, derived=derived)
        signals.changed(locked)
    return locked


def settle_reversed_places(*, game: Game, count: bool, by: User | None, now: datetime) -> Game:
    """Let places written the other way round count in this event, with all turns of the game judged again, or keep them
    as they are written. The desk does not ask again."""
    with acting_on(game) as locked:
        if is_settled(locked):
            raise AlreadyDone(_("This is decided for the event; the director may change it on the page of the rules."))
        if not is_open(locked):
            raise Refused(_("By the rules of this game that is no question."))
        record(game=locked, kind="options", by=by, now=now, data={SETTLED: "count" if count else "keep"})
        if count:
            return change_in_play(game=locked, switches={"wrong_reference": "reversed"}, by=by, now=now)
        signals.changed(locked)
    return locked


def rules_in_play(game: Game, switches: Mapping[str, object]) -> Profile:
    """The rules of a game with these switches; `Refused` for one that is none of `IN_PLAY`, or a value there is not."""
    for switch in switches:
        if switch not in IN_PLAY:
            raise Refused(_("The rule “%(rule)s” cannot change once a game has begun.") % {"rule": switch})
    try:
        return Profile.from_switches(game.switches).with_switches(**switches)
    except ProfileError as error:
        raise Refused(_("The rules cannot be set so: %(why)s") % {"why": error}) from None


def _demand_same_board(seen: preview.Preview) -> None:
    if seen.fixed:
        raise Refused(
            _("By these rules another word would have gone on the board in turn %(turn)d; it lies there and stays.")
            % {"turn": seen.fixed[0]}
        )


def may_change_rules(game: Game) -> bool:
    """Whether no rack of the game has been announced, it is not over, and follows no script."""
    announced = TurnClock.objects.filter(turn__game=game).exclude(state=ClockState.READY)
    return game.prepared_id is None and game.state != GameState.FINISHED and not announced.exists()


def put_first_rack_back(game: Game) -> dict[str, object]:
    """Take the first rack away, drawn or typed as rejected; what the ledger and the hall are told of it."""
    turn = Turn.objects.filter(game=game).first()
    if turn is not None:
        return discard_unannounced(turn=turn)
    return {"put_back": 1, "rack": game.typed_rejected[-1]} if game.typed_rejected else {}


def refuse_once_begun(game: Game) -> None:
    if game.prepared_id is not None:
        raise Refused(_("This game was prepared by its rules: racks and master moves hang on them, and they stay."))
    if not may_change_rules(game):
        raise Refused(_("The first rack of this game is announced: its rules stay as they are."))


def _facts(before: Profile, after: Profile) -> dict[str, object]:
    """What the ledger keeps: the profile, and each switch that has another value now."""
    old, new = before.switches(), after.switches()
    changed = {switch: value for switch, value in new.items() if switch != "name" and old[switch] != value}
    return {"profile": after.name, "switches": changed}
