"""Standings of each club on a page of its own, to take home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive.schema import Archive
from referee.formats.texts import format_decimal, format_sum
from referee.pdf.drawing import heads
from referee.pdf.drawing.sheet import Column, Sheet
from referee.results.standings_table import rank_suffix, rank_text, title_of
from tournaments.models import Game, Room
from tournaments.players.name_order import alphabetic_key
from tournaments.results.queries.event_results import EVERYBODY, StandingsChoice, event_view

WHOLE_EVENT = "event"
DENSITIES = ((11.0, 4.0), (10.0, 3.0), (9.0, 2.2), (8.0, 1.4), (7.2, 0.8), (6.6, 0.4))  # (font size, padding)


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A player in the standings."""

    club: str
    rank: int | None
    table: int
    name: str
    total: int
    negative: int
    percent: Decimal | float


def club_standings_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw the players of each club with their places in a game."""
    players = {player["table"]: player for player in archive["players"]}
    rows = [
        ClubRow(
            players[line["table"]]["club"] or "",
            line["rank"],
            line["table"],
            players[line["table"]]["name"],
            line["total"],
            line["negative"],
            line["percent"],
        )
        for line in archive["standings"]
    ]
    with override(language):
        return _draw_clubs(
            rows, heads.subtitle(archive), [heads.standings_title(archive), *heads.game_facts(archive)[:1]], paper
        )


def chosen_club_standings_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw the players of each club with their places in the whole event."""
    view = event_view(game.event, StandingsChoice(None, EVERYBODY))
    with override(language):
        rows = (
            []
            if view is None
            else [
                ClubRow(
                    row.player.club,
                    row.line.rank,
                    row.line.table,
                    row.player.name,
                    row.line.total,
                    row.line.negative,
                    row.line.percent,
                )
                for row in view.rows
            ]
        )
        facts = [] if view is None else [title_of(view)]
        return _draw_clubs(rows, heads.event_line(heads.facts_of_event(game.event)), facts, paper)


def offered_club_standings(game: Game, room: Room) -> list[tuple[str, str]]:
    """List the choices that the desk offers, if there are several games."""
    if game.number == 1:
        return []
    return [("", _("this game")), (WHOLE_EVENT, label_of_club_standings(WHOLE_EVENT))]


def label_of_club_standings(choice: str) -> str:
    """Return the label of a choice."""
    return _("whole event")


def _draw_clubs(rows: Sequence[ClubRow], line: str, facts: Sequence[str], paper: str) -> bytes:
    sheet = Sheet(_("Standings by club"), line, facts, paper=paper, empty=True)
    for club, members in _by_club(rows):
        sheet.part(club or _("Players without a club"), line, facts)
        sheet.canvas.bookmark(club or "–")
        sheet.gap(4)
        sheet.figures(_figures(members))
        columns, cells = _columns(), [_cells(row) for row in members]
        heights = ((each, sheet.height_of_table(columns, cells, size=each[0], padding=each[1])) for each in DENSITIES)
        fitting = (each for each, height in heights if height <= sheet.height_left)
        size, padding = next(fitting, DENSITIES[-1])
        sheet.table(columns, cells, size=size, padding=padding)
    if not rows:
        sheet.part(_("Standings by club"), line, [_("Nobody is in the standings yet.")])
    return sheet.finish()


def _by_club(rows: Sequence[ClubRow]) -> Iterator[tuple[str, list[ClubRow]]]:
    """List the clubs by name, players without one last, each with its players in order of rank."""
    ordered = sorted(rows, key=lambda row: (not row.club, alphabetic_key(row.club), row.club))
    for club, members in groupby(ordered, key=lambda row: row.club):
        yield club, list(members)


def _figures(members: Sequence[ClubRow]) -> list[tuple[str, str]]:
    ranks = [row.rank for row in members if row.rank is not None]
    total = sum(row.total for row in members)
    return [
        (_("Players"), str(len(members))),
        (_("Best place"), rank_text(min(ranks, default=None))),
        (_("Sum of points"), format_sum(total)),
        (_("Average"), format_decimal(total / len(members))),
    ]


def _columns() -> list[Column]:
    return [
        Column(_("Rank"), 8),
        Column(_("Table"), 8),
        Column(_("Name"), 44, "left", bold=True),
        Column(_("Total"), 14, bold=True),
        Column(_("Negative"), 12),
        Column(_("Percent"), 11),
    ]


def _cells(row: ClubRow) -> list[str]:
    name = row.name + rank_suffix(row.rank)
    numbers = [format_sum(row.total), format_sum(row.negative), format_decimal(row.percent)]
    return [rank_text(row.rank), str(row.table), name, *numbers]
