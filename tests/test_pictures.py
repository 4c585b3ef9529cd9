"""The pictures of the README and the documentation all exist, are used, and are taken by one command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.pictures.documents import FOLDER, LARGEST, PICTURES

ROOT = FOLDER.parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>[^)\s]+)")


def shown_on(page: Path) -> dict[Path, str]:
    """Return the pictures of a page with their alternative texts."""
    found = SHOWN.finditer(page.read_text(encoding="utf-8"))
    return {(page.parent / each["path"]).resolve(): each["alt"] for each in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_picture_of_a_page_is_there_and_says_what_it_shows(page: Path) -> None:
    for path, alt in shown_on(page).items():
        assert path.is_file(), path
        assert len(alt.split()) > 2, f"{path.name} needs a text for who cannot see it"


def test_every_picture_is_shown_somewhere_and_none_is_large() -> None:
    files = set(FOLDER.iterdir())
    assert files == {path for page in PAGES for path in shown_on(page)}
    assert [path.name for path in files if path.stat().st_size > LARGEST] == []


def test_one_command_takes_all_of_them() -> None:
    assert {f"{name}.png" for name in PICTURES} == {path.name for path in FOLDER.iterdir()}
