"""Rules of rankings in plain words, and the presets that offer them."""

from __future__ import annotations

import re

import pytest

from engine.seasons.presets import PRESETS, RankingPreset
from engine.seasons.ranking_rule import TIE_BREAKS, RankingRule, read_rule, rule_as_json
from engine.seasons.rule_text import TIE_TITLES, describe_rule


def test_the_text_of_a_rule_says_values_best_bonus_minimum_and_ties() -> None:
    rule = RankingRule("place", "sum", 8, (25, 20, 16, 13), 2, 4, ("first_places", "percent"), "category")
    assert describe_rule(rule) == (
        "First place gives 25 points, second 20, the next ones 16, 13. Later places give none."
        " The best 8 events of each member count; their values are added."
        " Points added for each event played: 2."
        " A member with fewer than 4 events is listed without a rank."
        " Equal members are ranked by: more first places, the higher percent of the top over all events."
        " Those who are still equal share the rank."
        " Each category has its own ranking; members without a category are left out."
    )


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (RankingRule(ties=()), "An event counts with its total of points, handicap included."),
        (RankingRule(ties=()), "Equal members share the rank."),
        (RankingRule("percent", "mean"), "The value of a member is the mean of all events they played."),
        (RankingRule("percent", "mean", 5), "The best 5 events of each member count; their mean is the value"),
        (RankingRule(best=1), "Only the best event of each member counts."),
        (RankingRule("place", table=(3,)), "First place gives 3 points, other places give none."),
        (RankingRule("place", table=(3, 1)), "First place gives 3 points, second 1. Later places give none."),
        (RankingRule("scale"), "ranking points of the Romanian federation"),
    ],
)
def test_the_text_of_a_rule_has_a_sentence_for_each_choice(rule: RankingRule, sentence: str) -> None:
    assert sentence in describe_rule(rule)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.code)
def test_the_text_of_a_preset_has_all_its_numbers_and_no_blank_field(preset: RankingPreset) -> None:
    rule, text = preset.rule, describe_rule(preset.rule)
    assert read_rule(rule_as_json(rule)) == rule
    numbers = {*rule.table, rule.best, rule.bonus or None, rule.minimum or None} - {None}
    assert numbers <= {int(number) for number in re.findall(r"\d+", text)}
    assert all(TIE_TITLES[tie] in text for tie in rule.ties)
    assert "None" not in text
    assert "%" not in text
    assert preset.source


def test_every_tie_break_has_a_text_and_every_code_of_a_preset_is_its_own() -> None:
    assert TIE_TITLES.keys() == set(TIE_BREAKS)
    assert len({preset.code for preset in PRESETS}) == len(PRESETS)
