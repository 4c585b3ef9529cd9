"""Table cards: the side towards the room shows the table number, the side towards the player how to join."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib.units import mm

from engine.archive.schema import Archive
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.cut_cells import Cell, cells, draw_cut_lines, draw_fold, fit_text
from referee.pdf.drawing.qr import draw_qr
from referee.pdf.drawing.sheet import INK, MARGIN, QUIET, Sheet
from tournaments.models import Game, Player, Room
from tournaments.players.seat_codes import format_seat_code, seat_code
from tournaments.results.queries.archive import export_game

INSIDE, LOGO_HEIGHT = 9 * mm, 17 * mm
HIGHEST_TABLE = 5000
_RANGE = re.compile(r"(small\.)?(?:([0-9]{1,4})-([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class TableCard:
    """Content of a card.

    Without a `join_url` a line is left to write the address by hand. `code` is the seat code, empty if the event
    requires none.
    """

    table: int
    name: str = ""
    join_url: str = ""
    code: str = ""

    @property
    def address(self) -> str:
        """Address in the QR code: the join page with the table (and seat code) filled in."""
        asked = {"table": str(self.table)} | ({"seat_code": self.code} if self.code else {})
        return f"{self.join_url}{'&' if '?' in self.join_url else '?'}{urlencode(asked)}" if self.join_url else ""


def table_cards_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw a card for each player of a game, with a line for the address, which an archive does not contain."""
    cards = [TableCard(player["table"], player["name"]) for player in archive["players"]]
    return draw_cards(archive, cards, "", language=language, paper=paper)


def chosen_table_cards_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw the cards of `choice` (see `read_cards`): all players of a room, or a range of tables."""
    small, tables = read_cards(choice) or (False, None)
    join_url = settings.PUBLIC_URL + reverse("phone:join_event", args=[game.event.code]) if settings.PUBLIC_URL else ""
    join_url += f"?{urlencode({'room': room.number})}" if join_url and game.event.rooms.count() > 1 else ""
    players = {player.table: player for player in Player.objects.filter(event=game.event, room=room)}
    wanted = sorted(players) if tables is None else tables
    cards = [_card(table, players.get(table), join_url, coded=game.event.seat_codes) for table in wanted]
    archive = export_game(game, room, with_slips=False)
    return draw_cards(archive, cards, game.event.code, language=language, paper=paper, small=small)  # type: ignore[arg-type]


def read_cards(choice: str) -> tuple[bool, Sequence[int] | None] | None:
    """Parse a choice into (two on a page, tables or None for all players); None if it is invalid."""
    found = _RANGE.fullmatch(choice)
    if found is None:
        return None
    if found[2] is None:
        return bool(found[1]), None
    first, last = int(found[2]), int(found[3])
    return (bool(found[1]), range(first, last + 1)) if 1 <= first <= last <= HIGHEST_TABLE else None


def offered_cards(game: Game, room: Room) -> list[tuple[str, str]]:
    """List the choices that the desk offers."""
    ranges = ("1-20", "1-50", "1-100")
    many = [(f"small.{each}", _("tables %(range)s, two on a page")) for each in ranges]
    one = [(each, _("tables %(range)s, one on a page")) for each in ranges]
    ranged = [(text, label % {"range": text.removeprefix("small.").replace("-", "–")}) for text, label in (*many, *one)]
    return [("", _("every player, one on a page")), ("small.", _("every player, two on a page")), *ranged]


def label_of_cards(choice: str) -> str:
    """Return the label of a choice."""
    small, tables = read_cards(choice) or (False, None)
    if tables is None:
        return _("every player, two on a page") if small else _("every player, one on a page")
    label = _("tables %(range)s, two on a page") if small else _("tables %(range)s, one on a page")
    return label % {"range": f"{tables[0]}–{tables[-1]}"}


def _card(table: int, player: Player | None, join_url: str, *, coded: bool) -> TableCard:
    if player is None:
        return TableCard(table, join_url=join_url)
    return TableCard(table, player.name, join_url, format_seat_code(seat_code(player)) if coded else "")


def draw_cards(
    archive: Archive, cards: Sequence[TableCard], code: str, *, language: str, paper: str, small: bool = False
) -> bytes:
    """Draw the cards on pages that are folded across the middle; two beside each other if `small`."""
    with override(language):
        columns = 2 if small else 1
        sheet = Sheet(_("Table cards"), heads.subtitle(archive), [], paper=paper, bare=True)
        for start in range(0, max(len(cards), 1), columns):
            if start:
                sheet.need(sheet.page_height)
            draw_cut_lines(sheet, columns, 1)
            for part, card in zip(cells(sheet, columns, 1), cards[start : start + columns], strict=False):
                _draw_card(sheet, part, card, archive["event"]["name"], code)
            middle = cells(sheet, 1, 2)[0].y
            draw_fold(sheet, middle, _("fold"))
        if not cards:
            words = _("No table has a player yet. Choose tables by their numbers, or print the cards later.")
            for number, (size, line) in enumerate(fit_text(words, fonts.REGULAR, 12, sheet.room, 3)):
                sheet.text(MARGIN, sheet.page_height / 4 - number * size * 1.3, line, fonts.REGULAR, size)
        return sheet.finish()


def _draw_card(sheet: Sheet, part: Cell, card: TableCard, event: str, code: str) -> None:
    half = part.height / 2
    with _rotate_half(sheet, part):
        _draw_hall_side(sheet, Cell(part.x, part.y, part.width, half), card, event)
    _draw_player_side(sheet, Cell(part.x, part.y, part.width, half), card, code)


@contextmanager
def _rotate_half(sheet: Sheet, part: Cell) -> Iterator[None]:
    """Rotate the drawing by 180 degrees: what is drawn in the lower half appears in the upper one."""
    x, y = 2 * part.x + part.width, 2 * part.y + part.height
    sheet.canvas.draw(f"q -1 0 0 -1 {x:.2f} {y:.2f} cm")
    yield
    sheet.canvas.draw("Q")


def _draw_hall_side(sheet: Sheet, face: Cell, card: TableCard, event: str) -> None:
    """Draw the table number as large as possible; logo and event above it, name and sponsor below it."""
    middle, room = face.x + face.width / 2, face.width - 2 * INSIDE
    y = face.y + face.height - INSIDE
    y -= sheet.logo(face.x + INSIDE, y - LOGO_HEIGHT, room, LOGO_HEIGHT)[1] and LOGO_HEIGHT + 4
    with sheet.canvas.tagged("P"):
        for size, line in fit_text(event, fonts.REGULAR, 13, room, 2):
            y -= size * 1.2
            sheet.centred(middle, y + size * 0.2, line, fonts.REGULAR, size, QUIET)
    low = _draw_name(sheet, face, card.name)
    number, free = str(card.table), y - low - 12
    size = fonts.fit_size(number, fonts.BOLD, free / 0.73, room)
    with sheet.canvas.tagged("H1"):
        sheet.centred(middle, low + 6 + (free - size * 0.73) / 2, number, fonts.BOLD, size)


def _draw_name(sheet: Sheet, face: Cell, name: str) -> float:
    """Draw the name, or a line for it, above the sponsor; return the y coordinate above them."""
    middle, room, y = face.x + face.width / 2, face.width - 2 * INSIDE, face.y + INSIDE - 6
    with sheet.canvas.tagged("P"):
        for size, line in reversed(list(fit_text(sheet.letterhead.sponsor, fonts.REGULAR, 8, room, 2))):
            sheet.centred(middle, y, line, fonts.REGULAR, size, QUIET)
            y += size * 1.3
    y += 6
    with sheet.canvas.tagged("P"):
        for size, line in reversed(list(fit_text(name, fonts.BOLD, 26, room, 3))):
            sheet.centred(middle, y, line, fonts.BOLD, size)
            y += size * 1.2
        if not name:
            sheet.line(face.x + INSIDE, y + 4, room, thick=0.8)
            sheet.text(face.x + INSIDE, y - 5, _("Name"), fonts.REGULAR, 7.6, QUIET)
            y += 36
    return float(y)


def _draw_player_side(sheet: Sheet, face: Cell, card: TableCard, code: str) -> None:
    """Draw how to join: QR code, codes, network and three steps."""
    narrow = face.width < 150 * mm
    side, white = (42 * mm, 13.0) if narrow else (76 * mm, 21.0)  # the margin is four modules
    left, top = face.x + INSIDE, face.y + face.height - INSIDE
    room = face.width - 2 * INSIDE
    with sheet.canvas.tagged("H2"):
        title = _("Table %(table)d") % {"table": card.table}
        sheet.text(left, top - 22, title, fonts.BOLD, fonts.fit_size(title, fonts.BOLD, 26, room))
    y = top - 30
    with sheet.canvas.tagged("P"):
        for size, line in fit_text(card.name, fonts.REGULAR, 11, room, 2):
            y -= size * 1.2
            sheet.text(left, y, line, fonts.REGULAR, size)
    low = y - white
    if card.address:
        draw_qr(sheet, card.address, left, low - side, side)
    else:
        sheet.canvas.draw(f"q 0.5 w 0.6 G {left:.2f} {low - side:.2f} {side:.2f} {side:.2f} re S Q")
        words = _("No QR code: this server has no address that phones can reach.")
        for number, (size, line) in enumerate(fit_text(words, fonts.REGULAR, 7, side - 12, 8)):
            sheet.text(left + 6, low - 14 - number * size * 1.3, line, fonts.REGULAR, size, QUIET)
    beside = Cell(left + side + white, low - side, room - side - white, side)
    below = min(_draw_fields(sheet, card, code, beside), low - side)
    _draw_steps(sheet, card, left, below - white + 6, room, face.y + 7 * mm)


def _draw_fields(sheet: Sheet, card: TableCard, code: str, beside: Cell) -> float:
    """Draw what to type without a camera, beside the QR code; return the y coordinate of the lower edge."""
    host = card.join_url.partition("://")[2].partition("?")[0].rstrip("/")
    fields = [(_("Wi-Fi"), ""), (_("Address"), host), (_("Code of the event"), code)]
    fields += [(_("Code of your table"), card.code)] if card.code else []
    step = max(beside.height / 4, 31.0)
    large = min(step * 0.42, 22.0)
    for number, (name, value) in enumerate(fields):
        y, room = beside.y + beside.height - number * step - 7, beside.width
        with sheet.canvas.tagged("P"):
            sheet.text(beside.x, y, name, fonts.REGULAR, fonts.fit_size(name, fonts.REGULAR, 7.6, room), QUIET)
            if value:
                size = fonts.fit_size(value, fonts.BOLD, large, room)
                sheet.text(beside.x, y - 3 - large * 0.86, value, fonts.BOLD, size)
            else:
                sheet.line(beside.x, y - 3 - large * 0.9, room, thick=0.6)
    return beside.y + beside.height - len(fields) * step


def _draw_steps(sheet: Sheet, card: TableCard, left: float, y: float, room: float, lowest: float) -> None:
    """Draw the steps, one a line, as large as the rest of the card allows."""
    last = _("Type the code of your table, then play.") if card.code else _("Choose your table, then play.")
    steps = [_("Join the Wi-Fi of the room."), _("Point the camera at the QR code, or type the address."), last]
    with sheet.canvas.tagged("P"):
        size = 19.0
        while size > 4 and _height_of(steps, size, room) > y - lowest:
            size *= 0.95
        for number, step in enumerate(steps, 1):
            for place, line in enumerate(fonts.wrap_text(step, fonts.REGULAR, size, room - 18)):
                y -= size * 1.35
                if not place:
                    sheet.text(left, y, str(number), fonts.BOLD, size, INK)
                sheet.text(left + 18, y, line, fonts.REGULAR, size)


def _height_of(steps: Sequence[str], size: float, room: float) -> float:
    return sum(len(fonts.wrap_text(step, fonts.REGULAR, size, room - 18)) for step in steps) * size * 1.35
