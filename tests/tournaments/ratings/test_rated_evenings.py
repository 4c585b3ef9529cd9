"""Ratings of played evenings: the database and the archives give the same ones, without handicap points."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engine.ratings.open_rating import VERSION, Rating
from tests.tournaments.club_game import FOUR_PLAYERS, ClubGame, create_club_game, play_turn, seeded_random
from tests.tournaments.conftest import KeptRows
from tests.tournaments.ratings.printed_ratings import printed_ratings
from tournaments.events.services import events, options
from tournaments.models import Event, Member, OpenRating, PlayerMember
from tournaments.now import utc_now
from tournaments.players.services import players
from tournaments.ratings.queries.ratings import find_ratings, list_ratings
from tournaments.ratings.services.refresh import refresh_ratings
from tournaments.results.queries.archive import export_game
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


def play_evenings() -> list[ClubGame]:
    """Three evenings of two turns. The first has two games and somebody who leaves, the second a pair, the third is of
    the same day as the second. The player of table 17 is a guest."""
    members = [Member.objects.create(surname=name) for name in ("Rossi", "Verdi", "Neri", "Fontana")]
    evenings = []
    for number, day in enumerate((6, 13, 13)):
        evening = create_club_game(first_judge(), FOUR_PLAYERS, name=f"Evening {number}", date=date(2026, 3, day))
        evening.now = utc_now().replace(year=2026, month=3, day=day, hour=18 + number)
        for table, member in zip((1, 2, 3), members, strict=False):
            PlayerMember.objects.create(player=evening.player(table), member=member)
        if number == 1:
            PlayerMember.objects.create(player=evening.player(3), member=members[3])
        rng = seeded_random(number + 3)
        play_turn(evening, rng)
        if number == 0:
            players.leave_game(player=evening.player(1), now=evening.later(), by=evening.judge)
        play_turn(evening, rng)
        evening.end()
        if number == 0:
            evening.game = events.add_game(event=evening.event, by=evening.judge, now=evening.later(), seed=bytes(32))
            play_turn(evening, rng)
            evening.end()
        evenings.append(evening)
    return evenings


@pytest.fixture(scope="module")
def played_once(kept_rows: KeptRows) -> Any:
    return kept_rows(play_evenings)


@pytest.fixture
def evenings(played_once: Any, db: None) -> list[ClubGame]:
    """The evenings; a test may change them."""
    return deepcopy(played_once)


def save_archives(folder: Path) -> None:
    for event in Event.objects.all():
        for game in event.games.all():
            (folder / f"{event.code}-{game.number}.json").write_text(json.dumps(export_game(game)))
    (folder / "season.json").write_text('{"members": []}')


def test_the_archives_alone_give_the_ratings_of_the_database(evenings: list[ClubGame], tmp_path: Path) -> None:
    save_archives(tmp_path)
    stored = printed_ratings()
    assert printed_ratings("--from-archives", str(tmp_path)) == stored
    assert printed_ratings("--from-archives", str(tmp_path), "--games", "1") == printed_ratings("--games", "1")
    assert stored["version"] == VERSION
    games = {line["member"]: line["games"] for line in stored["members"]}
    rossi, verdi, neri = (Member.objects.get(surname=name).pk for name in ("Rossi", "Verdi", "Neri"))
    assert games == {rossi: 2, verdi: 4, neri: 3}, "Rossi left the first game and missed the second, Neri was in a pair"
    assert all(line["rating"] != Rating().shown for line in stored["members"])


def test_a_handicap_changes_no_rating(evenings: list[ClubGame], tmp_path: Path) -> None:
    refresh_ratings()
    before = list_ratings()
    last = evenings[2]
    for table, series in ((1, "A"), (2, "B"), (3, "B")):
        players.rename_player(last.player(table), players.PlayerDetails(series=series), now=last.later(), by=last.judge)
    options.set_handicap(event=last.event, unit="points", series={"B": 900}, by=last.judge, now=last.later())
    refresh_ratings()
    assert [(each.member, each.form, each.rating) for each in list_ratings()] == [
        (each.member, each.form, each.rating) for each in before
    ]
    save_archives(tmp_path)
    assert printed_ratings("--from-archives", str(tmp_path)) == printed_ratings()


def test_a_guest_who_becomes_a_member_is_rated_from_the_first_evening_on(evenings: list[ClubGame]) -> None:
    refresh_ratings()
    guest = Member.objects.create(surname="Bianchi")
    assert find_ratings(guest) is None
    for evening in evenings:
        PlayerMember.objects.create(player=evening.player(17), member=guest)
    assert refresh_ratings() == 4
    found = find_ratings(guest)
    assert found is not None
    assert found.rating.games == 4
    assert len(found.history) == 3


def test_a_merged_member_has_the_ratings_of_both_records(evenings: list[ClubGame]) -> None:
    double = Member.objects.create(surname="Rosi")
    rossi = Member.objects.get(surname="Rossi")
    PlayerMember.objects.filter(member=rossi, player__event=evenings[2].event).update(member=double)
    refresh_ratings()
    assert {each.member: each.rating.games for each in list_ratings([rossi.pk, double.pk])} == {rossi: 1, double: 1}
    Member.objects.filter(pk=double.pk).update(merged_into=rossi)
    refresh_ratings()
    assert {each.member: each.rating.games for each in list_ratings([rossi.pk, double.pk])} == {rossi: 2}


def test_rehearsals_are_not_rated(evenings: list[ClubGame]) -> None:
    refresh_ratings()
    Event.objects.filter(pk=evenings[1].event.pk).update(is_rehearsal=True)
    refresh_ratings()
    assert not OpenRating.objects.filter(summary__event=evenings[1].event).exists()
    assert printed_ratings()["members"][0]["games"] <= 3


def test_a_refresh_without_a_change_rates_no_game_and_asks_little(
    evenings: list[ClubGame], django_assert_max_num_queries: Any
) -> None:
    assert refresh_ratings() == 4
    with django_assert_max_num_queries(10):
        assert refresh_ratings() == 0


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("ratings", "--from-archives", str(tmp_path / "none"))
    with pytest.raises(CommandError, match="--games must be 1 to 200"):
        call_command("ratings", "--games", "0")
    (tmp_path / "bad.json").write_text('{"format": "duplicate-game", "version": 1}')
    with pytest.raises(CommandError, match=r"bad\.json cannot be read"):
        call_command("ratings", "--from-archives", str(tmp_path))
