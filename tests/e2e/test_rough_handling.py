"""Faults of a real evening: a pulled plug, a wrong clock, two phones for one table, the back button."""

from __future__ import annotations

import signal
import time

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.held_requests import Held
from tests.e2e.judge import JudgePage, fill_slip, send_slip, sits_down
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
AWAY_S = 7.0
TWO_HOURS_FAST = "const real = Date.now; Date.now = () => real() + 7_200_000;"


def seconds(clock: str) -> int:
    minutes, rest = clock.split(":")
    return 60 * int(minutes) + int(rest)


def test_a_pulled_plug_in_mid_turn_loses_nothing_and_the_time_can_be_given_back(
    own_server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), own_server)
    code = judge.new_event()
    phone = sits_down(people.with_phone(), judge, code, 1)
    judge.next_step("drawn")
    judge.next_step("running")
    word, ref, points = judge.moves()[0]
    send_slip(phone, word, ref, points)
    own_server.stop(signal.SIGKILL)
    fill_slip(phone, word, ref, points + 1)
    time.sleep(AWAY_S)
    own_server.again()

    expect(judge.page.locator(".outage")).to_contain_text("The program did not run")
    expect(judge.page.locator("#slips-in")).to_have_text("1")
    expect(phone.locator("#score")).to_have_value(str(points + 1))
    before = seconds(judge.page.locator("#clock").inner_text())
    judge.page.get_by_role("button", name="Give back").click()
    expect(judge.page.locator(".outage")).to_have_count(0)
    assert seconds(judge.page.locator("#clock").inner_text()) > before + 15
    phone.locator("#send").click()
    expect(phone.locator("#receipt")).to_contain_text("Slip 2 ")
    judge.next_step("closed")
    assert f"declared {points + 1}" in judge.group(word) or f"says {points + 1}" in judge.group(word)


def test_an_answer_that_comes_while_the_desk_asks_does_not_take_the_question_away(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    judge.new_event()
    judge.next_step("drawn")
    judge.next_step("running")
    late = Held(judge.page, "**/do/**")
    judge.page.get_by_role("button", name="+30 s").click()
    judge.page.keyboard.press("F2")
    question = judge.page.locator("#question[open]")
    expect(question).to_be_visible()
    late.wait()
    with judge.page.expect_response("**/do/**"):
        late.let_go()
    judge.page.wait_for_load_state("networkidle")
    question.locator("button[value=yes]").press("Enter")
    judge.phase("closed")


def test_a_phone_whose_clock_is_two_hours_fast_counts_as_the_wall_does(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    phone = people.with_phone()
    phone.add_init_script(TWO_HOURS_FAST)
    sits_down(phone, judge, code, 1)
    judge.next_step("drawn")
    judge.next_step("running")
    expect(phone.locator("#clock")).not_to_be_empty()
    before, on_phone, after = (seconds(page.locator("#clock").inner_text()) for page in (judge.page, phone, judge.page))
    assert after - 1 <= on_phone <= before + 1


def test_a_phone_that_the_judge_lets_in_takes_the_table_and_the_older_one_is_told(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    older = sits_down(people.with_phone(), judge, code, 2)
    judge.page.goto(f"{judge.base}/desk/{code}/players/")
    row = judge.page.locator("tbody tr").nth(1)
    row.get_by_text("Change").click()
    row.get_by_role("button", name="Allow another phone").click()
    expect(judge.page.locator("#notices")).to_contain_text("Table 2 waits for the next phone.")
    expect(older.locator("#notice-title")).to_contain_text("another phone", ignore_case=True)
    newer = sits_down(people.with_phone(), judge, code, 2)
    judge.page.goto(f"{judge.base}/desk/{code}/")
    judge.page.wait_for_selector("#console[data-ready]")
    judge.next_step("drawn")
    judge.next_step("running")
    word, ref, points = judge.moves()[0]
    send_slip(newer, word, ref, points)
    expect(older.locator("#slip")).to_be_hidden()


def test_what_can_be_changed_about_a_player_is_fetched_again_after_a_request_without_answer(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    code, desk = judge.new_event(), judge.page
    desk.goto(f"{judge.base}/desk/{code}/players/")
    row = desk.locator("tbody tr").first
    change = row.locator("summary")
    desk.context.set_offline(True)
    change.press("Enter")
    expect(desk.locator("#connection-status")).to_contain_text("The server did not answer.")
    desk.context.set_offline(False)
    change.press("Enter")
    change.press("Enter")
    expect(row.get_by_label("Surname")).to_have_value("Rossi")


def test_the_back_button_changes_nothing(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    phone = sits_down(people.with_phone(), judge, code, 3)
    phone.go_back()
    phone.go_forward()
    expect(phone.locator("#main")).to_have_attribute("data-screen", "lobby")
    judge.page.goto(f"{judge.base}/desk/{code}/players/")
    assert judge.page.locator("tbody tr").count() == 3
    judge.page.go_back()
    judge.page.wait_for_selector("#console[data-ready]")
    judge.next_step("drawn")
    judge.page.reload()
    judge.phase("drawn")


def test_a_double_click_on_every_button_of_a_turn_does_it_once(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    judge.new_event()
    for name, phase in (
        ("Draw the first rack", "drawn"),
        ("Announce and start the clock", "running"),
        ("Close now", "closed"),
        ("Place ", "placed"),
        ("Draw turn 2", "drawn"),
    ):
        judge.page.get_by_role("button", name=name).first.dblclick()
        judge.confirm(phase)
    expect(judge.page.locator("h1")).to_have_text("Turn 2")
    expect(judge.page.locator(".notice.error")).to_have_count(0)
