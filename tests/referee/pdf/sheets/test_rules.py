"""The printed rules take one or two pages, with changes marked."""

from __future__ import annotations

from io import BytesIO
from typing import Any, cast

import pytest
from django.utils.translation import gettext as _
from django.utils.translation import override
from pypdf import PdfReader

from engine.archive.schema import Archive
from engine.rules.profile import load_profile, profile_codes
from engine.rules.rules_text import rule_page
from referee.pdf.sheets.rules import CHANGED, OURS, rules_pdf
from referee.pdf.sheets.rules_poster import rules_poster_pdf
from tests.engine.archive.played_game import play_game_archive
from tests.examples import one_in
from tests.referee.pdf.pages import MM, pages_of


def by(code: str, **switches: Any) -> Archive:
    """Return a real game with the name of another rule profile."""
    return cast(Archive, {**play_game_archive(), "profile": load_profile(code).with_switches(**switches).switches()})


def pages(pdf: bytes) -> list[str]:
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(pdf)).pages]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("code", one_in(4, profile_codes()))
def test_the_rules_of_every_profile_fit_on_two_pages(code: str, language: str, paper: str) -> None:
    assert len(pages(rules_pdf(by(code), language=language, paper=paper))) <= 2


def test_every_rule_stands_there_in_plain_words_with_its_source() -> None:
    text = " ".join(pages(rules_pdf(by("fisf"), language="en")))
    for group in rule_page(load_profile("fisf")):
        for part in (group.title, *(rule.title for rule in group.rules), *(rule.value for rule in group.rules)):
            assert part in text
    assert "FISF 5.3.1" in text
    assert "The organiser should compare this page with the text of the federation" in text


def test_changed_switches_are_marked_with_what_the_printed_rules_say() -> None:
    changed = " ".join(pages(rules_pdf(by("fisf", wrong_score="zero"), language="en")))
    assert "1 switch changed" in changed
    assert f"{CHANGED} A wrong score no points instead of: real points, with a warning" in changed
    as_printed = " ".join(pages(rules_pdf(by("fisf"), language="en")))
    assert f"{CHANGED} A" not in as_printed


def test_our_defaults_are_marked() -> None:
    text = " ".join(pages(rules_pdf(by("it-box"), language="en")))
    assert f"{OURS} A wrong score real points our default" in text
    assert f"{OURS} Tiles on a rack" not in text


@pytest.mark.parametrize("language", ["it", "de", "fr", "ro", "ca", "es", "en"])
@pytest.mark.parametrize("code", one_in(4, profile_codes()))
def test_the_poster_is_one_page_with_every_rule(code: str, language: str) -> None:
    [page] = pages_of(rules_poster_pdf(by(code, wrong_score="zero"), language=language, paper="letter"))
    assert page.collisions() == []
    assert page.outside(5 * MM) == []
    with override(language):
        text = " ".join(page.text.split())
        for group in rule_page(load_profile(code).with_switches(wrong_score="zero"), translate=_):
            assert group.title in text or group.title.split()[0] in text
    if load_profile(code).wrong_score != "zero":
        assert page.text.count("◆") == 2, "at the rule and in the legend"


def test_the_poster_marks_a_change_with_a_word_and_the_rule_of_the_edition() -> None:
    [page] = pages_of(rules_poster_pdf(by("fisf", wrong_score="zero"), language="en"))
    assert "◆ CHANGED" in page.text
    assert "instead of: real points, with a warning" in page.text
    [printed] = pages_of(rules_poster_pdf(by("fisf"), language="en"))
    assert "CHANGED" not in printed.text
