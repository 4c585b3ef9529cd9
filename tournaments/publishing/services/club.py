"""Settings of the club and of its website."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.documents.logo import read_logo
from tournaments.errors import Refused
from tournaments.models import Club
from tournaments.publishing.queries.club import get_club

ABOUT_LENGTH, FOLDER_LENGTH = 2000, 500


def set_club(
    *,
    name: str,
    language: str,
    about: str,
    lists_events: bool,
    publishes_all_events: bool,
    logo: bytes = b"",
    without_logo: bool = False,
) -> Club:
    """Store the settings, and the logo if a file is given; `without_logo` removes the stored one.

    Nothing is stored if a value is refused.
    """
    if language not in dict(settings.LANGUAGES):
        raise Refused(_("Choose one of the languages of the list."))
    club = get_club()
    club.name = validators.short_text(name, longest=validators.NAME_LENGTH, what=_("Name of the club"))
    club.language = language
    club.about = _clean_about(about)
    club.lists_events, club.publishes_all_events = lists_events, publishes_all_events
    if logo or without_logo:
        club.logo = read_logo(logo) if logo else b""
    club.save()
    return club


def set_folder(*, folder: str) -> Club:
    """Store the folder of the website: an absolute path, or an empty text for none."""
    path = Path(folder.strip()).expanduser() if folder.strip() else None
    if path is not None and not path.is_absolute():
        raise Refused(_("Write the whole path of the folder, from the root of the disk on."))
    if path is not None and len(str(path)) > FOLDER_LENGTH:
        raise Refused(_("The path of the folder is too long: choose a folder with a shorter one."))
    club = get_club()
    club.folder = "" if path is None else str(path)
    club.save()
    return club


def _clean_about(text: str) -> str:
    """Return the text with its lines, each without invisible characters."""
    cleaned = "\n".join(validators.one_line(line) for line in text.strip().splitlines())
    if len(cleaned) > ABOUT_LENGTH:
        raise Refused(
            _("The text about the club has %(length)d characters; at most %(longest)d fit.")
            % {"length": len(cleaned), "longest": ABOUT_LENGTH}
        )
    return cleaned
