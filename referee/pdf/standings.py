"""The standings for the notice board."""

from __future__ import annotations

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive import Archive
from referee.pdf import heads
from referee.pdf.sheet import Column, Sheet


def standings_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Rank, table, name, club, total, negative and percent of every player, as a PDF."""
    with override(language):
        sheet = Sheet(_("Standings"), heads.subtitle(archive), heads.facts(archive), paper=paper)
        sheet.table(_columns(), _rows(archive))
        return sheet.finish()


def _columns() -> list[Column]:
    return [
        Column(_("Rank"), 7),
        Column(_("Table"), 7),
        Column(_("Name"), 32, "left", bold=True),
        Column(_("Club"), 26, "left"),
        Column(_("Total"), 10, bold=True),
        Column(_("Negative"), 10),
        Column(_("Percent"), 10),
    ]


def _rows(archive: Archive) -> list[list[str]]:
    players = {player["table"]: player for player in archive["players"]}
    return [
        [
            str(line["rank"]),
            str(line["table"]),
            players[line["table"]]["name"],
            players[line["table"]]["club"] or "",
            str(line["total"]),
            str(line["negative"]).replace("-", "−"),
            number_format(Decimal(str(line["percent"])), 1),
        ]
        for line in archive["standings"]
    ]
