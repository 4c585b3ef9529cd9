"""The handbook agrees with the pages: names in bold are texts of the pages, links and anchors lead somewhere."""

from __future__ import annotations

import re
from html import escape, unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from engine.rules.profile import load_profile, profile_codes
from engine.rules.rules_text import format_value
from engine.rules.switches import SWITCHES
from referee.desk.registry import GENERAL_PAGES, PAGES
from referee.handbook.context_help import _TASKS, help_address
from referee.handbook.pages import page_names
from referee.handbook.rendering import INDEX, anchor_of
from referee.handbook.rule_sets import rule_set_names
from tests.handbook_names import HANDBOOK, is_text, quoted_in, translations

LANGUAGES = ("en", "it", "fr")
FILES = sorted(HANDBOOK.glob("*/*.md"))
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)]+)\)")
LARGEST = 100_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_in_bold_are_texts_of_the_pages(language: str) -> None:
    quoted = {(path.name, name) for path in _pages(language) for name in quoted_in(path)}
    assert {(page, name) for page, name in quoted if not is_text(name, language)} == set()


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_each_language_names_the_same_buttons(language: str) -> None:
    missing = [
        (path.name, name)
        for path in _pages("en")
        for name in quoted_in(path)
        if not translations(name, language) & set(quoted_in(HANDBOOK / language / path.name))
    ]
    assert missing == []


def test_every_language_has_the_same_pages_and_the_index_lists_them() -> None:
    names = {language: {path.stem for path in _pages(language)} for language in LANGUAGES}
    assert names["en"] == names["it"] == names["fr"]
    for language in LANGUAGES:
        index = (HANDBOOK / language / f"{INDEX}.md").read_text(encoding="utf-8")
        assert {Path(link).stem for link in LINK.findall(index)} == names[language] - {INDEX}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_link_of_the_handbook_leads_to_a_heading_that_exists(path: Path) -> None:
    for link in LINK.findall(path.read_text(encoding="utf-8")):
        if link.startswith("https://"):
            continue
        name, _hash, anchor = link.partition("#")
        target = (path.parent / name).resolve()
        assert target.is_file(), link
        headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        assert not anchor or anchor in {anchor_of(heading) for heading in headings}, link


@pytest.mark.parametrize("language", [*LANGUAGES, "de"])
def test_every_page_is_served_in_the_language_of_the_browser(client: Client, language: str) -> None:
    shown = language if language in LANGUAGES else "en"
    for name in ("", *sorted(page_names() - {*rule_set_names()})):
        with translation.override(language):
            answer = client.get(f"/help/{name}/".replace("//", "/"), headers={"Accept-Language": language})
            note = gettext("This page is in English only.")
        page = answer.content.decode()
        source = (HANDBOOK / shown / f"{name or INDEX}.md").read_text(encoding="utf-8")
        assert answer.status_code == 200
        assert len(answer.content) < LARGEST
        assert f'<main id="page" class="handbook{"" if name else " index"}" lang="{shown}">' in page
        assert (note in page) == (shown != language)
        assert page.count("<h2 id=") - page.count('id="contents-title"') == source.count("\n## ")
        assert page.count("<img src=") - 1 == source.count("![")
        assert "**" not in page
        assert ".md)" not in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_rule_set_has_every_rule_in_the_language_of_the_browser(client: Client, language: str) -> None:
    headers = {"Accept-Language": language}
    listed = client.get("/help/rules/", headers=headers).content.decode()
    for code in profile_codes():
        address, profile = f"/help/rules-of-{code}/", load_profile(code)
        page = client.get(address, headers=headers).content.decode()
        with translation.override(language):
            assert f'<a href="{address}">{escape(translation.gettext(profile.title))}</a>' in listed
            for switch in SWITCHES:
                value = format_value(switch, profile.value_of(switch), translation.gettext)
                source = translation.gettext(profile.source_of(switch))
                assert f"<td>{value}</td>\n<td>{source}</td>" in unescape(page), switch


def test_a_checklist_shows_boxes(client: Client) -> None:
    page = client.get("/help/checklists/", headers={"Accept-Language": "en"}).content.decode()
    source = (HANDBOOK / "en" / "checklists.md").read_text(encoding="utf-8")
    assert page.count('<li class="task">') == source.count("* [ ] ") > 0
    assert "[ ]" not in page


def test_an_unknown_page_is_not_found(client: Client) -> None:
    assert client.get("/help/settings/").status_code == 404


def test_html_in_a_page_is_shown_as_text(tmp_path: Path) -> None:
    from referee.handbook.rendering import render_page

    text = "# Title\n\n<script>alert(1)</script> <b onclick=x>b</b> [x](javascript:alert(1))\n"
    html = render_page(text, tmp_path).html
    assert "<script" not in html
    assert "<b " not in html
    assert 'href="javascript' not in html


def test_the_help_of_a_page_of_the_desk_is_a_page_of_the_handbook() -> None:
    assert set(_TASKS) <= page_names()
    assert {page for pages in _TASKS.values() for page in pages} <= {*PAGES, *GENERAL_PAGES}
    assert help_address("staff") == "/help/several-judges-and-typists/"
    assert help_address("events") == "/help/"


def _pages(language: str) -> list[Path]:
    assert settings.BASE_DIR in HANDBOOK.parents
    return sorted((HANDBOOK / language).glob("*.md"))
