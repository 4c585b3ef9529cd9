"""Every control of the console has a key in every phase, and shows it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.referee.desk.controls import ambiguous, controls, not_shown, read_page, without_key
from tests.tournaments.hall_of_rooms import Evening, three_rooms
from tests.tournaments.night import Night, begin
from tournaments.enums import DrawMode, Role
from tournaments.models import Heartbeat, Membership
from tournaments.now import utc_now
from tournaments.services import clocks, ending, rulings, warning
from tournaments.services.access import first_judge

pytestmark = pytest.mark.django_db
STAFF = (Role.DIRECTOR, Role.JUDGE, Role.TYPIST)
RACK = "ACEIRST"


def lobby(night: Night) -> None:
    """Nothing is drawn."""


def drawn(night: Night) -> None:
    night.draw()


def running(night: Night) -> None:
    night.begin_turn(RACK)
    night.phone(1, "CARTE", "8H", 18)
    warning.give_warning(
        turn=night.turn, player=night.player(1), code="discipline", reason="", by=night.judge, now=night.later()
    )


def paused(night: Night) -> None:
    running(night)
    clocks.pause(turn=night.turn, room=night.room, now=night.later(), by=night.judge)


def closed(night: Night) -> None:
    running(night)
    night.phone(2, "TRISCEA", "8H", 70)
    night.paper("3 8D CESTA 4")
    night.paper("17 8H ZZZ 4")
    night.close()
    night.rule("TRISCEA", "accepted")
    turn, group = night.turn, night.verdict(3).group
    rulings.decide_group(turn=turn, group=group, points=5, reason="seen", by=night.judge, now=night.later())


def reversed_place(night: Night) -> None:
    """The desk asks whether 7L counts for L7."""
    night.begin_turn(RACK)
    night.close()
    night.place(word="CARTE", ref="8H")
    night.begin_turn("CSTAIIR")
    night.paper("1 7L CESTA 8")
    night.close()


def away(night: Night) -> None:
    closed(night)
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": night.now, "away_s": 12, "backup_at": night.now})


def placed(night: Night) -> None:
    closed(night)
    night.place()


def finished(night: Night) -> None:
    placed(night)
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())


PHASES = (lobby, drawn, running, paused, closed, reversed_place, away, placed, finished)
BY_THE_PROGRAM = [(phase, DrawMode.SEEDED) for phase in PHASES]
FROM_A_BAG = [(phase, DrawMode.TYPED) for phase in (lobby, drawn, placed)]


def at_the_desk(night: Night, role: Role) -> Client:
    user = User.objects.create(username=f"the {role}")
    Membership.objects.create(event=night.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def demand_keys(html: str) -> None:
    """Say of each control what is wrong with its key."""
    page = read_page(html)
    assert controls(page)
    assert without_key(page) == []
    assert not_shown(page) == []
    assert ambiguous(page) == []


@pytest.mark.parametrize(("phase", "draw_mode"), [*BY_THE_PROGRAM, *FROM_A_BAG])
def test_every_control_of_the_console_has_a_key_in_every_phase(phase: Callable[[Night], None], draw_mode: str) -> None:
    night = begin(first_judge())
    night.now = utc_now() - timedelta(seconds=60)
    phase(night)
    if draw_mode == DrawMode.TYPED:
        night.game.draw_mode = draw_mode
        night.game.save()
    for role in STAFF:
        demand_keys(at_the_desk(night, role).get(f"/desk/{night.event.code}/").content.decode())


def test_in_a_room_that_follows_every_control_has_a_key_too() -> None:
    evening: Evening = three_rooms(first_judge())
    night = evening.night
    night.now = utc_now() - timedelta(seconds=60)
    client = at_the_desk(night, Role.DIRECTOR)
    night.begin_turn(RACK)
    for step in (lambda: None, lambda: evening.announce("B"), lambda: evening.close("B"), night.close, night.place):
        step()
        demand_keys(client.get(f"/desk/{night.event.code}-2/").content.decode())


def test_what_opens_beside_a_group_and_before_a_decision_has_keys(client: Client) -> None:
    night = begin(first_judge())
    client.force_login(night.judge)
    closed(night)
    code, htmx = night.event.code, {"HX-Request": "true"}
    for table in (1, 2, 3, 17):
        key = night.verdict(table).group
        beside = client.get(f"/desk/{code}/group/{key}/", headers=htmx).content.decode()
        demand_keys(f"<div data-opened-by='d' data-key-scope>{beside}</div>")
        fields = {"group": key, "points": "3", "reason": "seen"}
        demand_keys(client.post(f"/desk/{code}/preview/decide/", fields, headers=htmx).content.decode())


@pytest.mark.parametrize(
    ("html", "missing"),
    [
        ("<button>Go</button>", ["<button> Go"]),
        ('<a href="/x/">There</a>', ["<a> There /x/"]),
        ("<details><summary>More</summary></details>", ["<summary> More"]),
        ('<form><input name="q"><button data-key="Enter">Go</button></form>', ["the fields ['q']"]),
        ('<form><input name="q" data-key="q"><button data-key="Enter">Go</button></form>', []),
        ('<details><summary data-key="m">More</summary><form><input name="q"></form></details>', []),
    ],
)
def test_a_control_without_a_key_is_named(html: str, missing: list[str]) -> None:
    assert without_key(read_page(html)) == missing


@pytest.mark.parametrize(
    ("html", "wrong"),
    [
        ('<a href="/x/" data-key="x">1</a><a href="/y/" data-key="x">2</a>', ["x: ['/x/', '/y/']"]),
        ('<a href="/x/" data-key="x">1</a><a href="/x/" data-key="x">2</a>', []),
        ('<button data-key="g">1</button><button data-key="g p">2</button>', ["g begins another key"]),
        ('<button data-key="1">1</button>', ["1 is a digit"]),
        (
            '<p data-key-scope><a href="/x/" data-key="d"></p><p data-key-scope><a href="/y/" data-key="d"></p>',
            [],
        ),
        (
            '<button data-key="d">1</button><p data-key-scope><button data-key="d">2</button></p>',
            ["d is one of the page, too"],
        ),
    ],
)
def test_keys_that_cannot_be_told_apart_are_named(html: str, wrong: list[str]) -> None:
    assert ambiguous(read_page(html)) == wrong


def test_a_key_that_does_not_stand_on_its_control_is_named() -> None:
    assert not_shown(read_page('<button data-key="x">Go</button>')) == ["<button> Go"]
    assert not_shown(read_page('<button data-key="g x">Go <kbd>x</kbd></button>')) == []
