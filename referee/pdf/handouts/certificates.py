"""Certificates for the first places of a game or an event, and for the winner of each series."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override, pgettext
from reportlab.lib.units import mm

from engine.archive.schema import Archive, EventEntry, PlayerEntry, StandingEntry
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.cut_cells import fit_text
from referee.pdf.drawing.sheet import INK, QUIET, Sheet
from tournaments.ledger.queries import seals_of
from tournaments.models import Game, Room
from tournaments.players.name_order import alphabetic_key
from tournaments.results.queries.event_results import EVERYBODY, EventRow, StandingsChoice, event_view

FIRST, EVERY_PLAYER = 3, 9999
FRAME, INNER, CORNER, LOW = 11 * mm, 14.5 * mm, 9 * mm, 4 * mm
_CHOICE = re.compile(r"(event\.)?([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class Award:
    """Content of one certificate; `series` is set if it is for the first place of that series."""

    name: str
    club: str
    rank: int
    total: int
    percent: Decimal
    series: str = ""


def certificates_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw certificates for the first three of a game and the winner of each series."""
    with override(language):
        foot, honours = heads.game_foot(archive), awards_of_game(archive)
    return draw_certificates(archive["event"], honours, foot, language=language, paper=paper)


def chosen_certificates_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw certificates for the newest game or the whole event (see `reads_certificates`)."""
    whole, most = _read(choice)
    view = event_view(game.event, StandingsChoice(None if whole else game.number, EVERYBODY))
    facts = EventEntry(name=game.event.name, date=game.event.date.isoformat(), place=game.event.place)
    with override(language):
        foot = heads.event_foot(seals_of(game.event))
        honours = list(_of_event(view.rows, most)) if view is not None else []
    return draw_certificates(facts, honours, foot, language=language, paper=paper)


def reads_certificates(choice: str) -> bool:
    """Return True if a text is a valid choice, for example `3` or `event.10`."""
    found = _CHOICE.fullmatch(choice)
    return found is not None and int(found[2]) >= 1


def offered_certificates(game: Game, room: Room) -> list[tuple[str, str]]:
    """List the choices that the desk offers; the whole event only if it has several games."""
    texts = [str(FIRST), "1", "10", str(EVERY_PLAYER)]
    if game.number > 1:
        texts = [f"event.{text}" for text in texts] + texts
    return [(text, label_of_certificates(text)) for text in texts]


def label_of_certificates(choice: str) -> str:
    """Return the label of a choice."""
    whole, most = _read(choice)
    scope = _("whole event") if whole else _("this game")
    if most >= EVERY_PLAYER:
        return _("%(scope)s: every player") % {"scope": scope}
    first = ngettext("%(scope)s: the winner and each series", "%(scope)s: the first %(n)d and each series", most)
    return first % {"scope": scope, "n": most}


def _read(choice: str) -> tuple[bool, int]:
    found = _CHOICE.fullmatch(choice)
    return (bool(found[1]), int(found[2])) if found else (False, FIRST)


def awards_of_game(archive: Archive, most: int = FIRST) -> list[Award]:
    """List the first `most` places of a game, then the winner of each series."""
    players = {player["table"]: player for player in archive["players"]}
    ranked = [(line["rank"], line) for line in archive["standings"] if line["rank"] is not None]
    ranked.sort(key=lambda found: (found[0], found[1]["table"]))
    return _list_awards(
        [_award(players[line["table"]], rank, line) for rank, line in ranked if line["table"] in players], most
    )


def _award(player: PlayerEntry, rank: int, line: StandingEntry) -> Award:
    percent = Decimal(str(line["percent"]))
    return Award(player["name"], player["club"] or "", rank, line["total"], percent, player["series"] or "")


def _of_event(rows: Sequence[EventRow], most: int) -> Iterator[Award]:
    yield from _list_awards(
        [
            Award(row.player.name, row.player.club, row.line.rank, row.line.total, row.line.percent, row.player.series)
            for row in rows
            if row.line.rank is not None
        ],
        most,
    )


def _list_awards(ranked: Sequence[Award], most: int) -> list[Award]:
    """List the first `most` places, then the winners of each series; empty before anybody has a point.

    `ranked` is sorted by rank and contains the series of each player. In the result only an award for a series has one.
    """
    if not any(one.total for one in ranked):
        return []
    first = [one for one in ranked if one.rank <= most]
    series = sorted({one.series for one in ranked if one.series}, key=alphabetic_key)
    best = {name: min(one.rank for one in ranked if one.series == name) for name in series}
    winners = [one for name in series for one in ranked if one.series == name and one.rank == best[name]]
    plain = [Award(one.name, one.club, one.rank, one.total, one.percent) for one in first]
    return plain + [Award(one.name, one.club, 1, one.total, one.percent, one.series) for one in winners]


def draw_certificates(
    event: EventEntry, honours: Sequence[Award], foot: Sequence[str], *, language: str, paper: str
) -> bytes:
    """Draw a landscape page for each award."""
    with override(language):
        title = _("Certificates")
        sheet = Sheet(title, heads.event_line(event), [], foot=foot, paper=paper, wide=True, bare=True)
        for number, honour in enumerate(honours):
            if number:
                sheet.need(sheet.page_height)
            sheet.canvas.bookmark(honour.name)
            _draw_frame(sheet)
            _draw(sheet, event, honour)
        if not honours:
            middle = sheet.page_width / 2, sheet.page_height / 2
            sheet.centred(*middle, _("Nobody is in the standings yet."), fonts.REGULAR, 14)
        return sheet.finish()


def _draw_frame(sheet: Sheet) -> None:
    """Draw a heavy frame and a fine one inside it, with stepped corners and a square in each."""
    wide, high = sheet.page_width, sheet.page_height
    frame = f"{FRAME:.2f} {FRAME + LOW:.2f} {wide - 2 * FRAME:.2f} {high - 2 * FRAME - LOW:.2f} re"
    operators = [f"q 2.4 w {frame} S 0.7 w"]
    left, right, low, top = INNER, wide - INNER, INNER + LOW, high - INNER
    points = [
        (left + CORNER, low), (right - CORNER, low), (right - CORNER, low + CORNER), (right, low + CORNER),
        (right, top - CORNER), (right - CORNER, top - CORNER), (right - CORNER, top), (left + CORNER, top),
        (left + CORNER, top - CORNER), (left, top - CORNER), (left, low + CORNER), (left + CORNER, low + CORNER),
    ]  # fmt: skip
    steps = [f"{x:.2f} {y:.2f} {'l' if number else 'm'}" for number, (x, y) in enumerate(points)]
    operators.append(f"{' '.join(steps)} s")
    small = CORNER * 0.42
    for x in (left + CORNER / 2, right - CORNER / 2):
        for y in (low + CORNER / 2, top - CORNER / 2):
            corners = ((x, y - small), (x + small, y), (x, y + small), (x - small, y))
            operators += [f"{a:.2f} {b:.2f} {'l' if number else 'm'}" for number, (a, b) in enumerate(corners)]
            operators.append("f")
    with sheet.canvas.untagged():
        sheet.canvas.draw(" ".join([*operators, "Q"]))


def _draw(sheet: Sheet, event: EventEntry, honour: Award) -> None:
    """Draw event, place in words, name, points and date, and two lines to sign on."""
    middle, room = sheet.page_width / 2, sheet.page_width - 2 * INNER - 2 * CORNER - 8 * mm
    y = sheet.page_height - INNER - CORNER - 6 * mm
    spread = sheet.page_height / 210 / mm  # spacing in proportion to A4

    def put(text: str, font: str, size: float, most: int, kind: str, *, before: float, quiet: bool = False) -> None:
        nonlocal y
        y -= before * mm * spread
        with sheet.canvas.tagged(kind):
            for small, line in fit_text(text, font, size, room, most):
                y -= small * 1.16
                sheet.centred(middle, y, line, font, small, QUIET if quiet else INK)

    put(event["name"], fonts.BOLD, 19, 2, "P", before=0)
    put(_("Certificate"), fonts.REGULAR, 46, 1, "H1", before=9)
    put(_place(honour), fonts.BOLD, 22, 2, "P", before=9)
    put(honour.name, fonts.BOLD, 38, 3, "H2", before=9)
    if honour.club:
        put(honour.club, fonts.REGULAR, 14, 2, "P", before=4, quiet=True)
    facts = {"total": number_format(honour.total, force_grouping=True), "percent": number_format(honour.percent, 1)}
    put(_("%(total)s points · %(percent)s %%") % facts, fonts.REGULAR, 16, 1, "P", before=7)
    _draw_signatures(sheet, event)


def _place(honour: Award) -> str:
    if honour.series:
        return _("First place of series %(series)s") % {"series": honour.series}
    named = {1: _("First place"), 2: _("Second place"), 3: _("Third place")}
    return named.get(honour.rank) or _("Place %(rank)d") % {"rank": honour.rank}


def _draw_signatures(sheet: Sheet, event: EventEntry) -> None:
    """Draw place and date in the middle, and signature lines for the judge and the organiser at the sides."""
    low, wide = INNER + LOW + CORNER + 6 * mm, 62 * mm
    left, right = INNER + CORNER + 8 * mm, sheet.page_width - INNER - CORNER - 8 * mm - wide
    for x, label in ((left, pgettext("who signs", "Judge")), (right, _("Organiser"))):
        sheet.line(x, low + 10, wide, thick=0.7)
        sheet.centred(x + wide / 2, low, label, fonts.REGULAR, 8, QUIET)
    day = date_format(date.fromisoformat(event["date"]), "DATE_FORMAT") if event["date"] else ""
    room = right - left - wide - 16
    words = ", ".join(part for part in (event["place"] or "", day) if part)
    with sheet.canvas.tagged("P"):
        for number, (size, line) in enumerate(fit_text(words, fonts.REGULAR, 11, room, 3)):
            sheet.centred(sheet.page_width / 2, low + 10 - number * size * 1.2, line, fonts.REGULAR, size)
