"""Nobody takes another player's table: one phone a table, and where the event wants it only with the table's code."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from referee.security import failure_throttle
from referee.security.player_tokens import COOKIE
from tests.referee.phone.seats import NOW, open_event, seat_player
from tournaments.enums import Role
from tournaments.models import Event, LedgerEntry, Membership, Player
from tournaments.players.seat_codes import CODE_CHARACTERS, format_seat_code, is_seat_code, seat_code
from tournaments.players.services import seats

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("failures_at_one_moment")]


@pytest.fixture
def event() -> Event:
    return open_event()


@pytest.fixture
def careful(event: Event) -> Event:
    """An event in which phones need the code of their table."""
    seats.set_seat_codes(event=event, wanted=True, now=NOW, by=None)
    return event


@pytest.fixture
def judge(event: Event) -> Client:
    user = User.objects.create(username="director")
    Membership.objects.create(event=event, user=user, role=Role.DIRECTOR)
    client = Client()
    client.force_login(user)
    return client


def take(client: Client, event: Event, **fields: object) -> Any:
    page = client.get(f"/j/{event.code}/").content.decode()
    found = re.search(r'name="ticket" value="([^"]+)"', page)
    assert found
    return client.post(f"/j/{event.code}/", {"ticket": found[1], **fields})


def act(judge: Client, event: Event, name: str, **fields: object) -> str:
    answer = judge.post(f"/desk/{event.code}/do/{name}/", fields, headers={"Accept": "application/json"})
    return str(answer.json()["sentence"])


def refusal(answer: Any) -> str:
    assert (answer.status_code, COOKIE in answer.cookies) == (422, False)
    return str(answer.context["form"].non_field_errors()[0])


def test_a_stranger_does_not_get_a_table_that_has_a_phone(event: Event) -> None:
    seat_player(event, 17, "Bruno")
    owner, stranger = Client(), Client()
    take(owner, event, table="17")
    for fields in ({"table": "17"}, {"name": "Bruno"}, {"name": "Bruno", "table": "17"}):
        assert "has a phone already" in refusal(take(stranger, event, **fields))
    assert owner.get("/play/").status_code == 200
    assert stranger.get("/play/")["Location"] == "/"


def test_the_same_phone_may_join_again_and_again(event: Event) -> None:
    seat_player(event, 17, "Bruno")
    phone = Client()
    for _ in range(3):
        assert take(phone, event, table="17")["Location"] == "/play/"
    assert phone.get("/play/").status_code == 200


def test_moving_to_another_phone_takes_one_click_of_the_judge(event: Event, judge: Client) -> None:
    seat_player(event, 17, "Bruno")
    old, new = Client(), Client()
    take(old, event, table="17")
    assert "Allow another phone" in judge.get(f"/desk/{event.code}/players/17/").content.decode()
    assert act(judge, event, "free-phone", table=17) == "Table 17 waits for the next phone."
    assert old.get("/play/")["Location"] == "/"
    assert take(new, event, table="17")["Location"] == "/play/"
    assert new.get("/play/").status_code == 200
    assert "has a phone already" in refusal(take(old, event, table="17"))
    assert LedgerEntry.objects.filter(kind="free_phone").count() == 1


def test_a_table_without_a_phone_needs_no_click(event: Event, judge: Client) -> None:
    seat_player(event, 17, "Bruno")
    act(judge, event, "free-phone", table=17)
    assert not LedgerEntry.objects.filter(kind="free_phone").exists()


def test_a_code_has_forty_bits_and_is_another_one_for_every_player(event: Event) -> None:
    codes = {seat_code(seat_player(event, table, f"Player {table}")) for table in range(1, 120)}
    assert len(codes) == 119
    assert all(re.fullmatch(f"[{CODE_CHARACTERS}]{{8}}", code) for code in codes)
    assert len({sign for code in codes for sign in code}) == len(CODE_CHARACTERS) == 32
    assert not any(code in str(list(Player.objects.values())) for code in codes)


def test_a_code_is_read_as_people_type_it(event: Event) -> None:
    player = seat_player(event, 17, "Bruno")
    code = seat_code(player)
    for typed in (
        code,
        code.lower(),
        format_seat_code(code),
        f" {code[:3]} {code[3:]} ",
        code.replace("0", "o").replace("1", "l"),
    ):
        assert is_seat_code(typed, player)
    for typed in ("", code[:7], code + "A", "x" * 500, "🙂", seat_code(seat_player(event, 18, "Carla"))):
        assert not is_seat_code(typed, player)


def test_with_codes_only_the_card_of_the_table_opens_it(careful: Event) -> None:
    bruno, carla = seat_player(careful, 17, "Bruno"), seat_player(careful, 18, "Carla")
    stranger = Client()
    for code in ("", "00000000", seat_code(carla)):
        assert "not the code of table 17" in refusal(take(stranger, careful, table="17", seat_code=code))
    assert "ask the judge for the card" in refusal(take(stranger, careful, name="Nobody", seat_code=seat_code(carla)))
    assert Player.objects.count() == 2
    owner = Client()
    assert (
        take(owner, careful, table="17", seat_code=format_seat_code(seat_code(bruno)).lower())["Location"] == "/play/"
    )
    assert owner.get("/play/").context["player"] == bruno


def test_who_has_the_card_moves_to_another_phone_by_himself(careful: Event) -> None:
    bruno = seat_player(careful, 17, "Bruno")
    old, new = Client(), Client()
    take(old, careful, table="17", seat_code=seat_code(bruno))
    assert take(new, careful, table="17", seat_code=seat_code(bruno))["Location"] == "/play/"
    assert old.get("/play/")["Location"] == "/"


def test_the_card_on_the_table_opens_the_form_ready_filled(careful: Event, judge: Client) -> None:
    bruno = seat_player(careful, 17, "Bruno")
    page = judge.get(f"/desk/{careful.code}/seat-codes/").content.decode()
    assert format_seat_code(seat_code(bruno)) in page
    assert "<svg" in page
    filled = Client().get(f"/j/{careful.code}/", {"table": "17", "seat_code": seat_code(bruno)}).content.decode()
    assert 'value="17"' in filled
    assert f'value="{seat_code(bruno)}"' in filled


def test_a_lost_card_gets_another_code_and_its_phone_has_to_show_it(careful: Event, judge: Client) -> None:
    bruno = seat_player(careful, 17, "Bruno")
    thief, lost = Client(), seat_code(bruno)
    take(thief, careful, table="17", seat_code=lost)
    assert "a new code" in act(judge, careful, "new-seat-code", table=17)
    bruno.refresh_from_db()
    assert seat_code(bruno) != lost
    assert thief.get("/play/")["Location"] == "/"
    assert "not the code" in refusal(take(thief, careful, table="17", seat_code=lost))
    assert take(Client(), careful, table="17", seat_code=seat_code(bruno))["Location"] == "/play/"


@pytest.mark.endurance
def test_the_answers_to_many_wrong_codes_of_tables_are_delayed_and_the_right_one_opens(careful: Event) -> None:
    bruno = seat_player(careful, 17, "Bruno")
    stranger, page = Client(), f"/j/{careful.code}/"
    wrong = [stranger.post(page, {"table": "17", "seat_code": f"{number:08}"}) for number in range(200)]
    assert {answer.status_code for answer in wrong} == {422}
    assert failure_throttle.delay_of(wrong[-1].wsgi_request) > 0
    assert Player.objects.get(pk=bruno.pk).token_hash == ""
    right = stranger.post(page, {"table": "17", "seat_code": seat_code(bruno)})
    assert (right.status_code, failure_throttle.delay_of(right.wsgi_request)) == (302, 0.0)


def test_codes_are_switched_on_and_off_by_the_director_and_are_off_for_a_club(event: Event, judge: Client) -> None:
    assert not event.seat_codes
    assert 'name="seat_code"' not in Client().get(f"/j/{event.code}/").content.decode()
    act(judge, event, "set-seat-codes", wanted="yes")
    assert 'name="seat_code"' in Client().get(f"/j/{event.code}/").content.decode()
    act(judge, event, "set-seat-codes", wanted="no")
    event.refresh_from_db()
    assert not event.seat_codes
    assert [entry.data for entry in LedgerEntry.objects.filter(kind="options").order_by("n")] == [
        {"seat_codes": True},
        {"seat_codes": False},
    ]


def test_phones_that_are_in_stay_in_when_codes_are_switched_on(event: Event) -> None:
    seat_player(event, 17, "Bruno")
    phone = Client()
    take(phone, event, table="17")
    seats.set_seat_codes(event=event, wanted=True, now=NOW, by=None)
    assert phone.get("/play/").status_code == 200


def test_the_page_of_the_players_suggests_the_list_and_removes_invented_players_after_telling_how_many(
    event: Event, judge: Client
) -> None:
    page = f"/desk/{event.code}/players/"
    seat_player(event, 500, "Listed")
    assert "1 player is on your list. If nobody else plays" in judge.get(page).content.decode()
    for number in range(30):
        assert Client().post(f"/j/{event.code}/", {"name": f"Invented {number}"}).status_code == 302
    shown = judge.get(page).content.decode()
    assert "30 players joined by phone, are not on your list" in shown
    assert '<input type="hidden" name="expected" value="30">' in shown
    act(judge, event, "set-listed-only", wanted="yes")
    assert "Only players on the list can join by phone" in judge.get(page).content.decode()
    assert Client().post(f"/j/{event.code}/", {"name": "Another"}).status_code == 422
    assert Client().post(f"/j/{event.code}/", {"name": "Listed"}).status_code == 302
    assert "There are 30 such players now" in act(judge, event, "remove-unknown", expected="29")
    assert act(judge, event, "remove-unknown", expected="30") == "30 players were removed."
    assert [player.name for player in Player.objects.filter(event=event)] == ["Listed"]
    act(judge, event, "set-listed-only", wanted="no")
    assert Client().post(f"/j/{event.code}/", {"name": "Another"}).status_code == 302
