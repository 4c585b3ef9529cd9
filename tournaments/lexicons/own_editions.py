"""The organiser's own editions: files in DATA_DIR/editions, which can be added and edited."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from engine.tiles.edition import EDITIONS, edition_codes, read_edition
from tournaments.errors import Refused

_ADVICE = """\
# Your own copy of an edition. A game takes it as it is when the game begins; a game that is going on keeps its letters.
#
# Each line under [tiles] is one kind of tile: how many there are, what it is worth, and whether it counts as "vowel",
# "consonant" or "either" (French Y) when a rack is drawn. A tile of several letters, or with an accent, stands in
# quotes: "CH". Letters that only a blank can be: blank_only = ["K", "W"], above [tiles]. Set verified = true when you
# have counted the letters of your box. Give the edition a code of its own by giving the file another name, such as
# my-club.toml; under its old name it takes the place of the edition it was copied from.
# `python3 manage.py edition check FILE` tells what is wrong, with the line.
#
"""


def editions_folder() -> Path:
    """Folder of the organiser's editions."""
    return Path(settings.DATA_DIR) / "editions"


def copy_to_edit(code: str, name: str | None = None) -> Path:
    """Copy an edition of the program into the folder, with comments on how to edit it; return the new file.

    `name` is the code of the copy. `Refused` if there is no such edition or the file exists.
    """
    source = EDITIONS / f"{code}.toml"
    if code not in {path.stem for path in EDITIONS.glob("*.toml")}:
        raise Refused(
            _("There is no edition %(code)s in the program; there are: %(codes)s.")
            % {"code": code, "codes": ", ".join(edition_codes())}
        )
    text = _ADVICE + source.read_text(encoding="utf-8")
    read_edition(name or code, text)
    target = editions_folder() / f"{name or code}.toml"
    editions_folder().mkdir(parents=True, exist_ok=True)
    try:
        with target.open("x", encoding="utf-8") as copy:
            copy.write(text)
    except FileExistsError:
        raise Refused(
            _("%(path)s is there already; edit it, or give the copy another name with --name.") % {"path": target}
        ) from None
    return target
