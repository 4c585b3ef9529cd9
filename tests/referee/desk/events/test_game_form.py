"""Choice of variant, time of a turn and number of turns for a new event; by default the rules decide."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from referee.desk.events.game_form import GameForm
from tournaments.models import Game
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db

EVENT = "name=Night&date=2026-11-21&edition=it&profile=it-box&lexicon=it&draw_mode=seeded&language=it"


@pytest.fixture
def judge(db: None) -> User:
    return first_judge()


@pytest.fixture
def desk(client: Client, judge: User) -> Client:
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    return client


def begun(desk: Client, fields: str) -> Game:
    assert desk.post("/desk/new/", QueryDict(f"{EVENT}&{fields}").dict()).status_code == 302
    return Game.objects.get()


def test_left_alone_it_is_a_normal_game_by_the_clock_of_the_rules(desk: Client) -> None:
    game = begun(desk, "")
    assert (game.variant, game.turn_seconds, game.switches["max_turns"]) == ("normal", 180, None)


def test_a_variant_a_rhythm_and_a_number_of_turns_are_taken(desk: Client) -> None:
    game = begun(desk, "variant=7of8-joker&time_control=90&turns=12")
    assert (game.variant, game.turn_seconds, game.switches["max_turns"]) == ("7of8-joker", 90, 12)
    assert (game.switches["rack_size"], game.switches["calls_s"]) == (8, [20, 5])


def test_an_own_time_counts_only_when_it_is_chosen(desk: Client) -> None:
    assert begun(desk, "time_control=own&seconds=45").turn_seconds == 45
    form = GameForm(QueryDict("time_control=60&seconds=45"))
    assert form.is_valid()
    assert form.turn_seconds == 60


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ("time_control=own", "seconds"),
        ("time_control=own&seconds=3", "seconds"),
        ("variant=chess", "variant"),
        ("turns=0", "turns"),
    ],
)
def test_an_invalid_value_is_reported_at_its_field(fields: str, field: str) -> None:
    form = GameForm(QueryDict(fields))
    assert not form.is_valid()
    assert list(form.errors) == [field]


def test_the_page_offers_variants_and_rhythms_with_their_calls(desk: Client) -> None:
    page = desk.get("/desk/new/", headers={"accept-language": "en"}).content.decode()
    assert '<option value="7-8-9-joker">7, 8 and 9, joker</option>' in page
    assert '<option value="90">1:30 – semi-blitz, calls at 0:20, 0:05</option>' in page


def test_the_next_game_may_have_another_variant_and_is_else_like_the_last(desk: Client, judge: User) -> None:
    game = begun(desk, "variant=7of8&time_control=60")
    Game.objects.update(state="finished", end_why="judge")
    url = f"/desk/{game.event.code}"
    page = desk.get(f"{url}/", headers={"accept-language": "en"}).content.decode()
    assert "as in the last game" in page
    desk.post(f"{url}/do/next-game/", {"variant": "joker", "time_control": ""})
    second = Game.objects.get(number=2)
    assert (second.variant, second.turn_seconds, second.switches["rack_size"]) == ("joker", 60, 7)
    Game.objects.update(state="finished", end_why="judge")
    desk.post(f"{url}/do/next-game/", {})
    assert (Game.objects.get(number=3).variant, Game.objects.get(number=3).turn_seconds) == ("joker", 60)
