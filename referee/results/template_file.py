"""Files with results in the form of an export template."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from io import StringIO

from django.utils.translation import ngettext

from engine.standings.event import round_half_up
from engine.standings.game import Standing
from referee.results.template_columns import COLUMNS, TemplateLine, Value
from referee.results.transliteration import write_in
from tournaments.formula_guard import escape_formula
from tournaments.models import Event, ExportTemplate
from tournaments.ratings.queries.template_names import PlayerMembers, load_player_members
from tournaments.results.queries.event_export import EventExport
from tournaments.results.queries.event_results import EventRow, EventView

MEDIA_TYPES = {
    "utf-8": "text/csv; charset=utf-8",
    "utf-8-sig": "text/csv; charset=utf-8",
    "latin-1": "text/csv; charset=iso-8859-1",
    "cp1252": "text/csv; charset=windows-1252",
}


@dataclass(frozen=True, slots=True)
class TemplateFile:
    """A written file: its `text`, the bytes, and the texts that the encoding cannot write, as they are and written."""

    text: str
    content: bytes
    replaced: Sequence[tuple[str, str]]

    @property
    def notice(self) -> str:
        """One sentence on the replaced texts; empty if there are none."""
        if not self.replaced:
            return ""
        before, after = self.replaced[0]
        return ngettext(
            "The encoding cannot write %(n)d text as it is: “%(before)s” becomes “%(after)s”.",
            "The encoding cannot write %(n)d texts as they are: “%(before)s” becomes “%(after)s”, for example.",
            len(self.replaced),
        ) % {"n": len(self.replaced), "before": before, "after": after}


def write_template_file(template: ExportTemplate, export: EventExport) -> TemplateFile:
    """Write the results of an event in the form of a template. Texts are guarded against formulas."""
    columns = [COLUMNS[name] for name, _heading in template.columns]
    written = _Writer(template)
    if template.with_header:
        headings = (heading or str(COLUMNS[name].title) for name, heading in template.columns)
        written.add(list(headings))
    for line in _lines(template, export):
        written.add([column.read(line) for column in columns])
    text = written.text.getvalue()
    return TemplateFile(text, text.encode(template.encoding), list(written.replaced.items()))


class _Writer:
    """Collects the lines of a file and the texts that its encoding cannot write."""

    def __init__(self, template: ExportTemplate) -> None:
        self.template = template
        self.text = StringIO()
        self.replaced: dict[str, str] = {}
        self._csv = csv.writer(self.text, delimiter=template.separator, lineterminator=template.line_end)

    def add(self, values: Sequence[Value]) -> None:
        self._csv.writerow([self._cell(value) for value in values])

    def _cell(self, value: Value) -> str:
        if value is None:
            return ""
        if isinstance(value, Decimal):
            return str(value).replace(".", self.template.decimal_sign)
        if isinstance(value, int):
            return str(value)
        written = write_in(value, self.template.encoding)
        if written != value:
            self.replaced[value] = written
        return escape_formula(written)


def _lines(template: ExportTemplate, export: EventExport) -> Iterator[TemplateLine]:
    view = export.plain if template.for_rating else export.view
    source = _Source(export.event, view, load_player_members([row.player.pk for row in view.rows]))
    if not template.line_for_each_game:
        yield from map(source.line_of_event, view.rows)
        return
    for at, results in enumerate(each for each in export.games if each.game.number in view.games):
        yield from source.lines_of_game(at, {line.player.table: line.standing for line in results.lines})


@dataclass(frozen=True, slots=True)
class _Source:
    """The standings from which lines are made, and the members behind their players."""

    event: Event
    view: EventView
    members: Mapping[int, PlayerMembers]

    def line_of_event(self, row: EventRow) -> TemplateLine:
        """Return the line of a player over all games."""
        line = row.line
        return TemplateLine(
            event=self.event,
            player=row.player,
            members=self.members.get(row.player.pk),
            rank=line.rank,
            points=line.total - line.handicap,
            handicap=line.handicap,
            tops=sum(self.view.tops),
            percent=line.percent,
            solos=line.solos,
            warnings=line.warnings,
            penalties=line.penalties,
            players=len(self.view.rows),
        )

    def lines_of_game(self, at: int, standings: Mapping[int, Standing]) -> Iterator[TemplateLine]:
        """Return the lines of the players of a game, the one at this place in the view, best first."""
        played = [row for row in self.view.rows if row.line.games[at].presence != "missed"]
        played.sort(key=lambda row: (row.line.games[at].rank is None, row.line.games[at].rank or 0, row.line.table))
        for row in played:
            score, standing = row.line.games[at], standings[row.line.table]
            yield TemplateLine(
                event=self.event,
                player=row.player,
                members=self.members.get(row.player.pk),
                rank=score.rank,
                points=score.points,
                handicap=score.handicap,
                tops=self.view.tops[at],
                percent=round_half_up(score.percent, 1),
                solos=standing.solos,
                warnings=standing.warnings,
                penalties=standing.penalties,
                players=len(played),
                game=score.number,
            )
