"""The desk as the judge uses it, and a slip as a player writes it."""

from __future__ import annotations

import json
import re
from itertools import permutations
from typing import Any

from playwright.sync_api import Page, expect

from engine.board.board import Board
from engine.board.coordinates import Notation
from engine.lexicon.graph import Lexicon
from engine.search.solver import Solver
from engine.tiles.edition import load_edition
from engine.tiles.tiles import Tiles
from tests.referee.live.live_server import ServerProcess

EDITION = load_edition("it")
OWN_POINTS = "#own-points:visible, #solo-points:visible"
"""The points of the last turn on a phone; a solo has a screen of its own."""
SESSIONS: dict[ServerProcess, Any] = {}
"""The cookies of the judge at each server."""
PLAYERS = "1, Anna Rossi, Torino\n2, Bruno Neri, Ivrea\n3, Carla Blu, Torino"


def find_login_link(server: ServerProcess) -> str:
    """The judge's link that the server has printed last."""
    return next(line for line in reversed(server.said) if "/enter/" in line).strip()


def type_line(page: Page, line: str) -> None:
    """Type a line at a desk and wait until the server has answered."""
    with page.expect_response("**/paper/"):
        send_line(page, line)


def send_line(page: Page, line: str) -> None:
    """Type a line at a desk without waiting for the server."""
    page.locator("#entry-line").fill(line)
    expect(page.locator("#entry-echo.good")).to_contain_text("Table")
    page.locator("#entry-line").press("Enter")
    expect(page.locator("#entry-line")).to_have_value("")


class JudgePage:
    """The desk as the judge uses it: by its keys and its line, and what stands on it."""

    def __init__(self, page: Page, server: ServerProcess) -> None:
        self.page, self.base = page, f"http://{server.host}"
        self.lexicon_path = server.data / "lexicons" / "it.npy"
        self.lexicon = Lexicon.open(self.lexicon_path, EDITION)
        self.solver = Solver(self.lexicon)
        self._log_in(server)

    def _log_in(self, server: ServerProcess) -> None:
        """By the link of the server, which works once; later on by the session that it has opened."""
        cookies = SESSIONS.get(server)
        if cookies is None:
            self.page.goto(find_login_link(server))
            self.page.get_by_role("button", name="Open the desk").click()
            self.page.wait_for_url("**/desk/**")
            SESSIONS[server] = self.page.context.cookies()
        else:
            self.page.context.add_cookies(cookies)
            self.page.goto(f"{self.base}/desk/")

    def new_event(self, players: str = PLAYERS, rules: str = "it-box") -> str:
        self.page.goto(f"{self.base}/desk/new/")
        preset = self.page.locator(f"[name=preset][value='it/{rules}']")
        if preset.count():
            preset.check()
        else:
            self.page.locator("#more-choices > summary").click()
            self.page.locator("#id_profile").select_option(rules)
        self.page.get_by_label("Players, one a line").fill(players)
        self.page.get_by_role("button", name="Open the desk").click()
        self.phase("lobby")
        self.page.wait_for_selector("#console[data-ready]")
        return self.page.url.rstrip("/").rsplit("/", 1)[1]

    def phase(self, name: str) -> None:
        """Wait for the phase, and for its next step; the error shows what the desk says instead."""
        expect(self.page.locator(f"body:has(#console .main[data-phase={name}])")).to_be_visible()
        if name == "closed":  # slips are being judged for a moment
            expect(self.page.locator("#console [data-key=F2]")).to_be_visible()

    def next_step(self, phase: str) -> None:
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("F2")
        self.confirm(phase)

    def confirm(self, phase: str) -> None:
        """Wait for the phase, and answer with the verb if the desk asks first."""
        reached = self.page.locator(f"body:has(#console .main[data-phase={phase}])")
        question = self.page.locator("#question[open]")
        expect(reached.or_(question).first).to_be_visible()
        if question.count():
            question.locator("button[value=yes]").press("Enter")
        self.phase(phase)

    def types(self, line: str) -> None:
        """Type a line and wait until the server has answered."""
        type_line(self.page, line)

    @property
    def rack(self) -> str:
        return str(self.page.locator("[data-rack]").get_attribute("data-rack"))

    @property
    def board(self) -> Board:
        shown = json.loads(str(self.page.locator("[data-board]").get_attribute("data-board")))
        return Board.parse(EDITION, shown["board"])

    def moves(self) -> list[tuple[str, str, int]]:
        """(word, reference, points) of the best moves, one for each number of points."""
        by_points = {points: (word, ref, points) for word, ref, points in reversed(self.all_moves())}
        return [by_points[points] for points in sorted(by_points, reverse=True)]

    def all_moves(self) -> list[tuple[str, str, int]]:
        """(word, reference, points) of every move, best first."""
        ranked = self.solver.ranked(self.board, Tiles.parse(EDITION, self.rack))
        return [(m.word_text(EDITION), m.reference_text(Notation.NUMBER_FIRST), m.score) for m in ranked]

    def no_word(self) -> str:
        """Four letters of the rack that are no word."""
        tries = ("".join(letters) for letters in permutations(self.rack.replace("?", ""), 4))
        return next(word for word in tries if EDITION.parse_word(word) not in self.lexicon)

    def group(self, word: str) -> str:
        group = self.page.locator(".group").filter(has=self.page.locator(f".word:text-is('{word}')"))
        return " ".join(str(group.text_content()).split())


def take_seat(phone: Page, table: int = 1) -> None:
    """Choose the player at this table on the list that the phone shows."""
    phone.locator(f"button[name=table][value='{table}']").click()
    phone.wait_for_url("**/play/**")


def sits_down(phone: Page, judge: JudgePage, code: str, table: int = 1) -> Page:
    """Join with the address behind the QR code."""
    phone.goto(f"{judge.base}/j/{code}/")
    take_seat(phone, table)
    return phone


def fill_slip(phone: Page, word: str, ref: str, score: int) -> None:
    """Fill in the slip by typing; a letter after a question mark is a blank. A slip that was sent is changed."""
    phone.locator("#ref:visible, #change:visible").first.wait_for()
    if phone.locator("#change").is_visible():
        phone.locator("#change").click()
    phone.locator("#ref").fill(ref)
    phone.locator("#word").fill("")  # letters that stay where they are would stay marked
    phone.locator("#word").fill(re.sub("[a-z]", r"?\g<0>", word))
    phone.locator("#score").fill(str(score))


def send_slip(phone: Page, word: str, ref: str, score: int, *, version: int = 1) -> None:
    fill_slip(phone, word, ref, score)
    phone.locator("#send").click()
    expect(phone.locator("#receipt")).to_contain_text(f"Slip {version} ")
