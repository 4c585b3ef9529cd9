"""Rules of rankings for common club years, each with the source of its values or "our default".

The texts are marked for gettext with `N_`; the caller translates them.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.i18n import N_
from engine.rules.profile import OUR_DEFAULT
from engine.seasons.ranking_rule import RankingRule, TieBreak

CLUB_TABLE = (25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
SHORT_TABLE = (10, 8, 6, 5, 4, 3, 2, 1)
LONG_TABLE = (
    *(100, 80, 60, 50, 45, 40, 36, 32, 29, 26, 24, 22, 20, 18, 16),
    *(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
)
_MOTORCYCLES = N_("points of the motorcycle world championship")
_SKIING = N_("points of the Ski World Cup")
_FISE = N_("mean percent: FISE (Spain), duplicate rules; number of events: our default")
_ROMANIA = N_("Romanian federation, scales of ranking points")
_PLACE_TIES: tuple[TieBreak, ...] = ("first_places", "best_event", "percent")


@dataclass(frozen=True, slots=True)
class RankingPreset:
    """A rule with its title, as the form of a ranking offers it. `source` says where its values come from."""

    code: str
    title: str
    rule: RankingRule
    source: str


PRESETS: tuple[RankingPreset, ...] = (
    RankingPreset(
        "places-best-8",
        N_("Points by place, the best 8 events"),
        RankingRule(measure="place", table=CLUB_TABLE, best=8, ties=_PLACE_TIES),
        _MOTORCYCLES,
    ),
    RankingPreset(
        "places-attendance",
        N_("Points by place and for taking part"),
        RankingRule(measure="place", table=SHORT_TABLE, bonus=2, ties=("events", "first_places", "percent")),
        OUR_DEFAULT,
    ),
    RankingPreset(
        "places-many-players",
        N_("Points by place, for events of many players"),
        RankingRule(measure="place", table=LONG_TABLE, ties=_PLACE_TIES),
        _SKIING,
    ),
    RankingPreset("points", N_("Sum of points"), RankingRule(ties=("best_event", "solos")), OUR_DEFAULT),
    RankingPreset(
        "percent",
        N_("Mean percent of the top"),
        RankingRule(measure="percent", combination="mean", minimum=4, ties=("events", "best_event")),
        _FISE,
    ),
    RankingPreset(
        "percent-best-8",
        N_("Mean percent of the top, the best 8 events"),
        RankingRule(measure="percent", combination="mean", best=8, minimum=8, ties=("best_event", "first_places")),
        _FISE,
    ),
    RankingPreset(
        "romanian-scale",
        N_("Ranking points of the Romanian federation"),
        RankingRule(measure="scale", ties=_PLACE_TIES),
        _ROMANIA,
    ),
    RankingPreset(
        "percent-by-category",
        N_("Mean percent by category"),
        RankingRule(measure="percent", combination="mean", minimum=4, ties=("best_event",), grouping="category"),
        OUR_DEFAULT,
    ),
    RankingPreset(
        "places-by-club",
        N_("Points by place, within each club"),
        RankingRule(measure="place", table=CLUB_TABLE, ties=_PLACE_TIES, grouping="club"),
        OUR_DEFAULT,
    ),
    RankingPreset(
        "places-by-team",
        N_("Points by place, within each team"),
        RankingRule(measure="place", table=CLUB_TABLE, ties=_PLACE_TIES, grouping="team"),
        OUR_DEFAULT,
    ),
)
"""The first one is proposed to a club without a season."""

PRESET_BY_CODE = {preset.code: preset for preset in PRESETS}
