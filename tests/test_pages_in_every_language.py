"""Join page, desk, phone and wall display through a whole turn use only the requested language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from tests.examples import representative
from tests.page_texts import Texts
from tests.test_translations import LANGUAGES, compiled, entries, pairs
from tournaments.staff.services.login_links import first_judge

__all__ = ["compiled"]
BACKEND = "django.contrib.auth.backends.ModelBackend"


def english_left(page: str, language: str) -> set[str]:
    """List texts of a page that are still English."""
    return {text for text in Texts.of(page) for pattern in english(language) if pattern.fullmatch(text)}


@cache
def english(language: str) -> tuple[re.Pattern[str], ...]:
    """Return patterns of the English texts, without those that are the same in the language."""
    return tuple(_english(language))


def _english(language: str) -> Iterator[re.Pattern[str]]:
    for entry in entries(f"locale/{language}/LC_MESSAGES/django.po"):
        for original, translated in pairs(entry):
            for part in re.split(r"<[^>]*>", original):
                words = re.sub(r"%\(\w+\)[sd]", "", part)
                if part not in translated and re.search(r"[^\W\d_]{3}", words):
                    yield re.compile(r".+?".join(map(re.escape, re.split(r"%\(\w+\)[sd]", part.strip()))), re.S)


def test_a_page_in_english_is_recognised() -> None:
    page = "<p>The rack is drawn. Nobody has seen it yet.</p><p>Penalty: 5.</p><b>Tavolo</b>"
    assert english_left(page, "it") == {"The rack is drawn. Nobody has seen it yet.", "Penalty: 5."}


@pytest.fixture(params=representative(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each language in turn; the active language is restored after the test."""
    with translation.override(request.param):
        yield request.param


@pytest.fixture
def browser(language: str) -> Client:
    """A browser that requests the language, with English as its second choice."""
    return Client(headers={"Accept-Language": f"{language}-{language.upper()},{language};q=0.9,en;q=0.5"})


@pytest.mark.django_db
def test_doors_read_in_the_language(browser: Client, language: str) -> None:
    for address in ("/", "/desk/locked/", "/nowhere/"):
        page = browser.get(address).content.decode()
        assert f'<html lang="{language}"' in page
        assert english_left(page, language) == set()
    assert english_left(browser.post("/", {"code": "NONE5"}).content.decode(), language) == set()


@pytest.mark.django_db
def test_the_scripts_get_the_texts_of_the_language(browser: Client, language: str) -> None:
    texts = browser.get("/texts.js").content.decode()
    [text] = [
        each
        for each in entries(f"locale/{language}/LC_MESSAGES/djangojs.po")
        if each.msgid == "No connection to the server."
    ]
    assert text.msgstr.encode("ascii", "backslashreplace").decode().replace("\\x", "\\u00") in texts
    assert "on a square: double word" in texts


@pytest.mark.django_db
def test_the_date_of_a_new_event_is_written_as_browsers_read_it(browser: Client) -> None:
    browser.force_login(first_judge(), backend=BACKEND)
    page = browser.get("/desk/new/").content.decode()
    assert re.search(r'<input type="date" name="date" value="\d{4}-\d\d-\d\d"', page)


@pytest.mark.django_db
def test_a_whole_turn_reads_in_the_language_on_desk_phone_and_wall(browser: Client, language: str) -> None:
    browser.force_login(first_judge(), backend=BACKEND)
    form = browser.get("/desk/new/")
    assert english_left(form.content.decode(), language) == set()
    fields = {name: field.initial for name, field in form.context["form"].fields.items() if field.initial is not None}
    fields |= form.context["form"].initial
    fields |= {"preset": "own", "edition": "it", "lexicon": "it", "lines": "1, Anna Rossi, Torino"}
    desk = browser.post("/desk/new/", fields)["Location"]
    code = desk.strip("/").split("/")[-1]
    pages = [browser.get(desk).content.decode()]
    wall = re.search(r'href="(/wall/[^"]+)"', pages[0])
    assert wall is not None
    join = browser.get(f"/j/{code}/")
    pages += [browser.get(wall[1]).content.decode(), join.content.decode()]
    ticket = join.context["ticket"]
    pages.append(browser.post(f"/j/{code}/", {"name": "", "table": "x", "ticket": ticket}).content.decode())
    browser.post(f"/j/{code}/", {"name": "Bruno Neri", "table": "2", "ticket": ticket})
    pages.append(browser.get("/play/").content.decode())
    for action, sent in TURN:
        pages.append(browser.post(f"{desk}do/{action}/", sent, headers={"HX-Request": "true"}).content.decode())
    final = len(pages) - 1
    pages += [browser.get(f"{desk}{page}/").content.decode() for page in PAGES]
    assert [english_left(page, language) for page in pages] == [set()] * len(pages)
    assert gettext("Final standings") in pages[final]


PAGES = ("players", "standings", "log", "documents")
TURN: tuple[tuple[str, dict[str, str]], ...] = (
    ("hall-word", {"word": "sole"}),
    ("draw", {}),
    ("announce", {}),
    ("paper", {"line": "1 8H ZZZZ 12"}),
    ("paper", {"line": "99 8H ZZZZ 12"}),
    ("paper", {"line": "1"}),
    ("pause", {}),
    ("resume", {}),
    ("close", {}),
    ("rule-word", {"word": "ZZZZ", "ruling": "accepted", "reason": "vocabolario"}),
    ("place", {}),
    ("undo", {}),
    ("place", {}),
    ("end", {}),
)
