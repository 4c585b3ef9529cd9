"""An appeal from a phone: for its own table alone, once, in time, and not too often."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from referee.phone import appeals
from referee.security.player_tokens import new_token
from referee.security.token_bucket import Throttle
from tests.referee.live.live_game import seat_cookie
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.models import Appeal, Game, TurnClock
from tournaments.now import utc_now
from tournaments.players.services import players
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
ORIGIN = {"HTTP_ORIGIN": "http://testserver", "HTTP_HOST": "testserver"}


@pytest.fixture(autouse=True)
def _everybody_anew() -> Iterator[None]:
    appeals.reset_limits()
    yield
    appeals.reset_limits()


@pytest.fixture
def club_game() -> ClubGame:
    """Turn 1 was placed just now, by the real clock."""
    judge: User = first_judge()
    club_game = create_club_game(judge)
    club_game.now = utc_now()
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.close()
    club_game.place()
    return club_game


def phone(club_game: ClubGame, table: int) -> Client:
    token = new_token()
    players.join_event(event=club_game.event, name="", table=table, now=utc_now(), token=token)
    client = Client()
    name, _equals, value = seat_cookie(token).partition("=")
    client.cookies[name] = value
    return client


def appeal(client: Client, *, status: int = 200, origin: dict[str, str] | None = None, **fields: Any) -> Any:
    body = {"id": str(uuid4()), "game": 1, "turn": 1, "sentence": "It is a word.", **fields}
    headers: dict[str, Any] = ORIGIN if origin is None else origin
    answer = client.post("/play/appeal", json.dumps(body), content_type="application/json", **headers)
    assert answer.status_code == status
    return answer.json()


def test_a_phone_appeals_for_its_own_table(club_game: ClubGame) -> None:
    known = str(uuid4())
    assert appeal(phone(club_game, 2), id=known) == {"t": "appealed", "id": known, "turn": 1}
    made = Appeal.objects.get()
    assert (made.player.table, made.sentence, made.source) == (2, "It is a word.", "phone")


def test_what_a_phone_says_of_another_table_counts_for_its_own(club_game: ClubGame) -> None:
    appeal(phone(club_game, 2), table=1, player=club_game.player(1).pk)
    assert Appeal.objects.get().player.table == 2


def test_the_same_id_twice_is_one_and_a_second_one_is_refused(club_game: ClubGame) -> None:
    client, known = phone(club_game, 2), str(uuid4())
    assert appeal(client, id=known) == appeal(client, id=known)
    second = appeal(client)
    assert (second["t"], second["why"]) == ("refused", "no_appeal")
    assert "has appealed in turn 1 already" in second["text"]
    assert Appeal.objects.count() == 1


def test_the_id_of_another_table_opens_nothing(club_game: ClubGame) -> None:
    known = str(uuid4())
    appeal(phone(club_game, 2), id=known, sentence="my secret")
    stolen = appeal(phone(club_game, 1), id=known)
    assert stolen["why"] == "no_appeal"
    assert "secret" not in json.dumps(stolen)


def test_too_late_is_told(club_game: ClubGame) -> None:
    TurnClock.objects.update(shown_at=utc_now().replace(year=2020))
    assert "is over; ask the judge" in appeal(phone(club_game, 2))["text"]


def test_many_appeals_are_held_up(club_game: ClubGame, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = Throttle(appeals._appeal_limit._rate, clock=lambda: 0.0)  # no second passes for it
    monkeypatch.setattr(appeals, "_appeal_limit", limit)
    client = phone(club_game, 2)
    for _time in range(5):
        appeal(client)
    held = appeal(client, status=429)
    assert (held["why"], held["retry_ms"] > 0) == ("too_fast", True)


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "no id"},
        {"turn": "1"},
        {"turn": 0},
        {"turn": True},
        {"turn": 10**9},
        {"game": "1"},
        {"sentence": 7},
    ],
)
def test_what_is_no_appeal_is_refused(club_game: ClubGame, fields: dict[str, Any]) -> None:
    assert appeal(phone(club_game, 2), status=400, **fields)["why"] == "malformed"


def test_a_long_sentence_and_a_turn_that_is_not_there_are_refused(club_game: ClubGame) -> None:
    client = phone(club_game, 2)
    assert "at most 300" in appeal(client, sentence="x" * 301)["text"]
    assert appeal(client, turn=9)["text"] == "There is no such turn."
    assert appeal(client, game=9)["text"] == "There is no such turn."
    assert appeal(client, status=413, sentence="x" * 8192)["why"] == "malformed"
    assert not Appeal.objects.exists()


def test_a_foreign_page_and_a_phone_without_a_seat_do_nothing(club_game: ClubGame) -> None:
    assert appeal(phone(club_game, 2), status=403, origin={"HTTP_ORIGIN": "http://evil.example"})["why"] == "foreign"
    assert appeal(phone(club_game, 2), status=403, origin={})["why"] == "foreign"
    assert appeal(Client(), status=401)["why"] == "no_seat"
    assert Client().get("/play/appeals.json").status_code == 401
    assert not Appeal.objects.exists()


def test_the_list_holds_the_own_turns_alone(club_game: ClubGame) -> None:
    found = phone(club_game, 2).get("/play/appeals.json").json()
    assert (found["t"], found["game"]) == ("turns", 1)
    [line] = found["turns"]
    assert (line["turn"], line["word"], line["points"], line["appealed"]) == (1, "TRISCEA", 0, False)
    assert line["appeal"]["until"] > utc_now().timestamp() * 1000
    assert "CESTAI" not in json.dumps(found)


def test_the_list_tells_nothing_of_a_turn_that_is_being_judged(club_game: ClubGame) -> None:
    club_game.begin_turn()
    club_game.phone(2, "ZZZ", "8H", 1)
    club_game.close()
    assert [line["turn"] for line in phone(club_game, 2).get("/play/appeals.json").json()["turns"]] == [1]


def test_without_appeals_the_list_says_so(club_game: ClubGame) -> None:
    Game.objects.update(appeal_minutes=0)
    assert phone(club_game, 2).get("/play/appeals.json").json()["turns"][0]["appeal"] is None
