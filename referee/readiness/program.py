"""Checks of the parts of the program: fonts, compiled engine, word lists."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _
from reportlab.pdfbase.ttfonts import TTFError, TTFontFile

from engine.lexicon.machine_code import is_compiled
from engine.tiles.edition import EditionError, load_edition
from referee.pdf.drawing.fonts import font_files
from referee.readiness.finding import Finding
from tournaments.lexicons.engine_build import get_engine_build
from tournaments.lexicons.word_lists import read_description


def check_fonts(files: Sequence[Path] | None = None) -> Finding:
    """Check that the fonts of the printed sheets are present and complete, by the checksums in the files."""
    for path in font_files() if files is None else files:
        try:
            TTFontFile(str(path), validate=1)
        except (OSError, TTFError, ValueError, IndexError, KeyError):
            text = _("The font %(file)s is missing or damaged, so no sheet can be printed.") % {"file": path}
            return Finding("fonts", "fault", text, _reinstall())
    return Finding("fonts", "ok", _("The fonts of the printed sheets are complete."))


def check_engine() -> Finding:
    """Check that the engine is compiled for this version and processor; otherwise the first rack waits for it."""
    if is_compiled():
        return Finding("engine", "ok", _("The engine is compiled."))
    build = get_engine_build()
    if build is not None:
        return Finding("engine", "fault" if build.has_failed else "warning", build.sentence)
    text = _("The engine is not compiled, so the first rack takes half a minute.")
    return Finding("engine", "fault", text, _("Run: %(command)s setup") % {"command": settings.COMMAND})


def check_word_lists(folder: Path) -> Finding:
    """Check that there is a word list, and that each one is as it was built or imported."""
    paths = sorted(folder.glob("*.txt"))
    damaged = [path.stem for path in paths if not _is_sound(path)]
    if damaged:
        text = _("These word lists in %(folder)s are damaged: %(names)s.")
        remedy = _(
            "Build or import them again on the page “Word lists”, or with: %(command)s lexicon build LANGUAGE"
        ) % {"command": settings.COMMAND}
        return Finding("word-lists", "fault", text % {"folder": folder, "names": ", ".join(damaged)}, remedy)
    if not paths:
        text = _("There is no word list in %(folder)s.") % {"folder": folder}
        remedy = _("Build one on the page “Word lists”, or run: %(command)s setup") % {"command": settings.COMMAND}
        return Finding("word-lists", "fault", text, remedy)
    names = ", ".join(path.stem for path in paths)
    return Finding("word-lists", "ok", _("These word lists are ready: %(names)s.") % {"names": names})


def _is_sound(path: Path) -> bool:
    """Return True if a list has its edition and the checksum of its description; its graph is made anew if needed."""
    facts = read_description(path)
    try:
        load_edition(str(facts.get("edition") or facts.get("language") or path.stem))
        content = path.read_bytes()
    except (EditionError, OSError):
        return False
    return bool(content.strip()) and facts.get("sha256") in (None, hashlib.sha256(content).hexdigest())


def _reinstall() -> str:
    return _("Install Multiplo again; the data stay.")
