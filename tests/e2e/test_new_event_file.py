"""A file of players in the form of a new event: shown when it is chosen, and nothing that was typed is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import grave_faults
from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]


def test_a_chosen_file_is_shown_in_the_form_and_follows_its_columns(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    page = judge.page
    page.goto(f"{judge.base}/desk/new/")
    page.locator("[name=preset][value='it/it-box']").check()
    page.locator("#id_name").fill("Cup of the files")
    content = b"Nome;Cosa\nAnna Rossi;Torino\nBruno Neri;Ivrea\n"
    page.locator("#id_file").set_input_files({"name": "soci.csv", "mimeType": "text/csv", "buffer": content})
    added = page.locator("#players-file table")
    expect(added).to_contain_text("Bruno Neri")
    expect(added).not_to_contain_text("Ivrea")
    expect(page.locator("#id_name")).to_have_value("Cup of the files")
    page.locator("#column-1").select_option("club")
    expect(added).to_contain_text("Ivrea")
    assert grave_faults(page, is_new=True) == []
    page.locator("#new-event .row.end button.go").click()
    judge.phase("lobby")
    expect(page.locator("body")).to_contain_text("Bruno Neri")
