"""Slips and moves in plain words, in the active language."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine.board.coordinates import Direction, Notation, Reference, edge_labels
from engine.slips.slip import Slip
from engine.slips.typed_line import ZERO_REASONS
from engine.tiles.edition import BLANK_BIT, Edition, UnknownLetter

_SHOWN = 60


def place_in_words(reference: Reference, notation: Notation) -> str:
    """`across, row 8, from column H`, so that H8 and 8H cannot be mixed up."""
    rows, cols = edge_labels(notation)
    if reference.direction is Direction.ACROSS:
        return _("across, row %(row)s, from column %(column)s") % {
            "row": rows[reference.row],
            "column": cols[reference.col],
        }
    return _("down, column %(column)s, from row %(row)s") % {
        "row": rows[reference.row],
        "column": cols[reference.col],
    }


def slip_in_words(table: int, name: str, slip: Slip, edition: Edition, notation: Notation) -> str:
    """Describe a typed slip: player, word with its blanks, place and declared score."""
    return _slip_of(who_in_words([(table, name)]), slip, edition, notation)


def who_in_words(seats: Sequence[tuple[int, str]]) -> str:
    """Name the owners of a slip from (table, name) pairs; of several only the tables."""
    if len(seats) == 1:
        return _("Table %(table)d, %(name)s") % {"table": seats[0][0], "name": seats[0][1]}
    return _("Tables %(tables)s") % {"tables": ", ".join(str(table) for table, _name in seats)}


def typed_in_words(who: str, slip: Slip, edition: Edition, notation: Notation) -> str:
    """Describe a typed line: the slip as in `slip_in_words`, and the reason for a zero if one was typed."""
    reason = next((reason for reason in ZERO_REASONS if reason.slip == slip and not slip.is_blank), None)
    if reason is not None:
        return _("%(who)s: zero, %(reason)s.") % {"who": who, "reason": _(reason.name)}
    said = _slip_of(who, slip, edition, notation)
    if slip.received == "late":
        return _("%(said)s It came too late.") % {"said": said}
    return _("%(said)s It is one of several slips.") % {"said": said} if slip.received == "several" else said


def _slip_of(who: str, slip: Slip, edition: Edition, notation: Notation) -> str:
    if slip.is_blank:
        return _("%(who)s: no slip.") % {"who": who}
    return _("%(who)s: %(word)s, %(place)s, %(score)s.") % {
        "who": who,
        "word": _word(slip.word, edition),
        "place": _place(slip, notation),
        "score": _("no score") if slip.declared is None else _("declared %(score)d") % {"score": slip.declared},
    }


def _word(text: str, edition: Edition) -> str:
    if not text:
        return _("an unreadable word")
    try:
        codes = edition.parse_word(text)
    except UnknownLetter:
        return text[:_SHOWN]
    upper = edition.word_text(tuple(code & ~BLANK_BIT for code in codes))
    blanks = [edition.face(code & ~BLANK_BIT) for code in codes if code & BLANK_BIT]
    if not blanks:
        return upper
    return _("%(word)s with a blank for %(letters)s") % {"word": upper, "letters": ", ".join(blanks)}


def _place(slip: Slip, notation: Notation) -> str:
    reference = slip.reference(notation)
    if reference is not None and slip.has_contradictory_direction(notation):
        is_across = reference.direction is Direction.ACROSS
        said = _("at %(ref)s, but written across") if is_across else _("at %(ref)s, but written down")
        return said % {"ref": slip.ref.strip().upper()}
    if reference is not None:
        return place_in_words(reference, notation)
    if slip.ref:
        return _("at %(ref)s, which is no square of the board") % {"ref": slip.ref[:_SHOWN]}
    return _hook(slip.hook) if slip.hook else _("no reference")


def _hook(letters: str) -> str:
    return _("crossing letters %(letters)s") % {"letters": letters[:_SHOWN]}
