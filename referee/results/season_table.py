"""A ranking of a season as a table, the same on paper and in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.seasons.ranking_rule import Measure, RankingRule
from engine.seasons.season_ranking import EventValue
from referee.formats.season_values import round_event_value, round_value
from referee.formats.texts import format_date
from referee.results.files import write_workbook
from referee.results.standings_table import (
    ABSENT,
    ResultCell,
    ResultColumn,
    ResultSection,
    ResultsTable,
    as_csv,
)
from referee.results.tables import ResultSheet, Value
from tournaments.models import EventSummary
from tournaments.seasons.queries.rankings import RankedMember, RankingView

SHARE_OF_EVENT = 6.5


def paper_table(view: RankingView, *, most_events: int) -> ResultsTable:
    """Build the table of a sheet: with a column for each event if there are at most `most_events`.

    The value of an event that does not count for a member is in brackets.
    """
    events = [event.summary for event in view.events] if len(view.events) <= most_events else []
    columns = [
        ResultColumn(_("Rank"), 6),
        ResultColumn(_("Member"), 27, is_text=True, is_bold=True),
        *([ResultColumn(_("Club"), 15, is_text=True)] if _has_clubs(view) else []),
        *(ResultColumn(f"{event.date.day}/{event.date.month}", SHARE_OF_EVENT) for event in events),
        *([ResultColumn(_("Bonus"), 7)] if view.rule.bonus else []),
        ResultColumn(_("Events"), 9),
        ResultColumn(title_of_value(view.rule), 12, is_bold=True),
    ]
    notes = [_facts(view)]
    if any(not each.counts for line in view.lines for each in line.line.events) and events:
        notes.append(_("In brackets: an event that does not count for this member."))
    sections = [
        ResultSection(group, [_paper_row(line, view, events) for line in lines])
        for group, lines in groupby(view.lines, key=lambda line: line.group)
    ]
    return ResultsTable(view.ranking.name, columns, sections, notes)


def ranking_csv(view: RankingView) -> bytes:
    """Return the ranking as CSV for a spreadsheet: a column for each event."""
    titles = _headings(view)
    sections = [
        ResultSection(
            group, [[ResultCell("" if value is None else value) for value in _row(line, view)] for line in rows]
        )
        for group, rows in groupby(view.lines, key=lambda line: line.group)
    ]
    columns = [ResultColumn(title, 1) for title in titles]
    return as_csv(ResultsTable(view.ranking.name, columns, sections, [])).encode("utf-8-sig")


def ranking_xlsx(view: RankingView) -> bytes:
    """Return the ranking as a workbook; a second sheet has a row for each member and event."""
    grouped = [_("Group")] if view.rule.grouping else []
    rows = [[*([line.group] if grouped else []), *_row(line, view)] for line in view.lines]
    ranking = ResultSheet(view.ranking.name, [*grouped, *_headings(view)], rows)
    return write_workbook(f"{view.ranking.season.name} · {view.ranking.name}", [ranking, _event_sheet(view)])


def title_of_value(rule: RankingRule) -> str:
    """Return the heading of the value by which a rule ranks."""
    titles: dict[Measure, str] = {
        "points": _("Points"),
        "percent": _("Percent"),
        "place": _("Points"),
        "scale": _("Ranking points"),
    }
    return titles[rule.measure]


def _facts(view: RankingView) -> str:
    number = ngettext("%(n)d event so far", "%(n)d events so far", len(view.events)) % {"n": len(view.events)}
    if not view.events:
        return number
    last = view.events[-1].summary
    return _("%(number)s, the last one on %(date)s: %(name)s") % {
        "number": number,
        "date": format_date(last.date),
        "name": last.name,
    }


def _has_clubs(view: RankingView) -> bool:
    return view.rule.grouping != "club" and any(line.member.club for line in view.lines)


def _name(line: RankedMember, view: RankingView) -> str:
    """Return the name with what tells namesakes apart, unless the column of clubs does."""
    is_club_shown = _has_clubs(view) and line.apart == line.member.club
    return f"{line.member.name} ({line.apart})" if line.apart and not is_club_shown else line.member.name


def _paper_row(line: RankedMember, view: RankingView, events: Sequence[EventSummary]) -> list[ResultCell]:
    by_event = {each.event: each for each in line.line.events}
    return [
        ResultCell(ABSENT if line.line.rank is None else line.line.rank),
        ResultCell(_name(line, view)),
        *([ResultCell(line.member.club)] if _has_clubs(view) else []),
        *(_event_cell(by_event.get(event.pk), view.rule) for event in events),
        *([ResultCell(line.line.bonus, is_sum=True)] if view.rule.bonus else []),
        ResultCell(len(line.line.events)),
        ResultCell(round_value(line.line.value, view.rule), is_sum=True),
    ]


def _event_cell(value: EventValue | None, rule: RankingRule) -> ResultCell:
    if value is None:
        return ResultCell("")
    cell = ResultCell(round_event_value(value.value, rule), is_sum=True)
    return cell if value.counts else ResultCell(f"({cell.text})")


def _headings(view: RankingView) -> list[str]:
    return [
        _("Rank"),
        _("Member"),
        _("Licence number"),
        _("Club"),
        title_of_value(view.rule),
        _("Events"),
        _("Events that count"),
        *([_("Bonus")] if view.rule.bonus else []),
        *(f"{event.summary.date.isoformat()} {event.summary.name}" for event in view.events),
    ]


def _row(line: RankedMember, view: RankingView) -> list[Value]:
    by_event = {each.event: round_event_value(each.value, view.rule) for each in line.line.events}
    return [
        *(line.line.rank, line.member.name, line.member.licence, line.member.club),
        round_value(line.line.value, view.rule),
        len(line.line.events),
        sum(each.counts for each in line.line.events),
        *([line.line.bonus] if view.rule.bonus else []),
        *(by_event.get(event.summary.pk) for event in view.events),
    ]


def _event_sheet(view: RankingView) -> ResultSheet:
    """Build the results behind the ranking, by which anyone can compute it again."""
    headings = [
        *(_("Member"), _("Date"), _("Event"), _("Rank"), _("Players"), _("Points"), _("Sum of tops"), _("Value")),
        _("Counts"),
    ]
    return ResultSheet(_("Events"), headings, list(_event_rows(view)))


def _event_rows(view: RankingView) -> Iterator[list[Value]]:
    for line in view.lines:
        for each, value in zip(line.results, line.line.events, strict=True):
            yield [
                *(line.member.name, each.summary.date.isoformat(), each.summary.name),
                *(_("disqualified") if each.result.rank is None else each.result.rank, each.players),
                *(each.result.points, each.summary.tops or None),
                round_event_value(value.value, view.rule),
                value.counts,
            ]
