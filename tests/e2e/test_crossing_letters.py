"""By the French rules a player writes three crossing letters in place of the reference, on the phone and on paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.board.board import squares_of
from engine.board.coordinates import Notation, parse_reference
from engine.tiles.tiles import Tiles
from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import EDITION, OWN_POINTS, JudgePage, send_slip, sits_down
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]


def crossing_move(judge: JudgePage, first: str, at: str) -> tuple[str, int]:
    """(word, points) of the best move across the first word of the game, laid without a blank."""
    line = parse_reference(at, Notation.LETTER_FIRST)
    lying = set(squares_of(line, len(first)))
    tiles = Tiles.parse(EDITION, judge.rack.replace("?", ""))
    for move in judge.solver.ranked(judge.board, tiles):
        covered = squares_of(move.reference, len(move.word))
        if move.direction is not line.direction and lying & set(covered):
            return move.word_text(EDITION).upper(), move.score
    raise AssertionError("no move crosses the first word")


def test_a_phone_and_the_line_take_crossing_letters(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event(rules="fisf")
    phone = sits_down(people.with_phone(width=360), judge, code)
    judge.next_step("drawn")
    judge.next_step("running")
    judge.next_step("closed")
    judge.next_step("placed")
    first, at = (judge.page.locator(f".master {part}").first.inner_text() for part in ("b", "span"))
    judge.next_step("drawn")
    word, points = crossing_move(judge, first, at)
    judge.next_step("running")
    hint = judge.page.locator("#entry-hint")
    expect(hint).to_contain_text("across or down")
    expect(hint).to_contain_text("3 PUBLIERA ESC 167")
    expect(phone.locator("#direction")).to_contain_text("three letters of the word that yours crosses")
    hook = first[:3].upper()
    send_slip(phone, word, hook.lower(), points)
    expect(phone.locator("#direction")).to_contain_text(f"crossing letters {hook}")
    judge.types(f"2 {word} {hook} {points}")
    judge.next_step("closed")
    expect(judge.page.locator(".group .ref").first).to_contain_text(hook)
    judge.next_step("placed")
    expect(phone.locator(OWN_POINTS)).to_have_text(str(points))
    expect(phone.locator("#own-move")).to_contain_text(f"{word} {hook}")
