"""Sockets return to the process that the front chooses for their room."""

from __future__ import annotations

from referee.live.rooms.route_balance import SETTLED_S, RouteBalance
from referee.live.sockets.connections import ConnectionRegistry, Socket
from referee.live.sockets.send_queue import SendQueue


async def ignore(_sent: object) -> None:
    """Sends nothing."""


class Process:
    """Sockets of one process, by the key of their room."""

    def __init__(self, name: str, keys: str) -> None:
        self.name, self.connections = name, ConnectionRegistry()
        self.balance = RouteBalance(self.connections)
        for number, key in enumerate(keys):
            self.arrive(key, number)

    def arrive(self, key: str, number: int = 99) -> None:
        queue = SendQueue(ignore, ignore)
        self.connections.add(Socket("phone", (1, 1), queue, lambda: None, player_id=number, route=key))
        self.balance.note_arrival(key)

    def tell(self, other: Process, now: float) -> None:
        if (keys := self.balance.take_arrivals()) is not None:
            other.balance.hear(self.name, keys, now)

    def keys_after_move(self, now: float, *, quiet: bool = True) -> str:
        self.balance.move(lambda _socket: quiet, now)
        return "".join(sorted(socket.route for socket in self.connections.everybody()))


def test_a_started_process_makes_one_socket_of_each_room_connect_again() -> None:
    stays, started = Process("stays", "aaabbb"), Process("started", "")
    started.tell(stays, now=0)
    assert stays.keys_after_move(SETTLED_S - 1) == "aaabbb"
    assert stays.keys_after_move(SETTLED_S) == "aabb"
    assert stays.keys_after_move(SETTLED_S + 1) == "aabb"


def test_sockets_follow_those_of_their_room_that_arrived_elsewhere() -> None:
    stays, started = Process("stays", "aabb"), Process("started", "a")
    stays.balance.hear("started", [], now=0)
    stays.keys_after_move(SETTLED_S)
    started.tell(stays, now=20)
    assert stays.keys_after_move(20 + SETTLED_S - 1) == "ab"
    assert stays.keys_after_move(20 + SETTLED_S) == "b"


def test_sockets_stay_while_a_turn_is_played_and_move_after_it() -> None:
    stays, started = Process("stays", "aa"), Process("started", "a")
    started.tell(stays, now=0)
    assert stays.keys_after_move(100, quiet=False) == "aa"
    assert stays.keys_after_move(200) == ""


def test_a_socket_that_arrives_here_later_keeps_its_room_here() -> None:
    stays, other = Process("stays", "aa"), Process("other", "a")
    other.tell(stays, now=0)
    stays.arrive("a")
    assert stays.keys_after_move(SETTLED_S) == "aaa"


def test_sockets_without_a_front_never_move() -> None:
    stays, started = Process("stays", ""), Process("started", "")
    stays.arrive("")
    started.tell(stays, now=0)
    stays.balance.hear("started", ["", "x"], now=0)
    assert [socket.route for socket in stays.connections.everybody()] == [""]
    stays.balance.move(lambda _socket: True, 100)
    assert len(list(stays.connections.everybody())) == 1
