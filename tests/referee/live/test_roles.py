"""The socket of the desk: whose role may listen, and what happens when it is taken away."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.test import Client

from referee.live.house import House, house
from referee.security.rights import DESK_SOCKET
from tests.referee.live.evening import Evening, make_evening
from tests.referee.live.in_process import SocketInProcess
from tournaments.enums import Role
from tournaments.models import Membership
from tournaments.now import utc_now
from tournaments.services import staff

pytestmark = pytest.mark.django_db(transaction=True)
T = TypeVar("T")


async def act(work: Callable[..., T], *arguments: Any) -> T:
    """As a view does: in a thread of the server."""
    return await sync_to_async(work)(*arguments)


@pytest.fixture
async def home(transactional_db: None) -> AsyncIterator[House]:
    opened = house()
    yield opened
    await opened.close()


@pytest.fixture
async def evening(home: House) -> Evening:
    return await act(make_evening)


def colleague(evening: Evening, role: Role) -> tuple[Membership, str]:
    """A colleague and the cookie of his session."""
    user = User.objects.create(username=f"the {role}")
    place = Membership.objects.create(event=evening.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return place, f"sessionid={client.cookies['sessionid'].value}"


async def desk_of(evening: Evening, cookie: str) -> SocketInProcess:
    line = SocketInProcess(f"/ws/desk/{evening.event.code}/", cookie)
    assert await line.open()
    return line


@pytest.mark.parametrize("role", Role)
async def test_whose_role_may_listen_is_shown_the_game_and_nobody_else(evening: Evening, role: Role) -> None:
    _, cookie = await act(colleague, evening, role)
    first = await (await desk_of(evening, cookie)).receive()
    assert first.get("t", first.get("close")) == ("state" if role in DESK_SOCKET else 4401)


async def test_who_is_let_in_no_more_loses_his_open_desk_at_once_and_the_others_keep_theirs(evening: Evening) -> None:
    place, cookie = await act(colleague, evening, Role.JUDGE)
    line, directors = await desk_of(evening, cookie), await desk_of(evening, await act(evening.desk_cookie))
    await line.until("state")
    await directors.until("state")
    await act(lambda: staff.revoke(place=place, by=evening.judge, now=utc_now()))
    assert await line.receive() == {"close": 4401}
    assert (await (await desk_of(evening, cookie)).receive()) == {"close": 4401}
    assert await directors.silence(0.3)


async def test_another_role_makes_the_desk_ask_anew(evening: Evening) -> None:
    place, cookie = await act(colleague, evening, Role.JUDGE)
    line = await desk_of(evening, cookie)
    await line.until("state")
    await act(lambda: staff.change_role(place=place, role=Role.WALL, by=evening.judge, now=utc_now()))
    assert await line.receive() == {"close": 4401}
    assert (await (await desk_of(evening, cookie)).receive()) == {"close": 4401}


async def test_a_role_that_went_without_news_is_noticed_by_the_regular_look(home: House, evening: Evening) -> None:
    place, cookie = await act(colleague, evening, Role.TYPIST)
    line, directors = await desk_of(evening, cookie), await desk_of(evening, await act(evening.desk_cookie))
    await line.until("state")
    await directors.until("state")
    await act(lambda: User.objects.filter(pk=place.user_id).update(is_active=False))
    await home._stay()
    assert await line.receive() == {"close": 4401}
    assert await directors.silence(0.3)
