"""Pictures of every state of the desk.

One evening of twelve players on data of its own is played from the lobby to the end; each state is taken at four
sizes, and at 1280×800 also dark.
"""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Page

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage, send_slip, take_seat
from tests.e2e.pictures.studio import open_studio
from tests.referee.live.live_server import ServerProcess

SIZES = ((1024, 600), (1280, 800), (1920, 1080), (360, 740))
NAMES = (
    *("Anna Rossi", "Bruno Neri", "Carla Bianchi", "Dario Conti", "Elena Gallo", "Franco Riva"),
    *("Giulia Ferrari", "Marco Esposito", "Paola Greco", "Sergio Marino", "Teresa Fontana", "Ugo Lombardi"),
)

SEND = """async (slip) => (await fetch("/play/slip", {
  method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(slip)})).status"""


class Evening:
    """An evening at the desk, and the pictures of its states."""

    def __init__(self, people: BrowserProfiles, served: ServerProcess, folder: Path, wanted: set[str]) -> None:
        self.people, self.folder, self.wanted = people, folder, wanted
        self.judge = JudgePage(people.at_desk(), served)
        self.page = self.judge.page
        self.before_close = 0  # ms

    def keep(self, state: str) -> None:
        if self.wanted and state not in self.wanted:
            return
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.wait_for_timeout(300)
            self.page.screenshot(path=self.folder / f"{state}-{width}.png", animations="disabled")
        self.page.set_viewport_size({"width": 1280, "height": 800})
        self.page.emulate_media(color_scheme="dark")
        self.page.screenshot(path=self.folder / f"{state}-dark.png", animations="disabled")
        self.page.emulate_media(color_scheme="light")

    def play(self) -> None:
        judge, page = self.judge, self.page
        self.keep("home")
        page.goto(f"{self.judge.base}/desk/new/")
        self.keep("new-event")
        code = judge.new_event("\n".join(f"{table}, {name}" for table, name in enumerate(NAMES, 1)))
        phones = [self._joined(code, table) for table in (1, 3)]
        page.wait_for_timeout(5500)
        self.keep("lobby")
        judge.next_step("drawn")
        self.keep("drawn")
        judge.next_step("running")
        self._slips(phones)
        self.keep("turn")
        page.keyboard.down("Alt")
        self.keep("keys")
        page.keyboard.up("Alt")
        page.keyboard.press("F2")
        page.wait_for_timeout(300)
        self.keep("close-early")
        self.before_close = int(page.evaluate("Date.now()"))
        page.locator("#question button").first.click()
        judge.phase("closed")
        page.wait_for_timeout(800)
        self.keep("judging")
        self._being_judged()
        self._alarm()
        self._delayed_slip(phones[1])
        self.keep("delayed")
        page.locator(".slip[data-chosen] .no").click()
        page.wait_for_timeout(600)
        page.locator(".slip[data-chosen] .yes").click()
        page.wait_for_timeout(600)
        self.keep("ruling")
        page.keyboard.press("Escape")
        page.locator(".slip[data-chosen] .no").click()
        page.wait_for_timeout(600)
        self.keep("judged")
        page.keyboard.press("F2")
        page.wait_for_timeout(300)
        if page.locator("#question[open]").count():
            page.locator("#question button").first.click()
        judge.phase("placed")
        self.keep("placed")
        page.locator("summary[data-key='g m']").click()
        self.keep("more")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="End the game here").click()
        page.locator("#question button").first.click()
        judge.phase("finished")
        self.keep("end")
        page.goto(f"{judge.base}/desk/")
        self.keep("events")

    def _being_judged(self) -> None:
        """The moment between the close and the verdicts: a lock keeps the server from judging."""
        from django.db import transaction

        from tournaments.models import TurnClock

        TurnClock.objects.update(judged=False)
        with transaction.atomic():
            TurnClock.objects.update(judged=False)
            self.page.reload()
            self.keep("being-judged")
        self.page.reload()
        self.judge.phase("closed")

    def _alarm(self) -> None:
        """The longest alarm that the server sends."""
        from referee.live.monitoring.alarms import build_sentence

        sentence = build_sentence("locked", {"folder": "/home/multiplo/data", "server": 0})
        self.page.evaluate("(text) => { document.getElementById('connection-status').textContent = text; }", sentence)
        self.keep("alarm")
        self.page.evaluate("() => { document.getElementById('connection-status').textContent = ''; }")

    def _joined(self, code: str, table: int) -> Page:
        phone = self.people.with_phone()
        phone.goto(f"{self.judge.base}/j/{code}/")
        take_seat(phone, table)
        return phone

    def _delayed_slip(self, phone: Page) -> None:
        """A slip that the phone sent before the close and that arrives after it."""
        word, ref, score = self.judge.moves()[1]
        slip = {"t": "slip", "id": str(uuid4()), "turn": 1, "word": word, "ref": ref, "score": score}
        status = phone.evaluate(SEND, slip | {"sent": self.before_close})
        assert status == HTTPStatus.OK
        self.page.locator(".slip:has-text('Carla') .slip-head").click()
        self.page.wait_for_timeout(800)

    def _slips(self, phones: list[Page]) -> None:
        judge = self.judge
        _top, second, *_rest, last = judge.moves()
        send_slip(phones[0], *second)
        judge.types(f"2 {second[1]} {second[0]} {second[2]}")
        judge.types(f"4 {second[1]} {second[0]} {second[2] - 9}")
        judge.types(f"5 8H {judge.no_word()} 38")
        judge.types(f"6 {last[1]} {last[0]} {last[2]}")
        judge.types(f"7 {second[1]} {second[0]} {second[2] - 3}")
        self.page.keyboard.press("Escape")


def take_states(folder: Path, wanted: set[str]) -> None:
    """Play the evening and take the pictures."""
    with open_studio(lambda: None) as (people, served, _):
        evening = Evening(people, served, folder, wanted)
        evening.page.set_viewport_size({"width": 1280, "height": 800})
        evening.play()
