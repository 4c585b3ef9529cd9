"""Verification report: each difference between the stored game and what rules and ledger give."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from engine.archive.ledger import list_entries
from engine.archive.schema import Archive, ContinuedDraw, DrawEntry
from referee.pdf.drawing import heads
from referee.pdf.drawing.sheet import Column, Sheet
from tournaments.ledger.chain_text import difference_sentence, unchecked_sentence
from tournaments.models import Game, Room
from tournaments.results.verification import Verification, verify_game

MOST_DIFFERENCES, LONGEST = 500, 400
SMALL = 8


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
    return draw_verification(found, language=language, paper=paper)


def draw_verification(found: Sequence[Verification], *, language: str, paper: str = "a4") -> bytes:
    """Draw differences, seeds and hashes of each room."""
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
    sheet.gap(8)
    sheet.heading(_("How the game was drawn"), 10)
    for line in _proofs(found.archive):
        sheet.paragraph(line, size=SMALL)


def _proofs(archive: Archive) -> list[str]:
    """List seeds, word list and ledger with their hashes, for those who check the game themselves.

    Before the end the head of the ledger stays secret: it covers a rack that nobody has seen.
    """
    listed = {"name": archive["lexicon"]["name"], "sum": archive["lexicon"]["sha256"]}
    lines = [*_seeds(archive["draw"]), _("Word list: %(name)s, SHA-256 %(sum)s") % listed]
    ledger = archive["ledger"]
    if (entries := ledger["entries"]) and archive["end"] is not None:
        lines.append(_("Ledger: %(n)s entries, latest hash %(head)s") % {"n": len(entries), "head": ledger["head"]})
        lines += [
            _("Ledger of room %(room)d: %(n)s entries, latest hash %(head)s")
            % {"room": chain["room"], "n": len(chain["entries"]), "head": chain["head"]}
            for chain in ledger.get("rooms", ())
        ]
    return lines


def _seeds(draw: DrawEntry) -> list[str]:
    """List every published seed, with its commitment if that is not in the foot."""
    start = draw["commitment"], draw["seed"], draw["hall_word"]
    first = ContinuedDraw(from_turn=1, commitment=start[0], seed=start[1], hall_word=start[2])
    lines, several = [], bool(draw.get("continued"))
    for one in (first, *draw.get("continued", ())):
        if several:
            facts = {"turn": one["from_turn"], "sum": one["commitment"]}
            lines.append(_("From turn %(turn)d on, fingerprint of the draw: %(sum)s") % facts)
        if one["seed"]:
            lines.append(_("Seed of the draw: %(seed)s") % {"seed": one["seed"]})
        if one["hall_word"]:
            lines.append(_("Word called out: %(word)s") % {"word": one["hall_word"]})
    return lines


def _summary(found: Verification) -> str:
    turns = found.archive["turns"]
    counts = {
        "turns": len(turns),
        "players": len(found.archive["players"]),
        "slips": sum(len(turn["slips"]) for turn in turns),
        "entries": sum(1 for _entry in list_entries(found.archive["ledger"])),
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
