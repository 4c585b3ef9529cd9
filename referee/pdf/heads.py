"""What stands at the head of every sheet of a game: event, date, edition, rules, word list."""

from __future__ import annotations

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.archive import Archive
from engine.rules.profile import Profile
from tournaments.names import edition_name, profile_name


def subtitle(archive: Archive) -> str:
    """Event, place and date on one line."""
    event = archive["event"]
    day = date_format(date.fromisoformat(event["date"]), "DATE_FORMAT") if event["date"] else ""
    return " · ".join(part for part in (event["name"], event["place"], day) if part)


def facts(archive: Archive) -> list[str]:
    """Two lines: edition and rules; word list with its checksum, and the fingerprint of the draw."""
    lexicon = archive["lexicon"]
    words = ngettext("%(n)s word", "%(n)s words", lexicon["words"]) % {"n": lexicon["words"]}
    rules = _("Edition: %(edition)s · Rules: %(rules)s") % {
        "edition": edition_name(archive["edition"]),
        "rules": profile_name(Profile.from_switches(archive["profile"])),
    }
    listed = _("Word list: %(name)s, %(words)s, SHA-256 %(sum)s") % {
        "name": lexicon["name"],
        "words": words,
        "sum": lexicon["sha256"],
    }
    commitment = archive["draw"]["commitment"]
    return [rules, listed] + ([_("Fingerprint of the draw: %(sum)s") % {"sum": commitment}] if commitment else [])
