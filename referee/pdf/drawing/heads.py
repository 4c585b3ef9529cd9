"""Texts at the head and the foot of every document: event, date, edition, rules, word list, fingerprints."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.archive.ledger import find_last_shown_entry, format_short_hash
from engine.archive.schema import Archive, EventEntry, edition_of
from engine.rules.profile import Profile
from engine.rules.rules_text import clock_text
from engine.variants.variant import load_variant
from tournaments.ledger.queries import Seal
from tournaments.lexicons.names import edition_name, rules_name, variant_name


def subtitle(archive: Archive) -> str:
    """Return event, place and date of a game on one line."""
    return event_line(archive["event"])


def event_line(event: EventEntry) -> str:
    """Return event, place and date of an event on one line."""
    day = date_format(date.fromisoformat(event["date"]), "DATE_FORMAT") if event["date"] else ""
    return " · ".join(part for part in (event["name"], event["place"], day) if part)


def game_facts(archive: Archive) -> list[str]:
    """Return two lines: edition, rules and variant; word list with its checksum."""
    lexicon = archive["lexicon"]
    words = ngettext("%(n)s word", "%(n)s words", lexicon["words"]) % {"n": lexicon["words"]}
    variant = load_variant(archive["formula"])
    rules = _("Edition: %(edition)s · Rules: %(rules)s") % {
        "edition": edition_name(edition_of(archive)),
        "rules": rules_name(Profile.from_switches(archive["profile"]), variant),
    }
    played = _("Variant: %(variant)s, %(time)s a turn") % {
        "variant": variant_name(variant),
        "time": clock_text(archive["rhythm_s"]),
    }
    listed = _("Word list: %(name)s, %(words)s, SHA-256 %(sum)s") % {
        "name": lexicon["name"],
        "words": words,
        "sum": lexicon["sha256"],
    }
    return [f"{rules} · {played}", listed]


def game_foot(archive: Archive) -> list[str]:
    """Return the foot of every document of a game.

    It shows the fingerprint of the latest draw, and the head of the ledger after the newest entry that was announced,
    which is the one on the wall display.
    """
    draws = [archive["draw"]["commitment"], *(draw["commitment"] for draw in archive["draw"].get("continued", ()))]
    shown = find_last_shown_entry([dict(entry) for entry in archive["ledger"]["entries"]])
    return foot_of(draws[-1], shown["n"] if shown else 0, shown["hash"] if shown else "")


def event_foot(seals: Sequence[Seal]) -> list[str]:
    """Return the foot of a document of several games: that of the last game."""
    return foot_of(seals[-1].commitment, seals[-1].entry, seals[-1].hash) if seals else []


def lines_of_games(seals: Sequence[Seal]) -> list[str]:
    """Return the foot of each game, as lines below the standings of several games."""
    return [
        " · ".join([_("Game %(number)s") % {"number": seal.game}, *foot_of(seal.commitment, seal.entry, seal.hash)])
        for seal in seals
    ]


def foot_of(commitment: str, entry: int = 0, digest: str = "") -> list[str]:
    """Return the lines of the foot, without empty ones."""
    drawn = [_("Fingerprint of the draw: %(sum)s") % {"sum": commitment}] if commitment else []
    sealed = _("Ledger, entry %(entry)d: %(sum)s") % {"entry": entry, "sum": format_short_hash(digest)}
    return [*drawn, *([sealed] if entry else [])]
