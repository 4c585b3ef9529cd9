"""What stands at the head of every sheet of a game: event, date, edition, rules, word list."""

from __future__ import annotations

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.archive import Archive, EventEntry, edition_of
from engine.formulas import load_formula
from engine.rules.profile import Profile
from engine.rules.wording import clock_text
from tournaments.names import edition_name, formula_name, rules_name


def subtitle(archive: Archive) -> str:
    """Event, place and date on one line."""
    return event_line(archive["event"])


def event_line(event: EventEntry) -> str:
    """The same of an event alone."""
    day = date_format(date.fromisoformat(event["date"]), "DATE_FORMAT") if event["date"] else ""
    return " · ".join(part for part in (event["name"], event["place"], day) if part)


def facts(archive: Archive) -> list[str]:
    """Two lines: edition, rules and formula; word list with its checksum, and the fingerprint of the draw."""
    lexicon = archive["lexicon"]
    words = ngettext("%(n)s word", "%(n)s words", lexicon["words"]) % {"n": lexicon["words"]}
    game_formula = load_formula(archive["formula"])
    rules = _("Edition: %(edition)s · Rules: %(rules)s") % {
        "edition": edition_name(edition_of(archive)),
        "rules": rules_name(Profile.from_switches(archive["profile"]), game_formula),
    }
    formula = _("Formula: %(formula)s, %(time)s a turn") % {
        "formula": formula_name(game_formula),
        "time": clock_text(archive["rhythm_s"]),
    }
    listed = _("Word list: %(name)s, %(words)s, SHA-256 %(sum)s") % {
        "name": lexicon["name"],
        "words": words,
        "sum": lexicon["sha256"],
    }
    commitment = archive["draw"]["commitment"]
    published = [_("Fingerprint of the draw: %(sum)s") % {"sum": commitment}] if commitment else []
    return [f"{rules} · {formula}", listed, *published]
