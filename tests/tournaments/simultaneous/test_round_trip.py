"""A simultaneous game from the package to the ranking: two clubs, and every file that is not as it should be."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any, cast

import pytest
from django.contrib.auth.models import User

from engine.simultaneous.package import Package
from tests.leaks import leaked
from tests.tournaments.prepared.sample_game import create_prepared_game
from tests.tournaments.simultaneous.clubs_at_play import (
    CLOSES,
    OPENS,
    changed,
    create_simultaneous,
    open_at_club,
    play_at_club,
    receive,
    returned_by,
    sealed_again,
)
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Simultaneous
from tournaments.prepared.scripts import script_of
from tournaments.simultaneous.queries.packages import package_of
from tournaments.simultaneous.services import club as club_services
from tournaments.simultaneous.services import returns
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge() -> User:
    return first_judge()


@pytest.fixture
def simultaneous(judge: User) -> Simultaneous:
    return create_simultaneous(judge)


def judged(simultaneous: Simultaneous) -> list[dict[str, Any]]:
    """The report on the last file that was returned."""
    last = simultaneous.returns.first()
    assert last is not None
    assert last.report is not None, last.error
    return cast(list[dict[str, Any]], last.report)


def people(simultaneous: Simultaneous) -> list[dict[str, Any]]:
    """The lines of the common ranking."""
    simultaneous.refresh_from_db()
    assert simultaneous.ranking is not None
    return cast(list[dict[str, Any]], simultaneous.ranking["people"])


def test_two_clubs_play_return_and_are_ranked_together(judge: User) -> None:
    games = [create_prepared_game(judge, title) for title in ("Round 1", "Round 2")]
    simultaneous = create_simultaneous(judge, games=games)
    for seed, club in enumerate(simultaneous.clubs.all(), 1):
        opened = play_at_club(club, judge, seed=seed)
        played = [game["turns"] for game in _archives(returned_by(opened))]
        assert [[turn["rack"] for turn in turns] for turns in played] == [
            [turn["rack"] for turn in script_of(game)["turns"]] for game in games
        ]
        receipt = receive(simultaneous, returned_by(opened))
        assert receipt.is_taken, receipt.sentence
    simultaneous.refresh_from_db()
    assert [(each.state, each.differences) for each in simultaneous.returns.all()] == [("judged", 0)] * 2
    ranking = simultaneous.ranking
    assert ranking is not None
    by_hand = {
        (club.name, each["name"]): sum(sum(result["points"]) for result in _results(club, each["name"]))
        for club in simultaneous.clubs.all()
        for each in _report(club)[0]["players"]
    }
    names = {club.number: club.name for club in simultaneous.clubs.all()}
    assert {(names[line["club"]], line["name"]): line["total"] for line in ranking["people"]} == by_hand
    assert len(ranking["people"]) == 6
    assert len(ranking["clubs"]) == 2


def _archives(content: bytes) -> list[dict[str, Any]]:
    return [each["archive"] for each in json.loads(content)["games"]]


def _report(club: Any) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], club.returns.get().report)


def _results(club: Any, name: str) -> list[dict[str, Any]]:
    return [player for game in _report(club) for player in game["players"] if player["name"] == name]


def test_nothing_stored_at_the_club_shows_a_turn_before_it_is_played(judge: User, simultaneous: Simultaneous) -> None:
    script = script_of(simultaneous.prepared_games.get().prepared)
    words = [turn["master"]["word"] for turn in script["turns"] if turn["master"]]
    secrets = [turn["rack"] for turn in script["turns"]] + [word for word in words if len(word) > 4]
    package = json.dumps(package_of(simultaneous, ""))
    assert leaked(package, secrets) == []
    opened = open_at_club(simultaneous.clubs.all()[0], judge)
    assert leaked(json.dumps(opened.prepared.get().script), secrets) == []


def test_a_package_opens_in_its_window_with_its_code_only(judge: User, simultaneous: Simultaneous) -> None:
    club = simultaneous.clubs.all()[0]
    with pytest.raises(Refused, match="opens on"):
        open_at_club(club, judge, OPENS - timedelta(seconds=1))
    package = package_of(simultaneous, "")
    altered: Package = {**package, "opens_at": package["closes_at"]}
    for broken, code in (
        (package, "BCDFG-HJKMN-PQRST-23456"),
        (package, "rack"),
        (altered, club.start_code),
    ):
        with pytest.raises(Refused, match="does not open"):
            club_services.open_sealed_package(package=broken, code=code, language="it", by=judge, now=OPENS)
    opened = open_at_club(club, judge)
    assert open_at_club(club, judge) == opened
    with pytest.raises(Refused, match="to its end first"):
        club_services.make_club_return(opened=opened, now=OPENS)


def test_a_late_return_is_kept_and_counts_when_the_organiser_says_so(judge: User, simultaneous: Simultaneous) -> None:
    receipt = receive(
        simultaneous, returned_by(play_at_club(simultaneous.clubs.all()[0], judge)), CLOSES + timedelta(minutes=1)
    )
    late = simultaneous.returns.get()
    assert "too late" in receipt.sentence
    assert (late.fault, late.counts, receipt.is_taken) == ("late", "held", False)
    assert people(simultaneous) == []
    returns.decide(returned=late, counts=True, by=judge, now=CLOSES)
    assert len(people(simultaneous)) == 3
    returns.decide(returned=late, counts=False, by=judge, now=CLOSES)
    late.refresh_from_db()
    assert people(simultaneous) == []
    assert [act["kind"] for act in late.acts] == ["counted", "withdrawn"]


def test_the_same_file_is_kept_once_and_another_one_of_the_club_waits(judge: User, simultaneous: Simultaneous) -> None:
    content = returned_by(opened := play_at_club(simultaneous.clubs.all()[0], judge))
    receive(simultaneous, content)
    with pytest.raises(AlreadyDone, match="already received"):
        receive(simultaneous, content)
    other = json.dumps(club_services.make_club_return(opened=opened, now=CLOSES - timedelta(hours=2))).encode()
    receipt = receive(simultaneous, other)
    assert "Another return of Torino" in receipt.sentence
    second, first = simultaneous.returns.all()
    assert (first.counts, second.counts) == ("counted", "held")
    returns.decide(returned=second, counts=True, by=judge, now=CLOSES)
    assert sorted(simultaneous.returns.values_list("counts", flat=True)) == ["counted", "replaced"]


def test_an_altered_file_is_kept_and_the_altered_part_is_named(judge: User, simultaneous: Simultaneous) -> None:
    content = returned_by(play_at_club(simultaneous.clubs.all()[0], judge))

    def raise_points(found: Any) -> None:
        found["games"][0]["archive"]["turns"][0]["slips"][0]["verdict"]["points"] += 10

    receipt = receive(simultaneous, changed(content, raise_points))
    assert "archive of game 1 was altered" in receipt.sentence
    receipt = receive(simultaneous, changed(content, lambda found: found.update(made_at="2026-03-07T00:00:00+00:00")))
    assert "list of games was altered" in receipt.sentence
    assert {(each.fault, each.counts) for each in simultaneous.returns.all()} == {("altered", "held")}
    assert receive(simultaneous, content).is_taken


def test_files_of_another_game_and_of_impostors_are_kept_and_never_count(
    judge: User, simultaneous: Simultaneous
) -> None:
    torino, milano = simultaneous.clubs.all()
    content = returned_by(play_at_club(torino, judge))
    receipt = receive(simultaneous, changed(content, lambda found: found.update(club=milano.number)))
    assert "does not prove" in receipt.sentence
    receipt = receive(simultaneous, changed(content, lambda found: found.update(simultaneous="0" * 32)))
    assert "of another game" in receipt.sentence
    other = create_simultaneous(
        judge, title="Second open", games=[create_prepared_game(judge, "Other", switches={"max_turns": 4})]
    )
    receipt = receive(other, content)
    assert "“Open of the regions”" in receipt.sentence
    for each in [*simultaneous.returns.all(), *other.returns.all()]:
        assert each.counts == "held"
        with pytest.raises(Refused):
            returns.decide(returned=each, counts=True, by=judge, now=CLOSES)
    assert receive(simultaneous, content).is_taken


@pytest.mark.parametrize("content", [b"\xff\xfe", b"no JSON", b"{}", b'{"format": "duplicate-simultaneous-return"}'])
def test_a_file_that_is_no_return_is_refused_with_a_remedy(simultaneous: Simultaneous, content: bytes) -> None:
    with pytest.raises(Refused, match="Send the file that the program saved"):
        receive(simultaneous, content)
    assert not simultaneous.returns.exists()


def test_what_a_club_alters_before_sealing_is_reported(judge: User, simultaneous: Simultaneous) -> None:
    club = simultaneous.clubs.all()[0]
    content = returned_by(play_at_club(club, judge))

    def better_verdict(archive: Any) -> None:
        archive["turns"][1]["slips"][0]["verdict"]["points"] += 7

    def better_slip(archive: Any) -> None:
        turn = archive["turns"][1]
        top, slip = turn["tops"][0], turn["slips"][0]
        slip |= {"word": top["word"], "ref": top["ref"], "declared": top["score"]}

    for change in (better_verdict, better_slip):
        receive(simultaneous, sealed_again(club, content, change))
        [report] = judged(simultaneous)
        assert [each for each in report["differences"] if "turn 2" in each["where"]], change
        assert [(each["turn"], each["table"]) for each in report["slips"]] == [(2, 1)], change


def test_a_ruling_of_the_club_changes_no_verdict_of_the_hub(judge: User, simultaneous: Simultaneous) -> None:
    club = simultaneous.clubs.all()[0]
    content = returned_by(play_at_club(club, judge))

    def rule_by_judge(archive: Any) -> None:
        slip = archive["turns"][0]["slips"][0]
        slip["decided_by"], slip["reason"] = "judge", "clear enough"
        slip["verdict"] |= {"result": "valid", "reason": None, "points": 99, "move_score": 99}

    receive(simultaneous, content)
    plain = simultaneous.returns.get()
    returns.decide(returned=plain, counts=False, by=judge, now=CLOSES)
    receive(simultaneous, sealed_again(club, content, rule_by_judge))
    [ruled] = judged(simultaneous)
    plain.refresh_from_db()
    assert plain.report is not None
    assert [each["points"] for each in plain.report[0]["players"]] == [each["points"] for each in ruled["players"]]
    [difference] = ruled["slips"]
    assert (difference["club_points"], difference["club_reason"]) == (99, "judge")
