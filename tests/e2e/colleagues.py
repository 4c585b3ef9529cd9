"""Desks of colleagues of the judge."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage


def let_in(judge: JudgePage, code: str, name: str, role: str, people: BrowserProfiles) -> Page:
    """A colleague with a role, at the desk on another laptop."""
    judge.page.goto(f"{judge.base}/desk/{code}/staff/")
    form = judge.page.locator("form.stack")
    form.get_by_label("Name", exact=True).fill(name)
    form.get_by_label("Role").select_option(role)
    form.get_by_role("button", name="Add to the staff").click()
    page = people.at_desk()
    page.goto(judge.page.locator(".new-link .address").inner_text())
    page.get_by_role("button", name="Open the desk").click()
    page.wait_for_url("**/desk/**")
    page.goto(f"{judge.base}/desk/{code}/")
    page.wait_for_selector("#console[data-ready]")
    return page
