"""Standings for the notice board."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive.schema import Archive
from referee.formats.texts import format_decimal, format_sum
from referee.pdf.drawing import heads
from referee.pdf.drawing.sheet import LINE_HEIGHT, PADDING, ROW_SIZE, Column, Sheet
from referee.results.standings_table import ResultsTable, rank_suffix, rank_text, results_table
from tournaments.models import Event, Game, Room
from tournaments.results.queries.event_results import EventView, event_view, read_choice

WIDEST_UPRIGHT = 130  # sum of the column shares that fits a portrait page
GROUP_SIZE = 12
FIRST = 3  # places in larger type


def standings_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw rank, table, name, club, total, negative and percentage of every player."""
    with override(language):
        sheet = Sheet(
            heads.standings_title(archive),
            heads.subtitle(archive),
            heads.game_facts(archive),
            paper=paper,
        )
        columns, rows = _columns(), _rows(archive)
        sheet.table(columns, rows, lead=FIRST, padding=sheet.snug_padding(columns, rows, lead=FIRST))
        return sheet.finish()


def event_standings_pdf(view: EventView, event: Event, *, language: str, paper: str = "a4") -> bytes:
    """Draw the standings of an event or of one of its games, by player, group or team.

    There is a column for each game; many games make the page landscape.
    """
    with override(language):
        table = results_table(view)
        wide = sum(column.share for column in table.columns) > WIDEST_UPRIGHT
        facts = heads.facts_of_event(event)
        sheet = Sheet(table.title, heads.event_line(facts), table.notes, paper=paper, wide=wide)
        columns = [Column(c.title, c.share, "left" if c.is_text else "right", c.is_bold) for c in table.columns]
        draw_sections(sheet, columns, table)
        return sheet.finish()


def chosen_standings_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw the standings that `choice` names (`tournaments.results.queries.event_results.StandingsChoice`).

    Raises `LookupError` if they do not exist.
    """
    chosen = read_choice(choice)
    view = event_view(game.event, chosen) if chosen is not None else None
    if view is None:
        raise LookupError(f"the event has no standings {choice}")
    return event_standings_pdf(view, game.event, language=language, paper=paper)


def draw_sections(sheet: Sheet, columns: list[Column], table: ResultsTable) -> None:
    """Draw every group under its name, which never stands alone at the end of a page."""
    for section in table.sections:
        if section.title:
            sheet.need(GROUP_SIZE * 2 + 4 * (ROW_SIZE * LINE_HEIGHT + 2 * PADDING))
            sheet.heading(section.title, GROUP_SIZE)
        rows = [[cell.text for cell in row] for row in section.rows]
        headed, lead = _headed(columns, section.title), 0 if section.title else FIRST
        alone = len(table.sections) == 1
        padding = sheet.snug_padding(headed, rows, lead=lead) if alone else PADDING
        sheet.table(headed, rows, lead=lead, padding=padding)
        sheet.gap(GROUP_SIZE)


def _headed(columns: list[Column], group: str) -> list[Column]:
    """Put the group above the names in the header row, so that it is repeated on the next page."""
    if not group:
        return columns
    names = next(at for at, column in enumerate(columns) if column.align == "left")
    headed = replace(columns[names], title=f"{columns[names].title} · {group}")
    return [*columns[:names], headed, *columns[names + 1 :]]


def _columns() -> list[Column]:
    return [
        Column(_("Rank"), 7),
        Column(_("Table"), 7),
        Column(_("Name"), 30, "left", bold=True),
        Column(_("Club"), 25, "left"),
        Column(_("Total"), 13, bold=True),
        Column(_("Negative"), 11),
        Column(_("Percent"), 10),
    ]


def _rows(archive: Archive) -> list[list[str]]:
    players = {player["table"]: player for player in archive["players"]}
    return [
        [
            rank_text(line["rank"]),
            str(line["table"]),
            players[line["table"]]["name"] + rank_suffix(line["rank"]),
            players[line["table"]]["club"] or "",
            format_sum(line["total"]),
            format_sum(line["negative"]),
            format_decimal(line["percent"]),
        ]
        for line in archive["standings"]
    ]
