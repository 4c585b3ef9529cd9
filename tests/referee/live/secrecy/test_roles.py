"""Desk sockets require a role, and are closed when it is removed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.test import Client

from referee.live.rooms.live_server import LiveServer, get_live_server
from referee.security.permissions import DESK_SOCKET
from tests.referee.live.in_process import SocketInProcess
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.enums import Role
from tournaments.models import Membership
from tournaments.now import utc_now
from tournaments.staff.services import staff

pytestmark = pytest.mark.django_db(transaction=True)
T = TypeVar("T")


async def act(work: Callable[..., T], *arguments: Any) -> T:
    """As a view does: in a thread of the server."""
    return await sync_to_async(work)(*arguments)


@pytest.fixture
async def home(transactional_db: None) -> AsyncIterator[LiveServer]:
    opened = get_live_server()
    yield opened
    await opened.close()


@pytest.fixture
async def live_game(home: LiveServer) -> LiveGame:
    return await act(make_live_game)


def colleague(live_game: LiveGame, role: Role) -> tuple[Membership, str]:
    """Another user and their session cookie."""
    user = User.objects.create(username=f"the {role}")
    place = Membership.objects.create(event=live_game.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return place, f"sessionid={client.cookies['sessionid'].value}"


async def desk_of(live_game: LiveGame, cookie: str) -> SocketInProcess:
    line = SocketInProcess(f"/ws/desk/{live_game.event.code}/", cookie)
    assert await line.open()
    return line


@pytest.mark.parametrize("role", Role)
async def test_whose_role_may_listen_is_shown_the_game_and_nobody_else(live_game: LiveGame, role: Role) -> None:
    _, cookie = await act(colleague, live_game, role)
    first = await (await desk_of(live_game, cookie)).receive()
    assert first.get("t", first.get("close")) == ("state" if role in DESK_SOCKET else 4401)


async def test_who_is_let_in_no_more_loses_his_open_desk_at_once_and_the_others_keep_theirs(
    live_game: LiveGame,
) -> None:
    place, cookie = await act(colleague, live_game, Role.JUDGE)
    line, directors = await desk_of(live_game, cookie), await desk_of(live_game, await act(live_game.desk_cookie))
    await line.until("state")
    await directors.until("state")
    await act(lambda: staff.revoke_role(place=place, by=live_game.judge, now=utc_now()))
    assert await line.until_close() == 4401
    assert (await (await desk_of(live_game, cookie)).receive()) == {"close": 4401}
    assert "close" not in await directors.kinds_before_pong()


async def test_another_role_makes_the_desk_ask_anew(live_game: LiveGame) -> None:
    place, cookie = await act(colleague, live_game, Role.JUDGE)
    line = await desk_of(live_game, cookie)
    await line.until("state")
    await act(lambda: staff.change_role(place=place, role=Role.WALL, by=live_game.judge, now=utc_now()))
    assert await line.until_close() == 4401
    assert (await (await desk_of(live_game, cookie)).receive()) == {"close": 4401}


async def test_a_role_that_went_without_news_is_noticed_by_the_regular_look(
    home: LiveServer, live_game: LiveGame
) -> None:
    place, cookie = await act(colleague, live_game, Role.TYPIST)
    line, directors = await desk_of(live_game, cookie), await desk_of(live_game, await act(live_game.desk_cookie))
    await line.until("state")
    await directors.until("state")
    await act(lambda: User.objects.filter(pk=place.user_id).update(is_active=False))
    await home._refresh_memberships()
    assert await line.until_close() == 4401
    assert "close" not in await directors.kinds_before_pong()
