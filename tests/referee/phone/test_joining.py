from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.signing import TimestampSigner
from django.test import Client

from referee.security.player_tokens import COOKIE
from tests.leaks import leaked
from tests.referee.phone.seats import NOW, open_event, seat_player
from tournaments.models import Event, Member, Player, PlayerMember
from tournaments.players.services import seats

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("failures_at_one_moment")]


@pytest.fixture
def event() -> Event:
    return open_event()


def ticket_on(page: Any) -> str:
    found = re.search(r'name="ticket" value="([^"]+)"', page.content.decode())
    assert found
    return found[1]


def take(client: Client, event: Event, **fields: object) -> Any:
    """Fill in the page of an event as a browser does."""
    fields.setdefault("ticket", ticket_on(client.get(f"/j/{event.code}/")))
    return client.post(f"/j/{event.code}/", fields)


def test_the_code_on_the_wall_leads_to_its_event(client: Client, event: Event) -> None:
    assert [client.get(page).status_code for page in ("/", "/j/KTMQX/", "/j/ktmqx/")] == [200, 200, 200]
    for typed in ("KTMQX", "ktmqx", " kt-m qx "):
        assert client.post("/", {"code": typed})["Location"] == "/j/KTMQX/"


@pytest.mark.parametrize("typed", ["", "   ", "ZZZZZ", "🙂", "K" * 300])
def test_a_code_that_is_none_gets_one_sentence_at_its_field(client: Client, event: Event, typed: str) -> None:
    answer = client.post("/", {"code": typed})
    assert answer.status_code == 422
    [sentence] = answer.context["form"].errors["code"]
    page = answer.content.decode()
    assert sentence in page
    assert 'aria-invalid="true"' in page
    assert "KTMQX" not in page


def test_a_scanned_code_of_no_event_asks_for_another_one(client: Client, event: Event) -> None:
    answer = client.get("/j/ZZZZZ/")
    assert answer.status_code == 422
    assert 'name="code"' in answer.content.decode()


def test_a_name_takes_the_lowest_free_table(client: Client, event: Event) -> None:
    seat_player(event, 1, "Bruno")
    assert take(client, event, name="Anna Rossi", table="")["Location"] == "/play/"
    assert Player.objects.get(name="Anna Rossi").table == 2


def test_a_table_number_is_enough_for_a_player_who_is_registered(client: Client, event: Event) -> None:
    bruno = seat_player(event, 17, "Bruno")
    take(client, event, name="", table="17")
    page = client.get("/play/")
    assert page.context["player"] == bruno
    assert 'data-seat="KTMQX-17"' in page.content.decode()


def test_the_seat_is_a_signed_cookie_that_scripts_cannot_read(client: Client, event: Event) -> None:
    take(client, event, name="Anna")
    cookie = client.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    player = Player.objects.get()
    token = TimestampSigner(salt="multiplo.seat").unsign(cookie.value)
    assert len(token) >= 22
    assert token not in player.token_hash


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": "", "table": ""}, "__all__"),
        ({"name": "Anna", "table": "x"}, "table"),
        ({"name": "Anna", "table": "0"}, "table"),
        ({"name": "Anna", "table": "-3"}, "table"),
        ({"name": "Anna", "table": "999999999999"}, "table"),
        ({"name": "A" * 10_000, "table": ""}, "name"),
        ({"name": "Anna", "table": "17"}, "__all__"),
    ],
)
def test_what_cannot_be_a_seat_gets_one_sentence_and_keeps_what_was_typed(
    client: Client, event: Event, fields: dict[str, str], field: str
) -> None:
    seat_player(event, 17, "Bruno")
    answer = take(client, event, **fields)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert answer.content.decode().count('role="alert"') == 1
    assert COOKIE not in client.cookies
    assert Player.objects.count() == 1


def test_two_clicks_on_the_button_make_one_player_and_one_seat(client: Client, event: Event) -> None:
    ticket = ticket_on(client.get(f"/j/{event.code}/"))
    take(client, event, name="Anna", ticket=ticket)
    first = Player.objects.get().token_hash
    take(client, event, name="Anna", ticket=ticket)
    assert Player.objects.get().token_hash == first
    assert client.get("/play/").status_code == 200


def test_going_back_and_choosing_another_table_never_gives_two_tables_one_key(client: Client, event: Event) -> None:
    ticket = ticket_on(client.get(f"/j/{event.code}/"))
    take(client, event, name="Anna", table="3", ticket=ticket)
    take(client, event, name="Anna Rossi", table="5", ticket=ticket)
    hashes = list(Player.objects.values_list("token_hash", flat=True))
    assert len(set(hashes)) == len(hashes) == 2
    assert client.get("/play/").context["player"].table == 5


def test_an_invented_ticket_is_as_good_as_none(client: Client, event: Event) -> None:
    take(client, event, name="Anna", ticket="chosen-by-somebody-else:x:y")
    assert client.get("/play/").context["player"].name == "Anna"


def test_the_next_phone_has_the_table_once_the_judge_lets_it_in_and_the_old_one_is_told_to_join_again(
    event: Event,
) -> None:
    player = seat_player(event, 17, "Bruno")
    old, new = Client(), Client()
    take(old, event, table="17")
    player.refresh_from_db()
    seats.release_phone(player=player, now=NOW, by=None)
    take(new, event, table="17")
    assert new.get("/play/").status_code == 200
    answer = old.get("/play/", follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "not in the game any more" in answer.content.decode()


def test_a_phone_without_a_seat_is_led_to_the_door(client: Client, event: Event) -> None:
    assert client.get("/play/")["Location"] == "/"


def test_a_forged_seat_opens_nothing(client: Client, event: Event) -> None:
    seat_player(event, 17, "Bruno")
    client.cookies[COOKIE] = "17:anything:at-all"
    assert client.get("/play/")["Location"] == "/"


def test_the_door_offers_the_way_back_to_a_seat(client: Client, event: Event) -> None:
    take(client, event, name="Anna")
    assert 'href="/play/"' in client.get("/").content.decode()
    assert 'href="/play/"' in client.get(f"/j/{event.code}/").content.decode()


def test_a_seat_of_one_event_is_not_shown_at_the_door_of_another(client: Client, event: Event) -> None:
    take(client, event, name="Anna")
    other = open_event("BBBBB", name="Another club")
    assert leaked(client.get(f"/j/{other.code}/").content.decode(), ["Anna"]) == []


def test_joining_needs_the_page_and_not_a_foreign_form(event: Event) -> None:
    careful = Client(enforce_csrf_checks=True)
    answer = careful.post(f"/j/{event.code}/", {"name": "Anna"})
    assert answer.status_code == 403
    assert "nothing was changed" in answer.content.decode()
    assert not Player.objects.exists()


def test_an_address_that_does_not_exist_leads_to_the_door(client: Client) -> None:
    answer = client.get("/plai/")
    assert answer.status_code == 404
    assert 'href="/"' in answer.content.decode()


def test_the_way_back_to_a_lost_table_knows_its_number(client: Client, event: Event) -> None:
    take(client, event, name="Anna", table="17")
    back = client.get("/play/").context["join_url"]
    assert 'value="17"' in client.get(back).content.decode()
    for nonsense in ('"><script>', "x" * 5000):
        page = client.get(f"/j/{event.code}/", {"table": nonsense}).content.decode()
        assert "<script>" not in page


def test_the_pages_speak_the_language_of_the_browser(client: Client, event: Event) -> None:
    for language in ("en", "it"):
        page = client.get("/", headers={"Accept-Language": language}).content.decode()
        assert f'<html lang="{language}"' in page


def questions(page: Any) -> list[str]:
    """The headings of a page."""
    return re.findall(r"<h1>\s*(.*?)\s*</h1>", page.content.decode(), re.DOTALL)


def test_the_list_shows_public_names_and_who_has_a_phone_and_a_search_ignores_accents(
    client: Client, event: Event
) -> None:
    seat_player(event, 4, "Zoë Fontana")
    Player.objects.create(
        event=event, room=event.rooms.get(), table=5, name="Carla Blu", nickname="Comet", joined_at=NOW
    )
    take(Client(), event, table="4")
    page = client.get(f"/j/{event.code}/").content.decode()
    assert [page.count(text) for text in ("Zoë Fontana", "Comet", "Carla", "has a phone")] == [1, 1, 0, 1]
    found = client.get(f"/j/{event.code}/", {"q": "zoe"}).content.decode()
    assert ("Zoë Fontana" in found, "Comet" in found) == (True, False)


def test_a_typo_asks_and_makes_no_second_player(client: Client, event: Event) -> None:
    anna = seat_player(event, 3, "Anna Rossi")
    asked = take(client, event, name="anna rosi")
    assert (asked.status_code, questions(asked)) == (422, ["Are you Anna Rossi?"])
    assert Player.objects.count() == 1
    assert take(client, event, table="3")["Location"] == "/play/"
    assert client.get("/play/").context["player"] == anna


def test_whoever_says_that_the_near_name_is_another_person_is_added(client: Client, event: Event) -> None:
    seat_player(event, 3, "Anna Rossi")
    assert take(client, event, name="Anna Rosi", is_new="on")["Location"] == "/play/"
    assert Player.objects.count() == 2


def test_a_name_hidden_behind_a_nickname_is_not_revealed_by_a_near_one(client: Client, event: Event) -> None:
    Player.objects.create(
        event=event, room=event.rooms.get(), table=5, name="Carla Blu", nickname="Comet", joined_at=NOW
    )
    take(client, event, name="Carla Bluu")
    assert client.get("/play/").context["player"].name == "Carla Bluu"


def test_a_name_with_a_phone_asks_and_opens_once_the_judge_lets_the_new_one_in(event: Event) -> None:
    player = seat_player(event, 17, "Bruno")
    take(Client(), event, table="17")
    new = Client()
    assert questions(take(new, event, name="Bruno")) == ["Is this you with a new phone?"]
    assert questions(take(new, event, table="17", asks_judge="on")) == ["The judge has been asked"]
    seats.release_phone(player=player, now=NOW, by=None)
    assert take(new, event, table="17", asks_judge="on")["Location"] == "/play/"


def test_a_long_list_is_searched_and_not_sent(client: Client, event: Event) -> None:
    room = event.rooms.get()
    Player.objects.bulk_create(
        Player(event=event, room=room, table=table, name=f"Player {table}", joined_at=NOW) for table in range(1, 100)
    )
    pages = {asked: client.get(f"/j/{event.code}/", {"q": asked}).content.decode() for asked in ("", "p", "7", "er 42")}
    assert [page.count('name="table"') for page in pages.values()] == [0, 0, 1, 1]
    assert "Player 42" in pages["er 42"]


def member_event(**settings: bool) -> Event:
    event = open_event()
    Event.objects.filter(pk=event.pk).update(**{"members_may_join": True, **settings})
    event.refresh_from_db()
    return event


def found_by(client: Client, event: Event, question: str) -> list[str]:
    page = client.get(f"/j/{event.code}/", {"q": question})
    return [player.name for player in page.context["list"].players]


def test_a_phone_finds_a_member_who_is_not_on_the_list_and_two_taps_make_one_player(client: Client) -> None:
    event = member_event()
    anna = Member.objects.create(
        first_name="Anna", surname="Rossi", club="Ivrea", licence="IT-12", email="anna@example.org", note="secret note"
    )
    assert found_by(client, event, "") == found_by(client, event, "a") == []
    assert found_by(client, event, "ros an") == ["Anna Rossi"]
    page = client.get(f"/j/{event.code}/", {"q": "rossi"})
    text = page.content.decode()
    assert not any(secret in text for secret in ("Ivrea", "IT-12", "example.org", "secret note"))
    fields = {"member": anna.pk, "ticket": ticket_on(page)}
    for _tap in range(2):
        assert client.post(f"/j/{event.code}/", fields)["Location"] == "/play/"
    player = Player.objects.get()
    assert (player.name, player.club, player.licence, player.self_joined) == ("Anna Rossi", "Ivrea", "IT-12", True)
    assert PlayerMember.objects.get().member == anna
    assert found_by(client, event, "rossi") == ["Anna Rossi"]
    other = Client()
    answer = take(other, event, member=anna.pk)
    assert answer.context["step"] == "phone", "the table has a phone, so the judge is asked"
    assert Player.objects.count() == 1
    bruno = Member.objects.create(first_name="Bruno", surname="Verdi")
    client.post(f"/j/{event.code}/", {"member": bruno.pk, "ticket": fields["ticket"]})
    assert len(set(Player.objects.values_list("token_hash", flat=True))) == 2, "another player gets another seat"


def test_a_typed_name_near_a_member_asks_first_and_makes_no_second_player(client: Client) -> None:
    event = member_event()
    anna = Member.objects.create(first_name="Anna", surname="Rossi")
    for typed in ("Ana Rosi", "rossi anna", "Anna Rossi"):
        answer = take(client, event, name=typed)
        assert [(near.name, near.member) for near in answer.context["near"]] == [("Anna Rossi", anna.pk)], typed
    assert not Player.objects.exists()
    take(client, event, name="Anna Rossi", is_new="on")
    assert not PlayerMember.objects.exists(), "a guest with the name of a member is a guest"


@pytest.mark.parametrize("settings", [{"members_may_join": False}, {"listed_only": True}, {"seat_codes": True}])
def test_where_members_may_not_join_they_are_not_found_and_make_no_player(
    client: Client, settings: dict[str, bool]
) -> None:
    event = member_event(**settings)
    seat_player(event, 1, "Bruno")
    anna = Member.objects.create(first_name="Anna", surname="Rossi")
    assert found_by(client, event, "rossi") == []
    assert take(client, event, member=anna.pk).status_code == 422
    assert Player.objects.count() == 1


def test_a_member_does_not_get_the_seat_of_a_namesake(client: Client) -> None:
    event = member_event()
    first, second = (Member.objects.create(first_name="Anna", surname="Rossi", club=club) for club in ("A", "B"))
    PlayerMember.objects.create(player=seat_player(event, 1, "Anna Rossi"), member=first)
    assert take(client, event, member=second.pk).status_code == 422
    assert Player.objects.get().token_hash == ""
    seat_player(event, 2, "Carla Neri / Ugo Po")
    carla = Member.objects.create(first_name="Carla", surname="Neri")
    assert take(client, event, member=carla.pk).status_code == 422, "the judge knows whether this is one of the pair"
