"""No message and no page tells a judge who plays along, or a second typist, what is not for him. It is all in reach."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.leaks import leaked
from tests.referee.live.evening import Evening, make_evening, slip
from tests.referee.live.serving import Line, Served
from tournaments.enums import Role
from tournaments.models import Membership
from tournaments.now import utc_now
from tournaments.services import double_typing, playing_along, slips

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


def colleague(evening: Evening, role: Role) -> tuple[User, str]:
    """Somebody else at the desks, and the cookie of his session."""
    user = User.objects.create(username=f"the {role}")
    Membership.objects.create(event=evening.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return user, f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def desk(served: Served, evening: Evening, cookie: str, lines: list[Line]) -> Line:
    lines.append(served.socket(f"/ws/desk/{evening.event.code}/", cookie))
    return lines[-1]


def read_by(served: Served, evening: Evening, cookie: str) -> str:
    code = evening.event.code
    answers = [served.request("GET", f"/desk/{code}/{page}", headers={"Cookie": cookie}) for page in PAGES]
    assert {answer.status for answer in answers} <= {200, 403}
    return "\n".join(answer.text for answer in answers)


def found(text: str, *secrets: str) -> list[str]:
    return leaked(text, secrets)


def test_a_judge_who_plays_along_is_told_nothing_until_his_slip_is_final(served: Served, lines: list[Line]) -> None:
    evening = make_evening()
    place = Membership.objects.get(event=evening.event, user=evening.judge)
    playing_along.play_at(place=place, table=1, by=evening.judge, now=utc_now())
    _, other_cookie = colleague(evening, Role.JUDGE)
    cookie, phone = evening.desk_cookie(), served.phone(evening.cookie(1))
    foreign = served.phone(evening.cookie(2))
    lines += [phone, foreign]
    own, others = desk(served, evening, cookie, lines), desk(served, evening, other_cookie, lines)
    evening.draw(RACK)
    tops = [top["word"] for top in evening.turn.tops or ()]
    secrets = (*tops, FOREIGN_WORD, "8642")
    evening.announce()
    for line in lines:
        line.phase("running")
    foreign.hand_in(slip(1, word=FOREIGN_WORD, ref="H8", score=8642))
    assert phone.hand_in(slip(1))["t"] == "ack"
    own.send({"t": "look", "at": "x"})
    for line in (own, others):
        line.drain()
    assert found("".join(own.texts), *secrets) == []
    assert found(read_by(served, evening, cookie), *secrets) == []
    assert set(tops) <= set(found(read_by(served, evening, other_cookie), *secrets))

    evening.press(served, "slip-is-final")
    assert set(tops) <= set(found(read_by(served, evening, cookie), *secrets))
    again = slip(1, word="TRONCO", ref="8D", score=27)
    refused = phone.hand_in(again)
    assert (refused["t"], refused["why"], "your slip stays as it is" in refused["text"]) == ("refused", "final", True)
    assert phone.hand_in(again)["why"] == "final"
    assert foreign.hand_in(slip(1, word="CORNO"))["t"] == "ack"
    evening.close()
    own.phase("closed")
    assert FOREIGN_WORD not in "".join(own.texts)


def test_the_socket_and_the_pages_of_a_second_typist_tell_nothing_of_the_first(
    served: Served, lines: list[Line]
) -> None:
    evening = make_evening()
    double_typing.set_double_typing(event=evening.event, wanted=True, now=utc_now(), by=evening.judge)
    _, cookie = colleague(evening, Role.TYPIST)
    own = desk(served, evening, cookie, lines)
    evening.draw(RACK)
    evening.announce()
    own.phase("running")
    game = evening.game
    game.refresh_from_db()
    slips.enter_paper(game=game, line="3 H8 PLANTEDWORD 8642", now=utc_now(), by=evening.judge)
    own.drain()
    assert found("".join(own.texts) + read_by(served, evening, cookie), FOREIGN_WORD, "8642") == []
    evening.close()
    own.phase("closed")
    own.drain()
    assert found("".join(own.texts) + read_by(served, evening, cookie), FOREIGN_WORD, "8642") == []
