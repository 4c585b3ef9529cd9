"""A judge, two phones and the wall play a night over the running server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine.board.board import Board
from engine.tiles.tiles import Tiles
from tests.e2e.conftest import BrowserProfiles, Network
from tests.e2e.judge import EDITION, OWN_POINTS, JudgePage, fill_slip, send_slip, take_seat
from tests.referee.live.live_server import ROOT, ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
GRACE_MS = 1000


@pytest.mark.usefixtures("poppler")
def test_a_night_from_the_first_click_to_the_printed_standings(
    server: ServerProcess, people: BrowserProfiles, tmp_path: Path
) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    wall = people.at_wall()
    wall.goto(judge.base + str(judge.page.get_by_role("link", name="Wall").get_attribute("href")))
    expect(wall.locator("#players")).to_have_text("3")
    commitment = judge.page.locator(".commitment").first.text_content()
    assert re.sub(r"\s", "", str(wall.locator("#commitment").text_content())) == commitment

    # Both ways in: the short code, and the address behind the QR code.
    anna, dario = people.with_phone(), people.with_phone(width=320, dark=True)
    network = Network(dario)
    anna.goto(judge.base)
    anna.get_by_role("textbox").first.fill(code.lower())
    anna.keyboard.press("Enter")
    take_seat(anna)
    dario.goto(f"{judge.base}/j/{code}/")
    dario.get_by_role("link", name="not on the list").click()
    dario.locator("#id_name").fill("Dario Verdi")
    dario.get_by_text("More choices").click()
    dario.locator("#id_table").fill("17")
    dario.get_by_role("button", name="Join the game").click()
    dario.wait_for_url("**/play/**")
    expect(wall.locator("#players")).to_have_text("4")

    first_turn(judge, wall, anna, dario)
    turn_with_a_late_slip(judge, wall, anna, dario, network)
    turn_by_tapping(judge, anna)

    judge.page.get_by_role("button", name="End the game here").click()
    judge.confirm("finished")
    expect(wall.locator("#wall")).to_have_attribute("data-screen", "finished")
    expect(anna.locator("#main")).to_have_attribute("data-screen", "finished")
    archive = the_archive(judge, tmp_path)
    the_printed_standings(judge, archive, tmp_path)


def first_turn(judge: JudgePage, wall: Page, anna: Page, dario: Page) -> None:
    """Right, wrong, replaced and paper slips; a reload in mid-turn; a struck word; an undo."""
    judge.next_step("drawn")
    (best, ref, points), (second, second_ref, second_points) = judge.moves()[:2]
    for page in (wall, anna, dario):
        assert judge.rack not in page.content()
    judge.next_step("running")
    send_slip(anna, second, second_ref, second_points)
    send_slip(anna, best, ref, points, version=2)
    wrong = judge.no_word()
    send_slip(dario, wrong, "8H", 30)
    judge.types(f"2 {ref} {best} {points + 5}")
    expect(wall.locator("#slips")).to_have_text("3")
    expect(judge.page.locator("#missing")).to_have_text("3")

    anna.reload()
    expect(anna.locator("#word")).to_have_value(re.compile(f"^{best}$", re.IGNORECASE))
    expect(anna.locator("#receipt")).to_contain_text("Slip 2 ")
    fill_slip(dario, wrong, "8H", 31)
    dario.reload()
    expect(dario.locator("#score")).to_have_value("31")

    judge.next_step("closed")
    assert "is not in the word list" in judge.group(wrong)
    expect(anna.locator("#own-points")).to_be_hidden()
    assert best not in wall.content()

    judge.page.get_by_text("More for this turn").click()
    judge.page.get_by_text("Accept or strike a word").click()
    form = judge.page.locator("form", has=judge.page.get_by_role("button", name="Strike", exact=True))
    form.get_by_label("Word").fill(best)
    form.get_by_label("Reason").fill("not in our dictionary")
    form.get_by_role("button", name="Strike", exact=True).click()
    expect(judge.page.locator(".preview")).to_contain_text("Anna Rossi")
    judge.page.locator(".preview button.go").click()
    expect(judge.page.locator(".preview")).to_have_count(0)
    expect(judge.page.locator(".rulings")).to_contain_text(best.upper())
    judge.next_step("placed")
    expect(anna.locator(OWN_POINTS)).to_have_text("0")

    judge.page.get_by_role("button", name=re.compile("Take .* back")).first.click()
    judge.confirm("closed")
    expect(anna.locator("#own-points")).to_be_hidden()
    judge.page.locator(".rulings").get_by_role("button", name="Take back").click()
    judge.page.locator(".preview button.go").click()
    expect(judge.page.locator(".preview")).to_have_count(0)
    expect(judge.page.locator(".rulings")).to_have_count(0)
    judge.next_step("placed")
    expect(anna.locator(OWN_POINTS)).to_have_text(str(points))
    expect(dario.locator(OWN_POINTS)).to_have_text("0")
    expect(dario.locator("#own-verdict")).to_contain_text("is not in the word list")
    expect(wall.locator("#top-word")).to_have_text(re.compile(f"^{best}$", re.IGNORECASE))
    expect(wall.locator("#top-score")).to_have_text(str(points))


def turn_with_a_late_slip(judge: JudgePage, wall: Page, anna: Page, dario: Page, network: Network) -> None:
    """A phone without network keeps its slip and sends it when it is back: too late, and the judge sees that."""
    judge.next_step("drawn")
    judge.next_step("running")
    word, ref, points = judge.moves()[0]
    send_slip(anna, word, ref, points)
    network.cut()
    fill_slip(dario, word, ref, points)
    dario.locator("#send").click()
    expect(dario.locator("#banner")).to_be_visible()
    judge.next_step("closed")
    judge.page.wait_for_timeout(GRACE_MS + 500)
    network.mend()
    # By the name: the number of the table may stand among the points of the other slip.
    expect(judge.page.locator(".group").filter(has_text="Dario Verdi")).to_contain_text("after the time was up")
    judge.next_step("placed")
    expect(anna.locator(OWN_POINTS)).to_have_text(str(points))
    expect(dario.locator(OWN_POINTS)).to_have_text("0")
    expect(wall.locator("#ranking")).to_contain_text("Anna Rossi")


def turn_by_tapping(judge: JudgePage, anna: Page) -> None:
    """A slip without typing: tap the first square, tap the tiles; letters on the way are filled in."""
    judge.next_step("drawn")
    judge.next_step("running")
    board = judge.board
    word, ref, points = judge.moves()[0]
    reference = judge.solver.ranked(board, Tiles.parse(EDITION, judge.rack))[0].reference
    anna.locator(f"#board [data-at='{reference.row},{reference.col}']").click()
    if anna.locator("#ref").input_value() != ref:
        anna.locator("#turn-direction").click()
    expect(anna.locator("#ref")).to_have_value(ref)
    tap_letters(anna, board, reference.row, reference.col, *reference.direction.step, word)
    expect(anna.locator("#word")).to_have_value(re.compile(f"^{word}$", re.IGNORECASE))
    anna.locator("#score").fill(str(points))
    anna.locator("#send").click()
    expect(anna.locator("#receipt")).to_contain_text("Slip 1 ")
    judge.next_step("closed")
    judge.next_step("placed")
    expect(anna.locator(OWN_POINTS)).to_have_text(str(points))


def tap_letters(phone: Page, board: Board, row: int, col: int, down: int, right: int, word: str) -> None:
    """Tap a tile of the rack for each letter that is not on the board; a blank asks which letter it is."""
    for number, letter in enumerate(word):
        if board.at(row + number * down, col + number * right) != 0xFF:
            continue
        if letter.isupper():
            phone.locator("#rack button:not(.used)", has_text=re.compile(f"^{letter}")).first.click()
        else:
            phone.locator("#rack button.empty:not(.used)").first.click()
            phone.locator("#alphabet button", has_text=re.compile(f"^{letter.upper()}")).first.click()


def the_archive(judge: JudgePage, folder: Path) -> Path:
    """Saved at the desk, and derived again by `verify` without a difference."""
    with judge.page.expect_download() as saved:
        judge.page.get_by_role("link", name="Save the archive of the game").click()
    path = folder / "night.json"
    saved.value.save_as(path)
    command = [sys.executable, "manage.py", "verify", str(path), "--lexicon", str(judge.lexicon_path)]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    return path


def the_printed_standings(judge: JudgePage, archive: Path, folder: Path) -> None:
    judge.page.get_by_role("link", name="Print the sheets").click()
    judge.page.get_by_role("button", name="Create: Standings", exact=True).click()
    link = judge.page.get_by_role("link", name="Open the PDF").first
    link.wait_for()
    pdf = folder / "standings.pdf"
    pdf.write_bytes(judge.page.request.get(judge.base + str(link.get_attribute("href"))).body())
    text = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    for line in json.loads(archive.read_text())["standings"]:
        assert re.search(rf"^\s*{line['rank']}\s+{line['table']}\s.*\s{line['total']}\s", text, re.MULTILINE)
    assert "Dario Verdi" in text
