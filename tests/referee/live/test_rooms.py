"""Three rooms over real sockets: one that draws, one by hand that falls behind, one that follows by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from referee.security.seats import new_token
from tests.leaks import leaked
from tests.referee.live.evening import Evening, make_evening, seat_cookie, slip
from tests.referee.live.serving import Line, Served
from tournaments.enums import DrawMode
from tournaments.models import Room
from tournaments.now import utc_now
from tournaments.selectors.events import desk_of, wall_token_of
from tournaments.selectors.phases import turn_in
from tournaments.services import clocks, players, pursuing, rooms

pytestmark = pytest.mark.django_db(transaction=True)

RACK, SORTED_RACK = "CORNOAT", "ACNOORT"
PLANTED = "PLANTEDWORD"


@dataclass
class House:
    """The evening of the drawing room, tables 1 to 4, and a room that follows, tables 11 and 12, with its lines."""

    served: Served
    evening: Evening
    room: Room

    @property
    def code(self) -> str:
        return desk_of(self.evening.event, self.room)

    def cookie(self, table: int) -> str:
        token = new_token()
        players.join(event=self.evening.event, name="", table=table, now=utc_now(), token=token)
        return seat_cookie(token)

    def lines(self, cookie: str) -> list[Line]:
        """A phone, the wall and the desk of the room."""
        phone = self.served.phone(cookie)
        wall = self.served.socket(f"/ws/wall/{wall_token_of(self.room)}/")
        return [phone, wall, self.served.socket(f"/ws/desk/{self.code}/", self.evening.desk_cookie())]

    def announce(self) -> None:
        now, judge = utc_now(), self.evening.judge
        pursuing.announce_next(game=self.evening.game, room=self.room, now=now, by=judge)

    def close(self) -> None:
        turn = turn_in(self.evening.game, self.room)
        assert turn is not None
        clocks.close_now(turn=turn, room=self.room, now=utc_now(), by=self.evening.judge)

    def show(self) -> None:
        turn = turn_in(self.evening.game, self.room)
        assert turn is not None
        pursuing.show(turn=turn, room=self.room, now=utc_now(), by=self.evening.judge)

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


def house_of(served: Served, offset_s: int | None, draw_mode: str = DrawMode.TYPED) -> House:
    evening = make_evening(draw_mode=draw_mode)
    now, judge = utc_now(), evening.judge
    first = evening.room
    room = rooms.add_room(event=evening.event, name="Upstairs", offset_s=offset_s, by=judge, now=now)
    newcomers = [players.NewPlayer(11, "Elena Upper"), players.NewPlayer(12, "Fulvio Upper")]
    players.add_players(event=evening.event, players=newcomers, now=now, room=room)
    assert first.is_drawing
    return House(served, evening, room)


def play_drawing_room(house: House, lines: list[Line]) -> None:
    """A turn with a word of its own on a phone, judged and placed."""
    evening = house.evening
    evening.draw()
    evening.announce()
    phone = house.served.phone(evening.cookie(1))
    lines.append(phone)
    phone.phase("running")
    number = evening.turn.number
    assert phone.hand_in(slip(number, word=PLANTED, ref="H8", score=8642))["t"] == "ack"
    evening.close()
    evening.place()


def found(texts: Iterable[str], *secrets: str) -> list[str]:
    return leaked("\n".join(texts), secrets)


def test_a_room_by_hand_plays_its_own_turn_on_its_own_wall_phones_and_desk(served: Served, lines: list[Line]) -> None:
    house = house_of(served, None)
    evening = house.evening
    lines += house.lines(house.cookie(11))
    phone, wall, desk = lines
    evening.draw(RACK)
    evening.announce()
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
    evening.close()
    evening.place()
    house.show()
    shown = wall.phase("placed")
    assert [row["table"] for row in shown["standings"]] == [11, 12]
    assert (shown["merged_turns"], shown["merged"][0]["table"]) == (1, 11)
    phone.phase("placed")
    phone.send({"t": "me"})
    assert phone.until("me", rank=1)["verdict"]["result"] == "valid"


def test_a_room_that_is_two_turns_behind_hears_nothing_of_them(served: Served, lines: list[Line]) -> None:
    house = house_of(served, None, DrawMode.SEEDED)
    evening, cookie = house.evening, house.cookie(11)
    lines += house.lines(cookie)
    watching = lines[:]
    play_drawing_room(house, lines)
    first = evening.turn
    house.announce()
    for line in watching:
        line.phase("running")
    play_drawing_room(house, lines)
    evening.draw()
    evening.announce()
    master, ahead = first.master_word, [turn.rack for turn in evening.game.turns.filter(number__gt=1)]
    assert master
    assert len(set(ahead)) == 2
    secrets = (PLANTED, "8642", master, *ahead)
    watching[0].send({"t": "me"})
    for line in watching:
        line.drain()
        assert found(line.texts, *secrets) == []
    for reader in (cookie, evening.desk_cookie()):
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
    served: Served, lines: list[Line]
) -> None:
    house = house_of(served, 1)
    evening = house.evening
    lines += house.lines(house.cookie(11))
    _phone, wall, _desk = lines
    evening.draw(RACK)
    announced = evening.announce()
    started = wall.phase("running")["started_at"]
    assert announced.started_at is not None
    assert started >= round(announced.started_at.timestamp() * 1000) + 1000
    house.close()
    wall.phase("closed")
    evening.close()
    evening.place()
    assert wall.phase("placed")["last"]["turn"] == 1


def test_each_room_closes_by_its_own_deadline(served: Served, lines: list[Line]) -> None:
    house = house_of(served, None)
    evening = house.evening
    lines += house.lines(house.cookie(11))
    _phone, upstairs, _desk = lines
    downstairs = served.socket(f"/ws/wall/{evening.event.wall_token}/")
    lines.append(downstairs)
    evening.draw(RACK)
    evening.announce(seconds=60)
    house.announce()
    house.room.clocks.update(deadline=utc_now())
    upstairs.phase("closed")
    downstairs.drain(0.5)
    assert not any('"closed"' in text for text in downstairs.texts)


def test_a_player_who_is_moved_is_shown_his_new_room(served: Served, lines: list[Line]) -> None:
    house = house_of(served, None)
    cookie = house.cookie(11)
    phone = served.phone(cookie)
    lines.append(phone)
    assert phone.until("state")["view"]["room"] == "Upstairs"
    player = house.evening.event.players.get(table=11)
    rooms.move_player(player=player, room=house.evening.room, by=house.evening.judge, now=utc_now())
    assert phone.end(25) == 1012
    lines.append(served.phone(cookie))
    assert lines[-1].until("state")["view"]["room"] == house.evening.room.name


def test_a_desk_or_a_wall_of_a_room_that_is_not_there_shows_nothing(served: Served, lines: list[Line]) -> None:
    house = house_of(served, None)
    cookie = house.evening.desk_cookie()
    lines.append(served.socket(f"/ws/desk/{house.evening.event.code}-9/", cookie))
    assert lines[-1].receive() == {"close": 4401}
    answer = served.request("GET", f"/desk/{house.evening.event.code}-9/", headers={"Cookie": cookie})
    assert answer.status == 404
