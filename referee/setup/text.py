"""The sentences of the set-up in the language of the terminal.

They are read straight from the catalogue's source (.po): when they are needed nothing is compiled or installed yet.
"""

from __future__ import annotations

import ast
import os
from functools import cache
from pathlib import Path

LOCALE = Path(__file__).resolve().parents[2] / "locale"


def translate(sentence: str) -> str:
    """The sentence in the terminal's language, itself when there is no translation."""
    return _catalogue(language()).get(sentence) or sentence


def language() -> str:
    """The two-letter language of the terminal, "en" when it says none."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            code = value.split(".")[0].split("_")[0].lower()
            return code if code.isalpha() and code not in ("c", "posix") else "en"
    return "en"


@cache
def _catalogue(code: str) -> dict[str, str]:
    path = LOCALE / code / "LC_MESSAGES" / "django.po"
    if code == "en" or not path.is_file():
        return {}
    return read_catalogue(path.read_text(encoding="utf-8"))


def read_catalogue(text: str) -> dict[str, str]:
    """Sentences and translations of a .po text; plural, fuzzy and context-bound entries are left out."""
    catalogue: dict[str, str] = {}
    for entry in text.split("\n\n"):
        lines = [line for line in entry.splitlines() if not line.startswith("#~")]
        if any(line.startswith("#,") and "fuzzy" in line for line in lines):
            continue
        fields = _fields(lines)
        if fields.keys() == {"msgid", "msgstr"} and fields["msgid"]:
            catalogue[fields["msgid"]] = fields["msgstr"]
    return catalogue


def _fields(lines: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    keyword = ""
    for line in lines:
        if line.startswith("#") or '"' not in line:
            continue
        named, quoted = line.split('"', 1)
        keyword = named.strip() or keyword
        fields[keyword] = fields.get(keyword, "") + str(ast.literal_eval('"' + quoted.rstrip()))
    return fields
