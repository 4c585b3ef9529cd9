"""The organiser's own editions: files in DATA_DIR/editions, which can be added and edited."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from engine.tiles.edition import EDITIONS, Edition, edition_codes, edition_path, read_edition
from engine.tiles.edition_file import is_edition_code
from tournaments.errors import Refused

LARGEST_TEXT = 100_000
"""Limit of characters of an edition; those of the program have less than a tenth."""

_ADVICE = """\
# Your own copy of an edition. A game takes it as it is when the game begins; a game that is going on keeps its letters.
#
# Each line under [tiles] is one kind of tile: how many there are, what it is worth, and whether it counts as "vowel",
# "consonant" or "either" (French Y) when a rack is drawn. A tile of several letters, or with an accent, stands in
# quotes: "CH". Letters that only a blank can be: blank_only = ["K", "W"], above [tiles]. Set verified = true when you
# have counted the letters of your box. Give the edition a code of its own by giving the file another name, such as
# my-club.toml; under its old name it takes the place of the edition it was copied from.
# The page “Editions” and `python3 manage.py edition check FILE` tell what is wrong, with the line.
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


def is_own(code: str) -> bool:
    """Return True if the edition with this code is a file of the organiser."""
    return is_edition_code(code) and (editions_folder() / f"{code}.toml").is_file()


def read_text(code: str) -> str:
    """The text of an edition, also of an invalid one; `Refused` if there is none or it is not text."""
    path = edition_path(code)
    if path is None:
        raise Refused(_("There is no edition %(code)s.") % {"code": code})
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise Refused(_("%(path)s cannot be read as text in UTF-8: correct or remove it.") % {"path": path}) from None


def check_text(code: str, text: str) -> Edition:
    """Read the text of an edition; `EditionError` names the invalid line, `Refused` a text that is too long."""
    if len(text) > LARGEST_TEXT:
        raise Refused(_("This text is too long for an edition."))
    return read_edition(code, text)


def save_text(code: str, text: str) -> Edition:
    """Store a valid text as the organiser's edition with this code; games that have begun keep their letters.

    `Refused` if the organiser has no such edition, and `EditionError` as above.
    """
    if not is_own(code):
        raise Refused(_("This edition belongs to the program: copy it, then edit the copy."))
    edition = check_text(code, text)
    path = editions_folder() / f"{code}.toml"
    fresh = path.with_name(f".{code}.new")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        named = {"folder": path.parent, "why": error.strerror or error}
        raise Refused(_("The edition cannot be stored in %(folder)s: %(why)s") % named) from None
    return edition
