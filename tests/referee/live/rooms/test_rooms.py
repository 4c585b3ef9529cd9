"""Three rooms over real sockets: one that draws, one by hand that falls behind, one that follows by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from referee.security.player_tokens import new_token
from tests.leaks import leaked
from tests.referee.live.live_game import LiveGame, make_live_game, seat_cookie, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tournaments.enums import DrawMode
from tournaments.events.queries.events import desk_address, wall_token_of
from tournaments.events.services import rooms
from tournaments.models import Room
from tournaments.now import utc_now
from tournaments.play.queries.phases import get_room_turn
from tournaments.play.services import clocks, room_follow
from tournaments.players.services import players

pytestmark = pytest.mark.django_db(transaction=True)

RACK, SORTED_RACK = "CORNOAT", "ACNOORT"
PLANTED = "PLANTEDWORD"


@dataclass
class LiveServer:
    """The evening of the drawing room, tables 1 to 4, and a room that follows, tables 11 and 12, with its lines."""

    served: ServerProcess
    live_game: LiveGame
    room: Room

    @property
    def code(self) -> str:
        return desk_address(self.live_game.event, self.room)

    def cookie(self, table: int) -> str:
        token = new_token()
        players.join_event(event=self.live_game.event, name="", table=table, now=utc_now(), token=token)
        return seat_cookie(token)

    def lines(self, cookie: str) -> list[SocketClient]:
        """A phone, the wall and the desk of the room."""
        phone = self.served.phone(cookie)
        wall = self.served.socket(f"/ws/wall/{wall_token_of(self.room)}/")
        return [phone, wall, self.served.socket(f"/ws/desk/{self.code}/", self.live_game.desk_cookie())]

    def announce(self) -> None:
        now, judge = utc_now(), self.live_game.judge
        room_follow.announce_next(game=self.live_game.game, room=self.room, now=now, by=judge)

    def close(self) -> None:
        turn = get_room_turn(self.live_game.game, self.room)
        assert turn is not None
        clocks.close_clock(turn=turn, room=self.room, now=utc_now(), by=self.live_game.judge)

    def show(self) -> None:
        turn = get_room_turn(self.live_game.game, self.room)
        assert turn is not None
        room_follow.show_turn(turn=turn, room=self.room, now=utc_now(), by=self.live_game.judge)

    def pages(self) -> Iterable[str]:
        """Everything that can be opened in the room: the poll, the wall, all pages and files of its desk."""
        yield from ("/play/", "/play/state.json", f"/wall/{wall_token_of(self.room)}/")
        parts = (
            "",
            "main/",
            "tops/",
            "log/",
            "standings/",
            "standings/?of=1.all",
            "standings.csv",
            "players/",
            "words/",
        )
        files = ("rooms/", "archive.json", "documents/", "players/11/data.json", "echo/?line=11+8H+CORNO+1")
        yield from (f"/desk/{self.code}/{part}" for part in (*parts, *files))

    def read(self, cookie: str) -> str:
        answers = [self.served.request("GET", path, headers={"Cookie": cookie}) for path in self.pages()]
        assert {answer.status for answer in answers} <= {200, 302, 401, 403, 404}
        assert any(answer.status == 200 for answer in answers)
        return "\n".join(answer.text for answer in answers)


def house_of(served: ServerProcess, offset_s: int | None, draw_mode: str = DrawMode.TYPED) -> LiveServer:
    live_game = make_live_game(draw_mode=draw_mode)
    now, judge = utc_now(), live_game.judge
    first = live_game.room
    room = rooms.add_room(event=live_game.event, name="Upstairs", offset_s=offset_s, by=judge, now=now)
    newcomers = [players.NewPlayer(11, "Elena Upper"), players.NewPlayer(12, "Fulvio Upper")]
    players.add_players(event=live_game.event, players=newcomers, now=now, room=room)
    assert first.is_drawing
    return LiveServer(served, live_game, room)


def play_drawing_room(house: LiveServer, lines: list[SocketClient]) -> None:
    """A turn with a word of its own on a phone, judged and placed."""
    live_game = house.live_game
    live_game.draw()
    live_game.announce()
    phone = house.served.phone(live_game.cookie(1))
    lines.append(phone)
    phone.phase("running")
    number = live_game.turn.number
    assert phone.hand_in(slip(number, word=PLANTED, ref="H8", score=8642))["t"] == "ack"
    live_game.close()
    live_game.place()


def found(texts: Iterable[str], *secrets: str) -> list[str]:
    return leaked("\n".join(texts), secrets)


def test_a_room_by_hand_plays_its_own_turn_on_its_own_wall_phones_and_desk(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    house = house_of(served, None)
    live_game = house.live_game
    lines += house.lines(house.cookie(11))
    phone, wall, desk = lines
    live_game.draw(RACK)
    live_game.announce()
    for line in (phone, wall, desk):
        assert line.until("state")["view"]["phase"] == "lobby"
    house.announce()
    for line in (phone, wall, desk):
        view = line.phase("running")
        assert (view["rack"], view["players"], view["room"]) == (SORTED_RACK, 2, "Upstairs")
    assert phone.hand_in(slip(1, word="CORNO", ref="8D", score=22))["t"] == "ack"
    assert wall.until("count", slips_in=1)["players"] == 2
    assert desk.until("count", slips_in=1)["missing"] == [12]
    house.close()
    phone.phase("closed")
    live_game.close()
    live_game.place()
    house.show()
    shown = wall.phase("placed")
    assert [row["table"] for row in shown["standings"]] == [11, 12]
    assert (shown["merged_turns"], shown["merged"][0]["table"]) == (1, 11)
    phone.phase("placed")
    phone.send({"t": "me"})
    assert phone.until("me", rank=1)["verdict"]["result"] == "valid"


@pytest.mark.endurance
def test_a_room_that_is_two_turns_behind_hears_nothing_of_them(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    house = house_of(served, None, DrawMode.SEEDED)
    live_game, cookie = house.live_game, house.cookie(11)
    lines += house.lines(cookie)
    watching = lines[:]
    play_drawing_room(house, lines)
    first = live_game.turn
    house.announce()
    for line in watching:
        line.phase("running")
    play_drawing_room(house, lines)
    live_game.draw()
    live_game.announce()
    master, ahead = first.master_word, [turn.rack for turn in live_game.game.turns.filter(number__gt=1)]
    assert master
    assert len(set(ahead)) == 2
    secrets = (PLANTED, "8642", master, *ahead)
    watching[0].send({"t": "me"})
    for line in watching:
        line.drain()
        assert found(line.texts, *secrets) == []
    for reader in (cookie, live_game.desk_cookie()):
        assert found([house.read(reader)], *secrets) == []
    late = house.served.request("GET", "/play/state.json", headers={"Cookie": cookie}).json
    assert late["state"]["view"]["turn"] == 1
    refused = watching[0].hand_in(slip(3, word="CORNO", ref="8D"))
    assert (refused["t"], refused["why"]) == ("refused", "no_turn")
    house.close()
    house.show()
    for line in watching[:2]:
        assert line.phase("placed")["last"]["word"] == master
        line.drain()
        assert found(line.texts, PLANTED, "8642", *ahead) == []


def test_a_room_that_follows_by_itself_announces_closes_and_shows_without_a_judge(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    house = house_of(served, 1)
    live_game = house.live_game
    lines += house.lines(house.cookie(11))
    _phone, wall, _desk = lines
    live_game.draw(RACK)
    announced = live_game.announce()
    started = wall.phase("running")["started_at"]
    assert announced.started_at is not None
    assert started >= round(announced.started_at.timestamp() * 1000) + 1000
    house.close()
    wall.phase("closed")
    live_game.close()
    live_game.place()
    assert wall.phase("placed")["last"]["turn"] == 1


def test_each_room_closes_by_its_own_deadline(served: ServerProcess, lines: list[SocketClient]) -> None:
    house = house_of(served, None)
    live_game = house.live_game
    lines += house.lines(house.cookie(11))
    _phone, upstairs, _desk = lines
    downstairs = served.socket(f"/ws/wall/{live_game.event.wall_token}/")
    lines.append(downstairs)
    live_game.draw(RACK)
    live_game.announce(seconds=60)
    house.announce()
    house.room.clocks.update(deadline=utc_now())
    upstairs.phase("closed")
    downstairs.drain(0.5)
    assert not any('"closed"' in text for text in downstairs.texts)


@pytest.mark.endurance
def test_a_player_who_is_moved_is_shown_his_new_room(served: ServerProcess, lines: list[SocketClient]) -> None:
    house = house_of(served, None)
    cookie = house.cookie(11)
    phone = served.phone(cookie)
    lines.append(phone)
    assert phone.until("hello")["room"] == house.code
    assert phone.until("state")["view"]["room"] == "Upstairs"
    player = house.live_game.event.players.get(table=11)
    rooms.move_players(players=[player], room=house.live_game.room, by=house.live_game.judge, now=utc_now())
    assert phone.end() == 1012
    lines.append(served.phone(cookie))
    assert lines[-1].until("hello")["room"] == house.live_game.event.code
    assert lines[-1].until("state")["view"]["room"] == house.live_game.room.name


def test_a_desk_or_a_wall_of_a_room_that_is_not_there_shows_nothing(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    house = house_of(served, None)
    cookie = house.live_game.desk_cookie()
    lines.append(served.socket(f"/ws/desk/{house.live_game.event.code}-9/", cookie))
    assert lines[-1].receive() == {"close": 4401}
    answer = served.request("GET", f"/desk/{house.live_game.event.code}-9/", headers={"Cookie": cookie})
    assert answer.status == 404
