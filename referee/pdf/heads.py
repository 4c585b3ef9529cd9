"""What stands at the head of every sheet of a game: event, date, edition, rules, word list; and at its foot."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.archive import Archive, EventEntry, edition_of
from engine.formulas import load_formula
from engine.ledger import last_shown, short
from engine.rules.profile import Profile
from engine.rules.wording import clock_text
from tournaments.names import edition_name, formula_name, rules_name
from tournaments.selectors.ledger import Seal


def subtitle(archive: Archive) -> str:
    """Event, place and date on one line."""
    return event_line(archive["event"])


def event_line(event: EventEntry) -> str:
    """The same of an event alone."""
    day = date_format(date.fromisoformat(event["date"]), "DATE_FORMAT") if event["date"] else ""
    return " · ".join(part for part in (event["name"], event["place"], day) if part)


def facts(archive: Archive) -> list[str]:
    """Two lines: edition, rules and formula; word list with its checksum."""
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
    return [f"{rules} · {formula}", listed]


def foot(archive: Archive) -> list[str]:
    """What stands at the foot of every sheet of a game: the fingerprint of the draw that counts last, and the head of
    the ledger after the newest act that the hall heard of, the same that is on the wall."""
    draws = [archive["draw"]["commitment"], *(draw["commitment"] for draw in archive["draw"].get("continued", ()))]
    shown = last_shown([dict(entry) for entry in archive["ledger"]["entries"]])
    return foot_of(draws[-1], shown["n"] if shown else 0, shown["hash"] if shown else "")


def event_foot(seals: Sequence[Seal]) -> list[str]:
    """The same for the last game of an event."""
    return foot_of(seals[-1].commitment, seals[-1].entry, seals[-1].hash) if seals else []


def lines_of_games(seals: Sequence[Seal]) -> list[str]:
    """What belongs at the foot of each game, as lines below the standings of several."""
    return [
        " · ".join([_("Game %(number)s") % {"number": seal.game}, *foot_of(seal.commitment, seal.entry, seal.hash)])
        for seal in seals
    ]


def foot_of(commitment: str, entry: int = 0, digest: str = "") -> list[str]:
    """The lines that there is something to say in."""
    drawn = [_("Fingerprint of the draw: %(sum)s") % {"sum": commitment}] if commitment else []
    sealed = _("Ledger, entry %(entry)d: %(sum)s") % {"entry": entry, "sum": short(digest)}
    return [*drawn, *([sealed] if entry else [])]
