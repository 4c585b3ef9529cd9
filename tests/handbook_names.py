"""Names of buttons, fields and pages that the handbook quotes in bold, and the same names in the catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parents[1]
HANDBOOK = ROOT / "docs" / "handbook"
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")
MARKUP = re.compile(r"<[^>]+>")


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the pages in English and in the language of a catalogue, each as a pattern with its values."""

    msgid: str
    english: str
    own: str

    def values_of(self, name: str, pattern: str) -> dict[str, str] | None:
        """Return the values of the placeholders if `name` is this text, else None."""
        if "%" not in pattern:
            return {} if name == pattern else None
        found = _expression(pattern).fullmatch(name)
        return found.groupdict() if found else None


@cache
def texts_of(language: str) -> tuple[Text, ...]:
    """Return all texts of a catalogue; those without placeholders come first."""
    found = list(_texts(language))
    return tuple(sorted(found, key=lambda text: (len(PLACEHOLDER.findall(text.english)), -len(text.english))))


def _texts(language: str) -> Iterator[Text]:
    for domain in ("django", "djangojs"):
        for entry in polib.pofile(str(ROOT / "locale" / language / "LC_MESSAGES" / f"{domain}.po")):
            pairs = [(entry.msgid, entry.msgstr)]
            if entry.msgid_plural:
                pairs = [(entry.msgid, entry.msgstr_plural[0]), (entry.msgid_plural, entry.msgstr_plural[1])]
            for english, own in pairs:
                if len(PLACEHOLDER.sub("", english).strip()) > 2 or not PLACEHOLDER.search(english):
                    yield Text(entry.msgid, _plain(english), _plain(own))


def _plain(text: str) -> str:
    """Return a text without markup, each run of white space as one space."""
    return " ".join(MARKUP.sub("", text).split())


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    seen: set[str] = set()
    parts: list[str] = []
    end = 0
    for placeholder in PLACEHOLDER.finditer(pattern):
        name = placeholder[1]
        parts += [re.escape(pattern[end : placeholder.start()]), f"(?P={name})" if name in seen else f"(?P<{name}>.+)"]
        seen.add(name)
        end = placeholder.end()
    return re.compile("".join([*parts, re.escape(pattern[end:])]).replace("%%", "%"))


def quoted_in(path: Path) -> list[str]:
    """Return the names in bold of a page, in their order."""
    text = CODE.sub("", path.read_text(encoding="utf-8"))
    return [" ".join(name.split()) for name in BOLD.findall(text)]


def is_text(name: str, language: str) -> bool:
    """Return True if a page in this language shows `name`."""
    if language == "en":
        return any(text.values_of(name, text.english) is not None for text in texts_of("it"))
    return any(text.values_of(name, text.own) is not None for text in texts_of(language))


def translations(name: str, language: str) -> set[str]:
    """Return what pages in this language show for an English name: of the texts with the most letters of their own."""
    found: dict[int, set[str]] = {}
    for text in texts_of(language):
        values = text.values_of(name, text.english)
        if values is not None:
            letters = len(PLACEHOLDER.sub("", text.english))
            found.setdefault(letters, set()).add(_fill(text.own, values))
    return found[max(found)] if found else set()


def _fill(pattern: str, values: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: values.get(found[1], "…"), pattern)
