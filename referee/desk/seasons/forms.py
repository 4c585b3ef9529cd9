"""Forms of a season and of a ranking."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.bounded_input import parse_whole_number
from engine.seasons.ranking_rule import (
    COMBINATIONS,
    GROUPINGS,
    MEASURES,
    MOST_EVENTS,
    MOST_POINTS,
    TIE_BREAKS,
    RankingRule,
    RuleError,
    read_rule,
)
from engine.seasons.rule_text import COMBINATION_TITLES, GROUPING_TITLES, MEASURE_TITLES, TIE_TITLES
from tournaments.models import Season
from tournaments.seasons.services.seasons import NAME_LENGTH, SeasonFields

_SEPARATORS = re.compile(r"[\s,;]+")


class SeasonForm(forms.Form):
    """Name and dates of a season, and a part of the names of its events."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH)
    # A browser's date field reads only ISO dates, in every language.
    starts = forms.DateField(label=_("First day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}))
    ends = forms.DateField(label=_("Last day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}))
    name_contains = forms.CharField(
        label=_("Only events whose name contains"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=_("Empty: all events between the two days count."),
    )

    @property
    def fields_of_season(self) -> SeasonFields:
        """The fields of a valid form."""
        return SeasonFields(**self.cleaned_data)

    @staticmethod
    def initial_of(season: Season) -> dict[str, Any]:
        """Return the values of a stored season."""
        return {name: getattr(season, name) for name in ("name", "starts", "ends", "name_contains")}


class RankingForm(forms.Form):
    """Name and rule of a ranking."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH)
    measure = forms.ChoiceField(label=_("Value of an event"))
    table = forms.CharField(
        label=_("Points of the places"),
        required=False,
        max_length=2000,
        help_text=_("For points by place: first place, second place and so on, such as 25, 20, 16, 13."),
    )
    combination = forms.ChoiceField(label=_("Value of a member"))
    best = forms.IntegerField(
        label=_("Number of best events that count"),
        required=False,
        min_value=1,
        max_value=MOST_EVENTS,
        help_text=_("Empty: all events count."),
    )
    bonus = forms.IntegerField(
        label=_("Points added for each event played"), required=False, min_value=0, max_value=MOST_POINTS
    )
    minimum = forms.IntegerField(
        label=_("Least number of events for a rank"), required=False, min_value=0, max_value=MOST_EVENTS
    )
    grouping = forms.ChoiceField(label=_("Members who are ranked together"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choices("measure", {each: MEASURE_TITLES[each] for each in MEASURES})
        self._choices("combination", {each: COMBINATION_TITLES[each] for each in COMBINATIONS})
        self._choices("grouping", {each: GROUPING_TITLES[each] for each in GROUPINGS})
        ties = [("", "–"), *((each, gettext(TIE_TITLES[each])) for each in TIE_BREAKS)]
        for number in range(1, len(TIE_BREAKS) + 1):
            label = gettext("Tie-break %(number)d") % {"number": number}
            self.fields[f"tie_{number}"] = forms.ChoiceField(label=label, required=False, choices=ties)
        self.rule: RankingRule | None = None

    @property
    def ties(self) -> list[forms.BoundField]:
        """The fields of the tie-breaks, in their order."""
        return [self[name] for name in self.fields if name.startswith("tie_")]

    def clean(self) -> dict[str, Any]:
        """Read the rule."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        stored = {
            "measure": cleaned["measure"],
            "combination": cleaned["combination"],
            "best": cleaned["best"],
            "table": _read_table(cleaned["table"]) if cleaned["measure"] == "place" else [],
            "bonus": cleaned["bonus"] or 0,
            "minimum": cleaned["minimum"] or 0,
            "ties": [cleaned[field.name] for field in self.ties if cleaned[field.name]],
            "grouping": cleaned["grouping"],
        }
        try:
            self.rule = read_rule(stored)
        except RuleError as error:
            raise forms.ValidationError(gettext(str(error))) from None
        return cleaned

    @staticmethod
    def initial_of(name: str, rule: RankingRule) -> dict[str, Any]:
        """Return the values of a rule."""
        values: dict[str, Any] = {
            "name": name,
            "measure": rule.measure,
            "table": ", ".join(map(str, rule.table)),
            "combination": rule.combination,
            "best": rule.best,
            "bonus": rule.bonus or None,
            "minimum": rule.minimum or None,
            "grouping": rule.grouping,
        }
        return values | {f"tie_{number}": tie for number, tie in enumerate(rule.ties, 1)}

    def _choices(self, name: str, titles: Mapping[str, str]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  declared so above
        field.choices = [(each, gettext(title)) for each, title in titles.items()]


def _read_table(text: str) -> list[int]:
    """Read the points of the places."""
    words = [word for word in _SEPARATORS.split(text) if word]
    numbers = [parse_whole_number(word) for word in words]
    for word, number in zip(words, numbers, strict=True):
        if number is None:
            sentence = gettext(
                "“%(word)s” is no whole number: write the points of the places with commas between them."
            )
            raise forms.ValidationError({"table": sentence % {"word": word[:20]}})
    return [number for number in numbers if number is not None]
