"""Hooks of the documentation site: navigation from the index of the handbook, pages of rule sets and of the root."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polib
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from referee.handbook.rule_sets import LIST, rule_set_list, rule_set_names, rule_set_text

ROOT = Path(__file__).resolve().parents[1]
TRANSLATIONS = {"it": "Italiano", "fr": "Français"}
FROM_THE_ROOT = {
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "icon.svg": "referee/static/common/icon.svg",
}
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
LINK = re.compile(r"^\* \[[^]]+\]\(([\w-]+\.md)\)", re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the sections of the English handbook before the configured ones, and a section for each translation after."""
    translations = [{title: [_index(code), *_sections(code)]} for code, title in TRANSLATIONS.items()]
    start = {"Multiplo": ["index.md", _index("en")]}
    configured = _with_other_pages(config.nav or [])
    config.nav = [start, *_sections("en"), *configured, *translations]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the rule sets in each language, and files of the project's folder."""
    for address, source in FROM_THE_ROOT.items():
        files.append(File.generated(config, address, abs_src_path=str(ROOT / source)))
    for language in ("en", *TRANSLATIONS):
        for name in rule_set_names():
            text = rule_set_text(name, _translate(language))
            files.append(File.generated(config, f"handbook/{language}/{name}.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Append the table of the rule sets to its page; in files of the project's folder, correct the links."""
    path = Path(page.file.src_uri)
    if path.name in FROM_THE_ROOT:
        return markdown.replace("](docs/", "](")
    return f"{markdown}\n{rule_set_list(_translate(path.parent.name))}\n" if path.stem == LIST else markdown


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Navigation) -> dict[str, Any]:
    """Give the page the language of its folder: of its text, and of the theme's buttons."""
    language = Path(page.file.src_uri).parent.name
    config.theme["language"] = language if language in TRANSLATIONS else "en"
    return context


def _with_other_pages(sections: list[dict[str, list[str]]]) -> list[dict[str, list[str]]]:
    """Put the pages of `docs` that no section lists at the end of the last one."""
    listed = {page for section in sections for pages in section.values() for page in pages}
    others = sorted({path.name for path in (ROOT / "docs").glob("*.md")} - listed - {"index.md"})
    ((title, pages),) = sections[-1].items()
    return [*sections[:-1], {title: [*pages, *others]}]


def _sections(language: str) -> list[dict[str, list[str]]]:
    """Return the headings of the index of a handbook with the pages that they list."""
    text = (ROOT / "docs" / _index(language)).read_text(encoding="utf-8")
    parts = HEADING.split(text)[1:]
    found = {title: LINK.findall(body) for title, body in zip(parts[::2], parts[1::2], strict=True)}
    return [{title: _addresses(language, pages)} for title, pages in found.items() if pages]


def _addresses(language: str, pages: list[str]) -> list[str]:
    listed = [*pages, *(f"{name}.md" for name in rule_set_names())] if f"{LIST}.md" in pages else pages
    return [f"handbook/{language}/{page}" for page in listed]


def _index(language: str) -> str:
    return f"handbook/{language}/README.md"


def _translate(language: str) -> Callable[[str], str]:
    """Return gettext of a language, from its catalogue of messages."""
    if language not in TRANSLATIONS:
        return str
    catalogue = polib.pofile(str(ROOT / "locale" / language / "LC_MESSAGES" / "django.po"))
    texts = {entry.msgid: entry.msgstr for entry in catalogue if entry.msgstr and not entry.msgctxt}
    return lambda text: texts.get(text, text)
