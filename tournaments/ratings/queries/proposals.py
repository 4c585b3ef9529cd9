"""Series and handicaps that follow from the ratings of an event's players. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from engine.ratings.form import USUAL_GAMES
from engine.ratings.proposals import propose_by_limits, propose_equal_groups, propose_handicaps
from engine.standings.event import round_half_up
from tournaments.members.queries.identities import get_members_of_players
from tournaments.models import Event, Player
from tournaments.players.name_order import alphabetic_key
from tournaments.ratings.queries.ratings import MemberRatings, list_ratings

Measure = Literal["percent", "rating"]


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player of an event with the ratings of the member; None for guests, pairs, and members without a game."""

    player: Player
    ratings: MemberRatings | None

    def value(self, measure: Measure) -> Fraction | None:
        """The percent of the top or the open rating; None if it is not known."""
        if self.ratings is None:
            return None
        if measure == "rating":
            return Fraction(self.ratings.rating.shown)
        return self.ratings.form.mean if self.ratings.form else None


@dataclass(frozen=True, slots=True)
class SeriesMethod:
    """The way series are proposed: by least values of `measure`, or in groups of equal size with the names `groups`."""

    measure: Measure = "percent"
    limits: Sequence[tuple[str, Fraction]] = ()
    groups: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SeriesHandicap:
    """A series with its handicap: `present` in the unit of the event, `proposed` in percent of the tops.

    `percent` is the mean of its `rated` players of `players`; None, like `proposed`, if none of them is rated.
    """

    series: str
    players: int
    rated: int
    percent: Decimal | None
    present: int
    proposed: int | None


def rate_players(event: Event, games: int = USUAL_GAMES) -> list[RatedPlayer]:
    """Return the players of an event, by table, with their ratings."""
    players = list(Player.objects.filter(event=event).order_by("table"))
    members = get_members_of_players(player.pk for player in players)
    single = {player: known[0] for player, known in members.items() if len(known) == 1}
    ratings = {each.member.pk: each for each in list_ratings(set(single.values()), games)}
    return [RatedPlayer(player, ratings.get(single.get(player.pk, 0))) for player in players]


def propose_series(players: Sequence[RatedPlayer], method: SeriesMethod) -> dict[int, str]:
    """Return the proposed series by table; players whose value is not known are left out."""
    values = {each.player.table: value for each in players if (value := each.value(method.measure)) is not None}
    if method.groups:
        return propose_equal_groups(values, method.groups)
    return propose_by_limits(values, method.limits)


def propose_series_handicaps(event: Event, players: Sequence[RatedPlayer], share: int) -> list[SeriesHandicap]:
    """Return the series of the event with the handicap that is `share` percent of the difference to the best one."""
    by_series: dict[str, list[RatedPlayer]] = {}
    for each in players:
        if each.player.series:
            by_series.setdefault(each.player.series, []).append(each)
    percents = {name: _known_percents(those) for name, those in by_series.items()}
    proposed = propose_handicaps(percents, share)
    present: Mapping[str, int] = event.handicap.get("series", {})
    return [
        SeriesHandicap(
            series=name,
            players=len(by_series.get(name, ())),
            rated=len(percents.get(name, ())),
            percent=_mean(percents.get(name, ())),
            present=present.get(name, 0),
            proposed=proposed.get(name),
        )
        for name in sorted({*by_series, *present}, key=alphabetic_key)
    ]


def _known_percents(players: Sequence[RatedPlayer]) -> list[Fraction]:
    return [value for each in players if (value := each.value("percent")) is not None]


def _mean(values: Sequence[Fraction]) -> Decimal | None:
    return round_half_up(sum(values, Fraction(0)) / len(values), 1) if values else None
