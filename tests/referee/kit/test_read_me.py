"""The page READ-ME-FIRST of a kit."""

from __future__ import annotations

import re

from django.conf import settings

from referee.kit.platforms import PLATFORMS, PYTHONS
from referee.kit.read_me import PICTURES, render_read_me


def test_the_page_has_every_language_and_needs_nothing_but_itself() -> None:
    page = render_read_me(list(PLATFORMS.values()), PYTHONS)
    for code, name in settings.LANGUAGES:
        assert f'<section id="{code}" lang="{code}">' in page
        assert f'<a href="#{code}" lang="{code}">{name}</a>' in page
    assert page.count("data:image/png;base64,") == len(PICTURES)
    without_pictures = re.sub(r"data:image/png;base64,[\w+/=]+", "", page)
    assert not re.search(r"//|<script|<link|<img|@import", without_pictures)


def test_only_the_systems_of_the_kit_are_described() -> None:
    page = render_read_me([PLATFORMS["windows-x86_64"]], ["3.12"])
    assert "Multiplo.bat" in page
    assert "Multiplo.command" not in page
    assert "multiplo.sh" not in page
    assert "3.12" in page
