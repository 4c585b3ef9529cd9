"""The desk of a judge who plays along: what every page hides from him, and when it opens. The secrets are in reach."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from referee.desk import urls
from referee.desk.actions import ACTIONS
from referee.security import rights, veil
from tests.leaks import leaked
from tests.referee.live.evening import Evening, make_evening
from tests.tournaments.prepared import prepared_game
from tournaments.enums import Role
from tournaments.models import FinalSlip, LedgerEntry, Membership, Player, Room, Turn
from tournaments.now import utc_now
from tournaments.services import rooms, slips, staff
from tournaments.services.slips import Incoming

pytestmark = pytest.mark.django_db

RACK = "CORNOAT"
TOPS = ("CONTRO", "TRONCO")
FOREIGN = ("PLANTEDWORD", "8642")


@pytest.fixture
def evening() -> Evening:
    return make_evening(joined=False)


@pytest.fixture
def client(evening: Evening) -> Client:
    """The judge's browser; he plays at table 1."""
    client = _browser(evening.judge)
    assert _do(client, evening, "play-along", table="1")["ok"]
    return client


def _browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def _do(client: Client, evening: Evening, action: str, **fields: str) -> Any:
    return client.post(
        f"/desk/{evening.event.code}/do/{action}/", fields, headers={"Accept": "application/json"}
    ).json()


def phone(evening: Evening, table: int, word: str, ref: str, declared: int) -> None:
    """A slip as the intake hands it in."""
    player = Player.objects.get(event=evening.event, table=table)
    now = utc_now()
    slip = Incoming(player.pk, evening.turn.pk, uuid4(), "phone", word, ref, "", declared, "", now, now, True)
    [receipt] = slips.hand_in_batch([slip], now=now)
    assert receipt.refused == ""


def running(evening: Evening) -> None:
    """A turn with tops, and a foreign slip that would give itself away."""
    evening.draw(RACK)
    evening.announce()
    phone(evening, 2, "PLANTEDWORD", "H8", 8642)
    assert {top["word"] for top in evening.turn.tops or ()} >= set(TOPS)


def everything(client: Client, evening: Evening) -> str:
    """What all pages of the desk and all its acts, previews included, say to this browser, in all three ways to ask."""
    told = []
    known = {"code": evening.event.code, "table": 2, "pk": 1, "key": "0" * 64, "number": 1}
    asked = {"word": "ARTE", "ruling": "accepted", "reason": "why", "line": "2 =", "q": "?ORNOCT", "points": "5"}
    for pattern in urls.urlpatterns:
        names = set(pattern.pattern.converters)
        if "code" not in names or pattern.name in ("act", "preview"):
            continue
        address = reverse(f"desk:{pattern.name}", kwargs={name: known[name] for name in names})
        for headers in ({}, {"HX-Request": "true"}, {"Accept": "application/json"}):
            for query in ({}, asked, {"ledger": "1"}, {"tables": "1"}):
                answer = client.get(address, query, headers=headers)
                told.append(answer.content.decode("latin-1") + str(answer.headers))
    for action in ACTIONS:
        if action in veil.ACTIONS:
            continue
        for page in ("do", "preview"):
            answer = client.post(f"/desk/{evening.event.code}/{page}/{action}/", asked, headers={"HX-Request": "true"})
            told.append(answer.content.decode("latin-1") + str(answer.headers))
    return "\n".join(told)


def found(text: str) -> list[str]:
    return leaked(text, (*TOPS, *FOREIGN))


def test_what_may_be_opened_meanwhile_exists() -> None:
    assert set(rights.PAGES) >= veil.PAGES
    assert set(rights.ACTIONS) >= veil.ACTIONS


def test_no_page_and_no_act_tells_him_tops_words_or_foreign_slips_while_he_plays(
    evening: Evening, client: Client
) -> None:
    running(evening)
    entries = LedgerEntry.objects.count()
    assert found(everything(client, evening)) == []
    assert LedgerEntry.objects.count() == entries
    other = _browser(_colleague(evening))
    assert "TRONCO" in other.get(f"/desk/{evening.event.code}/tops/").content.decode()


def test_the_same_pages_tell_all_of_it_to_another_judge(evening: Evening, client: Client) -> None:
    running(evening)
    evening.close()
    colleague = _browser(_colleague(evening))
    assert {*TOPS, "PLANTEDWORD"} <= set(found(colleague.get(f"/desk/{evening.event.code}/").content.decode()))


def test_a_drawn_rack_is_hidden_from_him_until_it_is_announced() -> None:
    evening = make_evening(joined=False, draw_mode="seeded", seed=bytes(range(32)))
    client = _browser(evening.judge)
    _do(client, evening, "play-along", table="1")
    evening.draw()
    rack, code = evening.turn.rack, evening.event.code
    pages = ("", "main/", "log/", "archive.json", "tops/")
    for page in pages:
        assert rack not in client.get(f"/desk/{code}/{page}").content.decode(), page
    assert rack in _browser(_colleague(evening)).get(f"/desk/{code}/main/").content.decode()
    assert client.post(f"/desk/{code}/do/announce/", headers={"HX-Request": "true"}).status_code == 200
    assert rack in client.get(f"/desk/{code}/main/").content.decode()


def test_the_desk_opens_when_his_slip_is_in_and_final(evening: Evening, client: Client) -> None:
    running(evening)
    refused = _do(client, evening, "slip-is-final")
    assert (refused["ok"], "not in yet" in refused["sentence"]) == (False, True)
    phone(evening, 1, "CORNO", "8D", 22)
    answer = client.post(f"/desk/{evening.event.code}/do/slip-is-final/", headers={"HX-Request": "true"})
    assert "F4" in answer.content.decode()
    assert "TRONCO" in client.get(f"/desk/{evening.event.code}/tops/").content.decode()
    assert client.get(f"/desk/{evening.event.code}/words/", {"q": "TRONCO"}).status_code == 200
    with pytest.raises(AssertionError):
        phone(evening, 1, "TRONCO", "8D", 27)


def test_the_desk_opens_when_the_clock_has_closed_and_that_is_written_down(evening: Evening, client: Client) -> None:
    running(evening)
    evening.close()
    assert not FinalSlip.objects.exists()
    page = client.get(f"/desk/{evening.event.code}/").content.decode()
    assert {*TOPS, "PLANTEDWORD"} <= set(found(page))
    assert FinalSlip.objects.get().acknowledged is False


def test_the_answer_to_his_own_close_is_the_open_desk(evening: Evening, client: Client) -> None:
    running(evening)
    answer = client.post(f"/desk/{evening.event.code}/do/close/", headers={"HX-Request": "true"})
    assert "TRONCO" in answer.content.decode()
    assert FinalSlip.objects.count() == 1


def test_switching_it_on_in_mid_turn_hides_the_turn_at_once(evening: Evening) -> None:
    running(evening)
    client = _browser(evening.judge)
    assert "F4" in client.get(f"/desk/{evening.event.code}/").content.decode()
    answer = client.post(
        f"/desk/{evening.event.code}/do/play-along/", {"table": "1"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "You play at table 1" in answer
    assert "tops/" not in answer


def test_the_desk_of_another_room_is_shut_while_he_plays_along(evening: Evening, client: Client) -> None:
    running(evening)
    rooms.add_room(event=evening.event, name="Upstairs", offset_s=None, by=evening.judge, now=utc_now())
    answer = client.get(f"/desk/{evening.event.code}-2/")
    assert answer.status_code == 403
    assert "only the desk of your own room" in answer.content.decode()
    assert Room.objects.count() == 2


def test_the_script_that_his_game_follows_stays_sealed_for_him(settings: Any) -> None:
    evening = make_evening(joined=False)
    prepared = prepared_game(evening.judge)
    client = _browser(evening.judge)
    address = f"/desk/prepared/{prepared.pk}/"
    assert client.get(address).status_code == 200
    evening.game.prepared = prepared
    evening.game.save()
    _do(client, evening, "play-along", table="1")
    assert client.get(address).status_code == 302
    for page in ("sheet.pdf", "game.json"):
        assert client.post(address + page).status_code == 302, page


def test_his_own_group_is_marked_and_that_of_others_is_not(evening: Evening, client: Client) -> None:
    running(evening)
    phone(evening, 1, "OTTONE", "8D", 22)
    evening.close()
    page = client.get(f"/desk/{evening.event.code}/").content.decode()
    assert page.count("Your own slip is in this group") == 1
    other = _browser(_colleague(evening)).get(f"/desk/{evening.event.code}/").content.decode()
    assert "Your own slip is in this group" not in other


def test_a_typist_and_a_wall_do_not_play_along(evening: Evening) -> None:
    typist = User.objects.create(username="typist")
    Membership.objects.create(event=evening.event, user=typist, role=Role.TYPIST)
    assert not _do(_browser(typist), evening, "play-along", table="1")["ok"]
    place = Membership.objects.get(user=typist)
    staff.change_role(place=place, role=Role.JUDGE, by=evening.judge, now=utc_now())
    assert _do(_browser(typist), evening, "play-along", table="1")["ok"]


def test_who_does_not_play_along_asks_no_more_of_the_database(
    evening: Evening, django_assert_max_num_queries: Any
) -> None:
    client = _browser(evening.judge)
    client.get(f"/desk/{evening.event.code}/health/")
    with django_assert_max_num_queries(12):
        client.get(f"/desk/{evening.event.code}/health/")
    assert not Turn.objects.exists()


def _colleague(evening: Evening) -> User:
    user = User.objects.create(username="ugo", first_name="Ugo")
    Membership.objects.create(event=evening.event, user=user, role=Role.JUDGE)
    return user
