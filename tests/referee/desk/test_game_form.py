"""Formula, time of a turn and number of turns are chosen with a new event; left alone the rules decide."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from referee.desk.game_form import GameForm
from tournaments.models import Game
from tournaments.services.access import first_judge

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
    assert (game.formula, game.rhythm_s, game.switches["max_turns"]) == ("normal", 180, None)


def test_a_formula_a_rhythm_and_a_number_of_turns_are_taken(desk: Client) -> None:
    game = begun(desk, "formula=7of8-joker&rhythm=90&turns=12")
    assert (game.formula, game.rhythm_s, game.switches["max_turns"]) == ("7of8-joker", 90, 12)
    assert (game.switches["rack_size"], game.switches["calls_s"]) == (8, [20, 5])


def test_an_own_time_counts_only_when_it_is_chosen(desk: Client) -> None:
    assert begun(desk, "rhythm=own&seconds=45").rhythm_s == 45
    form = GameForm(QueryDict("rhythm=60&seconds=45"))
    assert form.is_valid()
    assert form.rhythm_s == 60


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ("rhythm=own", "seconds"),
        ("rhythm=own&seconds=3", "seconds"),
        ("formula=chess", "formula"),
        ("turns=0", "turns"),
    ],
)
def test_what_cannot_be_is_told_at_its_field(fields: str, field: str) -> None:
    form = GameForm(QueryDict(fields))
    assert not form.is_valid()
    assert list(form.errors) == [field]


def test_the_page_offers_formulas_and_rhythms_with_their_calls(desk: Client) -> None:
    page = desk.get("/desk/new/", headers={"accept-language": "en"}).content.decode()
    assert '<option value="7-8-9-joker">7, 8 and 9, joker</option>' in page
    assert '<option value="90">1:30 – semi-blitz, calls at 0:20, 0:05</option>' in page


def test_the_next_game_may_have_another_formula_and_is_else_like_the_last(desk: Client, judge: User) -> None:
    game = begun(desk, "formula=7of8&rhythm=60")
    Game.objects.update(state="finished", end_why="judge")
    url = f"/desk/{game.event.code}"
    page = desk.get(f"{url}/", headers={"accept-language": "en"}).content.decode()
    assert "as in the last game" in page
    desk.post(f"{url}/do/next-game/", {"formula": "joker", "rhythm": ""})
    second = Game.objects.get(number=2)
    assert (second.formula, second.rhythm_s, second.switches["rack_size"]) == ("joker", 60, 7)
    Game.objects.update(state="finished", end_why="judge")
    desk.post(f"{url}/do/next-game/", {})
    assert (Game.objects.get(number=3).formula, Game.objects.get(number=3).rhythm_s) == ("joker", 60)
