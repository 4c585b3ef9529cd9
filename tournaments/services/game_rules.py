"""What a game is played by: profile, changed switches, formula and rhythm, as they go into the stored game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

from engine.formulas import NORMAL, Formula, FormulaError, load_formula
from engine.rhythms import at_rhythm
from engine.rules.profile import Profile, ProfileError, load_profile, profile_codes
from tournaments import lexicons
from tournaments.enums import DrawMode
from tournaments.errors import Refused
from tournaments.models import Game
from tournaments.position import profile_of

LEXICON_FIELDS = ("lexicon_name", "lexicon_words", "lexicon_sha256", "lexicon_parts")
TurnsWanted = int | Literal["same"] | None
"""How many turns a game has at most: as many as before, or None to the end of its tiles."""


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
    demand_possible(rules, chosen)
    return GameRules(profile, rules, chosen)


def rules_of_next(
    last: Game,
    *,
    formula: str | None = None,
    rhythm_s: int | None = None,
    profile: str | None = None,
    turns: TurnsWanted = "same",
) -> GameRules:
    """The rules of the game after `last`: the same, but for another formula, rhythm, profile or number of turns.

    Size of rack and bonuses that only the last formula had set are those of the profile again, and so are the calls
    when the rhythm changes. Another profile brings its own switches and its own clock; what was set otherwise by hand
    goes, the number of turns stays.
    """
    code = last.profile if profile is None else profile
    if code not in profile_codes():
        raise Refused(_("There is no rule profile “%(name)s”.") % {"name": code})
    before, chosen = _formula(last.formula), _formula(last.formula if formula is None else formula)
    rules, plain = Profile.from_switches(last.switches), load_profile(code)
    most = rules.max_turns if turns == "same" else turns
    try:
        if code != last.profile:
            rules = chosen.applied_to(plain)
        elif chosen != before:
            rules = chosen.applied_to(_without(before, rules, plain))
        if rhythm_s is not None and rhythm_s != rules.clock_s:
            rules = at_rhythm(rules.with_switches(clock_s=plain.clock_s, calls_s=plain.calls_s), rhythm_s)
        rules = rules.with_switches(max_turns=most)
    except ProfileError as error:
        raise Refused(_("The rules cannot be set so: %(why)s") % {"why": error}) from None
    demand_possible(rules, chosen)
    return GameRules(code, rules, chosen)


def combine_lists(game: Game, rules: Profile) -> dict[str, object]:
    """Combine the two word lists of a game as these rules say; what the ledger is told of it. Nothing with one list.

    The fields that change are `LEXICON_FIELDS`; the caller saves them.
    """
    if not game.lexicon_parts or rules.two_dictionaries == profile_of(game).two_dictionaries:
        return {}
    for name, value in lexicons.fields_of(lexicons.by_rules(lexicons.of_game(game), rules)).items():
        setattr(game, name, value)
    return {"lexicon": game.lexicon_sha256}


def demand_possible(rules: Profile, formula: Formula | None) -> None:
    """Refuse a minimum of vowels and consonants that no rack can hold, and moves of eight or nine tiles without a bonus
    of their own in a table of bonuses. The bonuses are not checked while no formula is chosen."""
    unnamed = formula.unnamed_bonuses(rules) if formula else ()
    if unnamed:
        raise Refused(
            _(
                "One move can lay %(laid)d tiles, but the bonuses do not say what that earns: write for example 7=50, "
                "8=75, 9=100, with 0 points where there is no bonus."
            )
            % {"laid": unnamed[0]}
        )
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
