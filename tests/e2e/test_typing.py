"""The judge types paper slips with the keyboard alone: the offered table, the same again, corrections, no network."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from referee.desk.play.console import MOST_CLEAR
from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
TABLES = 30
PLAYERS = "\n".join(f"{table}, Player {table}" for table in range(1, TABLES + 1))


@pytest.fixture
def judge(server: ServerProcess, people: BrowserProfiles) -> JudgePage:
    """At the desk of an event with thirty tables, the clock running, the hands on the keyboard."""
    judge = JudgePage(people.at_desk(), server)
    judge.new_event(PLAYERS)
    judge.next_step("drawn")
    judge.next_step("running")
    return judge


def press(page: Page, text: str) -> None:
    """Type as somebody does who knows the line: every sign a key, Enter at the end."""
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def words_of(judge: JudgePage, number: int) -> list[tuple[str, str, int]]:
    """(word, reference, points) of the best moves with so many words, each word once."""
    by_word = {word: (word, ref, points) for word, ref, points in reversed(judge.moves())}
    return sorted(by_word.values(), key=lambda move: -move[2])[:number]


def missing(page: Page) -> list[str]:
    return page.locator("#missing span").all_inner_texts()


@pytest.mark.endurance
def test_a_turn_of_thirty_slips_is_typed_judged_and_placed_without_the_mouse(judge: JudgePage) -> None:
    page = judge.page
    moves = words_of(judge, 4)
    expect(page.locator("#entry-offer")).to_have_text("1")
    # A digit finds its way into the line by itself; what has no table belongs to the offered one.
    for pile, (word, ref, points) in enumerate(moves):
        tables = list(range(1 + pile, TABLES + 1, len(moves)))
        press(page, f"{tables[0]} {ref} {word} {points}")
        for table in tables[1:4]:
            press(page, f"{table}+")
        press(page, "+".join(map(str, tables[4:])) + "+")
    expect(page.locator("#missing span")).to_have_count(0)
    expect(page.locator("#entry-offer")).to_be_hidden()
    expect(page.locator("#slips-in")).to_have_text(str(TABLES))

    # Table 7 again: the line says what it replaces before it counts, and Enter without a word leaves it.
    page.keyboard.type("7 0")
    expect(page.locator("#entry-echo")).to_contain_text("It replaces")
    expect(page.locator("#entry-hint")).to_contain_text("2 U cannot be read")
    press(page, " U")
    expect(page.locator("#entry-echo")).to_contain_text("zero, cannot be read")

    judge.next_step("closed")
    word, ref, points = moves[2]
    group = page.locator(".group").filter(has=page.locator(f".word:text-is('{word}')")).first
    tables = [table for table in range(3, TABLES + 1, len(moves)) if table != 7]
    expect(group).to_contain_text(f"{len(tables)} slips · {', '.join(map(str, tables))}")

    # A marked group is what = stands for, exactly.
    page.keyboard.press("Escape")
    page.keyboard.press("Alt+l")
    group.focus()
    expect(page.locator("#entry-repeat")).to_contain_text(f"{ref} {word}")
    press(page, "7=")
    expect(page.locator("#question")).to_contain_text("Was it handed in before the close?")
    page.keyboard.press("Enter")
    expect(page.locator("#entry-echo")).to_contain_text(f"Table 7, Player 7: {word.upper()}")
    expect(group).to_contain_text(f"{len(tables) + 1} slips")
    strike_and_think_better_of_it(page, word)
    judge.next_step("placed")


def strike_and_think_better_of_it(page: Page, word: str) -> None:
    """A form with two buttons by its keys: Enter would accept, with Shift it strikes; Esc takes the look back."""
    page.keyboard.press("Escape")
    page.keyboard.press("Alt+v")
    page.keyboard.type(word)
    page.keyboard.press("Tab")
    page.keyboard.type("too rare")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".preview")).to_be_visible()
    expect(page.locator(".preview h2")).to_contain_text("Strike")
    page.keyboard.press("Escape")
    expect(page.locator(".preview")).to_be_hidden()


def test_typing_does_not_wait_for_the_network_and_nothing_that_was_typed_is_lost(judge: JudgePage) -> None:
    page = judge.page
    (word, ref, points), (second, second_ref, second_points) = words_of(judge, 2)
    page.context.set_offline(True)
    press(page, f"{ref} {word} {points}" if ref[0].isalpha() else f"1 {ref} {word} {points}")
    press(page, f"99 {ref} {word} {points}")
    press(page, f"12 {second_ref} {second} {second_points}")
    press(page, "4+")
    expect(page.locator("#entry-line")).to_have_value("")
    expect(page.locator("#entry-offer")).to_have_text("5")
    expect(page.locator("#entry-echo")).to_contain_text("4 lines are waiting")
    page.context.set_offline(False)
    expect(page.locator("#slips-in")).to_have_text("3")
    expect(page.locator("#entry-refused")).to_contain_text("Nobody sits at table 99")
    assert {"1", "4", "12"}.isdisjoint(missing(page))

    # The refused line comes back by a key, whole, and is put right; others go on meanwhile.
    press(page, "5+")
    expect(page.locator("#slips-in")).to_have_text("4")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#entry-line")).to_have_value(f"99 {ref} {word} {points}")
    page.keyboard.press("Home")
    page.keyboard.press("Delete")
    press_at_end(page)
    expect(page.locator("#slips-in")).to_have_text("5")
    expect(page.locator("#entry-refused li")).to_have_count(0)
    assert "9" not in missing(page)

    judge.next_step("closed")
    assert "1, 9" in judge.group(word)
    assert "4, 5, 12" in judge.group(second)


def press_at_end(page: Page) -> None:
    page.keyboard.press("End")
    page.keyboard.press("Enter")


def test_the_offered_table_follows_and_a_slip_on_its_way_stays_with_its_table(judge: JudgePage) -> None:
    page = judge.page
    word, ref, points = judge.moves()[0]
    page.keyboard.press("/")
    expect(page.locator("#entry-line")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#entry-offer")).to_have_text("2")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#entry-offer")).to_have_text(str(TABLES))
    page.keyboard.press("ArrowDown")
    expect(page.locator("#entry-offer")).to_have_text("1")
    press(page, f"{word} {ref} {points}")
    expect(page.locator("#entry-offer")).to_have_text("2")
    expect(page.locator("#missing span")).to_have_count(TABLES - 1)
    press(page, "+")
    expect(page.locator("#entry-offer")).to_have_text("3")
    press(page, "20 -")
    expect(page.locator("#entry-offer")).to_have_text("21")
    expect(page.locator("#slips-in")).to_have_text("3")


@pytest.mark.endurance
def test_a_long_list_of_slips_without_doubt_is_fetched_when_its_key_opens_it(judge: JudgePage) -> None:
    page, number = judge.page, MOST_CLEAR + 2
    for word, ref, points in judge.all_moves()[:number]:
        press(page, f"{ref} {word} {points}")
    expect(page.locator("#slips-in")).to_have_text(str(number))
    judge.next_step("closed")
    expect(page.locator("#clear-groups .group")).to_have_count(0)
    page.keyboard.press("Alt+l")
    expect(page.locator("#clear-groups .group")).to_have_count(number)


def test_the_help_lists_the_keys_of_the_screen_and_they_do_what_it_says(judge: JudgePage) -> None:
    page = judge.page
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    shown = re.sub(r"\s+", " ", page.locator("#keys-list").inner_text())
    carried = page.locator("[data-key]:visible").evaluate_all("all => all.map(one => one.dataset.key)")
    listed = page.locator("#keys-list dt").evaluate_all(
        "all => all.map(one => [...one.querySelectorAll('kbd')].map(each => each.textContent).join(' '))"
    )
    assert {"F2", "F8", "F9", "/", "?"} <= set(carried)
    assert {"F4", "F3", "Alt w"} <= set(listed)
    assert {f"Alt {key}" if key[0].islower() else key for key in carried} - {"Escape", "F1"} <= set(listed)
    for told in ("Close now", "Warn a player", "Go to the line for paper slips", "Players", "Print"):
        assert told in shown
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()

    page.keyboard.press("Alt+w")
    expect(page.locator("#more-warning input[name=table]")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("F8")
    judge.phase("paused")
    page.keyboard.press("Alt+g")
    expect(page.locator("#key-hint")).to_contain_text("Players")
    page.keyboard.press("p")
    page.wait_for_url("**/players/")
    page.wait_for_load_state()
    page.keyboard.press("?")
    expect(page.locator("#keys-list")).to_contain_text("Game")
    page.keyboard.press("Escape")

    # What has no key of its own gets a number.
    page.keyboard.press("Alt+.")
    change = page.locator("td details summary, td a").first
    spot = change.bounding_box()
    assert spot is not None
    places = "all => all.map(one => [one.textContent, parseFloat(one.style.top), parseFloat(one.style.left)])"
    beside = [
        (number, abs(top + 6 - spot["y"]) + abs(left + 6 - spot["x"]))
        for number, top, left in page.locator(".numbers b").evaluate_all(places)
    ]
    [number] = [number for number, distance in beside if distance < 2]
    page.keyboard.type(number)
    if page.locator(".numbers").count():  # more digits could follow
        page.keyboard.press("Enter")
    expect(page.locator(".numbers")).to_have_count(0)
    assert change.evaluate("one => one === document.activeElement || one.parentElement.open || location.hash")
