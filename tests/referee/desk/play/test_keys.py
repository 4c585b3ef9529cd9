"""Keys of the console: every control has one in every phase, and shows it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.referee.desk.controls import (
    ambiguous_keys,
    controls,
    controls_with_hidden_key,
    controls_without_key,
    read_page,
)
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.rooms_game import RoomsGame, create_three_rooms
from tournaments.enums import DrawMode, Role
from tournaments.judging.services import rulings, warnings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import Heartbeat, Membership
from tournaments.now import utc_now
from tournaments.play.services import clocks, game_end
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
STAFF = (Role.DIRECTOR, Role.JUDGE, Role.TYPIST)
RACK = "ACEIRST"


def lobby(club_game: ClubGame) -> None:
    """Nothing is drawn."""


def drawn(club_game: ClubGame) -> None:
    club_game.draw()


def running(club_game: ClubGame) -> None:
    club_game.begin_turn(RACK)
    club_game.phone(1, "CARTE", "8H", 18)
    warnings.set_warning(
        turn=club_game.turn,
        player=club_game.player(1),
        code="discipline",
        given=True,
        request=RulingRequest(reason="", by=club_game.judge, now=club_game.later()),
    )


def paused(club_game: ClubGame) -> None:
    running(club_game)
    clocks.pause_clock(turn=club_game.turn, room=club_game.room, now=club_game.later(), by=club_game.judge)


def closed(club_game: ClubGame) -> None:
    running(club_game)
    club_game.phone(2, "TRISCEA", "8H", 70)
    club_game.paper("3 8D CESTA 4")
    club_game.paper("17 8H ZZZ 4")
    club_game.close()
    club_game.rule("TRISCEA", "accepted")
    turn, group = club_game.turn, club_game.verdict(3).group
    rulings.decide_groups(
        turn=turn,
        groups=[group],
        points=5,
        request=RulingRequest(reason="seen", by=club_game.judge, now=club_game.later()),
    )


def reversed_place(club_game: ClubGame) -> None:
    """The desk asks whether 7L counts for L7."""
    club_game.begin_turn(RACK)
    club_game.close()
    club_game.place(word="CARTE", ref="8H")
    club_game.begin_turn("CSTAIIR")
    club_game.paper("1 7L CESTA 8")
    club_game.close()


def away(club_game: ClubGame) -> None:
    closed(club_game)
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": club_game.now, "away_s": 12, "backup_at": club_game.now})


def placed(club_game: ClubGame) -> None:
    closed(club_game)
    club_game.place()


def finished(club_game: ClubGame) -> None:
    placed(club_game)
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())


PHASES = (lobby, drawn, running, paused, closed, reversed_place, away, placed, finished)
BY_THE_PROGRAM = [(phase, DrawMode.SEEDED) for phase in PHASES]
FROM_A_BAG = [(phase, DrawMode.TYPED) for phase in (lobby, drawn, placed)]


def at_the_desk(club_game: ClubGame, role: Role) -> Client:
    user = User.objects.create(username=f"the {role}")
    Membership.objects.create(event=club_game.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def require_keys(html: str) -> None:
    """Require that each control of the page has a visible, unambiguous key."""
    page = read_page(html)
    assert controls(page)
    assert controls_without_key(page) == []
    assert controls_with_hidden_key(page) == []
    assert ambiguous_keys(page) == []


@pytest.mark.parametrize(("phase", "draw_mode"), [*BY_THE_PROGRAM, *FROM_A_BAG])
def test_every_control_of_the_console_has_a_key_in_every_phase(
    phase: Callable[[ClubGame], None], draw_mode: str
) -> None:
    club_game = create_club_game(first_judge())
    club_game.now = utc_now() - timedelta(seconds=60)
    phase(club_game)
    if draw_mode == DrawMode.TYPED:
        club_game.game.draw_mode = draw_mode
        club_game.game.save()
    for role in STAFF:
        require_keys(at_the_desk(club_game, role).get(f"/desk/{club_game.event.code}/").content.decode())


def test_in_a_room_that_follows_every_control_has_a_key_too() -> None:
    live_game: RoomsGame = create_three_rooms(first_judge())
    club_game = live_game.club_game
    club_game.now = utc_now() - timedelta(seconds=60)
    client = at_the_desk(club_game, Role.DIRECTOR)
    club_game.begin_turn(RACK)
    for step in (
        lambda: None,
        lambda: live_game.announce("B"),
        lambda: live_game.close("B"),
        club_game.close,
        club_game.place,
    ):
        step()
        require_keys(client.get(f"/desk/{club_game.event.code}-2/").content.decode())


def test_what_opens_beside_a_group_and_before_a_decision_has_keys(client: Client) -> None:
    club_game = create_club_game(first_judge())
    client.force_login(club_game.judge)
    closed(club_game)
    code, htmx = club_game.event.code, {"HX-Request": "true"}
    for table in (1, 2, 3, 17):
        key = club_game.verdict(table).group
        beside = client.get(f"/desk/{code}/group/{key}/", headers=htmx).content.decode()
        require_keys(f"<div data-opened-by='d' data-key-scope>{beside}</div>")
        fields = {"group": key, "points": "3", "reason": "seen"}
        require_keys(client.post(f"/desk/{code}/preview/decide/", fields, headers=htmx).content.decode())


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
    assert controls_without_key(read_page(html)) == missing


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
def test_ambiguous_keys_are_named(html: str, wrong: list[str]) -> None:
    assert ambiguous_keys(read_page(html)) == wrong


def test_a_key_that_does_not_stand_on_its_control_is_named() -> None:
    assert controls_with_hidden_key(read_page('<button data-key="x">Go</button>')) == ["<button> Go"]
    assert controls_with_hidden_key(read_page('<button data-key="g x">Go <kbd>x</kbd></button>')) == []
