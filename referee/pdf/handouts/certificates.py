"""Certificates for the first places of a game or an event, and for the winner of each series."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override, pgettext
from reportlab.lib.units import mm

from engine.archive.schema import Archive, EventEntry, PlayerEntry, StandingEntry
from referee.formats.texts import format_date, format_percent, format_sum
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.cut_cells import fit_text
from referee.pdf.drawing.sheet import INK, QUIET, Sheet
from tournaments.models import Game, Room
from tournaments.players.name_order import alphabetic_key
from tournaments.results.queries.event_results import EVERYBODY, EventRow, StandingsChoice, event_view

FIRST, EVERY_PLAYER = 3, 9999
SMALLEST = 0.3
FRAME, INNER, CORNER = 11 * mm, 14.5 * mm, 9 * mm
LOGO_WIDTH, LOGO_HEIGHT = 90 * mm, 24 * mm
LINE = 1.16  # height of a line relative to its size
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
        honours = awards_of_game(archive)
    return draw_certificates(archive["event"], honours, language=language, paper=paper)


def chosen_certificates_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw certificates for the newest game or the whole event (see `reads_certificates`)."""
    whole, most = _read(choice)
    view = event_view(game.event, StandingsChoice(None if whole else game.number, EVERYBODY))
    facts = heads.facts_of_event(game.event)
    with override(language):
        honours = list(_of_event(view.rows, most)) if view is not None else []
    return draw_certificates(facts, honours, language=language, paper=paper)


def reads_certificates(choice: str) -> bool:
    """Return True if a text is a valid choice, for example `3` or `event.10`."""
    found = _CHOICE.fullmatch(choice)
    return found is not None and int(found[2]) >= 1


WHOLE_EVENT = f"event.{FIRST}"


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


def draw_certificates(event: EventEntry, honours: Sequence[Award], *, language: str, paper: str) -> bytes:
    """Draw a landscape page for each award."""
    with override(language):
        title = _("Certificates")
        sheet = Sheet(title, heads.event_line(event), [], paper=paper, wide=True, bare=True)
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
    frame = f"{FRAME:.2f} {FRAME:.2f} {wide - 2 * FRAME:.2f} {high - 2 * FRAME:.2f} re"
    operators = [f"q 2.4 w {frame} S 0.7 w"]
    left, right, low, top = INNER, wide - INNER, INNER, high - INNER
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


@dataclass(frozen=True, slots=True)
class _Block:
    """Text in at most `most` lines, with the space `before` it in points."""

    text: str
    font: str
    size: float
    most: int
    before: float
    kind: str = "P"
    quiet: bool = False


def _draw(sheet: Sheet, event: EventEntry, honour: Award) -> None:
    """Draw logo, event, place in words, name, points, the organiser's text, and two lines to sign on."""
    room = sheet.page_width - 2 * INNER - 2 * CORNER - 8 * mm
    top, low = sheet.page_height - INNER - CORNER, _draw_signatures(sheet, event)
    blocks = _blocks(sheet, event, honour)
    logo = LOGO_HEIGHT if sheet.letterhead.logo else 0.0
    scale = 1.0
    while (height := logo + _height(blocks, room, scale)) > top - low and scale > SMALLEST:
        scale *= 0.96
    y = top - max(0.0, top - low - height) / 2
    if logo:
        with sheet.canvas.tagged("Figure", _("Logo")):
            sheet.logo((sheet.page_width - LOGO_WIDTH) / 2, y - logo, LOGO_WIDTH, logo)
        y -= logo
    for block in blocks:
        y -= block.before * scale
        with sheet.canvas.tagged(block.kind):
            for size, line in fit_text(block.text, block.font, block.size * scale, room, block.most):
                y -= size * LINE
                colour = QUIET if block.quiet else INK
                sheet.centred(sheet.page_width / 2, y + size * 0.2, line, block.font, size, colour)


def _blocks(sheet: Sheet, event: EventEntry, honour: Award) -> list[_Block]:
    points = ngettext("%(n)s point", "%(n)s points", honour.total) % {"n": format_sum(honour.total)}
    blocks = [
        _Block(event["name"], fonts.BOLD, 19, 2, 14 if sheet.letterhead.logo else 0),
        _Block(_("Certificate"), fonts.REGULAR, 46, 1, 18, "H1"),
        _Block(_place(honour), fonts.BOLD, 22, 2, 22),
        _Block(honour.name, fonts.BOLD, 38, 3, 16, "H2"),
        _Block(honour.club, fonts.REGULAR, 14, 2, 4, quiet=True),
        _Block(f"{points} · {format_percent(honour.percent)}", fonts.REGULAR, 16, 1, 18),
        _Block(sheet.letterhead.certificate_text, fonts.REGULAR, 13, 4, 16),
    ]
    return [block for block in blocks if block.text]


def _height(blocks: Sequence[_Block], room: float, scale: float) -> float:
    """Return the height of all blocks at a scale."""
    return sum(
        block.before * scale
        + sum(size * LINE for size, _line in fit_text(block.text, block.font, block.size * scale, room, block.most))
        for block in blocks
    )


def _place(honour: Award) -> str:
    if honour.series:
        return _("First place of series %(series)s") % {"series": honour.series}
    named = {1: _("First place"), 2: _("Second place"), 3: _("Third place")}
    return named.get(honour.rank) or _("Place %(rank)d") % {"rank": honour.rank}


def _draw_signatures(sheet: Sheet, event: EventEntry) -> float:
    """Draw venue, place and date in the middle, signature lines at the sides, and the sponsor line below; return the
    y coordinate above them."""
    low, wide = INNER + CORNER + 7 * mm, 62 * mm
    left, right = INNER + CORNER + 8 * mm, sheet.page_width - INNER - CORNER - 8 * mm - wide
    for x, label in ((left, pgettext("who signs", "Judge")), (right, _("Organiser"))):
        sheet.line(x, low + 10, wide, thick=0.7)
        sheet.centred(x + wide / 2, low, label, fonts.REGULAR, 8, QUIET)
    day = format_date(date.fromisoformat(event["date"])) if event["date"] else ""
    dated = ", ".join(part for part in (event["place"] or "", day) if part)
    room = right - left - wide - 16
    lines = [
        line for text in (sheet.letterhead.venue, dated) if text for line in fit_text(text, fonts.REGULAR, 11, room, 3)
    ]
    y = low + 10 + sum(size * 1.2 for size, _line in lines[1:])
    above = max(y + 11, low + 10) + 9 * mm
    with sheet.canvas.tagged("P"):
        for size, line in lines:
            sheet.centred(sheet.page_width / 2, y, line, fonts.REGULAR, size)
            y -= size * 1.2
    sponsor = list(
        fit_text(sheet.letterhead.sponsor, fonts.REGULAR, 9, sheet.page_width - 2 * INNER - 2 * CORNER - 8, 2)
    )
    with sheet.canvas.tagged("P"):
        for number, (size, line) in enumerate(sponsor):
            sheet.centred(sheet.page_width / 2, INNER + 5.5 * mm - number * size * 1.2, line, fonts.REGULAR, size)
    return float(above)
