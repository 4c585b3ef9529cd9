"""Player sheets: each turn with slip, verdict, points and top, the best finds, and a QR code to replay the game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import cast
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib.units import mm

from engine.archive.schema import Archive
from referee.members.addresses import private_addresses_of
from referee.pdf.drawing import heads
from referee.pdf.drawing.sheet import Sheet
from referee.pdf.sheets.player_page import draw_page, facts_of, title_of, width_of_codes
from referee.public.addresses import public_addresses_of, replay_address_of
from referee.results.player_sheet import PlayerSheetView, build_player_sheets
from tournaments.models import Entry, Game, Room
from tournaments.results.queries.archive import export_game

Progress = Callable[[int], None]
LONGEST_NAME = 60
_TABLE = re.compile(r"t[1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class Codes:
    """Addresses in the QR codes of the sheets, by table: of the replay, and of the member's private page."""

    addresses: Mapping[int, str]
    own_pages: Mapping[int, str]


def player_sheets_pdf(
    archive: Archive,
    *,
    language: str,
    paper: str = "a4",
    tables: Iterable[int] | None = None,
    addresses: Mapping[int, str] | None = None,
    own_pages: Mapping[int, str] | None = None,
    progress: Progress = lambda percent: None,
) -> bytes:
    """Draw the sheets of these tables (None: all), one after the other, each numbered from page 1.

    `addresses` maps tables to the page where the player can replay the game, `own_pages` to the private page of the
    member. `progress` is called with the percentage that is done.
    """
    with override(language):
        codes = Codes(addresses or {}, own_pages or {})
        return _bind_sheets(archive, build_player_sheets(archive, tables), paper, codes, progress)


def player_sheets_zip(
    archive: Archive,
    *,
    language: str,
    paper: str = "a4",
    addresses: Mapping[int, str] | None = None,
    own_pages: Mapping[int, str] | None = None,
    progress: Progress = lambda percent: None,
) -> bytes:
    """Pack the sheets as one file for each player, named by table and name."""
    packed = BytesIO()
    with override(language), ZipFile(packed, "w", ZIP_STORED) as folder:
        sheets = build_player_sheets(archive)
        letters, codes = _letters_of(archive), Codes(addresses or {}, own_pages or {})
        for done, own in enumerate(sheets):
            content = _bind_sheets(archive, [own], paper, codes, lambda percent: None, letters)
            if file_name(own) in folder.NameToInfo:
                raise LookupError(f"table {own.player['table']} is in the list of players twice")
            folder.writestr(ZipInfo(file_name(own), (1980, 1, 1, 0, 0, 0)), content)
            progress(100 * done // len(sheets))
    return packed.getvalue()


def chosen_player_sheets_pdf(
    game: Game,
    room: Room,
    choice: str,
    *,
    language: str,
    paper: str = "a4",
    progress: Progress = lambda percent: None,
) -> bytes:
    """Draw the sheets of a room, or of one table (`t17`)."""
    archive, codes = _read(game, room, language)
    tables = [int(choice[1:])] if choice else None
    return player_sheets_pdf(
        archive,
        language=language,
        paper=paper,
        tables=tables,
        addresses=codes.addresses,
        own_pages=codes.own_pages,
        progress=progress,
    )


def chosen_player_sheets_zip(
    game: Game,
    room: Room,
    choice: str,
    *,
    language: str,
    paper: str = "a4",
    progress: Progress = lambda percent: None,
) -> bytes:
    """Pack the sheets of a room, or of one table, as files."""
    archive, codes = _read(game, room, language)
    return player_sheets_zip(
        archive,
        language=language,
        paper=paper,
        addresses=codes.addresses,
        own_pages=codes.own_pages,
        progress=progress,
    )


def _read(game: Game, room: Room, language: str) -> tuple[Archive, Codes]:
    """Return the content of the sheets and of their codes."""
    archive = cast(Archive, export_game(game, room, language=language))
    replay = replay_address_of(game)
    own = public_addresses_of(game.event)
    addresses = {player["table"]: own.get(player["table"], replay) for player in archive["players"]}
    return archive, Codes(addresses, private_addresses_of(game.event))


def reads_table(choice: str) -> bool:
    """Return True if a text names a table: `t17`."""
    return bool(_TABLE.fullmatch(choice))


def offered_tables(game: Game, room: Room) -> list[tuple[str, str]]:
    """List all players together, then each player of the room."""
    players = Entry.objects.filter(game=game, room=room).order_by("player__table")
    named = players.values_list("player__table", "player__name")
    return [("", _("every player")), *((f"t{table}", f"{table} · {name}") for table, name in named)]


def first_table(game: Game, room: Room) -> str:
    """Return the choice of the first player, for a preview."""
    table = Entry.objects.filter(game=game, room=room).order_by("player__table").values_list("player__table").first()
    return f"t{table[0]}" if table else ""


def label_of_table(choice: str) -> str:
    """Return the label of a choice."""
    return _("Table %(table)s") % {"table": choice[1:]}


def file_name(own: PlayerSheetView) -> str:
    """Return a file name such as `17-anna-rossi.pdf`; only the table if the name has no Latin letters."""
    name = slugify(own.player["name"])[:LONGEST_NAME].strip("-")
    return f"{own.player['table']:04d}-{name}.pdf" if name else f"{own.player['table']:04d}.pdf"


def _letters_of(archive: Archive) -> str:
    """Collect the letters that the sheets of a game need, so that all files share the same font subsets.

    A missing letter costs only time.
    """
    letters = set("".join(map(chr, range(32, 127))) + "★·–−→↓’“”…")
    for player in archive["players"]:
        letters.update(f"{player['name']}{player['club']}{player['series']}")
    for turn in archive["turns"]:
        for slip in turn["slips"][:200]:
            letters.update(slip["verdict"]["text"])
    return "".join(sorted(letters))


def _bind_sheets(
    archive: Archive,
    sheets: Sequence[PlayerSheetView],
    paper: str,
    codes: Codes,
    progress: Progress,
    letters: str = "",
) -> bytes:
    line = heads.subtitle(archive)
    first = title_of(sheets[0]) if len(sheets) == 1 else _("Player sheets")
    sheet = Sheet(first, line, [], paper=paper, empty=True)
    sheet.canvas.know_letters(letters)
    facts = heads.game_facts(archive)[0]
    for done, own in enumerate(sheets):
        table = own.player["table"]
        own_page = codes.own_pages.get(table, "")
        sheet.part(title_of(own), line, [*facts_of(own), facts], beside=width_of_codes(own_page) + 6 * mm)
        sheet.canvas.bookmark(title_of(own))
        draw_page(sheet, own, codes.addresses.get(table, ""), own_page)
        progress(100 * done // len(sheets))
    if not sheets:
        sheet.part(first, line, [_("Nobody has played a turn yet.")])
    return sheet.finish()
