"""Desk and wall over real sockets: access and messages."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.ledger_table import unprotected
from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tournaments.documents.services import documents
from tournaments.enums import Role
from tournaments.models import LedgerEntry, Membership
from tournaments.now import utc_now
from tournaments.play.services import clocks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game()


@pytest.fixture
def desk(served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]) -> SocketClient:
    lines.append(served.socket(f"/ws/desk/{live_game.event.code}/", live_game.desk_cookie()))
    return lines[-1]


@pytest.fixture
def wall(served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]) -> SocketClient:
    lines.append(served.socket(f"/ws/wall/{live_game.event.wall_token}/"))
    return lines[-1]


def test_the_wall_follows_the_game_from_the_lobby_to_the_standings(wall: SocketClient, live_game: LiveGame) -> None:
    assert wall.receive()["view"]["phase"] == "lobby"
    live_game.draw("CORNOAT")
    assert wall.phase("drawn")["rack"] is None
    live_game.announce()
    assert wall.phase("running")["rack"] == "ACNOORT"
    live_game.close()
    wall.phase("closed")
    live_game.place()
    view = wall.phase("placed")
    assert view["last"]["top"] > 0
    assert [row["name"] for row in view["standings"]] == ["Anna Ferri", "Bruno Galli", "Carla Monti", "Dario Serra"]


def test_the_wall_has_the_whole_standings_and_a_phone_the_first_ten(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    live_game = make_live_game(names=[f"Player {number}" for number in range(1, 26)])
    live_game.draw("CORNOAT")
    live_game.announce()
    live_game.close()
    live_game.place()
    lines.append(served.socket(f"/ws/wall/{live_game.event.wall_token}/"))
    assert len(lines[-1].until("state")["view"]["standings"]) == 25
    lines.append(served.phone(live_game.cookie(1)))
    view = lines[-1].until("state")["view"]
    assert (len(view["standings"]), view["standings_count"]) == (10, 25)


def test_the_desk_is_told_which_tables_are_missing(
    served: ServerProcess, desk: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    lines.append(served.phone(live_game.cookie(3)))
    live_game.draw("CORNOAT")
    live_game.announce()
    lines[-1].phase("running")
    assert desk.until("count")["missing"] == [1, 2, 3, 4]
    lines[-1].hand_in(slip(1))
    assert desk.until("count", slips_in=1)["missing"] == [1, 2, 4]


def test_neither_phones_nor_the_wall_learn_which_tables_are_missing(
    served: ServerProcess, wall: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    lines.append(served.phone(live_game.cookie(1)))
    live_game.draw("CORNOAT")
    live_game.announce()
    lines[-1].phase("running")
    lines[-1].hand_in(slip(1))
    assert set(wall.until("count", slips_in=1)) == {"t", "slips_in", "players"}
    assert set(lines[-1].until("count", slips_in=1)) == {"t", "slips_in", "players"}


def test_a_desk_is_only_for_the_judges_of_this_event(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    other = make_live_game()
    stranger = Client()
    stranger.force_login(User.objects.create(username="stranger"))
    cookies = ["", "sessionid=forged", live_game.cookie(1), f"sessionid={stranger.cookies['sessionid'].value}"]
    for cookie in [*cookies, other.desk_cookie()]:
        lines.append(served.socket(f"/ws/desk/{live_game.event.code}/", cookie))
        assert lines[-1].receive() == {"close": 4401}


def test_a_typist_sits_at_a_desk_too(served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]) -> None:
    user = User.objects.create(username="typist")
    Membership.objects.create(event=live_game.event, user=user, role=Role.TYPIST)
    client = Client()
    client.force_login(user)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    lines.append(served.socket(f"/ws/desk/{live_game.event.code.lower()}/", cookie))
    assert lines[-1].receive()["t"] == "state"


@pytest.mark.parametrize("path", ["/ws/wall/guessed/", "/ws/desk/ZZZZZ/"])
def test_a_guessed_address_shows_nothing(
    served: ServerProcess, live_game: LiveGame, path: str, lines: list[SocketClient]
) -> None:
    lines.append(served.socket(path, live_game.desk_cookie()))
    assert lines[-1].receive() == {"close": 4401}


def test_a_walls_token_opens_no_desk_and_a_seat_no_wall(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    for path in (f"/ws/desk/{live_game.event.wall_token}/", f"/ws/wall/{live_game.event.code}/"):
        lines.append(served.socket(path, live_game.cookie(1)))
        assert lines[-1].receive() == {"close": 4401}


def test_what_desk_and_wall_say_is_not_listened_to(desk: SocketClient, wall: SocketClient, live_game: LiveGame) -> None:
    live_game.draw("CORNOAT")
    live_game.announce()
    for line in (desk, wall):
        line.phase("running")
        line.send(slip(1))
        line.send("x" * 9000)
        line.send({"t": "ping", "c": 5})
        assert line.until("pong")["c"] == 5


def test_two_events_never_see_each_other(
    served: ServerProcess, wall: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    other = make_live_game()
    lines.append(served.socket(f"/ws/wall/{other.event.wall_token}/"))
    lines[-1].until("state")
    wall.until("state")
    live_game.draw("CORNOAT")
    live_game.announce()
    wall.phase("running")
    lines[-1].drain(1.5)
    assert all('"lobby"' in text for text in lines[-1].texts)


def test_a_change_made_in_another_process_is_seen(wall: SocketClient, live_game: LiveGame) -> None:
    wall.until("state")
    live_game.draw("CORNOAT")
    assert wall.phase("drawn")["turn"] == 1
    clocks.announce_turn(
        turn=live_game.turn, room=live_game.room, now=utc_now() + timedelta(seconds=0.5), by=live_game.judge
    )  # its clock is ahead
    assert wall.phase("running")["turn"] == 1


def test_when_the_event_is_deleted_everybody_is_sent_away(
    served: ServerProcess, desk: SocketClient, wall: SocketClient, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    lines.append(served.phone(live_game.cookie(1)))
    for line in (desk, wall, lines[-1]):
        line.until("state")
    event = live_game.event
    with unprotected():
        LedgerEntry.objects.filter(game__event=event).delete()
    event.players.all().delete()
    event.delete()
    assert [line.end() for line in (desk, wall, lines[-1])] == [4404, 4404, 4404]


def test_a_sheet_in_the_making_is_told_only_by_the_process_that_hears_of_it(
    desk: SocketClient, live_game: LiveGame
) -> None:
    """Progress of sheets travels by the channel layer alone; without Redis the worker lives in the server itself."""
    document = documents.request_document(game=live_game.game, kind="standings", language="it", now=utc_now())
    assert document.pk
    desk.drain(0.5)
    assert not any('"document"' in text for text in desk.texts)
