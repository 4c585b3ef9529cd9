"""The rules of a game are changed before its first rack is announced, and stay as they are afterwards."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive import read_archive
from engine.replay import verify
from engine.rules.profile import load_profile, profile_codes
from tests.tournaments.night import Night, begin, chance, play_turn
from tournaments import lexicons
from tournaments.errors import Refused
from tournaments.models import LedgerEntry, Turn
from tournaments.position import profile_of
from tournaments.selectors.archive import export_game
from tournaments.services.rules import change_rules, may_change_rules

pytestmark = pytest.mark.django_db


def change(night: Night, profile: str = "it-box", **switches: Any) -> None:
    change_rules(game=night.game, profile=profile, switches=switches, by=night.judge, now=night.later())
    night.refresh()


def entries(night: Night) -> list[Any]:
    return list(LedgerEntry.objects.filter(game=night.game, kind="rules").values_list("data", flat=True))


def test_single_switches_are_set_otherwise_and_the_ledger_tells_which(night: Night) -> None:
    change(night, wrong_score="zero", max_turns=12)
    assert profile_of(night.game) == load_profile("it-box").with_switches(wrong_score="zero", max_turns=12)
    assert entries(night) == [{"profile": "it-box", "switches": {"wrong_score": "zero", "max_turns": 12}}]


def test_the_switches_given_are_all_that_differ_so_that_none_is_a_reset(night: Night) -> None:
    change(night, wrong_score="zero")
    change(night, missing_score="zero")
    assert profile_of(night.game) == load_profile("it-box").with_switches(missing_score="zero")
    change(night)
    assert profile_of(night.game) == load_profile("it-box")


def test_another_profile_can_be_taken(night: Night) -> None:
    change(night, "fise")
    assert (night.game.profile, profile_of(night.game)) == ("fise", load_profile("fise"))


def test_a_new_time_to_think_is_the_rhythm_of_the_game(night: Night) -> None:
    change(night, clock_s=60)
    assert night.game.rhythm_s == 60


def test_what_the_formula_sets_stays(judge: User) -> None:
    night = begin(judge, formula="7and8")
    change(night, rack_size=6, wrong_score="warn")
    profile = profile_of(night.game)
    assert (profile.rack_size, profile.bonus_table, profile.wrong_score) == (8, {7: 50, 8: 75}, "warn")


def test_the_same_rules_again_leave_no_trace(night: Night) -> None:
    seq = night.refresh().seq
    change(night)
    assert (entries(night), night.game.seq) == ([], seq)


def test_a_rack_that_nobody_has_seen_is_drawn_again_by_the_new_rule(night: Night) -> None:
    night.draw()
    change(night, rack_size=8, bonuses={7: 50, 8: 75})
    assert not Turn.objects.exists()
    drawn = night.draw()
    assert drawn is not None
    assert len(drawn.rack) == 8


def test_racks_typed_as_rejected_by_the_old_rule_are_forgotten(judge: User) -> None:
    night = begin(judge, draw_mode="typed")
    night.game.typed_rejected = ["AAEEIOU"]
    night.game.save()
    change(night, min_early=0, min_late=0)
    assert night.game.typed_rejected == []


def test_from_the_first_announcement_on_the_rules_stay(night: Night) -> None:
    night.draw()
    assert may_change_rules(night.game)
    night.announce()
    assert not may_change_rules(night.game)
    with pytest.raises(Refused, match=r"^The first rack of this game is announced: its rules stay as they are\.$"):
        change(night, wrong_score="zero")
    assert profile_of(night.refresh()) == load_profile("it-box")


@pytest.mark.parametrize(
    ("profile", "switches", "sentence"),
    [
        ("nowhere", {}, "There is no rule profile “nowhere”."),
        ("it-box", {"wrong_score": "rescue"}, "The rules cannot be set so: The switch wrong_score of"),
        ("it-box", {"min_late": 4}, "A rack of 7 tiles cannot hold 4 vowels and 4 consonants: ask for fewer."),
        ("it-box", {"rack_size": 8}, "One move can lay 8 tiles, but the bonuses do not say what that earns: write for"),
        ("it-box", {"rack_size": 9, "bonuses": {7: 50, 8: 75}}, "One move can lay 9 tiles, but the bonuses do not say"),
        ("it-box", {"rack_size": 3}, "A rack of 3 tiles cannot hold 2 vowels and 2 consonants: ask for fewer."),
    ],
)
def test_rules_that_cannot_be_are_refused_with_a_sentence(
    night: Night, profile: str, switches: dict[str, object], sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        change(night, profile, **switches)
    assert str(refused.value).startswith(sentence)
    assert entries(night) == []


@pytest.mark.parametrize("code", profile_codes())
def test_a_game_by_the_rules_of_each_profile_is_verified_without_a_difference(judge: User, code: str) -> None:
    night = begin(judge, profile=code)
    rng = chance(3)
    while night.refresh().turns.count() < 4 and play_turn(night, rng):
        pass
    assert night.game.turns.exclude(placed_at=None).count() == 4
    archive = read_archive(json.dumps(export_game(night.refresh())))
    assert archive["profile"]["name"] == code
    assert verify(archive, lexicons.graph_of(lexicons.of_game(night.game))) == []
