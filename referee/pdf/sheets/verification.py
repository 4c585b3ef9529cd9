"""Verification report: each difference between the stored game and what rules and ledger give."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from referee.pdf.drawing import heads
from referee.pdf.drawing.sheet import Column, Sheet
from tournaments.ledger.chain_text import difference_sentence, unchecked_sentence
from tournaments.models import Game, Room
from tournaments.results.verification import Verification, verify_game

MOST_DIFFERENCES, LONGEST = 500, 400


def verification_pdf(
    game: Game,
    room: Room,
    choice: str,
    *,
    language: str,
    paper: str = "a4",
    progress: Callable[[int], None] = lambda percent: None,
) -> bytes:
    """Verify the game of a room; at the desk of the drawing room, every room of the event."""
    found = []
    for each in verify_game(game, room):
        found.append(each)
        progress(90 * len(found) // game.event.rooms.count())
    with override(language):
        first = found[0].archive
        sheet = Sheet(
            _("Verification"), heads.subtitle(first), heads.game_facts(first), foot=heads.game_foot(first), paper=paper
        )
        for each in found:
            _draw(sheet, each, named=len(found) > 1)
        return sheet.finish()


def _draw(sheet: Sheet, found: Verification, *, named: bool) -> None:
    if named:
        sheet.heading(found.archive["room"] or "")
    sheet.paragraph(_summary(found), size=12)
    if left := unchecked_sentence(found.unchecked):
        sheet.paragraph(left)
    rows = [[difference_sentence(each)[:LONGEST]] for each in found.differences[:MOST_DIFFERENCES]]
    if rows:
        sheet.table([Column(_("Differences"), 1, "left", wraps=True)], rows)


def _summary(found: Verification) -> str:
    turns = found.archive["turns"]
    counts = {
        "turns": len(turns),
        "players": len(found.archive["players"]),
        "slips": sum(len(turn["slips"]) for turn in turns),
        "entries": len(found.archive["ledger"]["entries"]),
    }
    if not found.differences:
        return (
            _(
                "No difference: draws, verdicts, standings and the ledger agree. Turns: %(turns)d, players: "
                "%(players)d, slips: %(slips)d, ledger entries: %(entries)d."
            )
            % counts
        )
    number = len(found.differences)
    return ngettext("%(count)d difference.", "%(count)d differences.", number) % {"count": number}
