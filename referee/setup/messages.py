"""Messages of the set-up in the language of the terminal.

A checkout has them in source catalogues (.po) only, because nothing is compiled or installed yet; an installed package
has compiled ones only.
"""

from __future__ import annotations

import ast
import gettext
import os
import re
from collections.abc import Callable
from functools import cache

from referee.program_files import LOCALE

# A text without context and plural, with its translation.
_ENTRY = re.compile(r'(?<!"\n)^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)', re.MULTILINE)


def translate(sentence: str) -> str:
    """Return the translation for the terminal's language, or the sentence itself if there is none."""
    return _translation(language())(sentence)


def language() -> str:
    """Return the two-letter language of the terminal, "en" if it is not set."""
    value = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    code = re.split(r"[._]", value)[0].lower()
    return code if code.isalpha() and code not in ("c", "posix") else "en"


@cache
def _translation(code: str) -> Callable[[str], str]:
    path = LOCALE / code / "LC_MESSAGES" / "django.po"
    if not path.is_file():
        return gettext.translation("django", LOCALE, [code], fallback=True).gettext
    sentences = read_catalogue(path.read_text(encoding="utf-8"))
    return lambda sentence: sentences.get(sentence) or sentence


def read_catalogue(text: str) -> dict[str, str]:
    """Return the sentences of the set-up in a .po text with their translations."""
    own = "\n\n".join(entry for entry in text.split("\n\n") if "#: referee/setup/" in entry)
    return {ast.literal_eval(f"({source})"): ast.literal_eval(f"({target})") for source, target in _ENTRY.findall(own)}
