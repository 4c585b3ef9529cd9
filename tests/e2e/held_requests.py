"""Requests that the browser sends late."""

from __future__ import annotations

import time

from playwright.sync_api import Page, Route

from tests.waiting import PATIENCE_S


class Held:
    """Requests of a page that are on their way until they are let go."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._routes: list[Route] = []
        self._holds = True
        page.route(address, lambda route: self._came(route))

    def wait(self) -> None:
        """Wait until the page has asked for something; the browser tells it while the page is waited for."""
        end = time.monotonic() + PATIENCE_S
        while not self._routes:
            assert time.monotonic() < end, "nothing was asked for"
            self._page.wait_for_timeout(50)

    def let_go(self) -> None:
        self._holds = False
        for route in self._routes:
            route.continue_()

    def _came(self, route: Route) -> None:
        if self._holds:
            self._routes.append(route)
        else:
            route.continue_()
