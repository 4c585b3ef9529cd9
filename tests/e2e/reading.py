"""Checks of a page for people who use a screen reader, enlarge it, or want no motion."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from itertools import pairwise
from pathlib import Path

import reportlab
from playwright.sync_api import Page

HEADINGS = """() => [...document.querySelectorAll('h1, h2, h3, h4')]
    .filter((it) => it.checkVisibility({ checkVisibilityCSS: true }))
    .map((it) => [it.tagName, it.textContent.trim()])"""
TIMERS = """() => [...document.querySelectorAll('[role=timer]')]
    .filter((it) => (it.closest('[aria-live]') || it).getAttribute('aria-live') !== 'off').map((it) => it.outerHTML)"""
SPOKEN = "[aria-live=polite], [aria-live=assertive], [role=status], [role=alert], output"
LISTEN = f"""() => {{ window.heard = []; new MutationObserver((all) => all.forEach(({{ target }}) => {{
    const region = (target.closest ? target : target.parentElement)?.closest('{SPOKEN}');
    if (region && region.textContent.trim()) window.heard.push(region.id + ': ' + region.textContent.trim());
  }})).observe(document.body, {{ subtree: true, childList: true, characterData: true }}); }}"""
SOME_TICKS_MS = 2300
# Regions that scroll by themselves hold their contents; the page must not be wider than the window.
WIDE = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""
CULPRITS = """() => [...document.querySelectorAll('body *')].filter((it) => it.checkVisibility()
    && it.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .slice(0, 3).map((it) => it.outerHTML.slice(0, 90))"""
# What a reader hears next must not stand before what he has heard: neither above it nor, in the same line, to the left.
# Only what is laid out by itself counts, so not what hangs over the page, and not the squares of a board.
OUT_OF_ORDER = """() => {
  const found = [], apart = '.board, svg, dialog, [hidden], script, style';
  const flows = (it) => it.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })
    && !it.closest(apart) && !['absolute', 'fixed', 'sticky'].includes(getComputedStyle(it).position);
  for (const parent of document.querySelectorAll('body, body *')) {
    if (parent.closest(apart)) continue;
    const boxes = [...parent.children].filter(flows).map((it) => [it, it.getBoundingClientRect()])
      .filter(([, box]) => box.width > 1 && box.height > 1);
    for (let i = 1; i < boxes.length; i++) {
      const [before, first] = boxes[i - 1], [after, second] = boxes[i];
      const above = second.bottom <= first.top + 1 && second.left < first.right - 1;
      const shared = Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top);
      const left = shared > Math.min(first.height, second.height) / 2 && second.right <= first.left + 1;
      if (above || left) found.push(before.outerHTML.slice(0, 90) + ' is read before ' + after.outerHTML.slice(0, 90));
    }
  }
  return found;
}"""
LANDMARKS = """() => {
  const all = (what) => [...document.querySelectorAll(what)], heads = all('body > header'), main = all('main')[0];
  return {
    mains: all('main').filter((it) => it.checkVisibility()).length,
    heads: heads.length,
    late: heads.some((it) => it.compareDocumentPosition(main) & Node.DOCUMENT_POSITION_PRECEDING),
    forced: all('[tabindex]').filter((it) => it.tabIndex > 0).map((it) => it.outerHTML.slice(0, 90)),
  };
}"""
# Widths are measured in a font that comes with a requirement, one of the widest for text: so they are the same on every
# machine, whatever fonts it has. A font made of bytes, and a style sheet made by a script, need no leave of the CSP.
FONTS = Path(str(reportlab.__file__)).parent / "fonts"
MEASURE = """async (faces) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { font-family: Measured !important }');
  const made = faces.map(([weight, text]) =>
    new FontFace('Measured', Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)), { weight }));
  for (const face of made) document.fonts.add(await face.load());
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  window.measured = [sheet, made];
}"""
MEASURED = """() => {
  const [sheet, made] = window.measured;
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((it) => it !== sheet);
  made.forEach((face) => document.fonts.delete(face));
}"""
MOVING = """() => document.getAnimations().map((it) => it.effect?.target?.outerHTML.slice(0, 90))"""


def find_reading_faults(page: Page) -> list[str]:
    """One line a fault: headings, landmarks, the order of what is heard, talking clocks, contents beyond the edge at
    200 %, things that move all the same."""
    faults_in_order = [*_headings(page), *_landmarks(page), *_out_of_order(page)]
    return [*faults_in_order, *_clocks(page), *_enlarged(page), *_moving(page)]


def heard_while_nothing_happens(*pages: Page) -> list[str]:
    """Announcements of a screen reader on these pages while only the clock changes."""
    for page in pages:
        page.evaluate(LISTEN)
    pages[0].wait_for_timeout(SOME_TICKS_MS)
    return [f"{page.url}: {line}" for page in pages for line in page.evaluate("() => window.heard")]


def _headings(page: Page) -> list[str]:
    headings = page.evaluate(HEADINGS)
    levels = [int(tag[1]) for tag, _text in headings]
    found = []
    if levels.count(1) != 1 or levels[:1] != [1]:
        found.append(f"not one h1 before all headings: {headings}")
    if any(after - before > 1 for before, after in pairwise(levels)):
        found.append(f"a level of headings is left out: {headings}")
    if any(not text for _tag, text in headings):
        found.append(f"an empty heading: {headings}")
    return found


def _landmarks(page: Page) -> list[str]:
    told = page.evaluate(LANDMARKS)
    found = [] if told["mains"] == 1 else [f"{told['mains']} main parts"]
    if told["heads"] > 1 or told["late"]:
        found.append("the head of the page is not one part before the main one")
    return found + [f"is reached before its turn: {it}" for it in told["forced"]]


def _out_of_order(page: Page) -> list[str]:
    """As the page is laid out in this window and on a narrow phone."""
    before = page.viewport_size
    assert before is not None
    found: set[str] = set(page.evaluate(OUT_OF_ORDER))
    page.set_viewport_size({"width": 360, "height": 800})
    found |= set(page.evaluate(OUT_OF_ORDER))
    page.set_viewport_size(before)
    return sorted(found)


def _clocks(page: Page) -> list[str]:
    return [f"a clock that is read out as it ticks: {it}" for it in page.evaluate(TIMERS)]


def _enlarged(page: Page) -> list[str]:
    """At half the width, as browsers zoom to 200 %, and with letters of twice the size."""
    before, found = page.viewport_size, []
    assert before is not None
    page.evaluate(MEASURE, _faces())
    page.set_viewport_size({"width": 640, "height": 512})
    found += _beyond(page, "zoomed to 200 %")
    page.set_viewport_size(before)
    page.evaluate("() => (document.documentElement.style.fontSize = '200%')")
    found += _beyond(page, f"letters of 200 % at {before['width']}")
    page.evaluate("() => (document.documentElement.style.fontSize = '')")
    page.evaluate(MEASURED)
    return found


@cache
def _faces() -> list[tuple[str, str]]:
    """(weights, font file in base64) of the font that widths are measured in."""
    files = {"100 500": "Vera.ttf", "501 900": "VeraBd.ttf"}
    return [(weights, b64encode((FONTS / name).read_bytes()).decode()) for weights, name in files.items()]


def _beyond(page: Page, how: str) -> list[str]:
    wide = page.evaluate(WIDE)
    return [f"{how}: {wide} px beyond the edge: {page.evaluate(CULPRITS)}"] if wide > 0 else []


def _moving(page: Page) -> list[str]:
    page.emulate_media(reduced_motion="reduce")
    moving = page.evaluate(MOVING)
    page.emulate_media(reduced_motion="no-preference")
    return [f"moves all the same: {it}" for it in moving]
