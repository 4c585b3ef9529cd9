"""The rule of a ranking in plain words.

The caller passes `translate` (gettext); the default leaves the English of this module. Numbers that would need a plural
stand after a colon, since the engine knows no plural forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.i18n import N_
from engine.seasons.ranking_rule import Combination, Grouping, Measure, RankingRule, TieBreak

Translate = Callable[[str], str]

MEASURE_TITLES: dict[Measure, str] = {
    "points": N_("total of points"),
    "percent": N_("percent of the top"),
    "place": N_("points by place, from a table"),
    "scale": N_("ranking points of the Romanian federation"),
}
COMBINATION_TITLES: dict[Combination, str] = {"sum": N_("sum"), "mean": N_("mean")}
GROUPING_TITLES: dict[Grouping, str] = {
    "": N_("one ranking for everybody"),
    "category": N_("a ranking for each category"),
    "club": N_("a ranking for each club"),
    "team": N_("a ranking for each team"),
}
TIE_TITLES: dict[TieBreak, str] = {
    "events": N_("more events played"),
    "first_places": N_("more first places"),
    "best_event": N_("the better result in their best event"),
    "percent": N_("the higher percent of the top over all events"),
    "solos": N_("more solos"),
    "last_event": N_("the better result in the last event"),
}
TIE_NAMES: dict[TieBreak, str] = {
    "events": N_("events played"),
    "first_places": N_("first places"),
    "best_event": N_("best event"),
    "percent": N_("percent of the top over all events"),
    "solos": N_("solos"),
    "last_event": N_("last event"),
}

_VALUES: dict[Measure, str] = {
    "points": N_("An event counts with its total of points, handicap included."),
    "percent": N_("An event counts with the percent of the sum of tops, handicap included."),
    "scale": N_(
        "An event counts with the ranking points of the Romanian federation: they depend on the place and on the number"
        " of players, and the winner of 100 players gets 1000."
    ),
}
_ONE_PLACE = N_("First place gives %(first)d points, other places give none.")
_TWO_PLACES = N_("First place gives %(first)d points, second %(second)d. Later places give none.")
_PLACES = N_("First place gives %(first)d points, second %(second)d, the next ones %(others)s. Later places give none.")
_COMBINED: dict[tuple[Combination, bool], str] = {
    ("sum", False): N_("The values of all events are added."),
    ("sum", True): N_("The best %(best)d events of each member count; their values are added."),
    ("mean", False): N_("The value of a member is the mean of all events they played."),
    ("mean", True): N_("The best %(best)d events of each member count; their mean is the value of the member."),
}
_ONE_BEST = N_("Only the best event of each member counts.")
_BONUS = N_("Points added for each event played: %(bonus)d.")
_MINIMUM = N_("A member with fewer than %(minimum)d events is listed without a rank.")
_TIES = N_("Equal members are ranked by: %(ties)s. Those who are still equal share the rank.")
_NO_TIES = N_("Equal members share the rank.")
_GROUPS: dict[Grouping, str] = {
    "category": N_("Each category has its own ranking; members without a category are left out."),
    "club": N_("Each club has its own ranking; members without a club are left out."),
    "team": N_("Each team has its own ranking; members without a team are left out."),
}


def describe_rule(rule: RankingRule, translate: Translate = str) -> str:
    """Return the whole rule in a few sentences."""
    return " ".join(_sentences(rule, translate))


def _sentences(rule: RankingRule, translate: Translate) -> Iterator[str]:
    yield _event_value(rule, translate)
    if rule.best == 1:
        yield translate(_ONE_BEST)
    else:
        yield translate(_COMBINED[rule.combination, rule.best is not None]) % {"best": rule.best}
    if rule.bonus:
        yield translate(_BONUS) % {"bonus": rule.bonus}
    if rule.minimum > 1:
        yield translate(_MINIMUM) % {"minimum": rule.minimum}
    ties = ", ".join(translate(TIE_TITLES[tie]) for tie in rule.ties)
    yield translate(_TIES) % {"ties": ties} if ties else translate(_NO_TIES)
    if rule.grouping:
        yield translate(_GROUPS[rule.grouping])


def _event_value(rule: RankingRule, translate: Translate) -> str:
    if rule.measure != "place":
        return translate(_VALUES[rule.measure])
    first, *others = rule.table
    if not others:
        return translate(_ONE_PLACE) % {"first": first}
    second, *others = others
    template = _PLACES if others else _TWO_PLACES
    return translate(template) % {"first": first, "second": second, "others": ", ".join(map(str, others))}
