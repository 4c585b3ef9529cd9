"""What may be done from outside: in a rehearsal only, with its own address only."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.core import signing
from django.test import Client

from referee.rehearsal.conducting import address_of
from tests.referee.live.evening import Evening, make_evening
from tournaments.errors import Refused
from tournaments.models import Event, Player, Slip, Turn
from tournaments.now import utc_now
from tournaments.selectors.events import current_game
from tournaments.services import players, rehearsing, slips
from tournaments.services.access import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def rehearsal() -> Event:
    return rehearsing.open_rehearsal(by=first_judge(), now=utc_now(), seed=b"r" * 32, language="en").event


@pytest.fixture
def evening() -> Evening:
    return make_evening()


def post(client: Client, path: str, **wanted: object) -> tuple[int, dict[str, object]]:
    answer = client.post(path, json.dumps(wanted), content_type="application/json")
    return answer.status_code, answer.json() if answer["Content-Type"] == "application/json" else {}


def test_a_turn_is_played_by_the_address_alone(client: Client, rehearsal: Event) -> None:
    address = address_of(rehearsal)
    status, seats = post(client, f"{address}seats/", phones=3)
    assert (status, len(seats["cookies"])) == (200, 3)  # type: ignore[arg-type]
    _status, begun = post(client, f"{address}begin/", seconds=60)
    assert begun["turn"] == 1
    assert len(begun["written"]) == 60  # type: ignore[arg-type]
    word, ref, score = begun["written"][0]  # type: ignore[index]
    slips.enter_paper(game=current_game(rehearsal), line=f"2 {ref} {word} {score}", now=utc_now(), by=None)
    assert post(client, f"{address}nudge/")[0] == 200
    assert post(client, f"{address}end/")[0] == 200
    assert post(client, f"{address}desk/")[1] == {"phase": "closed", "judged": 1}
    assert post(client, f"{address}place/")[0] == 200
    kept = post(client, f"{address}kept/", turn=1)[1]
    stored = Slip.objects.get()
    assert (kept["ids"], kept["players"], kept["verdicts"]) == ([str(stored.client_id)], 1, 3)


def test_the_signed_key_of_a_real_event_opens_nothing(client: Client, evening: Evening) -> None:
    address = address_of(evening.event)
    assert client.get(address).status_code == 404
    for step in ("seats", "begin", "end", "place", "kept", "desk", "print"):
        assert post(client, f"{address}{step}/", phones=5, seconds=5, turn=1)[0] == 404
    assert Player.objects.filter(event=evening.event).count() == 4
    assert Turn.objects.count() == 0


def test_services_of_a_rehearsal_refuse_a_real_game(evening: Evening) -> None:
    now = utc_now()
    acts: list[Callable[[], object]] = [
        lambda: rehearsing.seat_phones(event=evening.event, phones=5, token=str, now=now),
        lambda: rehearsing.begin_turn(event=evening.event, seconds=5, now=now),
        lambda: rehearsing.lengthen_turn(event=evening.event, now=now),
        lambda: rehearsing.end_turn(event=evening.event, now=now),
        lambda: rehearsing.place_turn(event=evening.event, now=now),
    ]
    for act in acts:
        with pytest.raises(Refused, match="a real game"):
            act()


def test_a_key_that_another_part_of_the_program_signed_is_none(client: Client, rehearsal: Event) -> None:
    forged = signing.dumps(rehearsal.pk, salt="something else")
    assert client.get(f"/rehearsal/{forged}/").status_code == 404
    assert client.get("/rehearsal/1/").status_code == 404


@pytest.mark.parametrize("phones", [0, 10_001, -1, "5", None, True, 1.5])
def test_only_as_many_phones_as_an_event_holds_are_let_in(client: Client, rehearsal: Event, phones: object) -> None:
    status, answer = post(client, f"{address_of(rehearsal)}seats/", phones=phones)
    assert (status, answer["refused"]) == (409, "“phones” is a whole number from 1 to 10000.")
    assert Player.objects.count() == 0


@pytest.mark.parametrize("body", [b"[]", b"{", b"\xff", b"1"])
def test_nonsense_is_refused_with_a_sentence(client: Client, rehearsal: Event, body: bytes) -> None:
    answer = client.post(f"{address_of(rehearsal)}seats/", body, content_type="application/json")
    assert (answer.status_code, list(answer.json())) == (409, ["refused"])


def test_players_of_the_hall_keep_their_tables_when_simulated_phones_come(rehearsal: Event) -> None:
    players.join(event=rehearsal, name="Anna", table=2, now=utc_now(), token="anna's")
    rehearsing.seat_phones(event=rehearsal, phones=3, token=lambda: "x", now=utc_now())
    rehearsing.seat_phones(event=rehearsal, phones=4, token=lambda: "y", now=utc_now())
    names = dict(Player.objects.filter(event=rehearsal).values_list("table", "name"))
    assert names == {1: "Phone 1", 2: "Anna", 3: "Phone 2", 4: "Phone 3", 5: "Phone 4"}
    assert Slip.objects.count() == 0
