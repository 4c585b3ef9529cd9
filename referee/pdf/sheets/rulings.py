"""Register of rulings: every decision of a judge in a game or an event, in order, with its effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from engine.archive.rulings_register import RulingLine, list_rulings
from engine.archive.schema import Archive
from referee.pdf.drawing import heads
from referee.pdf.drawing.sheet import Column, Sheet
from referee.results.ruling_text import ruling_words
from tournaments.models import Game, Room
from tournaments.results.queries.archive import export_game

EVENT = "event"
MOST_TABLES = 24


def rulings_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw every ruling of the game of this archive."""
    with override(language):
        sheet = _sheet(archive, heads.game_facts(archive), paper)
        _draw(sheet, archive)
        return sheet.finish()


def event_rulings_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw every ruling of all games of the event."""
    games = Game.objects.filter(event=game.event_id).order_by("number").select_related("event")
    archives = [cast(Archive, export_game(each, room, language=language)) for each in games]
    with override(language):
        sheet = _sheet(archives[-1], [], paper)
        for number, archive in enumerate(archives, 1):
            sheet.paragraph(_("Game %(number)d") % {"number": number}, size=12)
            _draw(sheet, archive)
            sheet.gap(10)
        return sheet.finish()


def offered_registers(game: Game, room: Room) -> Sequence[tuple[str, str]]:
    """List the choice of all games together if there are several."""
    several = Game.objects.filter(event=game.event_id).count() > 1
    return [(EVENT, label_of_register(EVENT))] if several else []


def reads_register(choice: str) -> bool:
    """Return True if a text is a valid choice of the register."""
    return choice == EVENT


def label_of_register(choice: str) -> str:
    """Return the label of a choice."""
    return _("all games of the event") if choice == EVENT else choice


def moment_of(at: str) -> str:
    """Format a time of the ledger."""
    moment = localtime(datetime.fromisoformat(at))
    return f"{date_format(moment, 'SHORT_DATE_FORMAT')} {date_format(moment, 'H:i:s')}"


def tables_text(tables: Sequence[int] | None) -> str:
    """Return the first tables, and the number of the others."""
    if tables is None:
        return "–"
    named = ", ".join(str(table) for table in tables[:MOST_TABLES])
    more = len(tables) - MOST_TABLES
    return f"{named} + {more}" if more > 0 else named


def _sheet(archive: Archive, facts: Sequence[str], paper: str) -> Sheet:
    return Sheet(_("Register of rulings"), heads.subtitle(archive), facts, paper=paper, wide=True)


def _draw(sheet: Sheet, archive: Archive) -> None:
    entries = cast(Iterable[Mapping[str, Any]], archive["ledger"]["entries"])
    lines = list_rulings(entries)
    if lines:
        sheet.table(_columns(), [_row(line) for line in lines])
    else:
        sheet.paragraph(_empty_text(archive))


def _empty_text(archive: Archive) -> str:
    if archive["ledger"]["entries"]:
        return _("There are no rulings in this game.")
    return _("The ledger of this room comes with its last turn; the register is complete then.")


def _columns() -> list[Column]:
    return [
        Column(_("Entry"), 5),
        Column(_("Time"), 12, "left"),
        Column(_("Turn"), 5),
        Column(_("Ruling"), 21, "left", bold=True),
        Column(_("Changed tables"), 14, "left"),
        Column(_("Effect"), 12, "left"),
        Column(_("By"), 9, "left"),
        Column(_("Reason"), 30, "left"),
    ]


def _row(line: RulingLine) -> list[str]:
    return [
        str(line.entry),
        moment_of(line.at),
        "" if line.turn is None else str(line.turn),
        _ruling(line),
        tables_text(line.tables) if line.kind != "appeal" else "",
        _effect(line),
        line.by,
        line.reason,
    ]


def _ruling(line: RulingLine) -> str:
    words = ruling_words(line)
    if line.kind == "appeal":
        return words
    if line.again:
        words = _("%(ruling)s, with the turn on the board") % {"ruling": words}
    if line.own_slip:
        words = _("%(ruling)s; on the judge’s own slip") % {"ruling": words}
    if line.appeals:
        words = _("%(ruling)s; appeal of table %(tables)s") % {"ruling": words, "tables": tables_text(line.appeals)}
    return words


def _effect(line: RulingLine) -> str:
    """Return the number of players whose points changed, and the sum of the changes."""
    if line.tables is None or line.grown is None:
        return "" if line.kind in ("appeal", "rules", "player") else "–"
    sign = f"{line.grown:+d}".replace("-", "−")
    players = ngettext("%(n)d player", "%(n)d players", len(line.tables)) % {"n": len(line.tables)}
    return _("%(players)s, points: %(sum)s") % {"players": players, "sum": sign}
