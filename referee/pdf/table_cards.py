"""Cards that stand on the tables: towards the hall the number, towards the player the way into the game."""

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

from engine.archive import Archive
from referee.pdf import fonts, heads
from referee.pdf.cutting import Cell, cells, draw_cut_marks, draw_fold, fitted
from referee.pdf.qr import draw_qr
from referee.pdf.sheet import INK, MARGIN, QUIET, Sheet
from tournaments.models import Game, Player, Room
from tournaments.seat_codes import in_groups, seat_code
from tournaments.selectors.archive import export_game

INSIDE = 9 * mm
HIGHEST_TABLE = 5000
_RANGE = re.compile(r"(small\.)?(?:([0-9]{1,4})-([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class TableCard:
    """What a card says. Without a `door` the address is left to be written by hand; `code` is the secret of the table,
    empty where the event asks for none."""

    table: int
    name: str = ""
    door: str = ""
    code: str = ""

    @property
    def address(self) -> str:
        """What the picture leads to: the table is chosen already."""
        asked = {"table": str(self.table)} | ({"seat_code": self.code} if self.code else {})
        return f"{self.door}{'&' if '?' in self.door else '?'}{urlencode(asked)}" if self.door else ""


def table_cards_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """A card for each player of a game; an archive knows no address, so there is a line to write it on."""
    cards = [TableCard(player["table"], player["name"]) for player in archive["players"]]
    return draw_cards(archive, cards, "", language=language, paper=paper)


def chosen_table_cards_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Cards as `read_cards` has it: of all players of a room, or of the tables from one to another."""
    small, tables = read_cards(choice) or (False, None)
    door = settings.PUBLIC_URL + reverse("phone:join_event", args=[game.event.code]) if settings.PUBLIC_URL else ""
    door += f"?{urlencode({'room': room.number})}" if door and game.event.rooms.count() > 1 else ""
    players = {player.table: player for player in Player.objects.filter(event=game.event, room=room)}
    wanted = sorted(players) if tables is None else tables
    cards = [_card(table, players.get(table), door, coded=game.event.seat_codes) for table in wanted]
    archive = export_game(game, room, with_slips=False)
    return draw_cards(archive, cards, game.event.code, language=language, paper=paper, small=small)  # type: ignore[arg-type]


def read_cards(choice: str) -> tuple[bool, Sequence[int] | None] | None:
    """(two on a page, the tables or None for those with a player); None for what is no choice of cards."""
    found = _RANGE.fullmatch(choice)
    if found is None:
        return None
    if found[2] is None:
        return bool(found[1]), None
    first, last = int(found[2]), int(found[3])
    return (bool(found[1]), range(first, last + 1)) if 1 <= first <= last <= HIGHEST_TABLE else None


def offered_cards(game: Game, room: Room) -> list[tuple[str, str]]:
    """What the desk offers."""
    ranges = ("1-20", "1-50", "1-100")
    many = [(f"small.{each}", _("tables %(range)s, two on a page")) for each in ranges]
    one = [(each, _("tables %(range)s, one on a page")) for each in ranges]
    told = [(text, label % {"range": text.removeprefix("small.").replace("-", "–")}) for text, label in (*many, *one)]
    return [("", _("every player, one on a page")), ("small.", _("every player, two on a page")), *told]


def label_of_cards(choice: str) -> str:
    """A choice in words."""
    small, tables = read_cards(choice) or (False, None)
    if tables is None:
        return _("every player, two on a page") if small else _("every player, one on a page")
    label = _("tables %(range)s, two on a page") if small else _("tables %(range)s, one on a page")
    return label % {"range": f"{tables[0]}–{tables[-1]}"}


def _card(table: int, player: Player | None, door: str, *, coded: bool) -> TableCard:
    if player is None:
        return TableCard(table, door=door)
    return TableCard(table, player.name, door, in_groups(seat_code(player)) if coded else "")


def draw_cards(
    archive: Archive, cards: Sequence[TableCard], code: str, *, language: str, paper: str, small: bool = False
) -> bytes:
    """The cards on pages to be folded across the middle, two beside each other when they are `small`."""
    with override(language):
        columns = 2 if small else 1
        foot = heads.foot(archive)
        sheet = Sheet(_("Cards of the tables"), heads.subtitle(archive), [], foot=foot, paper=paper, bare=True)
        for start in range(0, max(len(cards), 1), columns):
            if start:
                sheet.need(sheet.page_height)
            draw_cut_marks(sheet, columns, 1)
            for part, card in zip(cells(sheet, columns, 1), cards[start : start + columns], strict=False):
                _draw_card(sheet, part, card, archive["event"]["name"], code)
            middle = cells(sheet, 1, 2)[0].y
            draw_fold(sheet, middle, _("fold"))
        if not cards:
            words = _("No table has a player yet. Choose tables by their numbers, or print the cards later.")
            for number, (size, line) in enumerate(fitted(words, fonts.REGULAR, 12, sheet.room, 3)):
                sheet.text(MARGIN, sheet.page_height / 4 - number * size * 1.3, line, fonts.REGULAR, size)
        return sheet.finish()


def _draw_card(sheet: Sheet, part: Cell, card: TableCard, event: str, code: str) -> None:
    half = part.height / 2
    with _turned(sheet, part):
        _towards_the_hall(sheet, Cell(part.x, part.y, part.width, half), card, event)
    _towards_the_player(sheet, Cell(part.x, part.y, part.width, half), card, code)


@contextmanager
def _turned(sheet: Sheet, part: Cell) -> Iterator[None]:
    """Upside down: what is drawn in the lower half stands in the upper one."""
    x, y = 2 * part.x + part.width, 2 * part.y + part.height
    sheet.canvas.draw(f"q -1 0 0 -1 {x:.2f} {y:.2f} cm")
    yield
    sheet.canvas.draw("Q")


def _towards_the_hall(sheet: Sheet, face: Cell, card: TableCard, event: str) -> None:
    """The number as large as it can be, over it the event, below it the name."""
    middle, room = face.x + face.width / 2, face.width - 2 * INSIDE
    y = face.y + face.height - INSIDE - 8
    with sheet.canvas.tagged("P"):
        for size, line in fitted(event, fonts.REGULAR, 13, room, 2):
            sheet.centred(middle, y, line, fonts.REGULAR, size, QUIET)
            y -= size * 1.2
    number, size = str(card.table), min(face.height * 0.62, 250.0)
    size = fonts.fitting_size(number, fonts.BOLD, size, room)
    with sheet.canvas.tagged("H1"):
        sheet.centred(middle, face.y + face.height * 0.5 - size * 0.36, number, fonts.BOLD, size)
    names = list(fitted(card.name, fonts.BOLD, 20, room, 3))
    with sheet.canvas.tagged("P"):
        for place, (size, line) in enumerate(reversed(names)):
            sheet.centred(middle, face.y + INSIDE + place * size * 1.2, line, fonts.BOLD, size)


def _towards_the_player(sheet: Sheet, face: Cell, card: TableCard, code: str) -> None:
    """The way into the game: picture, codes, network, three steps."""
    narrow = face.width < 150 * mm
    side, white = (40 * mm, 13.0) if narrow else (62 * mm, 21.0)  # around the picture four of its modules
    left, top = face.x + INSIDE, face.y + face.height - INSIDE
    room = face.width - 2 * INSIDE
    with sheet.canvas.tagged("H2"):
        title = _("Table %(table)d") % {"table": card.table}
        sheet.text(left, top - 22, title, fonts.BOLD, fonts.fitting_size(title, fonts.BOLD, 26, room))
    y = top - 30
    with sheet.canvas.tagged("P"):
        for size, line in fitted(card.name, fonts.REGULAR, 11, room, 2):
            y -= size * 1.2
            sheet.text(left, y, line, fonts.REGULAR, size)
    low = y - white
    if card.address:
        draw_qr(sheet, card.address, left, low - side, side)
    else:
        sheet.canvas.draw(f"q 0.5 w 0.6 G {left:.2f} {low - side:.2f} {side:.2f} {side:.2f} re S Q")
        words = _("No picture: this server has no address that phones can reach.")
        for number, (size, line) in enumerate(fitted(words, fonts.REGULAR, 7, side - 12, 8)):
            sheet.text(left + 6, low - 14 - number * size * 1.3, line, fonts.REGULAR, size, QUIET)
    beside = Cell(left + side + white, low - side, room - side - white, side)
    below = min(_draw_fields(sheet, card, code, beside), low - side)
    _draw_steps(sheet, card, left, below - white + 6, room, face.y + 5 * mm)


def _draw_fields(sheet: Sheet, card: TableCard, code: str, beside: Cell) -> float:
    """Beside the picture: what is typed where no camera reads it. Gives how far down it reaches."""
    host = card.door.partition("://")[2].partition("?")[0].rstrip("/")
    fields = [(_("Wi-Fi"), ""), (_("Address"), host), (_("Code of the event"), code)]
    fields += [(_("Code of your table"), card.code)] if card.code else []
    step = max(beside.height / 4, 31.0)
    large = min(step * 0.42, 19.0)
    for number, (name, value) in enumerate(fields):
        y, room = beside.y + beside.height - number * step - 7, beside.width
        with sheet.canvas.tagged("P"):
            sheet.text(beside.x, y, name, fonts.REGULAR, fonts.fitting_size(name, fonts.REGULAR, 7.6, room), QUIET)
            if value:
                size = fonts.fitting_size(value, fonts.BOLD, large, room)
                sheet.text(beside.x, y - 3 - large * 0.86, value, fonts.BOLD, size)
            else:
                sheet.line(beside.x, y - 3 - large * 0.9, room, thick=0.6)
    return beside.y + beside.height - len(fields) * step


def _draw_steps(sheet: Sheet, card: TableCard, left: float, y: float, room: float, lowest: float) -> None:
    """What to do, line by line, as large as the rest of the card allows."""
    last = _("Type the code of your table, then play.") if card.code else _("Choose your table, then play.")
    steps = [_("Join the Wi-Fi of the hall."), _("Point the camera at the picture, or type the address."), last]
    with sheet.canvas.tagged("P"):
        size = 13.0
        while size > 4 and _height_of(steps, size, room) > y - lowest:
            size *= 0.95
        for number, step in enumerate(steps, 1):
            for place, line in enumerate(fonts.wrapped(step, fonts.REGULAR, size, room - 18)):
                y -= size * 1.35
                if not place:
                    sheet.text(left, y, str(number), fonts.BOLD, size, INK)
                sheet.text(left + 18, y, line, fonts.REGULAR, size)


def _height_of(steps: Sequence[str], size: float, room: float) -> float:
    return sum(len(fonts.wrapped(step, fonts.REGULAR, size, room - 18)) for step in steps) * size * 1.35
