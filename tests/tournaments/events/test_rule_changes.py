"""The rules of a game are changed before its first rack is announced, and stay as they are afterwards."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from engine.rules.profile import load_profile, profile_codes
from tests.examples import one_in
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.errors import Refused
from tournaments.events.services.rule_changes import change_rules, may_change_rules
from tournaments.lexicons import word_lists
from tournaments.models import LedgerEntry, Turn
from tournaments.play.position import profile_of
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db


def change(club_game: ClubGame, profile: str = "it-box", **switches: Any) -> None:
    change_rules(game=club_game.game, profile=profile, switches=switches, by=club_game.judge, now=club_game.later())
    club_game.refresh()


def entries(club_game: ClubGame) -> list[Any]:
    return list(LedgerEntry.objects.filter(game=club_game.game, kind="rules").values_list("data", flat=True))


def test_single_switches_are_set_otherwise_and_the_ledger_tells_which(club_game: ClubGame) -> None:
    change(club_game, wrong_score="zero", max_turns=12)
    assert profile_of(club_game.game) == load_profile("it-box").with_switches(wrong_score="zero", max_turns=12)
    assert entries(club_game) == [{"profile": "it-box", "switches": {"wrong_score": "zero", "max_turns": 12}}]


def test_the_switches_given_are_all_that_differ_so_that_none_is_a_reset(club_game: ClubGame) -> None:
    change(club_game, wrong_score="zero")
    change(club_game, missing_score="zero")
    assert profile_of(club_game.game) == load_profile("it-box").with_switches(missing_score="zero")
    change(club_game)
    assert profile_of(club_game.game) == load_profile("it-box")


def test_another_profile_can_be_taken(club_game: ClubGame) -> None:
    change(club_game, "fise")
    assert (club_game.game.profile, profile_of(club_game.game)) == ("fise", load_profile("fise"))


def test_a_new_time_to_think_is_the_time_control_of_the_game(club_game: ClubGame) -> None:
    change(club_game, clock_s=60)
    assert club_game.game.turn_seconds == 60


def test_what_the_variant_sets_stays(judge: User) -> None:
    club_game = create_club_game(judge, variant="7and8")
    change(club_game, rack_size=6, wrong_score="warn")
    profile = profile_of(club_game.game)
    assert (profile.rack_size, profile.bonus_table, profile.wrong_score) == (8, {7: 50, 8: 75}, "warn")


def test_the_same_rules_again_leave_no_trace(club_game: ClubGame) -> None:
    seq = club_game.refresh().seq
    change(club_game)
    assert (entries(club_game), club_game.game.seq) == ([], seq)


def test_a_rack_that_nobody_has_seen_is_drawn_again_by_the_new_rule(club_game: ClubGame) -> None:
    club_game.draw()
    change(club_game, rack_size=8, bonuses={7: 50, 8: 75})
    assert not Turn.objects.exists()
    drawn = club_game.draw()
    assert drawn is not None
    assert len(drawn.rack) == 8


def test_racks_typed_as_rejected_by_the_old_rule_are_forgotten(judge: User) -> None:
    club_game = create_club_game(judge, draw_mode="typed")
    club_game.game.typed_rejected = ["AAEEIOU"]
    club_game.game.save()
    change(club_game, min_early=0, min_late=0)
    assert club_game.game.typed_rejected == []


def test_from_the_first_announcement_on_the_rules_stay(club_game: ClubGame) -> None:
    club_game.draw()
    assert may_change_rules(club_game.game)
    club_game.announce()
    assert not may_change_rules(club_game.game)
    with pytest.raises(Refused, match=r"^The first rack of this game is announced: its rules stay as they are\.$"):
        change(club_game, wrong_score="zero")
    assert profile_of(club_game.refresh()) == load_profile("it-box")


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
    club_game: ClubGame, profile: str, switches: dict[str, object], sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        change(club_game, profile, **switches)
    assert str(refused.value).startswith(sentence)
    assert entries(club_game) == []


@pytest.mark.parametrize("code", one_in(4, profile_codes()))
def test_a_game_by_the_rules_of_each_profile_is_verified_without_a_difference(judge: User, code: str) -> None:
    club_game = create_club_game(judge, profile=code)
    rng = seeded_random(3)
    while club_game.refresh().turns.count() < 4 and play_turn(club_game, rng):
        pass
    assert club_game.game.turns.exclude(placed_at=None).count() == 4
    archive = read_archive(json.dumps(export_game(club_game.refresh())))
    assert archive["profile"]["name"] == code
    assert verify(archive, word_lists.graph_of(word_lists.word_list_of_game(club_game.game))) == []
