"""Pictures of every state of the phone and of the wall.

They are for looking at while designing, and belong to no document. The evening is played by the services, past the
desk, so that each state can be reached by its time; the server notices the changes by itself. Each state of the phone
is taken at 360×740 and at 320 pixels, light and dark; each of the wall at 1920×1080 and 1280×720.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import fill_slip
from tests.e2e.pictures.studio import open_studio

if TYPE_CHECKING:
    from engine.board.move import Move
    from tournaments.models import Event, Game, Player, Turn

CODE, NAME = "8FTDW", "Serata del martedì"
NAMES = (
    *("Anna Rossi", "Bruno Neri", "Carla Bianchi", "Dario Conti", "Elena Gallo", "Franco Riva", "Giulia Ferrari"),
    *("Marco Esposito", "Paola Greco", "Sergio Marino", "Teresa Fontana", "Ugo Lombardi"),
)
ANNA, ELENA, UGO = 1, 5, 12
PHONE_SIZES, WALL_SIZES = ((360, 740), (320, 640)), ((1920, 1080), (1280, 720))
TABLET = (1024, 768)
NUDGED_S = 18


class Evening:
    """An event, played by the services."""

    def __init__(self, code: str = CODE, names: Sequence[str] = NAMES) -> None:
        from tournaments.enums import DrawMode
        from tournaments.events.queries.events import get_drawing_room
        from tournaments.events.services import events
        from tournaments.models import Event, Game
        from tournaments.now import utc_now
        from tournaments.players.services.players import NewPlayer
        from tournaments.staff.services.login_links import first_judge

        self.now, self.judge = utc_now, first_judge()
        made = events.create_event(
            events.NewEvent(
                name=NAME,
                date=date(2026, 11, 24),
                place="",
                language="en",
                edition="it",
                profile="club",
                switches=None,
                draw_mode=DrawMode.SEEDED,
            ),
            players=[NewPlayer(table, name, "") for table, name in enumerate(names, 1)],
            by=self.judge,
            now=utc_now() - timedelta(hours=1),
            seed=bytes(range(32)),
        )
        Event.objects.filter(pk=made.event_id).update(code=code, wall_token=f"the-wall-of-{code}")
        Game.objects.filter(pk=made.pk).update(turn_seconds=180)
        self.pk = made.pk
        self.room = get_drawing_room(made.event)

    @property
    def game(self) -> Game:
        from tournaments.models import Game

        return Game.objects.select_related("event").get(pk=self.pk)

    @property
    def event(self) -> Event:
        return self.game.event

    def player(self, table: int) -> Player:
        from tournaments.models import Player

        return Player.objects.get(event=self.event, table=table)

    def draw(self) -> Turn:
        from tournaments.play.services import draw_rack

        turn = draw_rack.draw_turn(game=self.game, now=self.now(), by=self.judge)
        assert turn is not None
        return turn

    def announce(self, turn: Turn, left_s: int = 180) -> None:
        from tournaments.play.services import clocks

        clocks.announce_turn(turn=turn, room=self.room, now=self.now(), by=self.judge, seconds=left_s)

    def moves(self, turn: Turn) -> Sequence[Move]:
        from tournaments.lexicons.word_lists import get_solver
        from tournaments.play.position import board_before, rack_of

        return get_solver(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))

    def slip(self, turn: Turn, rank: int) -> tuple[str, str, int]:
        """Word, reference and points of the move with so many better ones."""
        from tournaments.play.position import edition_of, profile_of

        move = self.moves(turn)[rank]
        return move.word_text(edition_of(turn.game)), move.reference_text(profile_of(turn.game).notation), move.score

    def sends(self, turn: Turn, ranks: dict[int, int]) -> None:
        """Slips by table; all of them arrive now."""
        from tournaments.enums import SlipSource
        from tournaments.play.services import slips
        from tournaments.slip_content import SlipContent

        slips.submit_batch(
            [
                slips.IncomingSlip(
                    player_id=self.player(table).pk,
                    turn_id=turn.pk,
                    client_id=uuid4(),
                    source=SlipSource.PHONE,
                    content=SlipContent(*self.slip(turn, rank)),
                    received_at=self.now(),
                    sent_at=self.now(),
                    in_time=True,
                )
                for table, rank in ranks.items()
            ],
            now=self.now(),
        )

    def close(self, turn: Turn) -> None:
        from tournaments.play.services import clocks

        clocks.close_clock(turn=turn, room=self.room, now=self.now(), by=self.judge)

    def place(self, turn: Turn) -> None:
        from tournaments.play.services import placement

        turn.refresh_from_db()
        placement.place_move(turn=turn, by=self.judge, now=self.now())

    def plays(self, ranks: dict[int, int]) -> None:
        turn = self.draw()
        self.announce(turn)
        self.sends(turn, ranks)
        self.close(turn)
        self.place(turn)


class Camera:
    """Takes the pictures that are wanted."""

    def __init__(self, folder: Path, wanted: set[str]) -> None:
        self.folder, self.wanted = folder, wanted

    def phone(self, name: str, page: Page, *, sizes: Sequence[tuple[int, int]] = PHONE_SIZES) -> None:
        for width, height in sizes:
            for scheme in ("light", "dark"):
                self._take(f"phone-{name}-{width}-{scheme}", page, width, height, scheme)
        page.evaluate("() => (document.documentElement.style.fontSize = '200%')")
        self._take(f"phone-{name}-320-large", page, 320, 640, "light")
        page.evaluate("() => (document.documentElement.style.fontSize = '')")
        page.set_viewport_size({"width": 360, "height": 740})

    def wall(self, name: str, page: Page) -> None:
        for width, height in WALL_SIZES:
            self._take(f"wall-{name}-{height}", page, width, height, "light")

    def _take(self, name: str, page: Page, width: int, height: int, scheme: str) -> None:
        if self.wanted and not any(part in name for part in self.wanted):
            return
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        page.wait_for_timeout(120)
        page.screenshot(path=self.folder / f"{name}.png")
        beyond = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if beyond > 0:
            print(f"{name}: {beyond} px beyond the edge")


def screen(page: Page, name: str, *, of: str = "#main") -> None:
    """Wait until the page shows this phase."""
    expect(page.locator(of)).to_have_attribute("data-screen", name)


def joined(people: BrowserProfiles, base: str, table: int) -> Page:
    """The phone of a listed player."""
    page = people.with_phone(width=360)
    page.goto(f"{base}/j/{CODE}/?table={table}")
    page.locator("button.send").first.click()
    page.wait_for_url("**/play/**")
    return page


def take_all(camera: Camera, people: BrowserProfiles, base: str) -> None:
    """The evening from joining to the podium."""
    evening = Evening()
    wall = people.at_wall()
    wall.goto(f"{base}/wall/the-wall-of-{CODE}/")
    anna = joined(people, base, ANNA)
    elena, ugo = joined(people, base, ELENA), joined(people, base, UGO)
    take_joining(camera, people.with_phone(width=360), base)
    screen(wall, "lobby", of="#wall")
    camera.wall("lobby", wall)
    screen(anna, "lobby")
    camera.phone("lobby", anna)
    evening.plays({table: table % 3 for table in range(1, 13)})
    take_turn(camera, evening, wall, anna)
    take_last_seconds(camera, evening, elena, ugo, people, base)
    for late in range(3):
        evening.plays({table: (table * 7 + late) % 11 for table in range(1, 13)} | {ANNA: 0})
    take_solo(camera, evening, wall, anna, elena)
    take_end(camera, evening, wall, anna, elena)
    many = Evening("MANY2", [f"{name} {letter}." for letter in "ABC" for name in NAMES])
    many.plays({table: table % 30 for table in range(1, 37)})
    take_podium_of_many(camera, many, wall, base)


def take_podium_of_many(camera: Camera, evening: Evening, wall: Page, base: str) -> None:
    """More than 22 names beside the podium stand in two columns."""
    from tournaments.play.services import game_end

    game_end.end_game(game=evening.game, by=evening.judge, now=evening.now())
    wall.goto(f"{base}/wall/the-wall-of-MANY2/")
    screen(wall, "finished", of="#wall")
    camera.wall("podium-of-many", wall)


def take_joining(camera: Camera, page: Page, base: str) -> None:
    """The list, a near match, a new player, a table that has a phone."""
    address = f"{base}/j/{CODE}/"
    page.goto(base)
    camera.phone("code", page)
    page.goto(address)
    camera.phone("join", page)
    page.locator("#search").fill("ros")
    camera.phone("join-search", page)
    page.goto(f"{address}?new=1")
    camera.phone("join-new", page)
    page.locator("#id_name").fill("anna rosi")
    page.locator("button.send").click()
    page.wait_for_load_state()
    camera.phone("join-near", page)
    page.goto(f"{address}?table={ELENA}")
    camera.phone("join-table", page)
    for state in ("phone", "waiting"):
        page.locator("button.send").first.click()
        page.wait_for_selector("[name=asks_judge]" if state == "phone" else "[data-retry]", state="attached")
        camera.phone(f"join-{state}", page)


def take_turn(camera: Camera, evening: Evening, wall: Page, anna: Page) -> None:
    """Drawn, running, written, sent, paused, closed, placed."""
    from tournaments.play.services import clocks

    turn = evening.draw()
    screen(anna, "drawn")
    camera.phone("drawn", anna)
    screen(wall, "drawn", of="#wall")
    camera.wall("drawn", wall)
    evening.announce(turn, 130)
    screen(anna, "running")
    camera.phone("empty", anna)
    word, ref, points = evening.slip(turn, 0)
    fill_slip(anna, word, ref, points)
    camera.phone("build", anna, sizes=(*PHONE_SIZES, TABLET))
    evening.sends(turn, {table: table % 4 for table in range(2, 10)})
    anna.locator("#send").click()
    expect(anna.locator("#sent")).to_be_visible()
    expect(wall.locator("#slips")).to_have_text("9")
    camera.wall("turn", wall)
    camera.phone("sent", anna)
    clocks.pause_clock(turn=turn, room=evening.room, now=evening.now(), by=evening.judge)
    screen(anna, "paused")
    camera.phone("paused", anna, sizes=PHONE_SIZES[:1])
    screen(wall, "paused", of="#wall")
    camera.wall("paused", wall)
    clocks.resume_clock(turn=turn, room=evening.room, now=evening.now(), by=evening.judge)
    evening.close(turn)
    screen(anna, "closed")
    camera.phone("closed", anna)
    screen(wall, "closed", of="#wall")
    camera.wall("closed", wall)
    evening.place(turn)
    screen(anna, "placed")
    expect(anna.locator("#own-points")).to_be_visible()
    camera.phone("result", anna, sizes=(*PHONE_SIZES, TABLET))
    screen(wall, "placed", of="#wall")
    camera.wall("placed", wall)


def take_last_seconds(
    camera: Camera, evening: Evening, elena: Page, ugo: Page, people: BrowserProfiles, base: str
) -> None:
    """Nothing sent at 0:20, with and without a draft; a draft that was not sent; a late-comer; a removed player."""
    turn = evening.draw()
    screen(ugo, "drawn")
    evening.announce(turn, NUDGED_S)
    for page in (elena, ugo):
        screen(page, "running")
    fill_slip(ugo, *evening.slip(turn, 1))
    camera.phone("nudge", ugo, sizes=PHONE_SIZES)
    camera.phone("nudge-empty", elena, sizes=PHONE_SIZES[:1])
    late = people.with_phone(width=360)
    late.goto(f"{base}/j/{CODE}/?new=1")
    late.locator("#id_name").fill("Nadia Serra")
    late.locator("button.send").click()
    late.wait_for_url("**/play/**")
    screen(late, "running")
    camera.phone("late", late, sizes=PHONE_SIZES[:1])
    screen(ugo, "closed")
    camera.phone("unsent", ugo)
    evening.sends(turn, {table: table % 3 for table in (1, 3, 4)})
    evening.place(turn)
    from tournaments.models import Player
    from tournaments.players.services import players

    nadia = Player.objects.get(event=evening.event, name="Nadia Serra")
    players.remove_player(player=nadia, now=evening.now(), by=evening.judge)
    screen(late, "removed")
    camera.phone("removed", late)


def take_solo(camera: Camera, evening: Evening, wall: Page, anna: Page, elena: Page) -> None:
    """Elena alone finds the top."""
    turn = evening.draw()
    evening.announce(turn)
    evening.sends(turn, {ELENA: 0} | {table: 3 + table for table in range(1, 13) if table != ELENA})
    evening.close(turn)
    evening.place(turn)
    expect(elena.locator("#solo")).to_be_visible()
    camera.phone("solo", elena, sizes=(*PHONE_SIZES, TABLET))
    camera.phone("solo-of-another", anna, sizes=PHONE_SIZES[:1])
    expect(wall.locator("#solo-tag")).to_be_visible()
    camera.wall("solo", wall)
    wall.locator("#verify summary").click()
    camera.wall("verify", wall)
    wall.keyboard.press("Escape")


def take_end(camera: Camera, evening: Evening, wall: Page, anna: Page, elena: Page) -> None:
    """Podium, card of the winner, card of the others."""
    from tournaments.play.services import game_end

    game_end.end_game(game=evening.game, by=evening.judge, now=evening.now())
    screen(wall, "finished", of="#wall")
    camera.wall("podium", wall)
    for name, page in (("anna", anna), ("elena", elena)):
        screen(page, "finished")
        expect(page.locator("#card-name")).to_be_visible()
        camera.phone(f"end-{name}", page)
        page.get_by_role("link", name="My game, turn by turn").click()
        page.get_by_role("link", name="Share card").click()
        camera.phone(f"card-{name}", page)


def take_states(folder: Path, wanted: set[str]) -> None:
    """Play the evening and take the pictures."""
    complaints: list[str] = []
    with open_studio(lambda: None, complaints) as (people, served, _):
        take_all(Camera(folder, wanted), people, f"http://{served.host}")
        print(*(one for one in complaints if not re.search("422|401", one)), sep="\n")
