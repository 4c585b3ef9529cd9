"""Bundles: one file for a script with all that it imports, and one for a style sheet.

Each of the many small files would cost a request and its headers, which a phone on a poor network notices. Only the
forms of import and export that the scripts use are read; any other is a fault of configuration.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

from django.core.exceptions import ImproperlyConfigured

SCRIPTS = (
    *("common/voice_switch.js", "desk/check_in.js", "desk/desk.js", "desk/search_page.js"),
    *("phone/main.js", "practice/countdown.js", "wall/season.js", "wall/wall.js"),
)
"""The scripts that templates load and that import others."""
STYLES = ("desk/console.css", "desk/desk.css", "desk/home.css", "desk/season.css")
"""The style sheets that import others."""

Read = Callable[[str], str]
"""Returns the text of a static file by its name."""

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_STYLE_IMPORT = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)


def make_bundle(name: str, read: Read) -> str:
    """Return a script or a style sheet with all that it imports."""
    if name.endswith(".css"):
        return _STYLE_IMPORT.sub(lambda found: make_bundle(_resolve(name, found[1]), read), read(name))
    scripts: dict[str, str] = {}
    _add(name, read, scripts, ())
    return "".join(scripts.values())


def _add(name: str, read: Read, scripts: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a script behind all that it imports, as a function that is called at once and returns its exports."""
    if name in above:
        raise ImproperlyConfigured(f"The scripts {' → '.join((*above, name))} import each other in a circle.")
    if name in scripts:
        return
    text = read(name)
    for _, other in _IMPORT.findall(text):
        _add(_resolve(name, other), read, scripts, (*above, name))
    body = _IMPORT.sub(lambda found: _constants(name, found), text)
    exports = _EXPORT.findall(body)
    body = _EXPORT.sub("", body)
    if other_form := _OTHER.search(body):
        raise ImproperlyConfigured(f"{name}: no bundle can be made with “{other_form[0]}”.")
    scripts[name] = f"const {_variable(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}})();\n"


def _constants(name: str, found: re.Match[str]) -> str:
    """Return the names that an import takes from another script; nothing for one that only runs it."""
    if found[1] is None:
        return ""
    return f"const {{{found[1].replace(' as ', ': ')}}} = {_variable(_resolve(name, found[2]))};\n"


def _resolve(name: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), other))


def _variable(name: str) -> str:
    return "_" + re.sub(r"\W", "_", name.removesuffix(".js"))
