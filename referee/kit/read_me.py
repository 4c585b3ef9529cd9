"""The page READ-ME-FIRST of a kit: one file with its pictures, in all languages."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from referee import program_files
from referee.kit.platforms import Platform

PICTURES = {"desk": "desk.png", "join": "join.png", "phone": "phone.png"}
"""The pictures of docs/pictures on the page."""
_LAST = "en"
"""The language that is shown first; CSS needs it last."""


def render_read_me(platforms: Sequence[Platform], pythons: Sequence[str]) -> str:
    """Return the page. It has no script; the language is chosen by anchors."""
    languages = sorted(settings.LANGUAGES, key=lambda language: language[0] == _LAST)
    facts = {"systems": {platform.sys_platform for platform in platforms}, "pythons": pythons}
    parts = []
    for code, name in languages:
        with translation.override(code):
            content = {**facts, "code": code, "name": name}
            parts.append(render_to_string("kit/read_me_language.html", content))
    folder = program_files.PICTURES
    pictures = {name: _data_url(folder / file) for name, file in PICTURES.items()}
    return render_to_string("kit/read_me.html", {"languages": settings.LANGUAGES, "parts": parts, "pictures": pictures})


def _data_url(picture: Path) -> str:
    return "data:image/png;base64," + base64.b64encode(picture.read_bytes()).decode("ascii")
