"""The season on the wall: if a judge switched it on, between turns, of finished events and of members who agreed."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from referee.live.rooms.snapshots import read_snapshots
from tests.tournaments.club_game import START_TIME, ClubGame
from tests.tournaments.conftest import _small_word_list, small_data_folder
from tests.tournaments.rooms_game import RoomsGame, create_three_rooms
from tests.tournaments.seasons.club_years import create_evenings, create_members, create_season, list_days, store_states
from tournaments.events.services import options
from tournaments.models import Member, PlayerMember
from tournaments.play.services import game_end
from tournaments.seasons.services.summaries import refresh_summaries
from tournaments.staff.services.login_links import first_judge

__all__ = ["_small_word_list", "small_data_folder"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def rooms_game(settings: Any) -> RoomsGame:
    """Three rooms on an evening of a season that has two earlier evenings; the player at table 1 is a member."""
    members = create_members(Random(2), 12)  # noqa: S311  the same rows in each run
    create_season(START_TIME.year - 1)
    create_evenings(Random(3), members, list_days(START_TIME.year - 1, 2), 12)  # noqa: S311
    live_game = create_three_rooms(first_judge())
    store_states()
    PlayerMember.objects.create(player=live_game.club_game.player(1), member=members[0])
    refresh_summaries()
    return live_game


def get_season(live_game: RoomsGame, room: str = "A") -> dict[str, Any]:
    cache.clear()
    token = live_game.room(room).wall_token or live_game.club_game.event.wall_token
    answer = Client().get(f"/wall/{token}/season.json")
    assert answer.status_code == 200
    content: dict[str, Any] = answer.json()
    return content


def wall_shows_season(live_game: RoomsGame, room: str = "A") -> bool:
    here = live_game.room(room).pk
    snapshot = read_snapshots(live_game.club_game.event.pk, [here])[here]
    assert "season_on_wall" not in json.loads(snapshot.for_phones)
    return bool(json.loads(snapshot.for_wall)["season_on_wall"])


def switch_on(club_game: ClubGame) -> None:
    options.set_season_on_wall(event=club_game.event, is_on=True, by=club_game.judge, now=club_game.later())


def test_the_season_is_shown_between_turns_once_it_is_switched_on(rooms_game: RoomsGame) -> None:
    club_game = rooms_game.club_game
    assert not get_season(rooms_game)["lines"]
    assert not wall_shows_season(rooms_game)
    switch_on(club_game)
    assert get_season(rooms_game)["lines"]
    assert wall_shows_season(rooms_game)
    club_game.begin_turn("CORNOAT")
    assert not get_season(rooms_game)["lines"]
    assert not wall_shows_season(rooms_game)
    club_game.close()
    assert not get_season(rooms_game)["lines"]
    club_game.place()
    assert get_season(rooms_game)["lines"]
    assert wall_shows_season(rooms_game)


def test_only_members_who_agreed_are_named_and_the_wall_says_so(rooms_game: RoomsGame) -> None:
    switch_on(rooms_game.club_game)
    season = get_season(rooms_game)
    agreed = {member.name for member in Member.objects.filter(may_be_published=True)}
    assert {line["name"] for line in season["lines"]} <= agreed
    assert season["note"]
    ranks = [int(line["rank"]) for line in season["lines"]]
    assert len(ranks) < max(ranks)  # the others keep their ranks
    Member.objects.update(may_be_published=True)
    assert not get_season(rooms_game)["note"]


def test_no_room_learns_of_this_evening_before_the_last_room_has_seen_its_end(rooms_game: RoomsGame) -> None:
    club_game = rooms_game.club_game
    switch_on(club_game)
    before = get_season(rooms_game)
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8D", 22)
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    refresh_summaries()
    assert get_season(rooms_game) == before
    for room in ("B", "C"):
        rooms_game.play(room)
    refresh_summaries()
    assert get_season(rooms_game)["events"] != before["events"]


def test_without_a_season_of_this_date_the_switch_is_refused(client: Client) -> None:
    club_game = create_three_rooms(first_judge()).club_game
    client.force_login(club_game.judge)
    answer = client.post(f"/desk/{club_game.event.code}/do/season-on-wall/", {"on": "1"}, follow=True)
    assert "create one on the page of seasons" in answer.content.decode()
    assert not club_game.refresh().event.season_on_wall
    create_season(START_TIME.year - 1)
    answer = client.post(f"/desk/{club_game.event.code}/do/season-on-wall/", {"on": "1"}, follow=True)
    assert "Take the season off the wall" in answer.content.decode()
