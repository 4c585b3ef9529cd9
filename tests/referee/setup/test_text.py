from __future__ import annotations

import gettext
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.setup import messages, translations
from tests.referee.setup.conftest import SmallProject

CATALOGUE = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"

#: referee/setup/start.py
msgid "Everything is set up."
msgstr "È tutto \\"pronto\\"."

#: engine/draw/bag.py
#: referee/setup/environment.py
msgid ""
"Making the Python"
" environment"
msgstr ""
"Preparo"
" Python"

#: referee/setup/start.py
msgid "%(count)s step"
msgid_plural "%(count)s steps"
msgstr[0] "%(count)s passo"

#: referee/setup/start.py
msgctxt "wall"
msgid "Close"
msgstr "Chiuso"

#: referee/desk/views.py
msgid "Desk"
msgstr "Tavolo"

#~ msgid "Old"
#~ msgstr "Vecchio"
"""


def test_a_catalogue_is_read_before_anything_is_installed() -> None:
    assert messages.read_catalogue(CATALOGUE) == {
        "Everything is set up.": 'È tutto "pronto".',
        "Making the Python environment": "Preparo Python",
    }


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "../../etc"}, "en"),
        ({}, "en"),
    ],
)
def test_the_terminal_says_its_language(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], code: str) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert messages.language() == code


def test_an_italian_terminal_reads_italian(project: SmallProject) -> None:
    catalogue = project.root / "locale" / "it" / "LC_MESSAGES" / "django.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text(CATALOGUE)
    assert project.manage("setup", LC_ALL="it_IT.UTF-8").stdout == 'È tutto "pronto".\n'
    assert project.manage("setup", LC_ALL="C.UTF-8").stdout == "Everything is set up.\n"


def test_catalogues_are_compiled_for_gettext_and_again_when_they_change(tmp_path: Path) -> None:
    path = tmp_path / "locale" / "it" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(CATALOGUE)
    assert list(translations.catalogues(tmp_path)) == [path]
    assert not translations.are_compiled(tmp_path)
    translations.compile_catalogues(tmp_path)
    assert translations.are_compiled(tmp_path)
    spoken = gettext.translation("django", tmp_path / "locale", ["it"])
    assert spoken.gettext("Everything is set up.") == 'È tutto "pronto".'
    later = path.with_suffix(".mo").stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(later, later))
    assert not translations.are_compiled(tmp_path)


def test_the_compiling_step_leaves_nothing_stale(project: SmallProject) -> None:
    path = project.root / "locale" / "it" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(CATALOGUE)
    subprocess.run([sys.executable, "-m", "referee.setup.translations"], cwd=project.root, check=True)
    assert [found.name for found in path.parent.iterdir() if found != path] == ["django.mo"]
