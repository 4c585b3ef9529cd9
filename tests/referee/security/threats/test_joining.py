"""Whoever sends wrong codes and seats without number keeps nobody from joining, and cannot fill an event by himself."""

from __future__ import annotations

import asyncio
from time import monotonic

import pytest
from django.test import Client

from referee.phone import new_player_limit
from tests.examples import representative
from tests.referee.live.live_game import make_live_game
from tests.referee.live.live_server import ServerProcess, SocketClient
from tests.referee.live.raw_phone import RawPhone
from tests.referee.phone.seats import open_event, seat_player
from tests.referee.security.threats.attacking import Attack
from tests.waiting import PATIENCE_S
from tournaments.errors import Refused
from tournaments.models import Event, Player

LAPTOP, NEIGHBOUR, HOME = "192.168.1.66", "192.168.1.7", "10.9.8.7"
AT_ONCE = 4


async def join_all(server: ServerProcess, code: str, attack: Attack, listed: int, new: int) -> list[float]:
    """Join with phones while the attack is on, some at a time as people come in; the seconds that each took."""
    await attack.until_sent(6 * (listed + new))
    coming = asyncio.Semaphore(AT_ONCE)

    async def join(number: int) -> float:
        phone = RawPhone([("127.0.0.1", server.port)])
        async with coming:
            begun = monotonic()
            if number <= listed:
                await phone.join(code, table=number)
            else:
                await phone.join(code, name=f"New player {number}")
            assert (await phone.poll()).status == 200
            return monotonic() - begun

    return await asyncio.gather(*(join(number) for number in range(1, listed + new + 1)))


@pytest.mark.endurance
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("listed", "new", "within_s"), representative([(12, 8, PATIENCE_S), (60, 40, 10.0)]))
def test_all_phones_join_while_300_wrong_requests_a_second_come_from_their_address(
    served: ServerProcess, listed: int, new: int, within_s: float
) -> None:
    live_game = make_live_game(names=[f"Player {n}" for n in range(1, listed + 1)], joined=False)

    async def run() -> tuple[list[float], Attack]:
        async with Attack(served.port) as attack:
            return await join_all(served, live_game.event.code, attack, listed, new), attack

    seconds, attack = asyncio.run(run())
    assert max(seconds) < within_s
    assert live_game.event.players.exclude(token_hash="").count() == listed + new
    assert set(attack.answers) == {401, 422}, "every kind of request was understood, and refused"


def join_as(event: Event, name: str, address: str, **fields: str) -> int:
    """The status of a phone's try to join: 302 with a seat, 422 without."""
    return Client(REMOTE_ADDR=address).post(f"/j/{event.code}/", {"name": name, **fields}).status_code


@pytest.mark.endurance
@pytest.mark.django_db
def test_a_club_brings_sixty_new_players_at_once_and_an_attacker_cannot_invent_three_hundred() -> None:
    event = open_event()
    bruno = seat_player(event, 500, "Bruno")
    assert {join_as(event, f"Member {n}", NEIGHBOUR) for n in range(60)} == {302}
    statuses = [join_as(event, f"Invented {n}", LAPTOP) for n in range(300)]
    assert statuses[0] == 302
    assert statuses.count(422) > 100
    assert Player.objects.filter(self_joined=True).count() < new_player_limit.NEW_PLAYERS_RATE.burst + 60, (
        "60 more take two minutes"
    )
    assert join_as(event, "Bruno", LAPTOP) == 302, "listed players are not counted"
    phone = Client(REMOTE_ADDR=HOME)
    assert phone.post(f"/j/{event.code}/", {"name": "Guest"}).status_code == 302, "another network is not held up"
    again = phone.post(f"/j/{event.code}/", {"name": "Guest"}, REMOTE_ADDR=LAPTOP)
    assert again.status_code == 302, "who joins again is not new"
    assert Player.objects.get(pk=bruno.pk).token_hash


@pytest.mark.django_db
def test_whoever_waits_is_told_for_how_long_and_who_can_help() -> None:
    event = open_event()

    def come(number: int) -> None:
        for _ in range(number):
            new_player_limit.count_new_player(event, LAPTOP)

    with pytest.raises(Refused, match=r"wait \d+ seconds? and try again, or ask the judge"):
        come(int(new_player_limit.NEW_PLAYERS_RATE.burst) + 60)


@pytest.mark.endurance
@pytest.mark.django_db(transaction=True)
def test_the_desk_of_the_event_hears_of_many_new_players_and_no_other_desk_does(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    live_game, other = make_live_game(), make_live_game()
    desks = [served.socket(f"/ws/desk/{each.event.code}/", each.desk_cookie()) for each in (live_game, other)]
    lines += desks
    phone = RawPhone([("127.0.0.1", served.port)])
    for desk in desks:
        desk.until("state")
    for number in range(int(new_player_limit.ALARM_RATE.burst) + 20):
        asyncio.run(phone.join(live_game.event.code, name=f"New {number}"))
    assert "let only listed players join" in desks[0].alarm("many_new_players")
    desks[1].send({"t": "ping", "c": 1})
    desks[1].until("pong")
    assert "many_new_players" not in "".join(desks[1].texts)
