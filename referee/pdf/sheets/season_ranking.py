"""Ranking of a season for the notice board."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.seasons.rule_text import describe_rule
from referee.formats.texts import format_date
from referee.pdf.drawing.sheet import ROW_SIZE, Column, Sheet
from referee.pdf.sheets.standings import draw_sections
from referee.results.season_table import paper_table
from tournaments.models import Season
from tournaments.seasons.queries.rankings import RankingView

MOST_EVENTS_UPRIGHT, MOST_EVENTS_WIDE = 9, 22


def season_ranking_pdf(view: RankingView, *, club: str, language: str, paper: str = "a4") -> bytes:
    """Draw a ranking with its events as columns, if they fit on the landscape page, and its rule below."""
    with override(language):
        table = paper_table(view, most_events=MOST_EVENTS_WIDE)
        wide = MOST_EVENTS_UPRIGHT < len(view.events) <= MOST_EVENTS_WIDE
        sheet = Sheet(table.title, _subtitle(view.ranking.season, club), table.notes, paper=paper, wide=wide)
        if view.lines:
            draw_sections(sheet, [Column(c.title, c.share, _align(c.is_text), c.is_bold) for c in table.columns], table)
        else:
            sheet.paragraph(_("No member has a result in this season yet."))
        sheet.gap(ROW_SIZE)
        sheet.heading(_("How the ranking is computed"), size=10)
        sheet.paragraph(describe_rule(view.rule, _), size=8)
        return sheet.finish()


def _align(is_text: bool) -> str:
    return "left" if is_text else "right"


def _subtitle(season: Season, club: str) -> str:
    """Return club, season and its dates on one line."""
    dates = f"{format_date(season.starts)} – {format_date(season.ends)}"
    return " · ".join(part for part in (club, season.name, dates) if part)
