"""Create, change and delete seasons and their rankings, and choose the events that count.

Nothing here changes an event or a result: a season is a choice of results and of rules by which they are ranked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from engine.seasons.ranking_rule import RankingRule, RuleError, read_rule, rule_as_json
from tournaments import validators
from tournaments.errors import Refused
from tournaments.models import EventSummary, Ranking, Season, SeasonException
from tournaments.seasons.queries.results import counts_by_rule

NAME_LENGTH = 100
MOST_SEASONS, MOST_RANKINGS, MOST_DAYS = 200, 20, 3660


@dataclass(frozen=True, slots=True)
class SeasonFields:
    """The fields of a season as an organiser gives them; see `Season`."""

    name: str
    starts: date
    ends: date
    name_contains: str = ""


@transaction.atomic
def create_season(fields: SeasonFields, rankings: Sequence[tuple[str, RankingRule]] = ()) -> Season:
    """Create a season with these rankings (name, rule), in their order."""
    if Season.objects.count() >= MOST_SEASONS:
        raise Refused(_("There are %(most)d seasons: delete one of them first.") % {"most": MOST_SEASONS})
    season = Season()
    set_fields(season, fields)
    season.save()
    for name, rule in rankings:
        create_ranking(season, name, rule)
    return season


@transaction.atomic
def change_season(season: Season, fields: SeasonFields) -> Season:
    """Change the fields of a season. Events that were counted or left out by hand stay so."""
    set_fields(season, fields)
    season.save()
    return season


def set_fields(season: Season, fields: SeasonFields) -> None:
    """Check the fields and set them, without storing the season, as a preview needs it."""
    name = validators.short_text(fields.name, longest=NAME_LENGTH, what=_("name"))
    if not name:
        raise Refused(_("Give the season a name."))
    if Season.objects.filter(name__iexact=name).exclude(pk=season.pk).exists():
        raise Refused(_("There is a season named “%(name)s” already: choose another name.") % {"name": name})
    if fields.ends < fields.starts:
        raise Refused(_("The season ends before it starts: correct one of the two dates."))
    if (fields.ends - fields.starts).days > MOST_DAYS:
        raise Refused(_("A season lasts ten years at most: correct one of the two dates."))
    season.name, season.starts, season.ends = name, fields.starts, fields.ends
    season.name_contains = validators.short_text(
        fields.name_contains, longest=NAME_LENGTH, what=_("name of the events")
    )


def delete_season(season: Season) -> None:
    """Delete a season with its rankings. Events and results stay."""
    season.delete()


@transaction.atomic
def choose_events(season: Season, counts: Mapping[int, bool]) -> None:
    """Count these events (numbers of stored results) or leave them out, whatever the dates of the season say.

    A choice that agrees with the dates and the name is no exception and is stored as none.
    """
    summaries = EventSummary.objects.in_bulk(list(counts))
    if len(summaries) < len(counts):
        raise Refused(_("One of these events was deleted: open the page again and choose the events once more."))
    season.exceptions.filter(summary__in=summaries).delete()
    SeasonException.objects.bulk_create(
        SeasonException(season=season, summary=summary, counts=counts[pk])
        for pk, summary in summaries.items()
        if counts[pk] != counts_by_rule(season, summary)
    )


@transaction.atomic
def create_ranking(season: Season, name: str, rule: RankingRule) -> Ranking:
    """Add a ranking after those of the season."""
    if season.rankings.count() >= MOST_RANKINGS:
        raise Refused(_("A season has at most %(most)d rankings: delete one of them first.") % {"most": MOST_RANKINGS})
    last = season.rankings.aggregate(last=Max("position"))["last"]
    ranking = Ranking(season=season, position=0 if last is None else last + 1)
    return _store_ranking(ranking, name, rule)


@transaction.atomic
def change_ranking(ranking: Ranking, name: str, rule: RankingRule) -> Ranking:
    """Change the name and the rule of a ranking."""
    return _store_ranking(ranking, name, rule)


@transaction.atomic
def move_ranking(ranking: Ranking, position: int) -> None:
    """Put a ranking at this place of its season, counted from 0; the first one is shown first, also on the wall."""
    others = list(ranking.season.rankings.exclude(pk=ranking.pk))
    others.insert(max(0, position), ranking)
    _number(others)


@transaction.atomic
def delete_ranking(ranking: Ranking) -> None:
    """Delete a ranking. Events and results stay."""
    season = ranking.season
    ranking.delete()
    _number(list(season.rankings.all()))


def _store_ranking(ranking: Ranking, name: str, rule: RankingRule) -> Ranking:
    ranking.name = validators.short_text(name, longest=NAME_LENGTH, what=_("name"))
    if not ranking.name:
        raise Refused(_("Give the ranking a name."))
    if ranking.season.rankings.filter(name__iexact=ranking.name).exclude(pk=ranking.pk).exists():
        raise Refused(_("The season has a ranking named “%(name)s” already: choose another name.") % {"name": name})
    ranking.rule = rule_as_json(rule)
    try:
        read_rule(ranking.rule)
    except RuleError as error:
        raise Refused(_(str(error))) from None
    ranking.save()
    return ranking


def _number(rankings: Sequence[Ranking]) -> None:
    for position, ranking in enumerate(rankings):
        ranking.position = position
    Ranking.objects.bulk_update(rankings, ["position"])
