"""Sentences about the verification of a game: differences, a broken ledger, and unchecked facts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _

from engine.archive.ledger import BadLink
from engine.archive.replay import Difference


def broken_sentence(bad: BadLink) -> str:
    """Sentence on the ledger entry that does not follow from the one before it."""
    facts = {"room": bad.room, "entry": bad.place, "kind": bad.kind or "?", "at": bad.at or "?"}
    if bad.room:
        sentence = _(
            "The ledger of room %(room)d breaks at entry %(entry)d (%(kind)s, %(at)s): it, or the one before it, was "
            "changed, put in or taken out after it was sealed. Nothing after it proves anything."
        )
    else:
        sentence = _(
            "The ledger breaks at entry %(entry)d (%(kind)s, %(at)s): it, or the one before it, was changed, put in or "
            "taken out after it was sealed. Nothing after it proves anything."
        )
    return sentence % facts


def difference_sentence(difference: Difference) -> str:
    """Sentence on a difference: its place, the value in the archive, and the value by the rules or the ledger."""
    values = {
        "where": difference.where,
        "stored": json.dumps(difference.stored, ensure_ascii=False),
        "derived": json.dumps(difference.derived, ensure_ascii=False),
    }
    if difference.where.startswith("ledger, "):
        return _("%(where)s: the archive says %(stored)s, the ledger says %(derived)s") % values
    return _("%(where)s: the archive says %(stored)s, the rules give %(derived)s") % values


def unchecked_sentence(topics: Sequence[str]) -> str:
    """Sentence on facts that could not be compared with the ledger (`engine.archive.replay.unchecked`), or ""."""
    if not topics:
        return ""
    if topics == ["ledger"]:
        return _("Not checked: this archive has no ledger, so no entry proves the facts of the game.")
    listed = ", ".join(_TOPICS[topic]() for topic in topics)
    return _("Not checked, since ledger and archive do not tell all of it: %(topics)s.") % {"topics": listed}


_TOPICS: Mapping[str, Callable[[], str]] = {
    "rules": lambda: _("rules of the game"),
    "players": lambda: _("first and last turns of the players"),
    "names": lambda: _("names of the players"),
    "words": lambda: _("rulings on words"),
    "clocks": lambda: _("times of the clock"),
    "script": lambda: _("racks and moves on the board"),
    "slips": lambda: _("slips"),
    "warnings": lambda: _("warnings by the judge"),
    "decisions": lambda: _("decisions of the judge on slips"),
    "end": lambda: _("end of the game"),
}
