"""Texts at the head of the documents: event, date, edition, rules, word list; and the foot of the verification."""

from __future__ import annotations

from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.archive.ledger import find_last_shown_entry, format_short_hash, get_own_chain
from engine.archive.schema import Archive, EventEntry, edition_of
from engine.rules.profile import Profile
from engine.rules.rules_text import clock_text
from engine.variants.variant import load_variant
from referee.formats.texts import format_date, format_sum
from tournaments.lexicons.names import edition_name, rules_name, variant_name
from tournaments.models import Event
from tournaments.results.queries.standings_state import Stage, StandingsState


def facts_of_event(event: Event) -> EventEntry:
    """Return name, date and place of a stored event as an archive has them."""
    return EventEntry(name=event.name, date=event.date.isoformat(), place=event.place)


def subtitle(archive: Archive) -> str:
    """Return event, place and date of a game on one line."""
    return event_line(archive["event"])


def event_line(event: EventEntry) -> str:
    """Return event, place and date of an event on one line."""
    day = format_date(date.fromisoformat(event["date"])) if event["date"] else ""
    return " · ".join(part for part in (event["name"], event["place"], day) if part)


def standings_title(archive: Archive) -> str:
    """Return the title of the standings of a game with their state, which archives of older versions do not tell."""
    stage = Stage(archive.get("standings_state", Stage.TURN))
    if stage is Stage.TURN and archive["end"] is not None:
        return _("Standings")
    placed = sum(turn["master"] is not None for turn in archive["turns"])
    return " · ".join(filter(None, (_("Standings"), StandingsState(stage, placed).text)))


def game_facts(archive: Archive) -> list[str]:
    """Return two lines: edition, rules and variant; word list."""
    variant = load_variant(archive["formula"])
    rules = _("Edition: %(edition)s · Rules: %(rules)s") % {
        "edition": edition_name(edition_of(archive)),
        "rules": rules_name(Profile.from_switches(archive["profile"]), variant),
    }
    played = _("Variant: %(variant)s, %(time)s a turn") % {
        "variant": variant_name(variant),
        "time": clock_text(archive["rhythm_s"]),
    }
    lexicon = archive["lexicon"]
    return [f"{rules} · {played}", word_list_line(lexicon["name"], lexicon["words"])]


def word_list_line(name: str, words: int) -> str:
    """Return name and size of a word list."""
    listed = ngettext("%(n)s word", "%(n)s words", words) % {"n": format_sum(words)}
    return _("Word list: %(name)s, %(words)s") % {"name": name, "words": listed}


def game_foot(archive: Archive) -> list[str]:
    """Return the foot of the verification: the latest fingerprint of the draw, and the head of the ledger.

    The head is the newest entry that was announced, which is the one on the wall display.
    """
    draws = [archive["draw"]["commitment"], *(draw["commitment"] for draw in archive["draw"].get("continued", ()))]
    shown = find_last_shown_entry(get_own_chain(archive["ledger"], archive.get("room_number", 1)))
    lines = [_("Fingerprint of the draw: %(sum)s") % {"sum": draws[-1]}] if draws[-1] else []
    if shown:
        head = {"entry": shown["n"], "sum": format_short_hash(shown["hash"])}
        lines.append(_("Ledger, entry %(entry)d: %(sum)s") % head)
    return lines
