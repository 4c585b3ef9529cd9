"""Standings as a table of texts, the same on the desk's page, on paper and in a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from itertools import groupby

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.standings.event import EventLine, GameScore, round_half_up
from referee.formats.texts import format_sum
from tournaments.formula_guard import escape_formula
from tournaments.models import Player
from tournaments.results.queries.event_results import EVERYBODY, TEAM, EventRow, EventView, StandingsChoice, TeamRow

PART_TIME, ABSENT = "*", "–"


def rank_text(rank: int | None) -> str:
    """Format a rank; a dash for disqualified players, who have none."""
    return ABSENT if rank is None else str(rank)


def rank_suffix(rank: int | None) -> str:
    """Return the suffix of the name of a player with this rank."""
    return f" {_('(disqualified)')}" if rank is None else ""


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """Column: title, share of the width of a page, and alignment by text or number."""

    title: str
    share: float
    is_text: bool = False
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class ResultCell:
    """Value of a table; `mark` follows it on pages and paper.

    A large sum has a thousands separator; a table number is no sum.
    """

    value: str | int | Decimal
    mark: str = ""
    is_sum: bool = False

    @property
    def text(self) -> str:
        """Localised value with a typographic minus sign."""
        if isinstance(self.value, str):
            return f"{self.value}{self.mark}"
        if self.is_sum and isinstance(self.value, int):
            return f"{format_sum(self.value)}{self.mark}"
        return f"{self.plain.replace('-', '−')}{self.mark}"

    @property
    def plain(self) -> str:
        """Value for a spreadsheet."""
        if isinstance(self.value, str):
            return escape_formula(self.value)
        if isinstance(self.value, Decimal):
            return number_format(self.value, -int(self.value.as_tuple().exponent))
        return str(self.value)


@dataclass(frozen=True, slots=True)
class ResultSection:
    """Rows of a group; without groups the only section has no title."""

    title: str
    rows: list[list[ResultCell]]


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """Standings; `title` names them, `notes` explain the marks that occur."""

    title: str
    columns: list[ResultColumn]
    sections: list[ResultSection]
    notes: list[str]

    @property
    def groups(self) -> Iterator[tuple[str, list[list[tuple[ResultCell, ResultColumn]]]]]:
        """(title, rows) of each section, every cell with its column."""
        for section in self.sections:
            yield section.title, [list(zip(row, self.columns, strict=True)) for row in section.rows]


def csv_text(rows: Iterable[Sequence[str | int | Decimal | None]], delimiter: str = ";", newline: str = "\r\n") -> str:
    """Return a table as CSV; every cell is quoted, every text is escaped against formulas, None is an empty cell."""
    text = StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=newline, quoting=csv.QUOTE_ALL)
    writer.writerows([ResultCell("" if value is None else value).plain for value in row] for row in rows)
    return text.getvalue()


def results_table(view: EventView) -> ResultsTable:
    """Build the table of these standings in the active language."""
    columns = _team_columns(view) if view.choice.by == TEAM else _player_columns(view)
    return ResultsTable(title_of(view), columns, _sections(view), _notes(view))


def use_public_names(view: EventView, players: Iterable[Player]) -> EventView:
    """Return these standings with nicknames instead of names where players have one."""
    shown = {player.table: player.shown_name for player in players}
    rows = tuple(replace(row, player=_with_name(row.player, row.player.shown_name)) for row in view.rows)
    teams = tuple(replace(row, names=tuple(shown[table] for table in row.line.members)) for row in view.teams)
    return replace(view, rows=rows, teams=teams)


def _with_name(player: Player, name: str) -> Player:
    """Return a copy of a player with another name, not to be stored."""
    return Player(table=player.table, name=name, club=player.club, series=player.series)


def title_of(view: EventView) -> str:
    """Return the title of these standings."""
    if view.choice.game is not None:
        scope = _("Game %(number)s") % {"number": view.choice.game}
    else:
        scope = ngettext("after %(n)s game", "after %(n)s games", len(view.games)) % {"n": len(view.games)}
    parts = [_("Standings"), scope, state_text(view)]
    parts += [] if view.choice.by == EVERYBODY else [names_of_groupings()[view.choice.by]]
    return " · ".join(part for part in parts if part)


def state_text(view: EventView) -> str:
    """Return the state of these standings: after a turn, provisional or final."""
    return view.state.text if view.state is not None else ""


def names_of_groupings() -> dict[str, str]:
    """Return the label of each grouping."""
    return {
        EVERYBODY: _("All players"),
        "series": _("By series"),
        "club": _("By club"),
        "age_class": _("By age class"),
        "country": _("By country"),
        TEAM: _("Teams"),
    }


def name_of_choice(choice: StandingsChoice) -> str:
    """Return a short label for a document: "Game 2 · By series"."""
    game = _("Whole event") if choice.game is None else _("Game %(number)s") % {"number": choice.game}
    if choice.after is not None:
        game = _("After game %(number)s") % {"number": choice.after}
    return f"{game} · {names_of_groupings()[choice.by]}"


def as_csv(table: ResultsTable) -> str:
    """Return the table with semicolons for a spreadsheet; a first column holds the groups if there are any."""
    grouped = any(section.title for section in table.sections)
    head = [*([_("Group")] if grouped else []), *(column.title for column in table.columns)]
    groups = ((section, [section.title] if grouped else []) for section in table.sections)
    rows = ([*group, *(cell.value for cell in row)] for section, group in groups for row in section.rows)
    return csv_text([head, *rows])


def _player_columns(view: EventView) -> list[ResultColumn]:
    grouped = view.choice.by != EVERYBODY
    return [
        ResultColumn(_("Rank"), 7),
        *([ResultColumn(_("Overall"), 8)] if grouped else []),
        ResultColumn(_("Table"), 8),
        ResultColumn(_("Name"), 26, is_text=True, is_bold=True),
        *([ResultColumn(_("Club"), 16, is_text=True)] if view.choice.by != "club" else []),
        *_columns_of_games(view),
        *([ResultColumn(_("Handicap"), 11)] if view.with_handicap else []),
        ResultColumn(_("Total"), 9, is_bold=True),
        ResultColumn(_("Negative"), 11),
        ResultColumn(_("Percent"), 8),
        *_column_of_measure(view),
        *(ResultColumn(names_of_counts()[count], 8) for count in _counts(view)),
    ]


def names_of_counts() -> dict[str, str]:
    """Return the labels of the counts beside points that at least one player has."""
    return {"solos": _("Solos"), "warnings": _("Warnings"), "penalties": _("Penalties")}


def _counts(view: EventView) -> list[str]:
    return [count for count in names_of_counts() if any(getattr(row.line, count) for row in view.rows)]


def _team_columns(view: EventView) -> list[ResultColumn]:
    return [
        ResultColumn(_("Rank"), 7),
        ResultColumn(_("Team"), 24, is_text=True, is_bold=True),
        ResultColumn(_("Players"), 34, is_text=True),
        *_columns_of_games(view),
        ResultColumn(_("Total"), 9, is_bold=True),
        *_column_of_measure(view),
    ]


def _columns_of_games(view: EventView) -> list[ResultColumn]:
    """Return a column for each game if there are several."""
    if len(view.games) < 2:
        return []
    return [ResultColumn(_("G%(number)s") % {"number": number}, 8) for number in view.games]


def _column_of_measure(view: EventView) -> list[ResultColumn]:
    """Return the column of the measure that ranks, if that is not the total."""
    titles = {"average_percent": _("Average"), "ranking_points": _("Ranking points")}
    return [ResultColumn(titles[view.ranking], 9, is_bold=True)] if view.ranking in titles else []


def _sections(view: EventView) -> list[ResultSection]:
    if view.choice.by == TEAM:
        return [ResultSection("", [_team_row(row, view) for row in view.teams])]
    counts = _counts(view)
    return [
        ResultSection(group, [_player_row(row, view, counts) for row in rows])
        for group, rows in groupby(view.rows, key=lambda row: row.group)
    ]


def _player_row(row: EventRow, view: EventView, counted: Sequence[str]) -> list[ResultCell]:
    line, player = row.line, row.player
    cells = [_rank_cell(row.rank)]
    if view.choice.by != EVERYBODY:
        cells.append(_rank_cell(line.rank))
    cells += [ResultCell(line.table), ResultCell(player.name + rank_suffix(line.rank))]
    if view.choice.by != "club":
        cells.append(ResultCell(player.club))
    several = len(view.games) > 1
    games = [_game_cell(score, view.ranking) for score in line.games] if several else []
    handicap = [ResultCell(line.handicap)] if view.with_handicap else []
    total = ResultCell(line.total, "" if several else _mark(line.games[0]), is_sum=True)
    counts = [ResultCell(getattr(line, count)) for count in counted]
    return [*cells, *games, *handicap, total, *_results(line, view.ranking), *counts]


def _rank_cell(rank: int | None) -> ResultCell:
    return ResultCell(ABSENT if rank is None else rank)


def _results(line: EventLine, ranking: str) -> list[ResultCell]:
    """Return the cells after the total."""
    measures: dict[str, int | Decimal] = {
        "average_percent": line.average_percent,
        "ranking_points": line.ranking_points,
    }
    measure = [ResultCell(measures[ranking])] if ranking in measures else []
    return [ResultCell(line.negative, is_sum=True), ResultCell(line.percent), *measure]


def _game_cell(score: GameScore, ranking: str) -> ResultCell:
    """Return the cell of a player's game, in the measure that ranks."""
    if score.presence == "missed":
        return ResultCell(ABSENT)
    if ranking == "average_percent":
        return ResultCell(round_half_up(score.percent, 1), _mark(score))
    return ResultCell(score.ranking_points if ranking == "ranking_points" else score.total, _mark(score))


def _mark(score: GameScore) -> str:
    return PART_TIME if score.presence in ("late", "left") else ""


def _team_row(row: TeamRow, view: EventView) -> list[ResultCell]:
    line = row.line
    cells = [ResultCell(line.rank), ResultCell(line.team), ResultCell(", ".join(row.names))]
    if len(view.games) > 1:
        cells += [ResultCell(_format_measure(value, view.ranking, 1)) for value in line.games]
    cells.append(ResultCell(line.total, is_sum=True))
    if view.ranking in ("average_percent", "ranking_points"):
        cells.append(ResultCell(_format_measure(line.value, view.ranking, 2)))
    return cells


def _format_measure(value: Fraction, ranking: str, decimals: int) -> int | Decimal:
    return round_half_up(value, decimals) if ranking == "average_percent" else int(value)


def _notes(view: EventView) -> list[str]:
    return [*_notes_on(view.rows), *_note_on_teams(view)]


def _note_on_teams(view: EventView) -> Iterator[str]:
    """Yield the sentence that says how many players of a team count."""
    best = view.team_best
    if view.choice.by != TEAM or best is None:
        return
    if len(view.games) == 1:
        sentence = ngettext("The best player of each team counts.", "The best %(n)d players of each team count.", best)
    elif view.team_of_each_game:
        sentence = ngettext(
            "In each game the best player of each team counts.",
            "In each game the best %(n)d players of each team count.",
            best,
        )
    else:
        sentence = ngettext(
            "The player of each team who is best over all games counts.",
            "The %(n)d players of each team who are best over all games count.",
            best,
        )
    yield sentence % {"n": best}


def _notes_on(rows: Sequence[EventRow]) -> Iterator[str]:
    presences = {score.presence for row in rows for score in row.line.games}
    if presences & {"late", "left"}:
        yield _("* not present in all turns of the game: no points for the missed turns")
    if "missed" in presences:
        yield _("– not present in this game: no points for it")
