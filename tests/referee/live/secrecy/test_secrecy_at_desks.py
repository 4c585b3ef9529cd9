"""No message or page reveals secrets to a judge who also plays, or to a second typist."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.leaks import leaked
from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tournaments.enums import Role
from tournaments.models import Membership
from tournaments.now import utc_now
from tournaments.play.services import double_entry, playing_judge, slips

pytestmark = pytest.mark.django_db(transaction=True)

RACK = "CORNOAT"
FOREIGN_WORD = "PLANTEDWORD"
PAGES = (
    "",
    "main/",
    "tops/",
    "log/",
    "words/?q=%3FORNOCT",
    "archive.json",
    "players/2/data.json",
    "typings/",
    "health/",
)


def colleague(live_game: LiveGame, role: Role) -> tuple[User, str]:
    """Another desk user and their session cookie."""
    user = User.objects.create(username=f"the {role}")
    Membership.objects.create(event=live_game.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return user, f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def desk(served: ServerProcess, live_game: LiveGame, cookie: str, lines: list[SocketClient]) -> SocketClient:
    lines.append(served.socket(f"/ws/desk/{live_game.event.code}/", cookie))
    return lines[-1]


def read_by(served: ServerProcess, live_game: LiveGame, cookie: str) -> str:
    code = live_game.event.code
    answers = [served.request("GET", f"/desk/{code}/{page}", headers={"Cookie": cookie}) for page in PAGES]
    assert {answer.status for answer in answers} <= {200, 403}
    return "\n".join(answer.text for answer in answers)


def found(text: str, *secrets: str) -> list[str]:
    return leaked(text, secrets)


def test_a_judge_who_plays_along_is_told_nothing_until_his_slip_is_final(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    live_game = make_live_game()
    place = Membership.objects.get(event=live_game.event, user=live_game.judge)
    playing_judge.start_playing(place=place, table=1, by=live_game.judge, now=utc_now())
    _, other_cookie = colleague(live_game, Role.JUDGE)
    cookie, phone = live_game.desk_cookie(), served.phone(live_game.cookie(1))
    foreign = served.phone(live_game.cookie(2))
    lines += [phone, foreign]
    own, others = desk(served, live_game, cookie, lines), desk(served, live_game, other_cookie, lines)
    live_game.draw(RACK)
    tops = [top["word"] for top in live_game.turn.tops or ()]
    secrets = (*tops, FOREIGN_WORD, "8642")
    live_game.announce()
    for line in lines:
        line.phase("running")
    foreign.hand_in(slip(1, word=FOREIGN_WORD, ref="H8", score=8642))
    assert phone.hand_in(slip(1))["t"] == "ack"
    own.send({"t": "look", "at": "x"})
    for line in (own, others):
        line.drain()
    assert found("".join(own.texts), *secrets) == []
    assert found(read_by(served, live_game, cookie), *secrets) == []
    assert set(tops) <= set(found(read_by(served, live_game, other_cookie), *secrets))

    live_game.press(served, "slip-is-final")
    assert set(tops) <= set(found(read_by(served, live_game, cookie), *secrets))
    again = slip(1, word="TRONCO", ref="8D", score=27)
    refused = phone.hand_in(again)
    assert (refused["t"], refused["why"], "your slip cannot be changed" in refused["text"]) == (
        "refused",
        "final",
        True,
    )
    assert phone.hand_in(again)["why"] == "final"
    assert foreign.hand_in(slip(1, word="CORNO"))["t"] == "ack"
    live_game.close()
    own.phase("closed")
    assert FOREIGN_WORD not in "".join(own.texts)


def test_the_socket_and_the_pages_of_a_second_typist_tell_nothing_of_the_first(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    live_game = make_live_game()
    double_entry.set_double_typing(event=live_game.event, wanted=True, now=utc_now(), by=live_game.judge)
    _, cookie = colleague(live_game, Role.TYPIST)
    own = desk(served, live_game, cookie, lines)
    live_game.draw(RACK)
    live_game.announce()
    own.phase("running")
    game = live_game.game
    game.refresh_from_db()
    slips.submit_paper_line(game=game, line="3 H8 PLANTEDWORD 8642", now=utc_now(), by=live_game.judge)
    own.drain()
    assert found("".join(own.texts) + read_by(served, live_game, cookie), FOREIGN_WORD, "8642") == []
    live_game.close()
    own.phase("closed")
    own.drain()
    assert found("".join(own.texts) + read_by(served, live_game, cookie), FOREIGN_WORD, "8642") == []
