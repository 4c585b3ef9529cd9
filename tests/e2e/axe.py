"""Findings of axe-core on a page, in light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

GRAVE = ("serious", "critical")
Theme = Literal["light", "dark"]
LOOKS: tuple[tuple[Theme, int], ...] = (("light", 1280), ("dark", 320))
OTHER_LOOKS: tuple[tuple[Theme, int], ...] = (("dark", 1280), ("light", 320))
ALL_RULES: dict[str, object] = {"resultTypes": ["violations"], "iframes": False}
COLOURS: dict[str, object] = {**ALL_RULES, "runOnly": {"type": "rule", "values": ["color-contrast"]}}


def grave_faults(page: Page, *, is_new: bool) -> list[str]:
    """Serious and critical findings on the present page, one line each: place, rule, element.

    The page is seen in light and wide and in dark and narrow, and the colours of a page that `is_new` in the other two
    as well. The 225 squares, which take most of the time, are looked at once a page.
    """
    page.wait_for_load_state()  # a click waits only until the next page begins to load
    before, found = page.viewport_size, list[str]()
    where = {"include": [["html"]], "exclude": [] if is_new else [[".board"]]}
    page.evaluate(AXE_SCRIPT)
    for theme, width in (*LOOKS, *OTHER_LOOKS) if is_new else LOOKS:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 900})
        asked = ALL_RULES if (theme, width) in LOOKS else COLOURS
        told = page.evaluate("([where, asked]) => axe.run(where, asked)", [where, asked])
        found += [f"{theme} {width}: {line}" for line in _lines(told["violations"])]
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    if before:
        page.set_viewport_size(before)
    return found


def _lines(violations: Sequence[dict[str, object]]) -> list[str]:
    return [
        f"{one['id']} ({one['impact']}) {node['target']} {node['html'][:160]!r} {_why(node)}"
        for one in violations
        if one["impact"] in GRAVE
        for node in one["nodes"]  # type: ignore[attr-defined]
    ]


def _why(node: dict[str, list[dict[str, str]]]) -> str:
    return "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])[:200]
