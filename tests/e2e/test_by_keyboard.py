"""A whole night without a mouse: from the start page to the printed standings, and where the focus is all the while."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess
from tests.tournaments.club_game import seeded_random

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
MOST_STEPS = 60
MOST_CONTROLS, FIELDS_OF_NEW_EVENT = 20, 4
# The field of the line for slips has the outline, not the input in it.
SEEN = """() => { const it = document.activeElement, box = it.getBoundingClientRect();
  const outlined = (style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
  return { outline: [it, it.parentElement].some((one) => outlined(getComputedStyle(one))), wide: box.width > 0,
    name: it.tagName + ' ' + (it.dataset.key || it.name || it.textContent.trim().slice(0, 30)) }; }"""
INSIDE = "it => document.activeElement === document.body || document.activeElement.closest(it) !== null"
NO_MOUSE = """() => ['pointerdown', 'mousedown'].forEach((kind) =>
  addEventListener(kind, () => console.error('a mouse was used'), true))"""


class Hands:
    """Two hands on the keyboard and none on the mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.press = page.keyboard.press
        self.type = page.keyboard.type
        page.context.add_init_script(f"({NO_MOUSE})()")

    def seen(self) -> str:
        """The focused element; its focus must be visible."""
        now = self.page.evaluate(SEEN)
        assert now["outline"], f"nobody sees that the focus is on {now['name']}"
        assert now["wide"], f"the focus is on something that is not shown: {now['name']}"
        return str(now["name"])

    def tab_to(self, selector: str, *, back: bool = False) -> None:
        """By Tab alone, looking at the focus on every step."""
        wanted, passed = self.page.locator(selector).first, list[str]()
        for _step in range(MOST_STEPS):
            self.press("Shift+Tab" if back else "Tab")
            if self.page.evaluate("() => document.activeElement !== document.body"):
                passed.append(self.seen())
            if wanted.evaluate("it => it === document.activeElement"):
                return
        raise AssertionError(f"{selector} is not reached by Tab: {passed}")

    def step(self, phase: str) -> None:
        """To the next step with Tab and Enter; afterwards the focus is still on the page, so Tab goes on from there."""
        self.tab_to("#console .head-actions [data-key=F2]")
        self.press("Enter")
        self.page.wait_for_selector(f"#console .main[data-phase={phase}]")
        expect(self.page.locator("#console h1")).to_be_focused()


def test_a_night_by_keyboard_alone(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    page, hands = judge.page, Hands(judge.page)
    a_new_event(judge, hands)
    the_players(hands)
    hands.step("drawn")
    hands.step("running")
    wrong, (word, ref, points) = judge.no_word(), judge.moves()[0]
    for slip in (f"1 {ref} {word} {points}", f"2 8H {wrong} 20"):
        hands.press("Escape")
        hands.press("/")
        expect(page.locator("#entry-line")).to_be_focused()
        hands.press("Control+a")
        hands.type(slip)
        expect(page.locator("#entry-echo.good")).to_contain_text("Table")
        hands.press("Enter")
        expect(page.locator("#entry-line")).to_have_value("")
    expect(page.locator("#slips-in")).to_have_text("2")
    hands.press("Escape")
    no_dialog_is_a_trap(page, hands)
    hands.press("F2")
    judge.confirm("closed")
    a_doubtful_one(page, hands, wrong)
    hands.press("F2")
    judge.phase("placed")
    hands.step("drawn")
    hands.press("F2")
    judge.phase("running")
    hands.press("F2")
    judge.confirm("closed")
    hands.press("F2")
    judge.phase("placed")
    hands.press("Alt+e")
    judge.confirm("finished")
    the_printed_standings(judge, hands)


AS_SOON_AS_SHOWN = """() => { window.same = true; document.body.addEventListener('htmx:afterSwap', () =>
  setTimeout(() => document.querySelector('#console .main[data-phase=drawn] [data-key=F2]')?.click())); }"""


def test_a_button_that_is_pressed_as_soon_as_it_is_shown_does_not_load_the_page_anew(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    """A page that is loaded anew hears no key until its scripts have run."""
    judge = JudgePage(people.at_desk(), server)
    judge.new_event()
    judge.page.evaluate(AS_SOON_AS_SHOWN)
    judge.page.keyboard.press("F2")
    judge.phase("running")
    assert judge.page.evaluate("window.same")


def test_words_that_are_typed_beside_a_field_decide_nothing(server: ServerProcess, people: BrowserProfiles) -> None:
    """A hundred words and slips at random places of the focus, while slips arrive and while they are judged."""
    judge, chance = JudgePage(people.at_desk(), server), seeded_random(7)
    page = judge.page
    page.goto(f"{judge.base}/desk/new/")
    fields = page.locator("#new-event :is(input, textarea, select):visible")
    assert len(set(fields.evaluate_all("all => all.map(one => one.name)"))) == FIELDS_OF_NEW_EVENT
    judge.new_event()
    is_calm(page)
    decided: list[str] = []
    judge.next_step("drawn")
    is_calm(page)
    judge.next_step("running")
    wrong, (word, ref, points) = judge.no_word(), judge.moves()[0]
    for line in (f"1 {ref} {word} {points}", f"2 8H {wrong} 20"):
        judge.types(line)
    expect(page.locator("#slips-in")).to_have_text("2")  # both lines are stored before requests are recorded
    page.on("request", lambda sent: decided.append(sent.url) if sent.method == "POST" else None)
    for phase in ("running", "closed"):
        if phase == "closed":
            judge.next_step("closed")
            decided.clear()
        is_calm(page)
        places = page.locator("#desk :is(button, a, summary, input:not([type=hidden]), [tabindex])").all()
        for _word in range(50):
            place = chance.choice([None, *places])
            if place is not None and place.is_visible():
                place.focus()
            page.keyboard.type(chance.choice([word, wrong, "accept it", "verdict: zero", f"{ref.lower()} yes"]))
        page.keyboard.press("Escape")
        judge.phase(phase)
        assert [address for address in decided if "/echo/" not in address] == []
    judge.next_step("placed")
    is_calm(page)
    page.keyboard.press("Alt+e")
    judge.confirm("finished")
    is_calm(page)


def is_calm(page: Page) -> None:
    """Few controls are visible, and no key is shown until Alt is held."""
    controls = page.locator(
        ":is(a[href], button, summary, input:not([type=hidden]), select, textarea):not(.skip):visible"
    )
    assert controls.count() <= MOST_CONTROLS, controls.evaluate_all("all => all.map(one => one.outerHTML.slice(0, 80))")
    expect(page.locator("kbd:visible")).to_have_count(0)
    page.keyboard.down("Alt")
    expect(page.locator("kbd:visible").first).to_be_visible()
    page.keyboard.up("Alt")


def a_new_event(judge: JudgePage, hands: Hands) -> None:
    """Through the form field by field, from the list of events."""
    hands.tab_to("a[href$='/desk/new/']")
    hands.press("Enter")
    judge.page.wait_for_url("**/desk/new/")
    hands.tab_to("#id_lines")
    hands.type("1, Anna Rossi, Torino")
    hands.press("Enter")
    hands.type("2, Bruno Neri, Ivrea")
    hands.tab_to("#preset-1")  # its word list must be built first
    hands.press("ArrowDown")
    hands.tab_to("#new-event .row.end button.go")
    hands.press("Enter")
    judge.phase("lobby")
    judge.page.wait_for_selector("#console[data-ready]")


def the_players(hands: Hands) -> None:
    """One more on the page of the players, which is a chord away, and back."""
    page = hands.page
    hands.press("Alt+g")
    hands.press("p")
    page.wait_for_url("**/players/")
    hands.tab_to("#lines")
    hands.type("3, Carla Blu, Torino")
    hands.tab_to("form:has(#lines) button.go")
    hands.press("Enter")
    expect(page.locator("table.standings").first).to_contain_text("Carla Blu")
    page.wait_for_load_state()  # the scripts that listen to keys have run
    hands.press("Alt+g")
    hands.press("Alt+g")
    page.wait_for_selector("#console[data-ready]")


def no_dialog_is_a_trap(page: Page, hands: Hands) -> None:
    """Words and keys open by a key, hold the focus, close by Escape and give it back."""
    hands.tab_to("#show-keys", back=True)
    for opens, dialog in (("F3", "#words"), ("?", "#keys")):
        hands.press(opens)
        expect(page.locator(f"{dialog}[open]")).to_be_visible()
        for _step in range(4):
            hands.press("Tab")
            assert page.evaluate(INSIDE, dialog), "the focus left an open dialog"
        hands.press("Escape")
        expect(page.locator(f"{dialog}[open]")).to_have_count(0)
        expect(page.locator("#show-keys")).to_be_focused()


def a_doubtful_one(page: Page, hands: Hands, wrong: str) -> None:
    """The question is reached by an arrow; a decision is begun and left, then the verdict stands."""
    hands.press("ArrowDown")
    card = page.locator(".queue .question:focus")
    expect(card.locator(".word").first).to_have_text(wrong)
    assert hands.seen()
    hands.press("Alt+d")
    hands.type("It is in the new edition.")
    hands.press("Enter")
    expect(page.locator("#preview dialog")).to_be_visible()
    expect(page.locator("#preview [data-key=Enter]")).to_be_focused()
    hands.press("Escape")
    expect(page.locator("#preview dialog[open]")).to_have_count(0)
    expect(card).to_have_count(1)
    hands.press("Alt+a")
    expect(page.locator(".queue-title").first).to_have_text("All 2 slips are judged")


def the_printed_standings(judge: JudgePage, hands: Hands) -> None:
    page = hands.page
    hands.press("Alt+g")
    hands.press("d")
    page.wait_for_url("**/documents/")
    hands.tab_to("[aria-label='Create: Standings']")
    hands.press("Enter")
    link = page.locator(".documents a.button").first
    link.wait_for()
    hands.tab_to(".documents a.button")
    printed = page.request.get(judge.base + str(link.get_attribute("href")))
    assert printed.body().startswith(b"%PDF")
    assert re.search("Open the PDF", link.inner_text())
