"""The desk of a judge who plays along: the spoiler guard on every page, with secrets present, and its end."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from referee.desk import urls
from referee.desk.registry import ACTIONS
from tests.leaks import leaked
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.tournaments.prepared.sample_game import create_prepared_game
from tournaments.enums import Role
from tournaments.events.services import rooms
from tournaments.models import FinalSlip, LedgerEntry, Membership, Player, Room, Turn
from tournaments.now import utc_now
from tournaments.play.services import slips
from tournaments.play.services.slips import IncomingSlip
from tournaments.slip_content import SlipContent
from tournaments.staff.services import staff

pytestmark = pytest.mark.django_db

RACK = "CORNOAT"
TOPS = ("CONTRO", "TRONCO")
FOREIGN = ("PLANTEDWORD", "8642")


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game(joined=False)


@pytest.fixture
def client(live_game: LiveGame) -> Client:
    """Browser of a judge who plays at table 1."""
    client = _browser(live_game.judge)
    assert _do(client, live_game, "play-along", table="1")["ok"]
    return client


def _browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def _do(client: Client, live_game: LiveGame, action: str, **fields: str) -> Any:
    return client.post(
        f"/desk/{live_game.event.code}/do/{action}/", fields, headers={"Accept": "application/json"}
    ).json()


def phone(live_game: LiveGame, table: int, word: str, ref: str, declared: int) -> None:
    """Submit a slip as a phone does."""
    player = Player.objects.get(event=live_game.event, table=table)
    now = utc_now()
    slip = IncomingSlip(
        player.pk, live_game.turn.pk, uuid4(), "phone", SlipContent(word, ref, declared), now, now, True
    )
    [receipt] = slips.submit_batch([slip], now=now)
    assert receipt.refused == ""


def running(live_game: LiveGame) -> None:
    """Run a turn with tops, and with another player's slip that can be recognised."""
    live_game.draw(RACK)
    live_game.announce()
    phone(live_game, 2, "PLANTEDWORD", "H8", 8642)
    assert {top["word"] for top in live_game.turn.tops or ()} >= set(TOPS)


def everything(client: Client, live_game: LiveGame) -> str:
    """Return the content of all pages, actions and previews of the desk for this browser, in all three formats."""
    told = []
    known = {"code": live_game.event.code, "table": 2, "pk": 1, "key": "0" * 64, "number": 1}
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
    for action in [action.name for action in ACTIONS.values() if action.spoiler]:
        for page in ("do", "preview"):
            answer = client.post(
                f"/desk/{live_game.event.code}/{page}/{action}/", asked, headers={"HX-Request": "true"}
            )
            told.append(answer.content.decode("latin-1") + str(answer.headers))
    return "\n".join(told)


def found(text: str) -> list[str]:
    return leaked(text, (*TOPS, *FOREIGN))


@pytest.mark.endurance
def test_no_page_and_no_action_reveals_tops_words_or_other_slips_to_a_playing_judge(
    live_game: LiveGame, client: Client
) -> None:
    running(live_game)
    entries = LedgerEntry.objects.count()
    assert found(everything(client, live_game)) == []
    assert LedgerEntry.objects.count() == entries
    other = _browser(_colleague(live_game))
    assert "TRONCO" in other.get(f"/desk/{live_game.event.code}/tops/").content.decode()


def test_the_same_pages_tell_all_of_it_to_another_judge(live_game: LiveGame, client: Client) -> None:
    running(live_game)
    live_game.close()
    colleague = _browser(_colleague(live_game))
    assert {*TOPS, "PLANTEDWORD"} <= set(found(colleague.get(f"/desk/{live_game.event.code}/").content.decode()))


def test_a_drawn_rack_is_hidden_from_a_playing_judge_until_announced() -> None:
    live_game = make_live_game(joined=False, draw_mode="seeded", seed=bytes(range(32)))
    client = _browser(live_game.judge)
    _do(client, live_game, "play-along", table="1")
    live_game.draw()
    rack, code = live_game.turn.rack, live_game.event.code
    pages = ("", "main/", "log/", "archive.json", "tops/")
    for page in pages:
        assert rack not in client.get(f"/desk/{code}/{page}").content.decode(), page
    assert rack in _browser(_colleague(live_game)).get(f"/desk/{code}/main/").content.decode()
    assert client.post(f"/desk/{code}/do/announce/", headers={"HX-Request": "true"}).status_code == 200
    assert rack in client.get(f"/desk/{code}/main/").content.decode()


def test_the_desk_opens_once_the_slip_is_submitted_and_final(live_game: LiveGame, client: Client) -> None:
    running(live_game)
    refused = _do(client, live_game, "slip-is-final")
    assert (refused["ok"], "not in yet" in refused["sentence"]) == (False, True)
    phone(live_game, 1, "CORNO", "8D", 22)
    answer = client.post(f"/desk/{live_game.event.code}/do/slip-is-final/", headers={"HX-Request": "true"})
    assert "F4" in answer.content.decode()
    assert "TRONCO" in client.get(f"/desk/{live_game.event.code}/tops/").content.decode()
    assert client.get(f"/desk/{live_game.event.code}/words/", {"q": "TRONCO"}).status_code == 200
    with pytest.raises(AssertionError):
        phone(live_game, 1, "TRONCO", "8D", 27)


def test_the_desk_opens_when_the_clock_has_closed_and_that_is_written_down(live_game: LiveGame, client: Client) -> None:
    running(live_game)
    live_game.close()
    assert not FinalSlip.objects.exists()
    page = client.get(f"/desk/{live_game.event.code}/").content.decode()
    assert {*TOPS, "PLANTEDWORD"} <= set(found(page))
    assert FinalSlip.objects.get().acknowledged is False


def test_closing_the_turn_opens_the_desk(live_game: LiveGame, client: Client) -> None:
    running(live_game)
    answer = client.post(f"/desk/{live_game.event.code}/do/close/", headers={"HX-Request": "true"})
    assert "TRONCO" in answer.content.decode()
    assert FinalSlip.objects.count() == 1


def test_switching_it_on_in_mid_turn_hides_the_turn_at_once(live_game: LiveGame) -> None:
    running(live_game)
    client = _browser(live_game.judge)
    assert "F4" in client.get(f"/desk/{live_game.event.code}/").content.decode()
    answer = client.post(
        f"/desk/{live_game.event.code}/do/play-along/", {"table": "1"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "You play at table 1" in answer
    assert "tops/" not in answer


def test_the_desk_of_another_room_is_closed_to_a_playing_judge(live_game: LiveGame, client: Client) -> None:
    running(live_game)
    rooms.add_room(event=live_game.event, name="Upstairs", offset_s=None, by=live_game.judge, now=utc_now())
    answer = client.get(f"/desk/{live_game.event.code}-2/")
    assert answer.status_code == 403
    assert "only the desk of your own room" in answer.content.decode()
    assert Room.objects.count() == 2


def test_the_script_of_the_game_stays_sealed_for_a_playing_judge(settings: Any) -> None:
    live_game = make_live_game(joined=False)
    prepared = create_prepared_game(live_game.judge)
    client = _browser(live_game.judge)
    address = f"/desk/prepared/{prepared.pk}/"
    assert client.get(address).status_code == 200
    live_game.game.prepared = prepared
    live_game.game.save()
    _do(client, live_game, "play-along", table="1")
    assert client.get(address).status_code == 302
    for page in ("sheet.pdf", "game.json"):
        assert client.post(address + page).status_code == 302, page


def test_only_the_judges_own_group_is_marked(live_game: LiveGame, client: Client) -> None:
    running(live_game)
    phone(live_game, 1, "OTTONE", "8D", 22)
    live_game.close()
    page = client.get(f"/desk/{live_game.event.code}/").content.decode()
    assert page.count("Your own slip is in this group") == 1
    other = _browser(_colleague(live_game)).get(f"/desk/{live_game.event.code}/").content.decode()
    assert "Your own slip is in this group" not in other


def test_a_typist_and_a_wall_do_not_play_along(live_game: LiveGame) -> None:
    typist = User.objects.create(username="typist")
    Membership.objects.create(event=live_game.event, user=typist, role=Role.TYPIST)
    assert not _do(_browser(typist), live_game, "play-along", table="1")["ok"]
    place = Membership.objects.get(user=typist)
    staff.change_role(place=place, role=Role.JUDGE, by=live_game.judge, now=utc_now())
    assert _do(_browser(typist), live_game, "play-along", table="1")["ok"]


def test_a_judge_who_does_not_play_causes_no_further_queries(
    live_game: LiveGame, django_assert_max_num_queries: Any
) -> None:
    client = _browser(live_game.judge)
    client.get(f"/desk/{live_game.event.code}/health/")
    with django_assert_max_num_queries(12):
        client.get(f"/desk/{live_game.event.code}/health/")
    assert not Turn.objects.exists()


def _colleague(live_game: LiveGame) -> User:
    user = User.objects.create(username="ugo", first_name="Ugo")
    Membership.objects.create(event=live_game.event, user=user, role=Role.JUDGE)
    return user
