"""Rules of a game (profile, changed switches, variant and time control) as fields of the stored game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from django.utils.translation import gettext as _

from engine.rules.profile import Profile, ProfileError, load_profile, profile_codes
from engine.variants.time_control import apply_time_control
from engine.variants.variant import NORMAL, Variant, VariantError, load_variant
from tournaments.enums import DrawMode
from tournaments.errors import Refused
from tournaments.lexicons import word_lists
from tournaments.models import Game
from tournaments.play.position import profile_of

LEXICON_FIELDS = ("lexicon_name", "lexicon_words", "lexicon_sha256", "lexicon_parts")
TurnsWanted = int | Literal["same"] | None
"""Maximum number of turns of a game: as before, or None to play all tiles."""


@dataclass(frozen=True, slots=True)
class GameRules:
    """The profile's code, the rules with all switches, variant and time control applied, and the variant."""

    profile: str
    rules: Profile
    variant: Variant


def rules_of_first_game(
    *, profile: str, switches: Mapping[str, object], variant: str = NORMAL, turn_seconds: int | None = None
) -> GameRules:
    """Get the rules of the first game of an event; raise `Refused` for unknown values.

    Without a time control the profile's clock is used.
    """
    if profile not in profile_codes():
        raise Refused(_("There is no rule profile “%(name)s”.") % {"name": profile})
    chosen = _variant(variant)
    try:
        rules = chosen.apply_to(load_profile(profile).with_switches(**switches))
        if turn_seconds is not None:
            rules = apply_time_control(rules, turn_seconds, own_calls="calls_s" in switches)
    except ProfileError as error:
        raise Refused(_("The rules cannot be set so: %(why)s") % {"why": error}) from None
    require_possible(rules, chosen)
    return GameRules(profile, rules, chosen)


def rules_of_next_game(
    last: Game,
    *,
    variant: str | None = None,
    turn_seconds: int | None = None,
    profile: str | None = None,
    turns: TurnsWanted = "same",
    switches: Mapping[str, object] = MappingProxyType({}),
) -> GameRules:
    """Get the rules of the game after `last`, with another variant, time control, profile, number of turns or switches.

    Rack size and bonuses that only the last variant had set return to the profile's values, and so do the calls when
    the time control changes. A new profile brings its own switches and clock: manual changes are dropped, the number of
    turns remains.
    """
    code = last.profile if profile is None else profile
    if code not in profile_codes():
        raise Refused(_("There is no rule profile “%(name)s”.") % {"name": code})
    before, chosen = _variant(last.variant), _variant(last.variant if variant is None else variant)
    rules, plain = Profile.from_switches(last.switches), load_profile(code)
    most = rules.max_turns if turns == "same" else turns
    try:
        if code != last.profile:
            rules = chosen.apply_to(plain)
        elif chosen != before:
            rules = chosen.apply_to(_without_variant_switches(before, rules, plain))
        if turn_seconds is not None and turn_seconds != rules.clock_s:
            rules = apply_time_control(rules.with_switches(clock_s=plain.clock_s, calls_s=plain.calls_s), turn_seconds)
        rules = rules.with_switches(**{"max_turns": most, **switches})
    except ProfileError as error:
        raise Refused(_("The rules cannot be set so: %(why)s") % {"why": error}) from None
    require_possible(rules, chosen)
    return GameRules(code, rules, chosen)


def combine_lists(game: Game, rules: Profile) -> dict[str, object]:
    """Combine the two word lists of a game by its rules. Return the facts for the ledger, none with one list.

    The fields that change are `LEXICON_FIELDS`; the caller saves them.
    """
    if not game.lexicon_parts or rules.two_dictionaries == profile_of(game).two_dictionaries:
        return {}
    for name, value in word_lists.fields_of(
        word_lists.adapt_to_rules(word_lists.word_list_of_game(game), rules)
    ).items():
        setattr(game, name, value)
    return {"lexicon": game.lexicon_sha256}


def require_possible(rules: Profile, variant: Variant | None) -> None:
    """Refuse a minimum of vowels and consonants that no rack can hold, and moves of eight or nine tiles without their
    own entry in a table of bonuses. Bonuses are not checked while no variant is chosen."""
    unnamed = variant.unnamed_bonuses(rules) if variant else ()
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


def require_drawable(rules: GameRules, draw_mode: str) -> None:
    """Refuse rules that the draw mode does not support."""
    if rules.variant.explosive and draw_mode == DrawMode.TYPED:
        raise Refused(_("In an explosive game the program exchanges the blank of each rack: let it draw the racks."))


def _without_variant_switches(variant: Variant, rules: Profile, plain: Profile) -> Profile:
    """The rules with the profile's own switches in place of those set by the variant."""
    return rules.with_switches(**{switch: plain.value_of(switch) for switch in variant.switches})


def _variant(code: str) -> Variant:
    try:
        return load_variant(code)
    except VariantError:
        raise Refused(_("There is no variant “%(name)s”.") % {"name": code}) from None
