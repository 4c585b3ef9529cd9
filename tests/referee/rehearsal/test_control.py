"""Control steps are accepted only in a rehearsal and only with its own address."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.core import signing
from django.test import Client

from referee.rehearsal.control import address_of
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.errors import Refused
from tournaments.events.queries.events import current_game
from tournaments.events.services import rehearsals
from tournaments.models import Event, Player, Slip, Turn
from tournaments.now import utc_now
from tournaments.play.services import slips
from tournaments.players.services import players
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def rehearsal() -> Event:
    return rehearsals.open_rehearsal(by=first_judge(), now=utc_now(), seed=b"r" * 32, language="en").event


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game()


def post(client: Client, path: str, **wanted: object) -> tuple[int, dict[str, object]]:
    answer = client.post(path, json.dumps(wanted), content_type="application/json")
    return answer.status_code, answer.json() if answer["Content-Type"] == "application/json" else {}


@pytest.mark.endurance
def test_a_turn_is_played_by_the_address_alone(client: Client, rehearsal: Event) -> None:
    address = address_of(rehearsal)
    status, seats = post(client, f"{address}seats/", phones=3)
    assert (status, len(seats["cookies"])) == (200, 3)  # type: ignore[arg-type]
    _status, begun = post(client, f"{address}begin/", seconds=60)
    assert begun["turn"] == 1
    assert len(begun["written"]) == 60  # type: ignore[arg-type]
    word, ref, score = begun["written"][0]  # type: ignore[index]
    slips.submit_paper_line(game=current_game(rehearsal), line=f"2 {ref} {word} {score}", now=utc_now(), by=None)
    assert post(client, f"{address}nudge/")[0] == 200
    assert post(client, f"{address}end/")[0] == 200
    assert post(client, f"{address}desk/")[1] == {"phase": "closed", "judged": 1}
    assert post(client, f"{address}place/")[0] == 200
    kept = post(client, f"{address}kept/", turn=1)[1]
    stored = Slip.objects.get()
    assert (kept["ids"], kept["players"], kept["verdicts"]) == ([str(stored.client_id)], 1, 3)


def test_the_signed_key_of_a_real_event_opens_nothing(client: Client, live_game: LiveGame) -> None:
    address = address_of(live_game.event)
    assert client.get(address).status_code == 404
    for step in ("seats", "begin", "end", "place", "kept", "desk", "print"):
        assert post(client, f"{address}{step}/", phones=5, seconds=5, turn=1)[0] == 404
    assert Player.objects.filter(event=live_game.event).count() == 4
    assert Turn.objects.count() == 0


def test_services_of_a_rehearsal_refuse_a_real_game(live_game: LiveGame) -> None:
    now = utc_now()
    acts: list[Callable[[], object]] = [
        lambda: rehearsals.seat_phones(event=live_game.event, phones=5, token=str, now=now),
        lambda: rehearsals.begin_turn(event=live_game.event, seconds=5, now=now),
        lambda: rehearsals.lengthen_turn(event=live_game.event, now=now),
        lambda: rehearsals.end_turn(event=live_game.event, now=now),
        lambda: rehearsals.place_master_move(event=live_game.event, now=now),
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


def test_real_players_keep_their_tables_when_simulated_phones_join(rehearsal: Event) -> None:
    players.join_event(event=rehearsal, name="Anna", table=2, now=utc_now(), token="anna's")
    rehearsals.seat_phones(event=rehearsal, phones=3, token=lambda: "x", now=utc_now())
    rehearsals.seat_phones(event=rehearsal, phones=4, token=lambda: "y", now=utc_now())
    names = dict(Player.objects.filter(event=rehearsal).values_list("table", "name"))
    assert names == {1: "Phone 1", 2: "Anna", 3: "Phone 2", 4: "Phone 3", 5: "Phone 4"}
    assert Slip.objects.count() == 0
