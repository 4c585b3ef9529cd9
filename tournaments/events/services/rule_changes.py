"""Changes of a game's rules: any before the first rack is announced, the rules of judging also during play."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.rules.profile import Profile, ProfileError
from engine.rules.switches import SWITCHES_IN_PLAY
from tournaments import signals
from tournaments.enums import ClockState, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services.game_rules import LEXICON_FIELDS, combine_lists, rules_of_first_game
from tournaments.judging.queries import preview
from tournaments.judging.queries.reversed_places import SETTLED, is_open, is_settled
from tournaments.judging.services.judge_slips import write_verdicts
from tournaments.judging.services.ruling_checks import require_current_preview
from tournaments.models import Game, Turn, TurnClock
from tournaments.play.services.game_lock import append_to_ledger, lock_game
from tournaments.play.services.return_rack import return_unannounced_rack


def change_rules(*, game: Game, profile: str, switches: Mapping[str, object], by: User | None, now: datetime) -> Game:
    """Change profile and switches of a game before its first rack is announced; other switches get the profile's
    value.

    A drawn rack is returned, because another rule may apply to it; typed racks that were rejected are dropped. The
    variant's own switches remain. A changed thinking time becomes the time control of the game. Two word lists are
    combined as the new rules say.
    """
    with lock_game(game) as locked:
        rules = rules_of_first_game(profile=profile, switches=switches, variant=locked.variant).rules
        before = Profile.from_switches(locked.switches)
        if before == rules and locked.profile == profile:
            return locked
        require_not_begun(locked)
        combined = combine_lists(locked, rules)
        facts = {**_facts(before, rules), **combined, **return_first_rack(locked)}
        locked.profile, locked.switches, locked.typed_rejected = profile, rules.switches(), []
        if rules.clock_s != before.clock_s:
            locked.turn_seconds = facts["rhythm_s"] = rules.clock_s
        locked.save(update_fields=["profile", "switches", "typed_rejected", "turn_seconds", *LEXICON_FIELDS])
        append_to_ledger(game=locked, kind="rules", by=by, now=now, data=facts)
        signals.send_game_changed(locked)
    return locked


def change_rules_in_play(
    *, game: Game, switches: Mapping[str, object], by: User | None, now: datetime, seen: str | None = None
) -> Game:
    """Change some of the switches `SWITCHES_IN_PLAY` for all turns of a running game and judge them again.

    Refused when the new rules would have placed another move. `seen` is the token of the preview that the judge
    confirmed: refused when the preview has changed since.
    """
    with lock_game(game) as locked:
        if locked.state == GameState.FINISHED:
            raise Refused(_("The game is over: its rules stay as they are."))
        before = Profile.from_switches(locked.switches)
        rules = rules_in_play(locked, switches)
        if rules == before:
            raise AlreadyDone(_("The rules are set this way already."))
        require_current_preview(seen, lambda: preview.propose_rules(locked, rules))
        change = preview.propose_rules(locked, rules)
        _require_same_board(preview.build_preview(change))
        locked.switches = rules.switches()
        locked.save(update_fields=["switches"])
        append_to_ledger(game=locked, kind="rules", by=by, now=now, data=_facts(before, rules))
        for facts, derived in preview.derive_proposed(change):
            write_verdicts(turn=facts.turn, derived=derived)
        signals.send_game_changed(locked)
    return locked


def settle_reversed_places(*, game: Game, count: bool, by: User | None, now: datetime) -> Game:
    """Decide if places written the other way round count in this event. All turns of the game are judged again if they
    do. The desk does not ask again."""
    with lock_game(game) as locked:
        if is_settled(locked):
            raise AlreadyDone(_("This is decided for the event; the director may change it on the page of the rules."))
        if not is_open(locked):
            raise Refused(_("The rules of this game leave no such question."))
        append_to_ledger(game=locked, kind="options", by=by, now=now, data={SETTLED: "count" if count else "keep"})
        if count:
            return change_rules_in_play(game=locked, switches={"wrong_reference": "reversed"}, by=by, now=now)
        signals.send_game_changed(locked)
    return locked


def rules_in_play(game: Game, switches: Mapping[str, object]) -> Profile:
    """The rules of a game with these switches. Raise `Refused` for a switch outside `SWITCHES_IN_PLAY` or an unknown
    value."""
    for switch in switches:
        if switch not in SWITCHES_IN_PLAY:
            raise Refused(_("The rule “%(rule)s” cannot change once a game has begun.") % {"rule": switch})
    try:
        return Profile.from_switches(game.switches).with_switches(**switches)
    except ProfileError as error:
        raise Refused(_("The rules cannot be set so: %(why)s") % {"why": error}) from None


def _require_same_board(seen: preview.Preview) -> None:
    if seen.fixed:
        raise Refused(
            _("By these rules another word would have been placed in turn %(turn)d, so they cannot be used now.")
            % {"turn": seen.fixed[0]}
        )


def may_change_rules(game: Game) -> bool:
    """Return True when the game follows no script, is not over and no rack was announced."""
    announced = TurnClock.objects.filter(turn__game=game).exclude(state=ClockState.READY)
    return game.prepared_id is None and game.state != GameState.FINISHED and not announced.exists()


def return_first_rack(game: Game) -> dict[str, object]:
    """Remove the first rack, drawn or typed as rejected. Return the facts for the ledger and the room."""
    turn = Turn.objects.filter(game=game).first()
    if turn is not None:
        return return_unannounced_rack(turn=turn)
    return {"put_back": 1, "rack": game.typed_rejected[-1]} if game.typed_rejected else {}


def require_not_begun(game: Game) -> None:
    if game.prepared_id is not None:
        raise Refused(_("This game was prepared with its rules: racks and master moves depend on them, so they stay."))
    if not may_change_rules(game):
        raise Refused(_("The first rack of this game is announced: its rules stay as they are."))


def _facts(before: Profile, after: Profile) -> dict[str, object]:
    """Facts for the ledger: the profile, and each switch with a new value."""
    old, new = before.switches(), after.switches()
    changed = {switch: value for switch, value in new.items() if switch != "name" and old[switch] != value}
    return {"profile": after.name, "switches": changed}
