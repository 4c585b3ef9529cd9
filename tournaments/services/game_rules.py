"""What a game is played by: profile, changed switches, formula and rhythm, as they go into the stored game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.formulas import NORMAL, Formula, FormulaError, load_formula
from engine.rhythms import at_rhythm
from engine.rules.profile import Profile, ProfileError, load_profile, profile_codes
from tournaments.enums import DrawMode
from tournaments.errors import Refused
from tournaments.models import Game


@dataclass(frozen=True, slots=True)
class GameRules:
    """The profile's code, the rules with everything that switches, formula and rhythm set, and the formula."""

    profile: str
    rules: Profile
    formula: Formula


def rules_of_first(
    *, profile: str, switches: Mapping[str, object], formula: str = NORMAL, rhythm_s: int | None = None
) -> GameRules:
    """The rules of the first game of an event; `Refused` for what there is not. No rhythm: the profile's clock."""
    if profile not in profile_codes():
        raise Refused(_("There is no rule profile “%(name)s”.") % {"name": profile})
    chosen = _formula(formula)
    try:
        rules = chosen.applied_to(load_profile(profile).with_switches(**switches))
        if rhythm_s is not None:
            rules = at_rhythm(rules, rhythm_s, own_calls="calls_s" in switches)
    except ProfileError as error:
        raise Refused(_("The rules cannot be set so: %(why)s") % {"why": error}) from None
    demand_possible(rules)
    return GameRules(profile, rules, chosen)


def rules_of_next(last: Game, *, formula: str | None = None, rhythm_s: int | None = None) -> GameRules:
    """The rules of the game after `last`: the same, but for another formula or rhythm.

    Size of rack and bonuses that only the last formula had set are those of the profile again, and so are the calls
    when the rhythm changes.
    """
    before, chosen = _formula(last.formula), _formula(last.formula if formula is None else formula)
    rules = Profile.from_switches(last.switches)
    try:
        if chosen != before:
            rules = chosen.applied_to(_without(before, rules, load_profile(last.profile)))
        if rhythm_s is not None and rhythm_s != last.rhythm_s:
            plain = load_profile(last.profile)
            rules = at_rhythm(rules.with_switches(clock_s=plain.clock_s, calls_s=plain.calls_s), rhythm_s)
    except ProfileError as error:
        raise Refused(_("The rules cannot be set so: %(why)s") % {"why": error}) from None
    demand_possible(rules)
    return GameRules(last.profile, rules, chosen)


def demand_possible(rules: Profile) -> None:
    """Refuse a minimum of vowels and consonants that no rack can hold."""
    for each in (rules.min_late, rules.min_early if rules.last_early_turn else 0):
        if 2 * each > rules.rack_size:
            raise Refused(
                _("A rack of %(size)d tiles cannot hold %(each)d vowels and %(each)d consonants: ask for fewer.")
                % {"size": rules.rack_size, "each": each}
            )


def demand_drawable(rules: GameRules, draw_mode: str) -> None:
    """Refuse what the way of drawing cannot do."""
    if rules.formula.explosive and draw_mode == DrawMode.TYPED:
        raise Refused(_("In an explosive game the program exchanges the blank of each rack: let it draw the racks."))


def _without(formula: Formula, rules: Profile, plain: Profile) -> Profile:
    """The rules with the profile's own switches where the formula had set them."""
    set_by_it = {"rack_size": formula.rack_size, "bonuses": formula.bonuses}
    return rules.with_switches(**{name: getattr(plain, name) for name, value in set_by_it.items() if value is not None})


def _formula(code: str) -> Formula:
    try:
        return load_formula(code)
    except FormulaError:
        raise Refused(_("There is no formula “%(name)s”.") % {"name": code}) from None
