"""Privacy at the desk: retention period, anonymisation in two steps, a person's stored data."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from referee.security.player_tokens import COOKIE
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.enums import Role
from tournaments.models import Event, LedgerEntry, Membership, Player
from tournaments.now import utc_now
from tournaments.players.services import players

pytestmark = pytest.mark.django_db
NAME = "Anna Zanzottera"


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game(names=(NAME, "Bruno Galli"))


@pytest.fixture
def desk(client: Client, live_game: LiveGame) -> Client:
    client.force_login(live_game.judge)
    return client


def page(live_game: LiveGame, rest: str = "") -> str:
    return f"/desk/{live_game.event.code}/privacy/{rest}"


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def dated(live_game: LiveGame, days_ago: int, keep_days: int | None) -> None:
    day = timezone.localdate() - timedelta(days=days_ago)
    Event.objects.filter(pk=live_game.event.pk).update(date=day, keep_days=keep_days)


def test_forgetting_takes_a_look_and_the_code_of_the_event(desk: Client, live_game: LiveGame) -> None:
    first = text(desk, page(live_game))
    assert "Show what would be forgotten" in first
    assert "Forget for good" not in first
    second = text(desk, page(live_game, "?forget=1"))
    assert "Forget for good" in second
    assert "2 players become" in second
    for wrong in ("", "WRONG", live_game.event.code[:-1]):
        desk.post(page(live_game), {"code": wrong})
        assert Player.objects.filter(name=NAME).exists()
    answer = desk.post(page(live_game), {"code": live_game.event.code.lower()}, follow=True).content.decode()
    assert "The names are forgotten" in answer
    assert not Player.objects.filter(name=NAME).exists()
    assert NAME not in text(desk, f"/desk/{live_game.event.code}/players/")
    assert "Forget" not in text(desk, page(live_game, "?forget=1")).partition("</nav>")[2].replace("are forgotten", "")


def test_a_look_alone_forgets_nothing(desk: Client, live_game: LiveGame) -> None:
    before = LedgerEntry.objects.count()
    for _ in range(3):
        desk.get(page(live_game, f"?forget=1&code={live_game.event.code}"))
    assert Player.objects.filter(name=NAME).exists()
    assert LedgerEntry.objects.count() == before


def test_in_the_middle_of_a_game_the_desk_says_what_to_do_first(desk: Client, live_game: LiveGame) -> None:
    live_game.draw("CORNOAT")
    live_game.announce()
    answer = desk.post(page(live_game), {"code": live_game.event.code}, follow=True).content.decode()
    assert "end it first" in answer
    assert Player.objects.filter(name=NAME).exists()


@pytest.mark.parametrize("role", [Role.JUDGE, Role.TYPIST])
def test_only_the_director_forgets(client: Client, live_game: LiveGame, role: Role) -> None:
    helper = User.objects.create(username="helper")
    Membership.objects.create(event=live_game.event, user=helper, role=role)
    client.force_login(helper)
    assert client.get(page(live_game)).status_code == 403
    assert client.post(page(live_game), {"code": live_game.event.code}).status_code == 403
    assert Player.objects.filter(name=NAME).exists()


def test_the_end_is_announced_on_the_desk_beforehand_and_nothing_happens_by_itself(
    desk: Client, live_game: LiveGame, settings: Settings
) -> None:
    settings.RETENTION_DAYS = 30
    console = f"/desk/{live_game.event.code}/players/"
    assert "are kept until" not in text(desk, console)
    dated(live_game, 20, None)
    assert "The names of this event are kept until" in text(desk, console)
    assert "names until" in text(desk, "/desk/")
    dated(live_game, 40, None)
    assert "should now be forgotten" in text(desk, console)
    assert Player.objects.filter(name=NAME).exists(), "the desk offers it, and does not do it by itself"


@pytest.mark.parametrize(("typed", "kept"), [("90", 90), ("0", 0), ("", None)])
def test_the_retention_period_is_set_on_the_page(
    desk: Client, live_game: LiveGame, typed: str, kept: int | None
) -> None:
    desk.post(page(live_game), {"days": typed})
    assert Event.objects.get(pk=live_game.event.pk).keep_days == kept


@pytest.mark.parametrize("typed", ["-1", "ten", "1.5", "9999999", "٣"])
def test_an_invalid_number_of_days_is_reported(desk: Client, live_game: LiveGame, typed: str) -> None:
    answer = desk.post(page(live_game), {"days": typed}, follow=True).content.decode()
    assert "notice error" in answer
    assert Event.objects.get(pk=live_game.event.pk).keep_days is None


def test_a_judge_downloads_the_stored_data_of_a_player(desk: Client, live_game: LiveGame) -> None:
    answer = desk.get(f"/desk/{live_game.event.code}/players/1/data.json")
    assert "attachment" in answer["Content-Disposition"]
    assert answer.json()["name"] == NAME
    assert "Bruno" not in answer.content.decode()


def test_a_player_downloads_their_stored_data_on_their_phone(client: Client, live_game: LiveGame) -> None:
    assert client.get("/play/my-data.json").status_code == 302
    client.cookies[COOKIE] = live_game.cookie(1).partition("=")[2]
    answer = client.get("/play/my-data.json")
    assert json.loads(answer.content)["name"] == NAME
    assert answer["Cache-Control"] == "no-store"
    assert "my-data.json" in text(client, f"/j/{live_game.event.code}/")


def test_a_player_who_joins_by_the_form_may_give_a_nickname(client: Client, live_game: LiveGame) -> None:
    client.post(f"/j/{live_game.event.code}/", {"name": "Carla Neri", "nickname": "Libellula"})
    player = Player.objects.get(name="Carla Neri")
    assert player.nickname == "Libellula"
    answer = Client().post(f"/j/{live_game.event.code}/", {"name": "Zoe", "nickname": "libellula"})
    assert answer.status_code == 422
    assert "Another player is called" in answer.content.decode()


def test_the_desk_shows_both_and_changes_the_nickname(desk: Client, live_game: LiveGame) -> None:
    changed = {"table": 1, "name": NAME, "nickname": "Vespa"}
    desk.post(f"/desk/{live_game.event.code}/do/rename-player/", changed)
    shown = text(desk, f"/desk/{live_game.event.code}/players/")
    assert NAME in shown
    assert "“Vespa”" in shown


def forget(*arguments: str) -> str:
    out = StringIO()
    call_command("forget", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_the_command_says_what_it_does_and_does_it_once_confirmed(live_game: LiveGame) -> None:
    with pytest.raises(CommandError, match="Nothing was forgotten"):
        forget(live_game.event.code)
    assert Player.objects.filter(name=NAME).exists()
    said = forget(live_game.event.code.lower(), "--yes")
    assert "2 players" in said
    assert not Player.objects.filter(name=NAME).exists()
    with pytest.raises(CommandError, match="already"):
        forget(live_game.event.code, "--yes")


def test_the_command_knows_what_is_due_and_leaves_a_game_in_the_middle_alone(
    live_game: LiveGame, settings: Settings
) -> None:
    settings.RETENTION_DAYS = 30
    playing, fresh = make_live_game(), make_live_game()
    for old in (live_game, playing):
        dated(old, 40, None)
    playing.draw("CORNOAT")
    said = forget("--due", "--yes")
    assert "end it first" in said
    forgotten = set(Event.objects.exclude(forgotten_at=None).values_list("pk", flat=True))
    assert forgotten == {live_game.event.pk}
    assert fresh.event.pk not in forgotten
    players.join_event(event=fresh.event, name="Zoe", table=None, now=utc_now(), token="t" * 22)


@pytest.mark.parametrize("code", ["WRONG", "", "../x"])
def test_the_command_refuses_an_event_that_there_is_not(db: None, code: str) -> None:
    with pytest.raises(CommandError, match="no event"):
        forget(code, "--yes")
