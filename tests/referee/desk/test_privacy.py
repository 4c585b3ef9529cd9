"""The desk keeps names as long as it says, forgets them in two steps, and gives people what is theirs."""

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

from referee.security.seats import COOKIE
from tests.referee.live.evening import Evening, make_evening
from tournaments.enums import Role
from tournaments.models import Event, LedgerEntry, Membership, Player
from tournaments.now import utc_now
from tournaments.services import players

pytestmark = pytest.mark.django_db
NAME = "Anna Zanzottera"


@pytest.fixture
def evening() -> Evening:
    return make_evening(names=(NAME, "Bruno Galli"))


@pytest.fixture
def desk(client: Client, evening: Evening) -> Client:
    client.force_login(evening.judge)
    return client


def page(evening: Evening, rest: str = "") -> str:
    return f"/desk/{evening.event.code}/privacy/{rest}"


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def dated(evening: Evening, days_ago: int, keep_days: int | None) -> None:
    day = timezone.localdate() - timedelta(days=days_ago)
    Event.objects.filter(pk=evening.event.pk).update(date=day, keep_days=keep_days)


def test_forgetting_takes_a_look_and_the_code_of_the_event(desk: Client, evening: Evening) -> None:
    first = text(desk, page(evening))
    assert "Show what would be forgotten" in first
    assert "Forget for good" not in first
    second = text(desk, page(evening, "?forget=1"))
    assert "Forget for good" in second
    assert "2 players become" in second
    for wrong in ("", "WRONG", evening.event.code[:-1]):
        desk.post(page(evening), {"code": wrong})
        assert Player.objects.filter(name=NAME).exists()
    answer = desk.post(page(evening), {"code": evening.event.code.lower()}, follow=True).content.decode()
    assert "The names are forgotten" in answer
    assert not Player.objects.filter(name=NAME).exists()
    assert NAME not in text(desk, f"/desk/{evening.event.code}/players/")
    assert "Forget" not in text(desk, page(evening, "?forget=1")).partition("</nav>")[2].replace("are forgotten", "")


def test_a_look_alone_forgets_nothing(desk: Client, evening: Evening) -> None:
    before = LedgerEntry.objects.count()
    for _ in range(3):
        desk.get(page(evening, f"?forget=1&code={evening.event.code}"))
    assert Player.objects.filter(name=NAME).exists()
    assert LedgerEntry.objects.count() == before


def test_in_the_middle_of_a_game_the_desk_says_what_to_do_first(desk: Client, evening: Evening) -> None:
    evening.draw("CORNOAT")
    evening.announce()
    answer = desk.post(page(evening), {"code": evening.event.code}, follow=True).content.decode()
    assert "end it first" in answer
    assert Player.objects.filter(name=NAME).exists()


@pytest.mark.parametrize("role", [Role.JUDGE, Role.TYPIST])
def test_only_the_director_forgets(client: Client, evening: Evening, role: Role) -> None:
    helper = User.objects.create(username="helper")
    Membership.objects.create(event=evening.event, user=helper, role=role)
    client.force_login(helper)
    assert client.get(page(evening)).status_code == 403
    assert client.post(page(evening), {"code": evening.event.code}).status_code == 403
    assert Player.objects.filter(name=NAME).exists()


def test_the_end_is_announced_on_the_desk_beforehand_and_nothing_happens_by_itself(
    desk: Client, evening: Evening, settings: Settings
) -> None:
    settings.RETENTION_DAYS = 30
    console = f"/desk/{evening.event.code}/players/"
    assert "are kept until" not in text(desk, console)
    dated(evening, 20, None)
    assert "The names of this event are kept until" in text(desk, console)
    assert "names until" in text(desk, "/desk/")
    dated(evening, 40, None)
    assert "were to be kept is over" in text(desk, console)
    assert Player.objects.filter(name=NAME).exists(), "the desk offers it, and does not do it by itself"


@pytest.mark.parametrize(("typed", "kept"), [("90", 90), ("0", 0), ("", None)])
def test_how_long_names_are_kept_is_set_on_the_page(
    desk: Client, evening: Evening, typed: str, kept: int | None
) -> None:
    desk.post(page(evening), {"days": typed})
    assert Event.objects.get(pk=evening.event.pk).keep_days == kept


@pytest.mark.parametrize("typed", ["-1", "ten", "1.5", "9999999", "٣"])
def test_what_is_no_number_of_days_is_told(desk: Client, evening: Evening, typed: str) -> None:
    answer = desk.post(page(evening), {"days": typed}, follow=True).content.decode()
    assert "notice error" in answer
    assert Event.objects.get(pk=evening.event.pk).keep_days is None


def test_a_judge_hands_a_player_what_is_stored_about_him(desk: Client, evening: Evening) -> None:
    answer = desk.get(f"/desk/{evening.event.code}/players/1/data.json")
    assert "attachment" in answer["Content-Disposition"]
    assert answer.json()["name"] == NAME
    assert "Bruno" not in answer.content.decode()


def test_a_player_takes_what_is_stored_about_him_from_his_own_phone(client: Client, evening: Evening) -> None:
    assert client.get("/play/my-data.json").status_code == 302
    client.cookies[COOKIE] = evening.cookie(1).partition("=")[2]
    answer = client.get("/play/my-data.json")
    assert json.loads(answer.content)["name"] == NAME
    assert answer["Cache-Control"] == "no-store"
    assert "my-data.json" in text(client, f"/j/{evening.event.code}/")


def test_who_joins_by_the_form_may_give_a_nickname(client: Client, evening: Evening) -> None:
    client.post(f"/j/{evening.event.code}/", {"name": "Carla Neri", "nickname": "Libellula"})
    player = Player.objects.get(name="Carla Neri")
    assert player.nickname == "Libellula"
    answer = Client().post(f"/j/{evening.event.code}/", {"name": "Zoe", "nickname": "libellula"})
    assert answer.status_code == 422
    assert "Another player is called" in answer.content.decode()


def test_the_desk_shows_both_and_changes_the_nickname(desk: Client, evening: Evening) -> None:
    changed = {"table": 1, "name": NAME, "nickname": "Vespa"}
    desk.post(f"/desk/{evening.event.code}/do/rename-player/", changed)
    shown = text(desk, f"/desk/{evening.event.code}/players/")
    assert NAME in shown
    assert "“Vespa”" in shown


def forget(*arguments: str) -> str:
    out = StringIO()
    call_command("forget", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_the_command_says_what_it_does_and_does_it_once_confirmed(evening: Evening) -> None:
    with pytest.raises(CommandError, match="Nothing was forgotten"):
        forget(evening.event.code)
    assert Player.objects.filter(name=NAME).exists()
    said = forget(evening.event.code.lower(), "--yes")
    assert "2 players" in said
    assert not Player.objects.filter(name=NAME).exists()
    with pytest.raises(CommandError, match="already"):
        forget(evening.event.code, "--yes")


def test_the_command_knows_what_is_due_and_leaves_a_game_in_the_middle_alone(
    evening: Evening, settings: Settings
) -> None:
    settings.RETENTION_DAYS = 30
    playing, fresh = make_evening(), make_evening()
    for old in (evening, playing):
        dated(old, 40, None)
    playing.draw("CORNOAT")
    said = forget("--due", "--yes")
    assert "end it first" in said
    forgotten = set(Event.objects.exclude(forgotten_at=None).values_list("pk", flat=True))
    assert forgotten == {evening.event.pk}
    assert fresh.event.pk not in forgotten
    players.join(event=fresh.event, name="Zoe", table=None, now=utc_now(), token="t" * 22)


@pytest.mark.parametrize("code", ["WRONG", "", "../x"])
def test_the_command_refuses_an_event_that_there_is_not(db: None, code: str) -> None:
    with pytest.raises(CommandError, match="no event"):
        forget(code, "--yes")
