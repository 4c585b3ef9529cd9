"""Printed analysis of a game or of a turn: the charts of the page, two side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from engine.standings.statistics import TurnStatistics
from referee.charts.game import charts_of_game, charts_of_turn
from referee.charts.progress import progress_chart
from referee.charts.shapes import Drawing
from referee.charts.words import move_text
from referee.formats.texts import format_decimal
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.charts import draw_chart
from referee.pdf.drawing.sheet import MARGIN, Column, Sheet
from tournaments.models import Game, Player, Room
from tournaments.results.queries.analysis import GameAnalysis, analysis_of, player_line
from tournaments.results.queries.results import standings_of

_CHOICE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?", re.ASCII)
TITLE_SIZE, UNDER_TITLE, UNDER = 10.0, 6.0, 12.0
WIDEST = 226.0  # in points; the charts of a game then fit one Letter page


def is_choice(text: str) -> bool:
    """Return True if a text is the number of a game, or that of a game and a turn joined by a dash."""
    return _CHOICE.fullmatch(text) is not None


def choices(game: Game, room: Room) -> Sequence[tuple[str, str]]:
    """List (choice, label) of the game and of its announced turns."""
    turns = analysis_of(game, room).turns
    return [
        (str(game.number), label_of(str(game.number))),
        *((f"{game.number}-{turn.number}", label_of(f"{game.number}-{turn.number}")) for turn in turns),
    ]


def label_of(choice: str) -> str:
    """Return the label of a choice."""
    number, _dash, turn = choice.partition("-")
    game = _("Game %(number)s") % {"number": number}
    return f"{game} · {_('Turn %(number)s') % {'number': turn}}" if turn else game


def analysis_pdf(game: Game, room: Room, choice: str = "", *, language: str, paper: str = "a4") -> bytes:
    """Draw the charts and turns of a game as far as they were announced in the room, or the charts of one turn.

    Raises `LookupError` if the game or turn does not exist.
    """
    chosen, turn = _chosen(game, choice)
    with override(language):
        seen = analysis_of(chosen, room)
        if turn and turn not in {each.number for each in seen.turns}:
            raise LookupError(f"the room has not been shown turn {turn}")
        sheet = _sheet(chosen, seen, label_of(choice or str(chosen.number)), paper)
        charts = charts_of_turn(seen.turns[turn - 1]) if turn else [*charts_of_game(seen), *_leader(chosen, room)]
        _draw_charts(sheet, charts)
        _draw_turns(sheet, [seen.turns[turn - 1]] if turn else seen.turns)
        return sheet.finish()


def _chosen(game: Game, choice: str) -> tuple[Game, int]:
    """Return (game, turn); turn 0 is the whole game."""
    found = _CHOICE.fullmatch(choice)
    if found is None:
        return game, 0
    other = Game.objects.filter(event=game.event_id, number=int(found[1])).select_related("event").first()
    if other is None:
        raise LookupError(f"the event has no game {found[1]}")
    return other, int(found[2] or 0)


def _sheet(game: Game, seen: GameAnalysis, what: str, paper: str) -> Sheet:
    event = game.event
    facts = heads.facts_of_event(event)
    players = ngettext("%(n)s player", "%(n)s players", seen.players) % {"n": seen.players}
    turns = ngettext("%(n)s turn", "%(n)s turns", len(seen.turns)) % {"n": len(seen.turns)}
    line = f"{what} · {players} · {turns}"
    return Sheet(_("Analysis"), heads.event_line(facts), [line], paper=paper)


def _leader(game: Game, room: Room) -> list[Drawing]:
    """Return the leader of the standings, to compare with the top; None before the first turn."""
    lines = standings_of(game, room)
    first = Player.objects.filter(event=game.event_id, table=lines[0].table).first() if lines else None
    line = None if first is None else player_line(game, first.table, room)
    return [progress_chart(line, first.name)] if first is not None and line is not None and line.turns else []


def _draw_charts(sheet: Sheet, charts: Sequence[Drawing]) -> None:
    """Draw two charts side by side and continue below the longer one."""
    if not charts:
        sheet.paragraph(_("There is nothing to show before the first turn is over."))
    width, beside = min(WIDEST, sheet.room / 2), sheet.room / 2
    for at in range(0, len(charts), 2):
        pair = charts[at : at + 2]
        titles = [fonts.wrap_text(chart.title, fonts.BOLD, TITLE_SIZE, width) for chart in pair]
        head = max(map(len, titles)) * TITLE_SIZE * 1.2 + UNDER_TITLE
        height = head + max(chart.height * width / chart.width for chart in pair)
        sheet.need(height)
        for column, (chart, lines) in enumerate(zip(pair, titles, strict=True)):
            left = MARGIN + column * beside
            _draw_title(sheet, lines, left)
            draw_chart(sheet.canvas, chart, left, sheet.y - head, width)
        sheet.y -= height
        sheet.gap(UNDER)


def _draw_title(sheet: Sheet, lines: Sequence[str], left: float) -> None:
    with sheet.canvas.tagged("H2"):
        for number, line in enumerate(lines, 1):
            sheet.text(left, sheet.y - number * TITLE_SIZE * 1.2, line, fonts.BOLD, TITLE_SIZE)


def _draw_turns(sheet: Sheet, turns: Sequence[TurnStatistics]) -> None:
    if turns:
        sheet.table(_columns(), [_row(turn) for turn in turns])


def _columns() -> list[Column]:
    return [
        Column(_("Turn"), 6),
        Column(_("Rack"), 13, "left"),
        Column(_("On the board"), 26, "left", bold=True),
        Column(_("Top"), 8),
        Column(_("Players"), 9),
        Column(_("With the top"), 10),
        Column(_("Percent"), 9),
        Column(_("Mean"), 9),
        Column(_("No points"), 14),
    ]


def _row(turn: TurnStatistics) -> list[str]:
    return [
        str(turn.number),
        turn.rack,
        "–" if turn.master is None else move_text(turn.master),
        str(turn.top),
        str(turn.players),
        str(turn.on_top),
        format_decimal(turn.top_share, 1),
        format_decimal(turn.mean, 1),
        str(turn.zeros),
    ]
